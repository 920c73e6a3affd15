/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forced preemption (OSprof 3.3): how many calls should have were preempted while
 * they were measured, and how many seem to have.
 *
 * A scheduler that lets a process run for a quantum Q takes the processor away in the
 * middle of one call for each Q of processor time spent in calls. Such a call lasts
 * for what others ran meanwhile, about Q or a multiple, and so stands apart in the
 * histogram.
 */
#ifndef ANALYZE_PREEMPT_H
#define ANALYZE_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/peaks.h"
#include "profile/profile.h"

struct arena;

/* Equation 3, as a logarithm because it underflows: log10 of t_cpu / t_period x
 * (1 - Y)^(Q / t_period). Times are in one unit, t_cpu and t_period above 0; Y, the
 * probability that a request yields the processor, is from 0 to 1. -HUGE_VAL where
 * the probability is 0. */
double preempt_log10_probability(double tcpu, double tperiod, double yield, double quantum);

/* What is assumed; times are in the profile's unit. */
struct preempt_terms {
	double quantum; /* > 0 */
	double yield;	/* probability that a call yields the CPU */
	double tperiod; /* processor time from one call to the next; NAN: estimated */
	double elapsed; /* that all runs took together; NAN when not known */
};

/* Whether as many calls look preempted as the quantum makes expected. */
enum preempt_verdict {
	PREEMPT_AGREES,	    /* as many as expected, within the band or by chance beyond */
	PREEMPT_MORE,	    /* more calls are that slow than preemption explains */
	PREEMPT_FEWER,	    /* they were preempted less than the quantum says */
	PREEMPT_NEGLIGIBLE, /* none expected, none seen */
	PREEMPT_TOO_LONG,   /* calls last as long as the quantum: nothing stands apart */
};

/* A peak between the usual latency and the quantum: perhaps something that comes back. */
struct preempt_event {
	struct peak peak;
	double period; /* elapsed / events; NAN when elapsed is not known */
	double inside; /* processor time in calls / events: only there can they be seen */
};

/* What was found of one operation; times are in the profile's unit. */
struct preempt_op {
	const struct operation *op;
	double cpu;	/* processor time of its calls: those below the edge */
	double tcpu;	/* the same for one of them */
	double tperiod; /* from one call to the next, at least tcpu */
	/* Calls preempted: sum of n_b t_b / Q below the edge, times the chance that none
	 * yielded in Q; with each call at the middle, low and high edge of its bucket. */
	double expected, expected_low, expected_high;
	uint64_t observed;	  /* calls from the edge on */
	double observed_low_edge; /* of the bucket that holds Q / 2 */
	double log10_probability; /* by equation 3: that a quantum ends, and does so in a call */
	bool within_band;	  /* observed lies from expected_low to expected_high */
	/* P of as many or more (as few or fewer) calls by Poisson's law from the nearer
	 * end of the band; 1 within it. */
	double p;
	enum preempt_verdict verdict;
	struct preempt_event *event;
	size_t n_events;
};

/* Expected and seen preemption of all operations of a profile; in an arena. */
struct preemption {
	struct preempt_op *op; /* by falling processor time */
	size_t n_ops;
	size_t n_left_out; /* operations without a histogram, or not of the profile's unit */
};

/* What counts as a difference between expected and seen, and as a background event. */
struct preempt_rules {
	double chance;	     /* P below which what was seen differs from what is expected: 0.05 */
	double away;	     /* octaves from the usual latency to a background event: 2 */
	uint64_t min_events; /* of a peak that is reported as background: 10 */
	double shortest, longest; /* seconds; a quantum found in a profile: 0.5 ms, 0.5 s */
};
extern const struct preempt_rules preempt_rules_default;

/* Expected and observed preemptions of each operation (OSprof, section 3.3), in the arena. */
struct preemption preemption_of(struct arena *a, const struct profile *p,
				const struct preempt_terms *t, const struct preempt_rules *rules);

/* The quantum as the profile has it: the mean latency of the last peak of the operation
 * with the most calls. NAN when there is none as long as a quantum, or when its unit
 * does not say how long it is. */
double preempt_quantum_seen(struct arena *a, const struct profile *p,
			    const struct preempt_rules *rules);

const char *preempt_verdict_name(enum preempt_verdict v); /* "too-long" */

/* --- what the kernel says ------------------------------------------------------------------ */

/* Settings of Linux's fair scheduler; 0 where the kernel has no such. */
struct scheduler_settings {
	double slice;	    /* seconds: base_slice_ns, since 6.6 */
	double latency;	    /* sched_latency_ns, before */
	double granularity; /* sched_min_granularity_ns, before */
	double tick;	    /* 1 / CONFIG_HZ */
};

/* Seconds for which one of n processes on a processor runs before another does: its
 * slice, which ends at a tick. NAN when the settings do not say. */
double scheduler_quantum(const struct scheduler_settings *s, unsigned n);

#endif
