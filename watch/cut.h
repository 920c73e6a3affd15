/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the bytes of a source can be cut so that no line, value or snapshot is split. */
#ifndef WATCH_CUT_H
#define WATCH_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

static inline size_t cut_count_lines(struct str s)
{
	return str_count(s, '\n');
}

/* Returns the bytes of the first `lines` lines; s.n if there are fewer. */
size_t cut_lines(struct str s, size_t lines);

/* Removes from n bytes of text the lines that also occur in `like`.  Returns how many bytes are
 * left, and adds the number of removed lines to *lines. */
size_t cut_lines_like(char *text, size_t n, struct str like, size_t *lines);

/* How the snapshots that a source has printed so far ended. */
struct print_ending {
	bool blank; /* some with a blank line */
	bool other; /* some with another line */
};

/* Returns the bytes of whole lines of s up to the last that is outside any JSON value.  A value
 * that another one interrupts is cut off by itself.  *ret_any: s has a JSON value at the start of a
 * line. */
size_t cut_after_json(struct str s, bool *ret_any);
/* Returns the bytes of s up to the last blank line after a text histogram.  `quiet`: no bytes came
 * for a while, so all of s is complete; but if every snapshot so far ended with a blank line and s
 * does not, its collector was stopped within it. */
size_t cut_after_print(struct print_ending *ending, struct str s, bool quiet);

#endif
