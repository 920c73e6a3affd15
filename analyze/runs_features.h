/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What repeated runs of one operation are compared by: one number a run. */
#ifndef ANALYZE_RUNS_FEATURES_H
#define ANALYZE_RUNS_FEATURES_H

#include "analyze/permutation.h"
#include "profile/profile.h"

struct arena;

/* The numbers by which runs are compared. */
enum feature {
	FEATURE_SHIFT, /* mean place of its calls, in octaves */
	FEATURE_MEAN,  /* log2 of the mean latency: exact where every run has a total */
	FEATURE_TAIL,  /* log2 odds of a call beyond 8 times the median of all runs */
	FEATURE_CALLS, /* log2 of the number of calls */
};
enum { N_FEATURES = FEATURE_CALLS + 1 };

/* The features of one operation in all runs, those of before first; in an arena. */
struct features {
	double *value[N_FEATURES]; /* a run; NAN where it does not have the operation */
	double noise[N_FEATURES];  /* variance that counting alone makes, runs averaged */
	double log_calls;	   /* mean of ln(calls + 1/2) */
	double fewest;		   /* calls of the run that has fewest */
	size_t n_before, n_after;  /* runs that have it */
	bool has_tail;		   /* some call lies beyond 8 times the median */
	bool approximated;	   /* buckets differ between runs and had to be split */
	struct grid grid;	   /* n is 0 unless every run has buckets */
};

/* `op` holds the operation of every run, NULL where absent, those of before first. */
struct features features_of(struct arena *a, const struct operation *const *op, size_t n_before,
			    size_t n_runs, double scale_after);

#endif
