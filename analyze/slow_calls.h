/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The few slow calls of an operation, beyond 8 times the higher median of the two sides.
 *
 * Their number varies from run to run by more than chance, since one stall of a disk or one
 * lost time slice causes several.  Their rate is modelled by a gamma distribution with the
 * coefficient of variation 1/sqrt(shape).  Given the sum of both sides, the number on one
 * side then follows a beta-binomial distribution.
 */
#ifndef ANALYZE_SLOW_CALLS_H
#define ANALYZE_SLOW_CALLS_H

#include <stdbool.h>

#include "profile/histogram.h"

/* What a slow call is, and how much their number varies by itself; comments give the defaults. */
struct slow_call_rules {
	double beyond; /* octaves above the higher median of the two sides: 3 */
	/* Higher limits, an octave apart each, are tried, too, if so many calls of one side are
	 * beyond them and the odds differ by so many octaves: 50, 1.5.  The smallest p counts. */
	double min_calls, min_octaves;
	double further_p; /* largest p of evidence beyond a higher limit: 0.002 */
	double shape;	  /* of the gamma distribution: 4, a variation of 50 % */
	/* A call looks preempted if it lasted between the shortest and the longest wait for a CPU,
	 * in seconds: 0.0007, 0.1. */
	double slice_low, slice_high;
	/* CPU time in calls per preemption, in seconds: 0.0007.  More slow calls than this many
	 * standard deviations above the expected number are not preemptions: 3. */
	double slice, deviations;
};
extern const struct slow_call_rules slow_call_rules_default;

/* The slow calls of one operation on both sides. */
struct slow_calls {
	double limit;	      /* latency from which on a call is slow */
	double before, after; /* how many; fractional, as the bucket at the limit is split */
	double latency_before, latency_after; /* of these calls */
	double p;			      /* of so large a difference if the rates are equal */
	double octaves;			      /* log2 of the ratio of the odds of a slow call */
	bool further;			      /* a higher limit than the first was used */
	bool preempted; /* all slow calls of the side with more look preempted */
};

/* Compares the slow calls of two histograms in the same unit, those beyond an edge if the buckets of
 * the medians are wide; `seconds` is one unit, or NAN when it
 * is not a time. */
struct slow_calls slow_calls_compare(const struct histogram *before, const struct histogram *after,
				     double seconds, const struct slow_call_rules *rules);

#endif
