/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For analyze/rank/runs*.c, hosts.c and noise.c only: operations while they are judged. */
#ifndef ANALYZE_RANK_RUNS_JUDGING_H
#define ANALYZE_RANK_RUNS_JUDGING_H

#include "analyze/cpu_speed.h"
#include "analyze/duet.h"
#include "analyze/rank/listed_drift.h"
#include "analyze/rank/runs.h"
#include "analyze/rank/runs_features.h"
#include "analyze/run_order.h"
#include "analyze/stats/significance.h"

/* One feature of an operation over its runs, without the run effect. */
struct sample {
	/* After minus before; the variance of a run; per_runs is 1/n before + 1/n after.  Of duets:
	 * the variance of the difference of partners, and 1/n duets. */
	double difference, variance, df, per_runs;
	double slope;		   /* octaves per octave of processor slowness */
	struct listed_drift drift; /* of runs of unknown order */
	bool ok; /* two runs a side have it; one is enough if there is only one after */
};
/* One operation while it is judged. */
struct judged {
	struct ranked *r;
	struct features f;
	double cost;		  /* octaves by which a fixed cost per call slows it after */
	double slope[N_FEATURES]; /* of struct sample */
	bool grouped;		  /* belongs to the largest group that moves together */
	struct sample over_hosts[N_FEATURES]; /* only when by_host */
};

/* The state that all steps of judging repeated runs share. */
struct judging {
	const struct rank_rules *rank_rules;
	const struct runs_rules *rules;
	const struct ranking *all;
	struct permutations permutations;
	struct run_order order;
	struct duets duets;
	struct cpu_speed speed;
	struct judged *v; /* the operations that are on both sides */
	size_t n, n_before, n_runs;
	bool listed;  /* runs of each side are in the order in which they were given */
	bool by_host; /* each side is then one run, with the means over its hosts */
	const struct totals *total;	/* of each run */
	double *run_effect[N_FEATURES]; /* [n_runs]; 0 where none is known */
	bool run_effect_known;		/* for FEATURE_MEAN */
	size_t n_comparable;		/* operations that may share an effect */
	bool both;	      /* a change must hold with and without what all operations share */
	double cut;	      /* largest significant p of latency; -1: none */
	size_t replicates[2]; /* runs, or hosts, of each side */
};

/* An index of the operations of several runs. */
struct lookup {
	const struct operation ***sorted;
	const size_t *n_ops;
	size_t n_runs;
};
/* Makes an index of n runs, by layer and name, in the arena. */
struct lookup lookup_make(struct arena *a, const struct profile *const *run, size_t n);
/* Fills ret[run] with the operation of the same layer and name, NULL where a run lacks it. */
void look_up(const struct lookup *l, const struct operation *op, const struct operation **ret);

/* Returns one feature of an operation over all runs; `own`: without what all operations share. */
struct sample runs_sample(const struct judging *j, const struct judged *one, enum feature which,
			  bool own);
/* Returns the part of a feature in run k that whole-run effects and the processor's speed explain;
 * only valid after the feature was tested. */
double runs_effect_and_speed(const struct judging *j, const struct judged *one, enum feature which,
			     size_t k);
/* Fits the common trend of a feature's variances over all tested operations. */
struct prior runs_prior(const struct judging *j, enum feature which, bool own);
/* Estimates the run effects: for each run, the median over the largest group of operations that
 * move together of their distance from their own mean over all runs. */
void runs_find_effects(struct arena *a, struct judging *j);
/* The same for two sides; also fills *ret with how they differ as a whole. */
void runs_find_run_effect(struct arena *a, struct judging *j, struct runs_judgement *ret);

/* Returns the drift of the run effect over the runs before; all NAN when it is not known. */
struct drift drift_of_runs(const struct judging *j);

/* Tests one number per run, without moderation; NAN where there are fewer than two runs a side. */
struct effect runs_test_series(const struct judging *j, const double *value);

double mean_over(const double *v, size_t from, size_t to); /* ignores NAN */
/* Compares partners by one number per run; their order does not matter, so other fields are 0. */
struct sample runs_of_duets(const struct judging *j, const double *value);
/* Whether a drift of the machine is known to be no part of the difference, or is modelled. */
static inline bool runs_order_known(const struct judging *j)
{
	return j->order.n > 0 || j->duets.n > 0;
}

/* Whether a feature is one of the latency features that are tested together. */
bool runs_tests_latency(const struct judging *j, enum feature f);
/* Returns the largest p with which a feature contributes to the combined p (Simes), when that is
 * significant at `level`; -1 when it is not. */
double simes_level(const struct judging *j, const struct judged *one, double level);

/* Returns the runs a side with which an operation would be decided with a probability of 80 %, if
 * it changed as measured and runs vary as these do; 0: not known, or more than MAX_RUNS_PLANNED. */
enum { MAX_RUNS_PLANNED = 1000 };
size_t runs_that_decide(const struct judging *j, const struct judged *one,
			const struct runs_rules *rules);

/* The first and the last steps of judging. */
void runs_none_known(struct replicate_stats *o);
bool runs_is_tested(const struct judging *j, const struct ranked *r, const struct features *f);
void runs_judge_pair(const struct judging *j, const struct judged *one);
void runs_judge_alone(struct ranked *r, size_t n_before, size_t n_after);

/* Tests the elapsed time, judges which waits mattered, finds what operations share, and gives the
 * verdict on the run as a whole; in this order. */
void runs_find_elapsed(struct arena *a, const struct judging *j, const struct runs_side *before,
		       const struct runs_side *after, struct runs_judgement *ret);
void runs_find_waits(const struct runs_side *before, const struct runs_side *after,
		     const struct runs_judgement *ret, struct ranking *all);
void runs_find_shared(struct arena *a, struct judging *j, struct runs_judgement *ret);
void runs_find_verdict(struct ranking *all, const struct runs_judgement *j);

/* Fills effects, p, q and distances of every operation, and the cut. */
void runs_test_all(struct judging *j);

#endif
