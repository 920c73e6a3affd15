/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of load: an interval is ranked among intervals under the same load.
 *
 * A program that shares the processors is slower, and each operation differently.  Loads are
 * therefore classified by how much of the processors other programs use, and by how long the
 * program waits to run.
 */
#ifndef ANALYZE_WATCH_WATCH_LOAD_H
#define ANALYZE_WATCH_WATCH_LOAD_H

#include "profile/contention.h"

enum {
	WATCH_SHARES = 3, /* classes of the share that others use: below 50 %, 50 to 90 %, above */
	WATCH_WAITS = 5,  /* classes of the mean wait to run: below 1, 4, 16, 64 ms, above */
	N_WATCH_LOADS = 1 + WATCH_SHARES * WATCH_WAITS,
};

/* Returns the class of a load, below N_WATCH_LOADS; 0: unknown. */
unsigned watch_load_of(const struct contention *c);

#endif
