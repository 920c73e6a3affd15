/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges repeated runs: whether the sides differ by more than the runs of one side do.
 *
 * The run is the unit of replication: calls of different runs are never pooled for a test.
 *
 * 1. Each run gives each operation a few features (analyze/rank/runs_features.h).
 * 2. What the largest group of operations shares is a result of its own: the change of the run.
 * 3. Moderated t tests of each feature, combined by Simes.  Where the sides did not take turns, a
 *    change must hold with and without what operations share.
 * 4. The false-discovery rate is controlled over all operations, and effects below a minimum do
 *    not count.  The error of a comparison, 5 %, is spent over its families (families[] of
 *    runs_level.c).
 */
#ifndef ANALYZE_RANK_RUNS_H
#define ANALYZE_RANK_RUNS_H

#include "analyze/cpu_speed.h"
#include "analyze/rank/rank.h"
#include "analyze/run_order.h"

struct arena;
struct permutations; /* analyze/stats/permutation.h */
/* How runs are judged; comments give the defaults. */
struct runs_rules {
	double q;	   /* false-discovery rate: 0.05 */
	double min_effect; /* octaves of mean, median and 90th percentile: 0.07, which is 5 % */
	double min_calls;  /* octaves of the number of calls: 0.07 */
	double min_slow;   /* octaves of the 99th percentile and of slow calls: 0.322, 25 % */
	double min_tail;   /* octaves of the odds of a slow call, over hosts: 0.585, 1.5 times */
	double min_difference; /* share of the run's latency by which totals must differ: 0 */
	/* An operation is tested if it has so many calls in every run, or this share. */
	double min_tested_calls;      /* 30 */
	double min_tested_share;      /* 0.001 */
	size_t min_common_operations; /* of a history: fewest to estimate the run effect: 10 */
	size_t permute_from;	      /* fewest runs a side for permutations: 6 */
	size_t max_permutations;      /* with more, so many are drawn: 10,000 */
	uint64_t seed;		      /* 20061106 */
	/* Runs are added and looked at until something is found, so that the error is spent over
	 * the looks; off. */
	bool sequential;
};

/* The rules that the commands use. */
extern const struct runs_rules runs_rules_default;

/* Returns `rules` with the settings that the policy of rank_rules has for an operation. */
struct runs_rules runs_rules_for(const struct ranked *r, const struct rank_rules *rank_rules,
				 const struct runs_rules *rules);

/* The drift of the run effect over one side's runs; NAN when there are too few operations. */
struct drift {
	double correlation, p; /* rank correlation of the run effect with the run number */
	double range;	       /* octaves between the lowest and the highest run */
	bool found;
};

/* What judging repeated runs used, and its findings about the runs as a whole. */
struct runs_judgement {
	struct runs_rules rules;
	size_t n_before, n_after;
	bool by_host, paired; /* replicates are hosts; each is compared with itself */
	size_t n_tested;
	size_t permutations; /* 0: too few runs, or too many */
	bool order_used;     /* each run states its start time, so drift is modelled */
	bool order_turns;    /* the sides took turns */
	bool order_blocked;  /* all runs of one side came first */
	bool duets;	     /* each run is compared with its partner: as good as turns */
	enum cpu_speed_use speed_use;
	double speed_range;	 /* octaves between the slowest and the fastest run's CPU */
	double speed_difference; /* octaves by which it was slower after; both may be NAN */
	struct effect shared;	 /* of the largest group that moves together; NAN: none */
	size_t n_grouped;	 /* operations of that group */
	bool shared_passes;	 /* ... is larger than what a machine does by itself */
	bool run_effect_removed; /* changes must hold with and without the shared effect */
	struct effect elapsed;	 /* of the elapsed time; NAN: not known of all runs */
	struct drift drift_before, drift_after;
};

/* The families of tests of a comparison. */
enum test_family { FAMILY_LATENCY, FAMILY_CALLS, FAMILY_RUN, FAMILY_STATES };
/* Returns the factor by which a p-value of a family is multiplied, so that q is its limit;
 * `unordered`: the order of the runs is not known. */
double runs_price(const struct runs_rules *rules, enum test_family family, size_t n_before,
		  size_t n_after, bool unordered);

/* The numbers of runs a side at which a sequential comparison may be looked at. */
enum { FIRST_LOOK = 3, LAST_LOOK = 20 };
/* Returns the part of the error of a comparison that one look may spend; 0: it is none of those
 * above. */
double runs_level_of_look(const struct runs_rules *rules, size_t n_before, size_t n_after);

/* Whether there are enough runs to judge: two a side. */
bool runs_can_judge(size_t n_before, size_t n_after);
/* Whether one new run can be compared with a baseline: from 3 runs on. */
bool runs_can_predict(size_t n_before);

/* Returns the permutations of so many runs a side; none if there are too few or too many. */
struct permutations runs_permutations(struct arena *a, size_t n_before, size_t n_after,
				      const struct runs_rules *rules);

/* Judges every operation of a ranking again, from the runs that its profiles are the sums of, and
 * sorts them.  The replicate statistics lie in the arena.  A single run after is judged by a
 * prediction interval, with the variance of the runs before.  `permutations` saves making them each
 * time the same numbers of runs are judged: the result of runs_permutations(), or NULL. */
struct runs_judgement runs_judge(struct arena *a, const struct runs_side *before,
				 const struct runs_side *after, const struct rank_rules *rank_rules,
				 const struct runs_rules *rules,
				 const struct permutations *permutations, struct ranking *all);

#endif
