/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals in a folder: one osprof(5) file each, 20261122T180000Z-10s.osprof.
 *
 * A file is written atomically: it is written under a hidden name, forced to the disk and renamed.
 * Files that have reached the age of their tier are merged into one of the next tier, which is
 * exact; those that it covers go after it is in place.  Whoever is killed in between leaves a
 * folder that store_list() reads without repair: names tell what covers what, and where they do
 * not, a journal does (watch/store_journal.h).  Whose time a file covers already adds to it, as
 * after the clock was set back.
 */
#ifndef WATCH_STORE_H
#define WATCH_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct diag;
struct profile;

/* An interval's time, in seconds since 1970. */
struct span {
	double start, end;
};

/* Files of so many seconds are kept so long. */
struct tier {
	double length, age;
};

enum { MAX_TIERS = 6, MAX_UNWRITTEN = 64 };

/* Where intervals are kept, for how long, and in how many bytes. */
struct store_options {
	const char *folder;
	uint64_t max_bytes;
	struct tier tier[MAX_TIERS]; /* ascending; the first has the length of intervals */
	size_t n_tiers;
};

struct store;

/* What became of the intervals that a store was given: written, or dropped because more than
 * MAX_UNWRITTEN could not be written, or still waiting in memory. */
struct store_counts {
	uint64_t intervals, written, dropped, waiting;
};

/* Makes the folder where it is not there.  NULL when an error was reported: it cannot be
 * written to, or another process watches into it. */
MUST_CHECK struct store *store_open(const struct store_options *options, struct diag *diag);
void store_close(struct store *s); /* NULL is fine */

/* False, with an error reported, where it could not be written: it is kept in memory, as the last
 * MAX_UNWRITTEN are, and written with one of the next.  The oldest beyond
 * these is dropped; store_counts() tells. */
MUST_CHECK bool store_put(struct store *s, const struct profile *p, struct span span,
			  struct diag *diag);
/* Writes a file atomically under this name, which is that of no interval, beside them.  False when
 * an error was reported. */
MUST_CHECK bool store_note(struct store *s, const char *name, struct str text, struct diag *diag);
/* Of all intervals until now; intervals = written + dropped + waiting. */
struct store_counts store_counts(const struct store *s);
/* Merges what is old enough, and drops the oldest files where there are too many bytes. */
void store_tidy(struct store *s, double now, struct diag *diag);

/* One file of the store, and the time that it covers. */
struct kept_interval {
	struct span span;
	const char *path;
	uint64_t bytes;
};

/* The intervals of a folder, in order; what a longer one covers is left out.  Borrows from
 * the arena.  False when the folder cannot be read. */
MUST_CHECK bool store_list(const char *folder, struct arena *a, struct kept_interval **ret,
			   size_t *ret_n, struct diag *diag);
/* One of its files; NULL when an error was reported. */
MUST_CHECK struct profile *store_read(const char *path, struct diag *diag);

#endif
