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

/* Of the error: there is no call among the bytes; nobody knows whose they are, or they are cut off;
 * they are cut off, from that line on; without that line the others can be read, though nobody knew
 * yet whose they are. The last is not so of a first line, which may say that. */
bool hearing_is_empty(const struct hearing *h);
bool hearing_is_undecided(const struct hearing *h);
bool hearing_is_truncated(const struct hearing *h);
bool hearing_is_of_line(const struct hearing *h);

/* For struct diag: .emit, with a struct hearing for .ctx. */
void hearing_take(void *hearing, const struct diag_msg *msg);

#endif
