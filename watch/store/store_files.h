/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a folder of intervals, and which of them cover others by their names. */
#ifndef WATCH_STORE_STORE_FILES_H
#define WATCH_STORE_STORE_FILES_H

#include "watch/store/store.h"

/* Seconds; times in names are whole milliseconds, so closer ones are equal. */
static const double same_time = 0.0005;

/* Returns the seconds of a span, rounded to what names can state. */
double span_length(struct span span);
/* Whether a file with span `a` contains one with the shorter span `b`. */
bool span_covers(struct span a, struct span b);

/* Lists all files by start, the longest first among equal starts, including covered ones.  The list
 * lies in the arena.  False: the folder cannot be read, which was reported. */
MUST_CHECK bool store_files(const char *folder, struct arena *a, struct kept_interval **ret,
			    size_t *ret_n, struct diag *diag);
/* Removes entries that a longer file covers from the list.  Returns how many are left. */
size_t store_drop_covered(struct kept_interval *k, size_t n);

#endif
