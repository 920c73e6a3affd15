/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within analyze/runs*.c only: the operations of repeated runs while they are judged. */
#ifndef ANALYZE_RUNS_JUDGING_H
#define ANALYZE_RUNS_JUDGING_H

#include "analyze/runs.h"
#include "analyze/runs_features.h"

/* Everything about one operation while it is judged. */
struct judged {
	struct ranked *r;
	struct features f;
	double p[N_FEATURES]; /* each feature's own */
	double least;	      /* p that the features give together */
	size_t n_latency;     /* features of latency that it has */
};

struct judging {
	const struct rank_rules *rank_rules;
	const struct runs_rules *rules;
	const struct ranking *all;
	struct relabelings relabelings;
	struct judged *v; /* those that are in two runs a side */
	size_t n, n_before, n_runs;
	double *common[N_FEATURES]; /* a run; 0 where nothing is taken off */
	double cut, cut_calls;	    /* the largest p that is significant; -1 */
};

double mean_over(const double *v, size_t from, size_t to); /* leaves NAN out */

/* Fills p, q, intervals and distances of every operation, and the two cuts. */
void runs_test_all(struct judging *j);

#endif
