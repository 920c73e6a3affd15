/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a folder of intervals: which there are, and what their names say of each other. */
#ifndef WATCH_STORE_FILES_H
#define WATCH_STORE_FILES_H

#include "watch/store.h"

/* Times of names are whole milliseconds; those closer than this, in seconds, are the same. */
static const double same_time = 0.0005;

/* Seconds, without the rounding of a difference of two large numbers. */
double span_length(struct span span);
/* Whether a file of time `a`, a window, has what is in a shorter one of time `b`. */
bool span_covers(struct span a, struct span b);

/* All files by start, of those that start together the longest first, covered ones, too.  Borrows
 * from the arena.  False when an error was reported: the folder cannot be read. */
MUST_CHECK bool store_files(const char *folder, struct arena *a, struct kept_interval **ret,
			    size_t *ret_n, struct diag *diag);
/* Leaves out what a longer one covers; how many are left. */
size_t store_drop_covered(struct kept_interval *k, size_t n);

#endif
