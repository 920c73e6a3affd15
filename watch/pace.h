/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many calls a second the snapshots of a source have reported lately, by the times at which
 * they came.
 *
 * A snapshot that holds all of the one before may be of counters that a clear() missed, or of
 * more time than the others: a collector on a busy machine prints late, and then twice as much.
 * Which of them it is, the rate of calls says.
 */
#ifndef WATCH_PACE_H
#define WATCH_PACE_H

#include <stdbool.h>
#include <stddef.h>

struct pace {
	size_t n;	       /* snapshots */
	double at;	       /* when the last one came, in seconds of any clock */
	double calls, seconds; /* of those before it, the later ones weighing more */
};

/* A snapshot came at `at` with so many calls that the one before it did not have. */
void pace_add(struct pace *p, double at, double calls);

/* Whether there is a rate yet. */
bool pace_is_known(const struct pace *p);
/* A snapshot at `at` comes out of one buffer with the last one: the rate tells nothing of it. */
bool pace_is_burst(const struct pace *p, double at);
/* A snapshot comes at `at` and holds `all` calls, `before` of which the last one may have held
 * already: whether the time that it took fits `all` of them better than the others alone.  False
 * where the rate is not known yet, or no time passed. */
bool pace_fits_all(const struct pace *p, double at, double all, double before);

#endif
