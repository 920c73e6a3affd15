/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The latest 484 intervals as at most 20 sums, the older the coarser, to explain alarms with.
 * Lasting changes are reported hundreds of intervals after their onset.
 */
#ifndef WATCH_RECENT_H
#define WATCH_RECENT_H

#include <stddef.h>

#include "profile/profile.h"

enum { RECENT_LEVELS = 5, RECENT_EACH = 4, RECENT_JOINED = 3 };

/* The sum of n adjacent intervals. */
struct recent_part {
	struct profile *p;
	size_t first, n; /* `first`: from 0, the first interval ever */
};

/* {} is empty; recent_release() frees the profiles. */
struct recent {
	struct recent_part part[RECENT_LEVELS][RECENT_EACH]; /* oldest first */
	size_t n[RECENT_LEVELS];
	size_t taken;
};

/* Adds the next interval, and takes ownership of it. */
void recent_push(struct recent *r, struct profile *p);
void recent_release(struct recent *r);
/* Returns the sum of the intervals before number `at`, or from it on, and their number; NULL: there
 * are none.  The caller frees it. */
struct profile *recent_sum(const struct recent *r, size_t at, bool before, size_t *ret_n);

#endif
