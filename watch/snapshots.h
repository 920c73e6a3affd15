/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms that a source prints again and again, one after the other: what each has that came
 * since the one before.
 *
 * Collectors clear what they have printed, or go on counting, or mean to clear it and fail.
 * Nobody says so; the counts tell, and the times at which they came (watch/pace.h).  Where a
 * snapshot may be either, it waits for the next one, which shows it.
 */
#ifndef WATCH_SNAPSHOTS_H
#define WATCH_SNAPSHOTS_H

#include <stdbool.h>

#include "profile/builder.h"
#include "profile/profile.h"

struct snapshot_series;

/* What became of them. */
struct snapshot_counts {
	uint64_t resets;      /* operations that were counted anew, and nobody knows from when */
	uint64_t gaps;	      /* snapshots with such an operation */
	uint64_t differenced; /* snapshots of which the one before was taken away, unasked */
};

/* Whom to hand what came to, which takes it over, and whom to tell what was found. */
struct snapshot_calls {
	void (*added)(void *ctx, struct profile *p);
	void (*report)(void *ctx, const char *message);
	void *ctx;
};

/* Nothing printed so far; `said` is what the user says of them.  `documents`: the first one holds
 * what was counted before anybody watched, and they are mostly counters.  snapshots_free() frees
 * it, and what waits in it. */
struct snapshot_series *snapshots_new(enum snapshots said, bool documents,
				      const struct snapshot_calls *calls);
void snapshots_free(struct snapshot_series *s); /* NULL is fine */

/* Who prints them says that they go on counting. */
void snapshots_count_on(struct snapshot_series *s);
/* The next one, as it was printed, which came at `at`, in seconds of a clock that never goes
 * back.  It is copied. */
void snapshots_take(struct snapshot_series *s, const struct profile *p, double at);
/* The same of each interval of a profile, as those that came together. */
void snapshots_take_each(struct snapshot_series *s, const struct profile *p, double at);
/* No more will come: what waits is handed over. */
void snapshots_end(struct snapshot_series *s);

const struct snapshot_counts *snapshots_counts(const struct snapshot_series *s);

#endif
