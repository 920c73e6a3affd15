/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What per-call records tell (DeBox, sections 2 and 5): what calls block on, what
 * each call site costs, whether calls get slower as they go on, and how far the time that
 * a caller sees is the kernel's.
 *
 * All times are in nanoseconds.  Results borrow from the records and lie in the arena.
 */
#ifndef ANALYZE_CALLS_H
#define ANALYZE_CALLS_H

#include <stdbool.h>

#include "profile/calls.h"

/* --- all of them ------------------------------------------------------------------------ */

/* Counts and sums over all records, latencies in ns. */
struct calls_summary {
	double duration; /* from the first start to the last end */
	double latency, cpu, blocked;
	double minor_faults, major_faults;
	size_t n_blocked, n_preempted; /* calls; see call_blocked() and call_preempted() */
	size_t n_kernel;	       /* with a time in the kernel */
	size_t n_operations, n_sites;  /* that occur */
};

/* Counts and sums over all records, latencies in ns. */
struct calls_summary calls_summary(const struct calls *c);

/* --- what they block on (table 4) ---------------------------------------------------------- */

/* Calls of one operation that blocked on one resource; time in ns. */
struct blocking_cell {
	uint32_t operation;
	size_t calls;
	double time;
};

/* What blocked on one resource, by operation. */
struct blocking_column {
	uint32_t resource; /* 0: not known */
	size_t calls;
	double time;
	struct blocking_cell *cell; /* most calls first */
	size_t n;
};

/* What calls blocked on: resources by operations (DeBox, section 5). */
struct blocking {
	struct blocking_column *column; /* most calls first */
	size_t n;
};

/* What each operation waited for, in the arena. */
struct blocking blocking_of(struct arena *a, const struct calls *c);

/* --- what each call site costs (section 5.5) ------------------------------------------------ */

/* Of latencies. NAN where there are none. */
struct spread {
	double min, median, mean, max;
};

/* What the calls of one operation from one call site cost; times in ns. */
struct site_cost {
	uint32_t operation, site;
	size_t calls, n_blocked, n_preempted;
	double total, cpu, blocked;
	double minor_faults, major_faults;
	struct spread latency;
};

/* The costs of all call sites of a side. */
struct site_costs {
	struct site_cost *v; /* most total first */
	size_t n;
	double total; /* of all */
};

/* What each call site cost in all, the most expensive first, in the arena. */
struct site_costs site_costs_of(struct arena *a, const struct calls *c);

/* --- two sides ---------------------------------------------------------------------------- */

/* A call from one site, or blocked on one resource, on both sides; all amounts are those of
 * a run, the mean of several. */
struct call_change {
	struct str operation, what; /* the site, or the resource; may be empty */
	double calls_before, calls_after;
	double time_before, time_after; /* latency, or time blocked */
};

/* What changed between two sides, by call site or by resource; times in ns. */
struct call_changes {
	struct call_change *v; /* the largest change of time first */
	size_t n;
	double time_before, time_after; /* of all */
};

/* One side of a comparison of records, with all that is computed of it alone. */
struct calls_side {
	const struct calls *calls;
	struct calls_summary summary;
	struct blocking blocking;
	struct site_costs sites;
};

/* How the cost of each call site differs between two runs, in the arena. */
struct call_changes site_changes_of(struct arena *a, const struct calls_side *before,
				    const struct calls_side *after);
/* How the waits of each operation differ between two runs, in the arena. */
struct call_changes blocking_changes_of(struct arena *a, const struct calls_side *before,
					const struct calls_side *after);

/* --- whether calls get slower as they go on (section 5.4) ----------------------------------- */

/* Whether an operation's calls get slower or faster as they go on; FEW: too few to tell. */
enum trend_verdict { TREND_FEW, TREND_NONE, TREND_GROWS, TREND_SHRINKS };

