/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each snapshot of a histogram adds to the previous one, for sources that print snapshots
 * repeatedly.
 *
 * Some collectors clear their counts after printing, some go on counting, and some try to clear
 * and fail.  Most do not say which: their counts and arrival times (watch/snapshot_rate.h) show it.
 * A snapshot that may be either waits for the next one, which decides.
 */
#ifndef WATCH_SNAPSHOTS_H
#define WATCH_SNAPSHOTS_H

#include <stdbool.h>

#include "profile/builder/builder.h"
#include "profile/profile.h"

struct snapshot_series;

struct snapshot_counts {
	uint64_t resets; /* operations whose counters were reset at an unknown time */
	uint64_t gaps;	 /* snapshots with such an operation */
	uint64_t
		differenced; /* snapshots found to contain the previous one, which was subtracted */
};

struct snapshot_calls {
	void (*added)(void *ctx, struct profile *p); /* what a snapshot adds; takes ownership */
	void (*report)(void *ctx, const char *message);
	void *ctx;
};

/* Returns an empty series; `stated` is the user's --snapshots.  `documents`: the first snapshot has
 * what was counted before the watch began, and snapshots are mostly cumulative.
 * snapshots_free() frees the series and what waits in it. */
struct snapshot_series *snapshots_new(enum snapshots stated, bool documents,
				      const struct snapshot_calls *calls);
void snapshots_free(struct snapshot_series *s); /* NULL is fine */

/* The collector states that its snapshots are cumulative. */
void snapshots_set_cumulative(struct snapshot_series *s);
/* Takes the next snapshot, which arrived at `at`, in seconds of a monotonic clock.  Copies it. */
void snapshots_take(struct snapshot_series *s, const struct profile *p, double at);
/* Takes each interval of p as a snapshot; all arrived together. */
void snapshots_take_each(struct snapshot_series *s, const struct profile *p, double at);
/* Passes on what waits: no more snapshots will come. */
void snapshots_end(struct snapshot_series *s);

const struct snapshot_counts *snapshots_counts(const struct snapshot_series *s);

#endif
