/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recent rate of calls of a source that prints snapshots, from their counts and arrival times.
 *
 * A snapshot that contains the previous one has two explanations: a clear() was lost, or the
 * collector printed late and the snapshot covers more time.  The rate of calls tells them apart.
 */
#ifndef WATCH_SNAPSHOT_RATE_H
#define WATCH_SNAPSHOT_RATE_H

#include <stdbool.h>
#include <stddef.h>

struct snapshot_rate {
	size_t n;	       /* snapshots */
	double at;	       /* arrival of the last one, in seconds of any clock */
	double calls, seconds; /* exponentially weighted sums */
};

/* Adds a snapshot that arrived at `at` with so many new calls. */
void snapshot_rate_add(struct snapshot_rate *p, double at, double calls);

bool snapshot_rate_is_known(const struct snapshot_rate *p);
/* Whether a snapshot at `at` left the same output buffer as the last one, so that its arrival time
 * tells nothing. */
bool snapshot_rate_is_burst(const struct snapshot_rate *p, double at);
/* A snapshot at `at` has `all` calls, and the last one had `before`.  Returns whether the time
 * since the last one fits `all` new calls better than all - before.  False while the rate is not
 * known, and in a burst. */
bool snapshot_rate_fits_all(const struct snapshot_rate *p, double at, double all, double before);

#endif
