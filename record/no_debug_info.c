/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without libdw: no object file says anything. */
#include "record/debug_info.h"

#include <stddef.h>

bool debug_info_is_read(void)
{
	return false;
}

struct debug_info *debug_info_open(const char *path)
{
	(void)path;
	return NULL;
}

void debug_info_free(struct debug_info *d)
{
	(void)d;
}

bool debug_info_find(struct debug_info *d, uint64_t offset, struct code_location *ret)
{
	(void)d, (void)offset, (void)ret;
	return false;
}
