/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/printing.h"

#include <stddef.h>

static _Thread_local struct printing *listener, unheard;

void printing_listen(struct printing *to)
{
	listener = to;
}

struct printing *printing_found(void)
{
	return listener != NULL ? listener : &unheard;
}
