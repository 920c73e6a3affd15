/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The latest intervals, the older the more of them added up: what an alarm is explained by.
 * Bounded: 20 profiles, of 484 intervals: a lasting change is reported some hundreds of them late.
 */
#ifndef WATCH_RECENT_H
#define WATCH_RECENT_H

#include <stddef.h>

#include "profile/profile.h"

enum { RECENT_LEVELS = 5, RECENT_EACH = 4, RECENT_JOINED = 3 };

/* The sum of n adjacent intervals. */
struct recent_part {
	struct profile *p;
	size_t first, n; /* intervals, counted from the first ever */
};

/* The latest intervals, in sums of growing length; recent_release() frees them. */
struct recent {
	struct recent_part part[RECENT_LEVELS][RECENT_EACH]; /* oldest first */
	size_t n[RECENT_LEVELS];
	size_t taken;
};

/* Takes over the profile. */
void recent_push(struct recent *r, struct profile *p);
void recent_release(struct recent *r);
/* The sum of what lies before interval `at`, or from it on; how many intervals that are.  NULL:
 * there is nothing. */
struct profile *recent_sum(const struct recent *r, size_t at, bool before, size_t *ret_n);

#endif
