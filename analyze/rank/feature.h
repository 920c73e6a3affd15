/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is compared of an operation's runs: one number per run for each feature. */
#ifndef ANALYZE_RANK_FEATURE_H
#define ANALYZE_RANK_FEATURE_H

#include <stdbool.h>

/* The features by which runs are compared. */
enum feature {
	FEATURE_SHIFT,	  /* mean position of its calls, in octaves */
	FEATURE_MEAN,	  /* log2 of the mean latency; exact if every run has an exact total */
	FEATURE_TAIL,	  /* log2 of the odds of a call beyond 8 times the median of all runs */
	FEATURE_CALLS,	  /* log2 of the number of calls */
	N_BASIC_FEATURES, /* those above are also kept for each host (profile/spread.h) */
	FEATURE_P50 = N_BASIC_FEATURES, /* log2 of a quantile, interpolated (analyze/body.h) */
	FEATURE_P90,
	FEATURE_P99,
	FEATURE_SLOW,	 /* mean of log2 latency over the slowest 2 % */
	FEATURE_SLOWEST, /* ... over the slowest 0.5 % */
	FEATURE_TOTAL,	 /* log2 of the total latency */
	FEATURE_P75,	 /* further quantiles, for policies; no verdict rests on them */
	FEATURE_P95,
	FEATURE_P999,
	FEATURE_MAX, /* log2 of the largest latency, where every run states one */
	N_FEATURES,
};

/* Returns the feature of a quantile from 0 to 1; N_FEATURES when there is none. */
enum feature feature_of_quantile(double q);

/* Whether it is a latency, so that a common factor of all operations moves it. */
static inline bool feature_is_latency(enum feature f)
{
	return f != FEATURE_MAX && f != FEATURE_TAIL && f != FEATURE_CALLS && f != FEATURE_TOTAL;
}

#endif
