/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the time of a run went:
 *
 *	elapsed x concurrency = busy + waiting + rest
 *
 * Busy is the own time of calls, waiting that of calls that wait by design (analyze/idle.h), and
 * the rest what lies between calls: the program's own code, and time in which clients did nothing.
 */
#ifndef ANALYZE_RANK_RUN_ACCOUNT_H
#define ANALYZE_RANK_RUN_ACCOUNT_H

#include <stddef.h>

#include "profile/profile.h"

/* All times are seconds; NAN where not known. */
struct run_account {
	double elapsed, busy, waiting;
	double rest;		    /* NAN also where the calls contradict elapsed time */
	double concurrency;	    /* calls at the same time, at least 1 */
	bool concurrency_stated;    /* not estimated from the calls */
	enum elapsed_source source; /* of elapsed */
	bool fixed_duration;	    /* of all runs: they were given a time, not a number of calls */
	double started;		    /* since 1970; of the earliest run, if known of all */
};

/* Returns the account of one run.  Without stated clients, their number is estimated as the time
 * of all calls over elapsed time, which includes calls of several layers more than once. */
struct run_account run_account_of(const struct profile *p);

/* Returns the mean over n > 0 runs.  What is not known of one run is not known of the mean; the
 * source is the least certain one, and the start that of the earliest run. */
struct run_account run_account_mean(const struct profile *const *run, size_t n);

/* Returns whether the calls take longer than the stated clients had time for: their latencies were
 * corrected for requests that were not made, and have no total. */
bool run_account_contradicts(const struct run_account *a);

#endif
