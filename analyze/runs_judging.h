/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within analyze/runs*.c only: the operations of repeated runs while they are judged. */
#ifndef ANALYZE_RUNS_JUDGING_H
#define ANALYZE_RUNS_JUDGING_H

#include "analyze/cpu_speed.h"
#include "analyze/run_order.h"
#include "analyze/runs.h"
#include "analyze/runs_features.h"
#include "analyze/significance.h"

/* A feature of one operation over its runs, the run effect taken off. */
struct sample {
	double difference, variance, df, per_runs;
	double slope; /* octaves for each octave that the processor was slower */
	bool ok;      /* two runs a side have it, or all of a side's only run */
};
/* Everything about one operation while it is judged. */
struct judged {
	struct ranked *r;
	struct features f;
	double cost;		  /* octaves by which a fixed cost of each call slows it after */
	double p[N_FEATURES];	  /* each feature's own */
	double least;		  /* p that the features give together */
	size_t n_latency;	  /* features of latency that it has */
	double slope[N_FEATURES]; /* of struct sample */
	struct sample over_hosts[N_FEATURES]; /* where hosts are the replicates */
};

/* What all steps of judging repeated runs share. */
struct judging {
	const struct rank_rules *rank_rules;
	const struct runs_rules *rules;
	const struct ranking *all;
	struct permutations permutations;
	struct run_order order;
	struct cpu_speed speed;
	struct judged *v; /* those that are in two runs a side */
	size_t n, n_before, n_runs;
	bool by_host;			/* a run a side then, which has the mean over its hosts */
	const struct totals *total;	/* of each run */
	double *run_effect[N_FEATURES]; /* a run; 0 where nothing is taken off */
	bool run_effect_known;		/* of the mean */
	double cut, cut_calls;		/* the largest p that is significant; -1 */
};

/* [run][operation]: where each of several runs has it. */
struct lookup {
	const struct operation ***sorted;
	const size_t *n_ops;
	size_t n_runs;
};
/* Sorts the operations of n runs by layer and name; it lies in the arena. */
struct lookup lookup_make(struct arena *a, const struct profile *const *run, size_t n);
/* Fills ret[run] with the operation of that layer and name, NULL where a run lacks it. */
void look_up(const struct lookup *l, const struct operation *op, const struct operation **ret);

/* One feature of one operation over all runs, without the effect on the whole run. */
struct sample runs_sample(const struct judging *j, const struct judged *one, enum feature which);
/* What whole-run effects and the processor's speed make of a feature of an operation in run k;
 * known once the feature was tested. */
double runs_effect_and_speed(const struct judging *j, const struct judged *one, enum feature which,
			     size_t k);
struct prior runs_prior(const struct judging *j, enum feature which);
/* How far the middle operation of each run lies from where it lies over all runs. */
void runs_find_effects(struct arena *a, struct judging *j);
/* The same for two sides, and how they differ as a whole. */
void runs_common_mode(struct arena *a, struct judging *j, struct runs_judgement *ret);

/* Of what is common to the runs before; all NAN where nothing is known. */
struct drift drift_of_runs(const struct judging *j);

double mean_over(const double *v, size_t from, size_t to); /* leaves NAN out */

/* Each feature whose p is at most this has a part in what all give together (Simes), where that
 * is significant at `level`; -1 where it is not. */
double simes_level(const struct judging *j, const struct judged *one, double level);

/* What judging begins and ends with. */
void runs_none_known(struct replicate_stats *o);
bool runs_is_tested(const struct judging *j, const struct ranked *r, const struct features *f);
void runs_judge_pair(const struct judging *j, const struct judged *one);
void runs_judge_alone(struct ranked *r, size_t n_before, size_t n_after);

/* Fills p, q, intervals and distances of every operation, and the two cuts. */
void runs_test_all(struct judging *j);

#endif
