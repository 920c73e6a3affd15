/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The automated selection: of two runs, the operations that differ (OSprof 3.2).
 *
 * 1. Pairs are left out whose share of the run is too small, or whose totals
 *    hardly differ.
 * 2. The peaks of both sides are found and matched.
 * 3. What is left is held against effect sizes, and ordered by a distance.
 */
#ifndef ANALYZE_RANK_H
#define ANALYZE_RANK_H

#include "analyze/distance.h"
#include "analyze/peaks.h"
#include "analyze/totals.h"

struct arena;
struct diag;

enum verdict {
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_CHANGED_SHAPE,
	VERDICT_SAME,
	VERDICT_INCONCLUSIVE,
	VERDICT_NEW,
	VERDICT_GONE,
};
const char *verdict_name(enum verdict v); /* "changed-shape" */

struct policy;

struct rank_rules {
	enum metric metric; /* orders and scores */
	/* Phase 1, in shares of the run. */
	double min_share;      /* of its latency, on one side at least: 0.01 */
	double min_ops;	       /* of its calls, on one side at least: 0 */
	double min_difference; /* of the totals of both sides: 0.005 */
	/* Phase 3, in octaves (factors of two). */
	double min_effect; /* of the mean latency: 0.7 */
	double blur;	   /* added to it where the mean is known from buckets only: 0.4 */
	double few_calls;  /* every minimum grows by this / sqrt(calls of the smaller side): 7 */
	double min_calls;  /* of the number of calls: 0.2 */
	double min_shape;  /* of EMD beyond what a shift of all calls explains: 0.5 */
	/* NAN; otherwise phase 3 is |metric| >= threshold alone. */
	double threshold;
	size_t threads;		     /* that may be used; the result is the same for any number */
	const struct policy *policy; /* NULL; otherwise it replaces the above by operation */
};

/* Those of the rules that are thresholds. */
enum rank_rule {
	RULE_THRESHOLD,
	RULE_MIN_SHARE,
	RULE_MIN_OPS,
	RULE_MIN_DIFFERENCE,
	RULE_MIN_EFFECT,
	RULE_MIN_CALLS,
	RULE_MIN_SHAPE,
	RULE_FEW_CALLS,
	RULE_BLUR,
};
enum { N_RANK_RULES = RULE_BLUR + 1 };
double rank_rule_value(const struct rank_rules *rules, enum rank_rule rule);

extern const struct rank_rules rank_rules_default;

/* What repeated runs say of an operation (analyze/runs.h): numbers are NAN where there
 * is none.  Octaves, after against before, less the common mode of all operations. */
struct over_runs {
	bool tested;		  /* among the operations that share the false discoveries */
	size_t n_before, n_after; /* runs that have it */
	double p, q;		  /* of its latencies; q adjusted for all operations */
	double shift, shift_low, shift_high; /* movement of a call; 90 % interval */
	double mean, mean_low, mean_high;    /* the same of the mean latency */
	double tail;			     /* odds of a call beyond 8 times the median */
	double calls, calls_low, calls_high; /* number of calls a run */
	double calls_p, calls_q;
	double distance, distance_p; /* of the average shapes; by exchanging runs */
	/* Against a baseline: what its runs show among each other, for as many new runs as
	 * there are; and whether less than that is asked for of an operation that is judged. */
	struct noise_floor floor;
	bool below_floor;
};

struct ranked {
	const struct operation *before, *after; /* NULL where absent */
	double metric[N_METRICS];		/* NAN where it cannot be computed */
	double score;
	enum verdict verdict;
	bool reported;
	bool approximated;
	double share_before, share_after; /* of the run's total latency; 0 where absent */
	double total_before, total_after; /* in the unit of the run before; sums over its runs */
	/* The same on equal terms: both exact, or both from buckets; of as many calls as
	 * before where calls fill a time. */
	double compared_before, compared_after;
	/* log2 of the ratio of mean latencies and of calls a run, infinite from or to 0; NAN: there
	 * is none, as of calls that fill a time. */
	double mean_octaves, calls_octaves;
	double shift;		/* mean movement of a call in octaves, up is slower */
	double scale_after;	/* what turns its latencies after into the unit before */
	struct over_runs *runs; /* of repeated runs; NULL: not judged by them */
};

/* One side of a comparison. */
struct rank_side {
	const struct profile *profile; /* what is to be compared of it */
	struct totals run;	       /* of the whole run */
	size_t n_runs;		       /* added up in the profile */
};

struct ranking {
	struct ranked *v; /* reported ones first, then by falling score */
	size_t n, n_reported;
	struct totals before, after;
	double added, saved; /* sums of what operations gained and lost in total latency */
	double runs_ratio;   /* runs before / runs after: makes sums over runs comparable */
	double scale_after;  /* what turns the unit of `after` into that of `before` */
	bool approximated;
};

/* Arrays come from the arena and borrow from the profiles.  False, having said
 * why, when the units of the two cannot be reconciled. */
MUST_CHECK bool rank(struct arena *a, const struct rank_side *before, const struct rank_side *after,
		     const struct rank_rules *rules, struct ranking *ret, struct diag *diag);

/* Which rule of phase 3 a reported operation is over. */
struct rank_cause {
	bool known; /* false where a side is missing, or nothing was reported */
	enum rank_rule rule;
	double value; /* signed, in octaves (of a threshold: the score) */
	double least; /* what it had to reach: the rule, with --few-calls and --blur */
};
struct rank_cause rank_cause(const struct ranking *all, const struct ranked *r,
			     const struct rank_rules *usual);

/* `usual` with what its policy, where it has one, says of this operation. */
struct rank_rules rank_rules_for(const struct ranked *r, const struct rank_rules *usual);

/* Whether its shares make it worth a report; puts the operations in order again, once
 * verdicts or reports have changed. */
bool rank_large_enough(const struct ranked *r, const struct ranking *all,
		       const struct rank_rules *rules);
void rank_order(struct ranking *all);

/* What an operation gained in total latency, for as many runs as there were before. */
double ranked_change(const struct ranking *all, const struct ranked *r);
/* Whether one of its sides, which are both there, made as many calls as fit into a time. */
bool ranked_calls_fill_time(const struct ranked *r);

/* The peaks of both sides of one operation, matched. */
struct ranked_peaks {
	struct peaks before, after;
	struct peak_pairs pairs;
};
struct ranked_peaks rank_peaks(struct arena *a, const struct ranked *r, double scale_after);

#endif
