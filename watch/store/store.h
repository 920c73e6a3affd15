/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder of intervals, one osprof(5) file each: 20261122T180000Z-10s.osprof.
 *
 * Files are written atomically: under a hidden name, synced to the disk, then renamed.  Files that
 * reach the age of their tier are merged into a file of the next tier, which is exact; they are
 * removed after that file is in place.  A process that is killed at any point leaves a folder that
 * store_list() reads without repair: names tell which file covers which, or else a journal does
 * (watch/store/store_journal.h).  An interval within the span of a kept file, as after the clock was set
 * back, is added to that file.
 */
#ifndef WATCH_STORE_STORE_H
#define WATCH_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct diag;
struct profile;

/* In seconds since 1970. */
struct span {
	double start, end;
};

/* Files of `length` seconds are kept until the age `age`, in seconds. */
struct tier {
	double length, age;
};

enum { MAX_TIERS = 6, MAX_UNWRITTEN = 64 };

struct store_options {
	const char *folder;
	uint64_t max_bytes;
	struct tier tier[MAX_TIERS]; /* ascending; the first has the length of an interval */
	size_t n_tiers;
};

struct store;

/* intervals = written + dropped + waiting.  Dropped: more than MAX_UNWRITTEN could not be
 * written. */
struct store_counts {
	uint64_t intervals, written, dropped, waiting;
};

/* Opens or makes the folder.  NULL: it is not writable, or another process keeps intervals in it,
 * which was reported. */
MUST_CHECK struct store *store_open(const struct store_options *options, struct diag *diag);
void store_close(struct store *s); /* NULL is fine */

/* Writes an interval.  False: it could not be written, which was reported; it waits in memory
 * with at most MAX_UNWRITTEN others and is written with a later one.  Beyond these the oldest is
 * dropped. */
MUST_CHECK bool store_put(struct store *s, const struct profile *p, struct span span,
			  struct diag *diag);
/* Writes another file of the folder atomically; its name must not be that of an interval.  False:
 * an error was reported. */
MUST_CHECK bool store_note(struct store *s, const char *name, struct str text, struct diag *diag);
struct store_counts store_counts(const struct store *s);
/* Merges files that are old enough, and removes the oldest while there are too many bytes. */
void store_tidy(struct store *s, double now, struct diag *diag);

struct kept_interval {
	struct span span;
	const char *path;
	uint64_t bytes;
};

/* Lists the intervals of a folder in order, without those that a longer one covers.  The list lies
 * in the arena.  False: the folder cannot be read, which was reported. */
MUST_CHECK bool store_list(const char *folder, struct arena *a, struct kept_interval **ret,
			   size_t *ret_n, struct diag *diag);
/* Reads a file of the folder.  NULL: an error was reported. */
MUST_CHECK struct profile *store_read(const char *path, struct diag *diag);

#endif
