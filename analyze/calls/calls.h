/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Analyses of per-call records (DeBox, sections 2 and 5): what calls block on, what each call
 * site costs, whether calls get slower from call to call, how much of the time that a caller
 * sees is spent in the kernel, and what other threads do meanwhile.
 *
 * All times are in nanoseconds.  Results lie in the arena and borrow from the records.
 */
#ifndef ANALYZE_CALLS_CALLS_H
#define ANALYZE_CALLS_CALLS_H

#include <stdbool.h>

#include "calls/calls.h"

/* --- all of them ------------------------------------------------------------------------ */

/* Counts and sums over all records. */
struct calls_summary {
	double duration; /* from the first start to the last end */
	double latency, cpu, blocked;
	double minor_faults, major_faults;
	size_t n_blocked, n_preempted; /* by call_blocked() and call_preempted() */
	size_t n_kernel;	       /* calls with a recorded time in the kernel */
	size_t n_operations, n_sites;  /* distinct ones that occur */
};

/* Sums up all records. */
struct calls_summary calls_summary(const struct calls *c);

/* --- what they block on (table 4) ---------------------------------------------------------- */

/* The calls of one operation that blocked on one resource, and the time that they blocked. */
struct blocking_cell {
	uint32_t operation;
	size_t calls;
	double time;
};

/* All calls that blocked on one resource, by operation. */
struct blocking_column {
	uint32_t resource; /* 0 when not known */
	size_t calls;
	double time;
	struct blocking_cell *cell; /* most calls first */
	size_t n;
};

/* The blocking matrix: resources by operations (DeBox, table 4). */
struct blocking {
	struct blocking_column *column; /* most calls first */
	size_t n;
};

/* Returns the blocking matrix of all calls, in the arena. */
struct blocking blocking_of(struct arena *a, const struct calls *c);

/* --- what each call site costs (section 5.5) ------------------------------------------------ */

/* Summary statistics of latencies; NAN where there are none. */
struct spread {
	double min, median, mean, max;
};

/* The cost of one operation's calls from one call site. */
struct site_cost {
	uint32_t operation, site;
	size_t calls, n_blocked, n_preempted;
	double total, cpu, blocked;
	double minor_faults, major_faults;
	struct spread latency;
};

/* The costs of all call sites of a side. */
struct site_costs {
	struct site_cost *v; /* by falling total */
	size_t n;
	double total; /* latency of all calls */
};

/* Returns the cost of each call site, the most expensive first, in the arena. */
struct site_costs site_costs_of(struct arena *a, const struct calls *c);

/* --- two sides ---------------------------------------------------------------------------- */

/* One operation's calls from one site, or blocked on one resource, on both sides; all amounts
 * are means per run. */
struct call_change {
	struct str operation, what; /* `what`: the site or the resource; may be empty */
	double calls_before, calls_after;
	double time_before, time_after; /* latency, or time blocked */
};

/* The changes between two sides, by call site or by resource. */
struct call_changes {
	struct call_change *v; /* the largest change of time first */
	size_t n;
	double time_before, time_after; /* sums over v */
};

/* One side of a comparison of records, with its own analyses. */
struct calls_side {
	const struct calls *calls;
	struct calls_summary summary;
	struct blocking blocking;
	struct site_costs sites;
};

/* Returns how the cost of each call site differs between two sides, in the arena. */
struct call_changes site_changes_of(struct arena *a, const struct calls_side *before,
				    const struct calls_side *after);
/* Returns how the blocking of each operation differs between two sides, in the arena. */
struct call_changes blocking_changes_of(struct arena *a, const struct calls_side *before,
					const struct calls_side *after);

/* --- whether calls get slower as they go on (section 5.4) ----------------------------------- */

/* Whether calls get slower (GROWS) or faster (SHRINKS) from call to call; FEW: too few calls. */
enum trend_verdict { TREND_FEW, TREND_NONE, TREND_GROWS, TREND_SHRINKS };

