/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features by which repeated runs of one operation are compared: one number per run each. */
#ifndef ANALYZE_RANK_RUNS_FEATURES_H
#define ANALYZE_RANK_RUNS_FEATURES_H

#include "analyze/rank/feature.h"
#include "analyze/stats/permutation.h"
#include "profile/profile.h"

struct arena;

/* The features of one operation in all runs, the runs before first; in an arena. */
struct features {
	double *value[N_FEATURES]; /* [n_runs]; NAN where a run lacks the operation */
	double noise[N_FEATURES];  /* variance from counting alone, mean over the runs */
	double log_calls;	   /* mean of ln(calls + 1/2) */
	double fewest;		   /* fewest calls of any run */
	size_t n_before, n_after;  /* runs that have the operation */
	bool has_tail;		   /* some call lies beyond 8 times the median */
	bool approximated;	   /* runs have different buckets, which had to be split */
	struct grid grid;	   /* n is 0 unless every run has buckets */
};

/* Computes the features.  op[n_runs] is the operation in each run, NULL where absent, the runs
 * before first; scale_after converts the unit of the others to that before. */
struct features features_of(struct arena *a, const struct operation *const *op, size_t n_before,
			    size_t n_runs, double scale_after);

/* Computes FEATURE_TOTAL again, after FEATURE_CALLS changed: mean times calls, or the mean alone
 * where the number of calls is no result. */
void features_sum(struct features *f, size_t n_runs);

#endif
