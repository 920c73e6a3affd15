/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forced preemption (OSprof 3.3): how many calls are expected to be preempted while they
 * are measured, and how many seem to have been.
 *
 * A scheduler with the time slice (quantum) Q preempts one call for each Q of CPU time
 * spent in calls, fewer if calls yield, as each yield begins a new slice.  A preempted call
 * lasts as long as the others run meanwhile, about Q or a multiple of it, so it stands
 * apart in the histogram.
 */
#ifndef ANALYZE_CALLS_PREEMPT_H
#define ANALYZE_CALLS_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/peaks.h"
#include "profile/profile.h"

struct arena;

/* Equation 3, as a logarithm because it underflows: log10 of t_cpu / t_period x
 * (1 - Y)^(Q / t_period).  Times are in the same unit, t_cpu and t_period above 0; Y, the
 * probability that a request yields the CPU, is from 0 to 1.  Returns -HUGE_VAL when the
 * probability is 0. */
double preempt_log10_probability(double tcpu, double tperiod, double yield, double quantum);

/* Assumptions; times are in the profile's unit. */
struct preempt_terms {
	double quantum; /* > 0 */
	double yield;	/* probability that a call yields the CPU */
	double tperiod; /* CPU time from one call to the next; NAN: to be estimated */
	double elapsed; /* of all runs together; NAN when not known */
};

/* How the number of calls that look preempted compares with the expected number. */
enum preempt_verdict {
	PREEMPT_AGREES,	    /* within the expected band, or beyond it by chance */
	PREEMPT_MORE,	    /* more calls are this slow than preemption explains */
	PREEMPT_FEWER,	    /* fewer calls were preempted than the quantum predicts */
	PREEMPT_NEGLIGIBLE, /* none expected, none observed */
	PREEMPT_TOO_LONG,   /* most calls last as long as the quantum: none stand apart */
};

/* A peak between the usual latency and the quantum: perhaps a periodic background event. */
struct preempt_event {
	struct peak peak;
	double period; /* elapsed / number of events; NAN when elapsed is not known */
	double inside; /* CPU time in calls / number of events: events show only in calls */
};

/* The findings for one operation; times are in the profile's unit. */
struct preempt_op {
	const struct operation *op;
	double cpu;	/* CPU time of its calls: latency of those below the edge */
	double tcpu;	/* the same per call */
	double tperiod; /* from one call to the next, at least tcpu */
	/* Expected preempted calls: the CPU time, estimated and at the low and the high edge of
	 * each bucket, times the rate at which quanta end: s Y / (t_period (1 - s)) with s = (1 -
	 * Y)^(Q / t_period), which is 1 / Q without yields. */
	double expected, expected_low, expected_high;
	uint64_t observed;	  /* calls from the edge on */
	double observed_low_edge; /* the edge: low edge of the bucket that holds Q / 2 */
	double log10_probability; /* by equation 3: that a quantum ends during a call */
	bool within_band;	  /* expected_low <= observed <= expected_high */
	/* Poisson probability of as many or more (as few or fewer) calls, with the nearer end of
	 * the band as the mean; 1 within the band. */
	double p;
	enum preempt_verdict verdict;
	struct preempt_event *event;
	size_t n_events;
};

/* Expected and observed preemptions of all operations of a profile; in an arena. */
struct preemption {
	struct preempt_op *op; /* by falling CPU time */
	size_t n_ops;
	size_t n_left_out; /* operations without a histogram, or not of the profile's unit */
};

/* When observed and expected differ, and what is a background event; comments give the defaults. */
struct preempt_rules {
	double chance;	     /* p below which they differ: 0.05 */
	double away;	     /* fewest octaves from the usual latency to a background event: 2 */
	uint64_t min_events; /* fewest calls of a background event's peak: 10 */
	double shortest, longest; /* of a quantum found in a profile, in seconds: 0.0005, 0.5 */
};
extern const struct preempt_rules preempt_rules_default;

/* Returns the expected and observed preemptions of each operation (OSprof 3.3), in the arena. */
struct preemption preemption_of(struct arena *a, const struct profile *p,
				const struct preempt_terms *t, const struct preempt_rules *rules);

/* Estimates the quantum from a profile: the mean latency of the last peak of the operation with the
 * most calls.  Returns NAN when that is not as long as a quantum, when there is only one peak, or
 * when the unit is not a known time. */
double preempt_quantum_seen(struct arena *a, const struct profile *p,
			    const struct preempt_rules *rules);

const char *preempt_verdict_name(enum preempt_verdict v); /* "too-long" */

/* --- what the kernel says ------------------------------------------------------------------ */

/* Settings of Linux's fair scheduler; 0 where the kernel has no such setting. */
struct scheduler_settings {
	double slice;	    /* seconds: base_slice_ns, since Linux 6.6 */
	double latency;	    /* seconds: sched_latency_ns, before 6.6 */
	double granularity; /* seconds: sched_min_granularity_ns, before 6.6 */
	double tick;	    /* seconds: 1 / CONFIG_HZ */
};

/* Returns how many seconds one of n processes on a CPU runs before another does: its slice, rounded
 * up to a tick.  NAN when the settings do not say. */
double scheduler_quantum(const struct scheduler_settings *s, unsigned n);

#endif