/* One operation, or one of its call sites. */
struct trend {
	uint32_t operation, site;
	bool all_sites;
	enum trend_verdict verdict;
	size_t calls;
	size_t n_processes; /* whose calls are enough to be looked at */
	size_t n_looked_at; /* calls of these */
	double first, last; /* median of the first and of the last tenth of each process */
	double tau;	    /* Kendall's tau-b of number and latency */
	double slope;	    /* ns a call (Theil and Sen) */
	double p, q;	    /* both sides; q: among all trends (Benjamini and Hochberg) */
	double extra;	    /* ns: what the line adds to their process's first call, in all */
	bool telling;	    /* a trend whose `extra`, either way, is much of all latency */
};

/* What makes a trend significant and worth reporting. */
struct trend_rules {
	double level;		 /* q up to which a trend is one: 0.05 */
	double min_octaves;	 /* between the first tenth and the last: 0.5 */
	double min_tau;		 /* 0.3 */
	size_t min_tested_calls; /* of a process: 20 */
	double min_tested_share; /* of the latency of all calls, for `extra` to be telling: 0.001 */
	size_t blocks;		 /* a process's calls become medians of at most so many: 30 */
	size_t block_calls;	 /* each of so many calls or more: 3 */
};

/* The rules that the commands use. */
extern const struct trend_rules trend_rules_default;

const char *trend_verdict_name(enum trend_verdict v); /* "grows" */

/* The trends of all operations and call sites that were tested. */
struct trends {
	struct trend *v; /* trends first, those that cost most first */
	size_t n;
};

/* Whether calls of one process get slower or faster from call to call, in the arena. */
struct trends trends_of(struct arena *a, const struct calls *c, const struct trend_rules *rules);

/* --- time as the caller sees it, and in the kernel (table 1) --------------------------------- */

/* How long the calls of one operation take for the caller and in the kernel; times in ns. */
struct call_times {
	uint32_t operation;
	size_t calls, n_blocked, n_preempted; /* each call in one of these, or in neither */
	size_t n_kernel;		      /* with a time in the kernel */
	size_t n_undisturbed;		      /* of those that `user` is of */
	struct spread user;		      /* of all; where there are kernel times, of these */
	struct spread kernel;
	struct spread undisturbed; /* as the caller sees it, neither blocked nor preempted */
	/* What the caller sees beyond the kernel's time, or where that is not known, beyond
	 * that of the processor: of all calls, and of those that blocked or were preempted. */
	double beyond, beyond_blocked, beyond_preempted;
};

/* The times of all operations. */
struct all_times {
	struct call_times *v; /* most latency first */
	size_t n;
	bool has_kernel; /* of any call */
};

/* Time in the kernel, on the CPU and blocked, for each operation, in the arena. */
struct all_times all_times_of(struct arena *a, const struct calls *c);

/* --- what other threads did meanwhile -------------------------------------------------------- */

/* Of the time that calls of one operation took, the part in which another thread was in a call of
 * `operation`. */
struct overlap_with {
	uint32_t operation;
	double slow_share, other_share; /* of the slow calls' time, and of the others'; NAN: none */
	/* Calls with whose end such a call ended, slow ones and others: those that wait for it do.
	 */
	double ended_with, other_ended_with;
	bool waits; /* the operation waits for it */
};

/* Slow are the calls of the first peak after the fastest that holds 1 % of the operation's
 * latency, and slower ones. */
struct overlap {
	uint32_t operation;
	double limit;
	uint64_t n_slow;
	double slow_time;
	struct overlap_with *with; /* those it waits for first, then the largest excess */
	size_t n;
};

/* Which calls of other threads go on while calls of an operation are slow. */
struct overlaps {
	struct overlap *v; /* operations with slow calls, most slow time first */
	size_t n;
	size_t n_threads; /* of one there is nothing to tell */
};

/* Of the operations that were chosen, compared with all. */
struct overlaps overlaps_of(struct arena *a, const struct calls *c);

/* How much larger a part of the slow calls overlaps than of the others: what goes on all the
 * time says nothing. */
static inline double overlap_excess(const struct overlap_with *w)
{
	return w->slow_share - (w->other_share >= 0 ? w->other_share : 0); /* NAN: there are none */
}

#endif
