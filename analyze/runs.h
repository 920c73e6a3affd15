/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judging repeated runs: whether the sides differ by more than runs of one side do.
 *
 * The run is the unit: calls of different runs are never added up for a test.
 *
 * 1. Each run gives each operation a few numbers (analyze/runs_features.h).
 * 2. What all operations of a run have in common is taken off.
 * 3. Moderated t tests; from 6 runs a side on, permuting runs comes first.
 * 4. False discoveries are controlled over the operations, and a minimum effect is
 *    asked for.
 */
#ifndef ANALYZE_RUNS_H
#define ANALYZE_RUNS_H

#include "analyze/cpu_speed.h"
#include "analyze/rank.h"
#include "analyze/run_order.h"

struct arena;
struct permutations; /* analyze/permutation.h */
struct runs_rules {
	double q;	       /* share of false discoveries: 0.05 */
	double min_effect;     /* octaves of latency, and of the average shapes: 0.07 */
	double min_calls;      /* octaves of the number of calls: 0.07 */
	double min_tail;       /* octaves of the odds of a slow call: 0.585, which is 1.5 times */
	double min_difference; /* of the run's latency that totals must differ by: 0 */
	/* Which operations are tested: enough calls in every run, or this share. */
	double min_tested_calls; /* 30 */
	double min_tested_share; /* 0.001 */
	/* A run of an operation is an outlier, and left out, where it lies so many robust standard
	 * deviations and octaves from the median of its side, and at most this share of the side
	 * does, which has so many runs. */
	double outlier_deviations, outlier_octaves; /* 8, 2 */
	double max_outliers;			    /* 0.34 */
	size_t outliers_from;			    /* 5 */
	size_t min_common_operations; /* operations from which on the run effect is taken off: 10 */
	size_t permute_from;	      /* runs a side: 6 */
	size_t max_permutations;      /* 10,000 */
	uint64_t seed;		      /* 20061106 */
};

/* The rules that the commands use. */
extern const struct runs_rules runs_rules_default;

/* The rules with what the policy of rank_rules says of an operation. */
struct runs_rules runs_rules_for(const struct ranked *r, const struct rank_rules *rank_rules,
				 const struct runs_rules *rules);

/* The run effect of one side's runs; NAN for too few operations. */
struct drift {
	double correlation, p; /* of the run effect with the number of the run */
	double range;	       /* octaves between the lowest and the highest run */
	bool found;
};

/* What judging repeated runs used, and what it found of all operations together. */
struct runs_judgement {
	struct runs_rules rules;
	size_t n_before, n_after;
	bool by_host, paired; /* these are hosts, each compared with itself */
	size_t n_tested;
	size_t permutations; /* 0: too few runs */
	bool order_used;     /* each run says when it began: noise may drift */
	bool order_blocked;  /* all runs of one side began first */
	enum cpu_speed_use speed_use;
	double speed_range;	 /* octaves between the slowest run's processor and the fastest's */
	double speed_difference; /* octaves by which it was slower after; both NAN: not known */
	double run_effect;	 /* octaves that all operations moved; NAN for too few */
	double run_effect_p;	 /* of that, by Student's t over the runs */
	bool run_effect_differs; /* significantly, and by the minimum effect */
	bool run_effect_removed; /* from what verdicts rest on */
	struct drift drift_before, drift_after;
};

/* Two runs a side are needed. */
bool runs_can_judge(size_t n_before, size_t n_after);
/* Whether one new run can be compared with a baseline: from 3 runs on. */
bool runs_can_predict(size_t n_before);

/* The ways to exchange so many runs a side: none where they are too few, or too many. */
struct permutations runs_permutations(struct arena *a, size_t n_before, size_t n_after,
				      const struct runs_rules *rules);

/* Judges every operation of a ranking anew, on the runs that its profiles are the sums
 * of, and puts them in order.  What it finds lies in the arena.  One run after is judged
 * by how far a single run strays from those before: its own variance is taken to be
 * theirs (a prediction interval).  Who judges as many runs again and again hands over what
 * runs_permutations() gave once; otherwise NULL. */
struct runs_judgement runs_judge(struct arena *a, const struct runs_side *before,
				 const struct runs_side *after, const struct rank_rules *rank_rules,
				 const struct runs_rules *rules,
				 const struct permutations *permutations, struct ranking *all);

#endif
