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

/* What is known of the end of some text. */
enum text_end {
	TEXT_GOES_ON, /* the rest of a snapshot may follow */
	TEXT_IS_LONG, /* the same, but it is too long to wait for the rest */
	TEXT_IS_OVER, /* nothing came for a while, so the last snapshot is complete */
};

/* Returns the bytes of the complete snapshots in s, which is whole lines: JSON values, text
 * histograms or tables.
 *
 * A JSON value ends with its last bracket.  One that another value interrupts is cut off by itself.
 * A text snapshot that is over extends to the end of s.  But if every snapshot so far ended with a
 * blank line and this one does not, its collector was stopped within it.
 * Otherwise s is cut after its last blank line, if snapshots are known to end with one, or s is too
 * long.  Else a blank line may be within a table: s is cut where a paragraph begins as the first or
 * the second one does, but for numbers. */
size_t cut_snapshots(struct print_ending *ending, struct str s, enum text_end end);

#endif
