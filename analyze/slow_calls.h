/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The few slow calls of an operation, beyond 8 times the median of both sides.
 *
 * How many there are varies from run to run by more than chance: one stall of a disk or
 * one lost time slice makes several. Their rate is taken to vary as a gamma distribution
 * with a coefficient of variation of 1/sqrt(shape); given how many both sides have
 * together, those of one side follow a beta-binomial distribution then.
 */
#ifndef ANALYZE_SLOW_CALLS_H
#define ANALYZE_SLOW_CALLS_H

#include <stdbool.h>

#include "profile/histogram.h"

/* What a slow call is, and how much their number varies by itself; the defaults stand beside. */
struct slow_call_rules {
	double beyond; /* octaves above the higher median of the two sides: 3 */
	/* Of several such limits, an octave apart, the one that says most counts, if so many calls
	 * of one side are beyond it and its odds differ by so many octaves: 50, 1.5. */
	double min_calls, min_octaves;
	double further_p; /* evidence beyond the first limit is at most so probable: 0.002 */
	double shape;	  /* of the rates' variation: 4, which is 50 % */
	/* A call looks preempted when it lasted from the shortest to the longest wait for a
	 * processor: seconds, 0.0007 to 0.1. */
	double slice_low, slice_high;
	/* Processor time in calls for each preemption, in seconds: 0.0007; more of them than
	 * this many deviations above what that makes are no preemption: 3. */
	double slice, deviations;
};
extern const struct slow_call_rules slow_call_rules_default;

/* The slow calls of one operation on both sides. */
struct slow_calls {
	double limit;	      /* latency from which on a call is slow */
	double before, after; /* how many; parts of a call where a bucket holds the limit */
	double latency_before, latency_after;
	double p;	/* that rates which are equal differ so much */
	double octaves; /* log2 of the ratio of the odds of a slow call */
	bool further;	/* the limit is not the first one */
	bool preempted; /* those of the side with more look preempted, all of them */
};

/* Both histograms in one unit, of which `seconds` is one (NAN: not a time). */
struct slow_calls slow_calls_compare(const struct histogram *before, const struct histogram *after,
				     double seconds, const struct slow_call_rules *rules);

#endif
