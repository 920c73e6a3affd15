/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where what came of a source can be cut, so that nothing is read by halves. */
#ifndef WATCH_CUT_H
#define WATCH_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

static inline size_t cut_count_lines(struct str s)
{
	return str_count(s, '\n');
}

/* Bytes of the first so many lines; all of them where there are fewer. */
size_t cut_lines(struct str s, size_t lines);

/* Takes those lines out of n bytes that are also a line of `like`: how many bytes are left.  Adds
 * their number to *lines. */
size_t cut_lines_like(char *text, size_t n, struct str like, size_t *lines);

/* How the prints of a source end. */
struct print_habit {
	bool blank; /* with a blank line */
	bool other; /* with another one */
};

/* Of whole lines, the bytes up to the last one that is within no value of JSON, or to one that is
 * broken off by another value, or only this one where it comes first; *ret_any: there
 * is such a value. */
size_t cut_after_json(struct str s, bool *ret_any);
/* The same of histograms as text: up to the last blank line.  `quiet`: nothing came for a while,
 * so that all is complete, unless it lacks the blank line with which all others of the source
 * ended, as its collector was stopped within it. */
size_t cut_after_print(struct print_habit *habit, struct str s, bool quiet);

#endif
