/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The automated selection of the operations that differ between two runs (OSprof 3.2).
 *
 * 1. Each operation is measured: its totals, the movements of its mean, body and slow
 *    calls, and every distance.
 * 2. Whole-run effects, which all operations share, are found and removed
 *    (analyze/rank/run_effects.h).
 * 3. What is left is judged (analyze/rank/judge.c) and sorted by impact.
 */
#ifndef ANALYZE_RANK_RANK_H
#define ANALYZE_RANK_RANK_H

#include "analyze/rank/ranked.h"

struct arena;
struct diag;

/* Compares two runs.  Arrays lie in the arena and borrow from the profiles.  Returns false, with an
 * error reported, when the units of the two cannot be converted. */
MUST_CHECK bool rank(struct arena *a, const struct rank_side *before, const struct rank_side *after,
		     const struct rank_rules *rules, struct ranking *ret, struct diag *diag);

/* The rule of phase 3 that made an operation reported. */
struct rank_cause {
	bool known; /* false where a side is missing, or nothing was reported */
	enum rank_rule rule;
	double value; /* signed, in octaves; for RULE_THRESHOLD, the score */
	double min;   /* what it had to reach: the rule, plus --small-sample-penalty and
			 --bucket-margin */
};
/* Returns the cause for one operation; `usual` are the rules before its policy applies. */
struct rank_cause rank_cause(const struct ranking *all, const struct ranked *r,
			     const struct rank_rules *usual);

/* Returns `usual` with the settings that its policy, if any, has for this operation. */
struct rank_rules rank_rules_for(const struct ranked *r, const struct rank_rules *usual);

/* Whether its shares of latency and calls are large enough to report it. */
bool rank_large_enough(const struct ranked *r, const struct ranking *all,
		       const struct rank_rules *rules);
/* Sorts the operations and counts the reported ones; call it again when `reported` changed. */
void rank_order(struct ranking *all, enum rank_sort sort);

/* Returns how much total latency an operation gained, for as many runs as before. */
double ranked_change(const struct ranking *all, const struct ranked *r);
/* The same for its own time where calls are nested; these changes add up to that of the run. */
double ranked_own_change(const struct ranking *all, const struct ranked *r);
/* Whether it is idle and really waits; very short calls work instead, like a poll() that finds
 * something. */
bool ranked_waits(const struct ranked *r, const struct ranking *all);
/* Returns the busy time, without idle time, of the busier side, for as many runs as before. */
double ranking_busy(const struct ranking *all);

/* The movements, in octaves, that a verdict must not contradict; body may be NAN. */
struct movements {
	double mean, body, total;
	bool waits;	     /* it waits by design, so it has no direction */
	bool fixed_duration; /* the mean decides, not the total */
};
/* Returns v, corrected so that it is never improved when mean and body rose, and never regressed
 * when mean and total fell. */
enum verdict verdict_checked(enum verdict v, const struct movements *m);
/* Returns the movements of an operation that is on both sides. */
struct movements ranked_movements(const struct ranked *r, const struct ranking *all);
/* Judges one operation of two runs: fills score, verdict, reported, doubt and threshold. */
void rank_judge(struct ranked *r, const struct ranking *all, const struct rank_rules *rules);

/* The peaks of both sides of one operation, matched. */
struct ranked_peaks {
	struct peaks before, after;
	struct peak_pairs pairs;
};
/* Finds and matches the peaks of both sides, in the arena; none when one side has calls but no
 * histogram. */
struct ranked_peaks rank_peaks(struct arena *a, const struct ranked *r, double scale_after);

#endif
