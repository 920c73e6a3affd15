/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader says of bytes that it was given: the first of its errors. */
#ifndef WATCH_HEARING_H
#define WATCH_HEARING_H

#include <stdbool.h>

#include "base/diag.h"

struct out;

struct hearing {
	struct out *text; /* empty: no error */
	enum diag_code code;
	size_t line;  /* from 1, the header included; 0: not known */
	bool wrapped; /* something stood around what was read */
};

/* For struct diag: .emit, with a struct hearing for .ctx. */
void hearing_take(void *hearing, const struct diag_msg *msg);

#endif