/* The trend of one operation, or of one of its call sites. */
struct trend {
	uint32_t operation, site;
	bool all_sites; /* of the operation, `site` is not used */
	enum trend_verdict verdict;
	size_t calls;
	size_t n_processes; /* processes with enough calls to be tested */
	size_t n_looked_at; /* calls of these processes */
	double first, last; /* median latency of the first and of the last tenth of each process */
	double tau;	    /* Kendall's tau-b between the number of a call and its latency */
	double slope;	    /* ns per call (Theil-Sen estimator) */
	double p, q;  /* p is two-sided; q is p adjusted over all trends (Benjamini-Hochberg) */
	double extra; /* ns that the fitted line adds to calls after a process's first, in all */
	bool telling; /* a trend with |extra| at least min_tested_share of all latency */
};

/* What makes a trend significant and worth reporting; comments give the defaults. */
struct trend_rules {
	double level;		 /* largest q of a trend: 0.05 */
	double min_octaves;	 /* smallest change between the first tenth and the last: 0.5 */
	double min_tau;		 /* smallest |tau|: 0.3 */
	size_t min_tested_calls; /* fewest calls of a process that is tested: 20 */
	double min_tested_share; /* share of all latency from which on `extra` is telling: 0.001 */
	size_t blocks; /* the calls of a process become medians of at most this many blocks: 30 */
	size_t block_calls; /* fewest calls of a block: 3 */
};

/* The rules that the commands use. */
extern const struct trend_rules trend_rules_default;

const char *trend_verdict_name(enum trend_verdict v); /* "grows" */

/* The trends of all operations and call sites that were tested. */
struct trends {
	struct trend *v; /* by verdict, growing trends first, then by falling |extra| */
	size_t n;
};

/* Tests whether calls of one process get slower or faster from call to call; in the arena. */
struct trends trends_of(struct arena *a, const struct calls *c, const struct trend_rules *rules);

/* --- time as the caller sees it, and in the kernel (table 1) --------------------------------- */

/* How long the calls of one operation take as the caller sees it, and in the kernel. */
struct call_times {
	uint32_t operation;
	size_t calls, n_blocked, n_preempted; /* a call counts in at most one of the two */
	size_t n_kernel;		      /* calls with a recorded time in the kernel */
	size_t n_undisturbed;		      /* calls that `undisturbed` is about */
	struct spread user;		      /* of the n_kernel calls; of all when n_kernel is 0 */
	struct spread kernel;
	struct spread undisturbed; /* as `user`, of the calls neither blocked nor preempted */
	/* Time that the caller sees beyond the time in the kernel, or beyond CPU time where that
	 * is not known: summed over all calls, blocked calls and preempted calls. */
	double beyond, beyond_blocked, beyond_preempted;
};

/* The times of all operations. */
struct all_times {
	struct call_times *v; /* by falling latency */
	size_t n;
	bool has_kernel; /* some call has a time in the kernel */
};

/* Returns the times of each operation, in the arena. */
struct all_times all_times_of(struct arena *a, const struct calls *c);

/* --- what other threads did meanwhile -------------------------------------------------------- */

/* How much of the time of one operation's calls another thread spent in a call of `operation`. */
struct overlap_with {
	uint32_t operation;
	double slow_share, other_share; /* of the time of slow and of other calls; NAN: none */
	/* Shares of the slow and of the other calls that ended together with such a call, as
	 * calls that wait for it do. */
	double ended_with, other_ended_with;
	bool waits; /* the slow calls seem to wait for `operation` */
};

/* What goes on during the slow calls of one operation.  A call is slow from the first peak on
 * that is not the fastest and holds 1 % of the operation's latency. */
struct overlap {
	uint32_t operation;
	double limit; /* latency from which on a call is slow */
	uint64_t n_slow;
	double slow_time;
	struct overlap_with *with; /* those it waits for first, then by falling overlap_excess() */
	size_t n;
};

/* Which calls of other threads go on during the slow calls of each operation. */
struct overlaps {
	struct overlap *v; /* operations with slow calls, by falling slow_time */
	size_t n;
	size_t n_threads; /* with one thread nothing overlaps */
};

/* Returns the overlaps of the operations among the chosen calls (c->n) with all calls (c->n_all),
 * in the arena. */
struct overlaps overlaps_of(struct arena *a, const struct calls *c);

/* How much more of the slow calls' time overlaps than of the other calls' time; what goes on all
 * the time explains nothing. */
static inline double overlap_excess(const struct overlap_with *w)
{
	return w->slow_share - (w->other_share >= 0 ? w->other_share : 0); /* NAN: no other calls */
}

#endif
