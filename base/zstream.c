/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/zstream.h"

#include <stdlib.h>

#include "base/xalloc.h"

static void *take_memory(void *arg, uInt count, uInt size)
{
	(void)arg;
	return calloc(count, size);
}

static void free_memory(void *arg, void *p)
{
	(void)arg;
	free(p);
}

void zstream_init(z_stream *ret, int window_bits)
{
	*ret = (z_stream){ .zalloc = take_memory, .zfree = free_memory };
	if (inflateInit2(ret, window_bits) != Z_OK)
		xalloc_die();
}
