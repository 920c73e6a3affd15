/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a workload that was not measured: how often it makes each call, times what the call
 * costs in other runs (FSprof 5.2, on mixes of operations).
 *
 * It assumes that a call costs the same in both.  The cost is the self time of a call, so that
 * operations add up.  Costs of runs are taken as log-normal: the estimate is their geometric mean,
 * and the interval, a prediction interval of Student's t, holds what one more run takes in 95 of
 * 100 cases.
 */
#ifndef ANALYZE_PREDICT_H
#define ANALYZE_PREDICT_H

#include "analyze/run_order.h"
#include "profile/profile.h"

struct arena;

/* An estimate in the unit of the costs, with its interval. */
struct estimate {
	double value;	  /* NAN: not known */
	double low, high; /* NAN: fewer than two runs know it */
};

/* An operation of the workload. */
struct predicted {
	const struct operation *op; /* of the run of the counts */
	double calls;		    /* in a run of it */
	size_t n_runs;		    /* that know its cost; 0: none does */
	struct estimate cost;	    /* of a call */
	struct estimate total;	    /* of all calls of a run */
	double observed;	    /* what they took; NAN: not known */
};

/* All operations that do not wait by design, those that take longest first. */
struct prediction {
	struct predicted *v;
	size_t n;
	struct estimate total; /* of the operations whose cost is known */
	double observed;       /* what these took; NAN: not known */
	double calls, calls_without_cost;
	size_t n_without_cost; /* operations */
};

/* Predicts a run of the workload `counts`, the sum of n_counts runs, by runs of the costs.
 * `scale` converts its latencies to the unit of the costs; NAN: they cannot be.  Results lie in
 * the arena. */
struct prediction predict(struct arena *a, const struct runs_side *costs,
			  const struct profile *counts, size_t n_counts, double scale);

#endif
