/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges repeated runs: whether the sides differ by more than the runs of one side do.
 *
 * The run is the unit of replication: calls of different runs are never pooled for a test.
 *
 * 1. Each run gives each operation a few features (analyze/runs_features.h).
 * 2. The run effect, which all operations of a run share, is removed.
 * 3. Moderated t tests; from 6 runs a side on, a permutation test takes precedence.
 * 4. The false-discovery rate is controlled over all operations, and effects below a
 *    minimum do not count.
 */
#ifndef ANALYZE_RUNS_H
#define ANALYZE_RUNS_H

#include "analyze/cpu_speed.h"
#include "analyze/rank.h"
#include "analyze/run_order.h"

struct arena;
struct permutations; /* analyze/permutation.h */
/* How runs are judged; comments give the defaults. */
struct runs_rules {
	double q;	       /* false-discovery rate: 0.05 */
	double min_effect;     /* octaves of latency, and of the EMD of average shapes: 0.07 */
	double min_calls;      /* octaves of the number of calls: 0.07 */
	double min_tail;       /* octaves of the odds of a slow call: 0.585, a factor of 1.5 */
	double min_difference; /* share of the run's latency by which totals must differ: 0 */
	/* An operation is tested if it has so many calls in every run, or this share. */
	double min_tested_calls; /* 30 */
	double min_tested_share; /* 0.001 */
	/* A run is left out of an operation as an outlier if it lies more than so many robust
	 * standard deviations, and so many octaves, from the median of its side.  At most
	 * max_outliers, as a share, may be outliers, and the side needs outliers_from runs. */
	double outlier_deviations, outlier_octaves; /* 8, 2 */
	double max_outliers;			    /* 0.34 */
	size_t outliers_from;			    /* 5 */
	size_t min_common_operations; /* fewest operations to estimate the run effect: 10 */
	size_t permute_from;	      /* fewest runs a side for permutations: 6 */
	size_t max_permutations;      /* with more, so many are drawn: 10,000 */
	uint64_t seed;		      /* 20061106 */
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
	bool order_blocked;  /* all runs of one side came first */
	enum cpu_speed_use speed_use;
	double speed_range;	 /* octaves between the slowest and the fastest run's CPU */
	double speed_difference; /* octaves by which it was slower after; both may be NAN */
	double run_effect;	 /* octaves that all operations moved; NAN: too few operations */
	double run_effect_p;	 /* Student's t test of it over the runs */
	bool run_effect_differs; /* significant, and at least the minimum effect */
	bool run_effect_removed; /* from the features that verdicts rest on */
	struct drift drift_before, drift_after;
};

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
