/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The automated selection: of two runs, the operations that differ (OSprof 3.2).
 *
 * 1. Each operation is measured: its totals, how far its mean, its body and its slow
 *    calls moved, and every distance.
 * 2. What all operations have in common is found and removed (analyze/run_effects.h).
 * 3. What is left is judged (analyze/judge.c) and put in order by its impact.
 */
#ifndef ANALYZE_RANK_H
#define ANALYZE_RANK_H

#include "analyze/ranked.h"

struct arena;
struct diag;

/* Arrays come from the arena and borrow from the profiles.  False, having said
 * why, when the units of the two cannot be reconciled. */
MUST_CHECK bool rank(struct arena *a, const struct rank_side *before, const struct rank_side *after,
		     const struct rank_rules *rules, struct ranking *ret, struct diag *diag);

/* Which rule of phase 3 a reported operation is over. */
struct rank_cause {
	bool known; /* false where a side is missing, or nothing was reported */
	enum rank_rule rule;
	double value; /* signed, in octaves (of a threshold: the score) */
	double least; /* what it had to reach: the rule, with --small-sample-penalty and
			 --bucket-margin */
};
/* Of one operation of a ranking, by the rules as they are without its own policy. */
struct rank_cause rank_cause(const struct ranking *all, const struct ranked *r,
			     const struct rank_rules *usual);

/* `usual` with what its policy, where it has one, says of this operation. */
struct rank_rules rank_rules_for(const struct ranked *r, const struct rank_rules *usual);

/* Whether its shares make it worth a report; puts the operations in order again, once
 * verdicts or reports have changed. */
bool rank_large_enough(const struct ranked *r, const struct ranking *all,
		       const struct rank_rules *rules);
void rank_order(struct ranking *all, enum rank_sort sort);

/* What an operation gained in total latency, for as many runs as there were before. */
double ranked_change(const struct ranking *all, const struct ranked *r);
/* The same of its own time, where calls lie within calls: that adds up to the run's change. */
double ranked_own_change(const struct ranking *all, const struct ranked *r);
/* Whether it is idle and does wait: short calls of such a name do work, as a poll() that
 * finds something. */
bool ranked_waits(const struct ranked *r, const struct ranking *all);
/* What the sides worked, idle time left out: the larger, for as many runs as before. */
double ranking_busy(const struct ranking *all);

/* What a verdict must not contradict: octaves by which mean, body (NAN: not known) and total
 * moved. */
struct movements {
	double mean, body, total;
	bool waits;	     /* has no direction: it waits by design */
	bool fixed_duration; /* the mean decides, whatever the total */
};
/* Never improved where mean and body rose, never regressed where mean and total fell. */
enum verdict verdict_checked(enum verdict v, const struct movements *m);
/* Those of a compared operation. */
struct movements ranked_movements(const struct ranked *r, const struct ranking *all);
/* Judges one operation of a single pair of runs: verdict, reported, doubt, threshold. */
void rank_judge(struct ranked *r, const struct ranking *all, const struct rank_rules *rules);

/* The peaks of both sides of one operation, matched. */
struct ranked_peaks {
	struct peaks before, after;
	struct peak_pairs pairs;
};
/* The peaks of both sides of a ranked operation and how they match; all lies in the arena. */
struct ranked_peaks rank_peaks(struct arena *a, const struct ranked *r, double scale_after);

#endif
