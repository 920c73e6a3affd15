/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under which load an interval was measured: intervals are ranked among those of the same load.
 *
 * A program that has to share the processors is slower, each of its operations in another way, and
 * no level that was seen before tells so.  What is compared is therefore how much of the
 * processors others use, and how long the program waits for one.
 */
#ifndef ANALYZE_WATCH_LOAD_H
#define ANALYZE_WATCH_LOAD_H

#include "profile/contention.h"

enum {
	WATCH_SHARES = 3, /* of the processors that others use: below 50 %, below 90 %, above */
	WATCH_WAITS = 5,  /* for a processor, on average: below 1, 4, 16, 64 ms, above */
	N_WATCH_LOADS = 1 + WATCH_SHARES * WATCH_WAITS,
};

/* Its number, below N_WATCH_LOADS; 0: it is not known. */
unsigned watch_load_of(const struct contention *c);

#endif
