/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features by which repeated runs of one operation are compared: one number per run each. */
#ifndef ANALYZE_RUNS_FEATURES_H
#define ANALYZE_RUNS_FEATURES_H

#include "analyze/permutation.h"
#include "profile/profile.h"

struct arena;

/* The features by which runs are compared. */
enum feature {
	FEATURE_SHIFT, /* mean position of its calls, in octaves */
	FEATURE_MEAN,  /* log2 of the mean latency; exact if every run has an exact total */
	FEATURE_TAIL,  /* log2 of the odds of a call beyond 8 times the median of all runs */
	FEATURE_CALLS, /* log2 of the number of calls */
};
enum { N_FEATURES = FEATURE_CALLS + 1 };

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

#endif
