/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first error that a reader reported about the bytes it was given. */
#ifndef WATCH_READ_ERROR_H
#define WATCH_READ_ERROR_H

#include <stdbool.h>

#include "base/diag.h"

struct out;

struct read_error {
	struct out *text; /* empty: no error */
	enum diag_code code;
	size_t line;  /* from 1, the header included; 0: not known */
	bool wrapped; /* log prefixes or the like were stripped from the bytes */
};

/* The bytes hold no call. */
bool read_error_is_empty(const struct read_error *e);
/* The format is not known yet, or the bytes are cut off: more of them may help. */
bool read_error_is_undecided(const struct read_error *e);
/* The bytes are cut off within the record that begins at e->line. */
bool read_error_is_truncated(const struct read_error *e);
/* Only e->line is bad: the other lines can be read without it, even while the format is not known.
 * Never true of the first line, which may be what tells the format. */
bool read_error_is_of_line(const struct read_error *e);

/* For struct diag: .emit, with a struct read_error for .ctx. */
void read_error_emit(void *read_error, const struct diag_msg *msg);

#endif
