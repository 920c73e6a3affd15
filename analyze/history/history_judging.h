/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For analyze/history/history*.c only: the series of operations while they are judged. */
#ifndef ANALYZE_HISTORY_HISTORY_JUDGING_H
#define ANALYZE_HISTORY_HISTORY_JUDGING_H

#include "analyze/history/history.h"
#include "analyze/stats/change_points.h"

struct arena;

/* One feature of an operation over the runs that have the operation. */
struct lane {
	double *raw, *own;    /* [n] as measured; with the run effect removed */
	size_t *run;	      /* [n] numbers of these runs */
	struct series series; /* of `own` */
};

/* A stretch of a lane that was searched, and its candidate for a step. */
struct candidate {
	struct tested_step step;
	size_t lane; /* number of the operation x N_HISTORY_FEATURES + feature */
	double q;
};

/* One operation's series, and the candidates for change points in it. */
struct watched {
	struct past *past;
	double *value[N_HISTORY_FEATURES]; /* [n_runs]; NAN where a run lacks the operation */
	double noise[N_HISTORY_FEATURES];  /* variance from counting alone */
	bool has_tail;			   /* some call lies beyond 8 times the median */
	bool approximated;		   /* runs have different buckets, which had to be split */
	struct lane lane[N_HISTORY_FEATURES];
	struct candidate **found[N_HISTORY_FEATURES]; /* significant ones, ascending */
	size_t n_found[N_HISTORY_FEATURES];
};

/* What judging needs of the whole history. */
struct judging_history {
	const struct history_rules *rules;
	struct change_point_rules change_points;
	struct arena *arena;
	const struct history_run *run;
	size_t n_runs;
	double *slowness; /* of the processor in each run, in octaves; NULL: not known or steady */
	struct noise_filters *filters;
};

/* Returns the *ret_n operations that were added, each with run[n_runs]. */
struct past *history_past(struct history *h, size_t *ret_n);
/* Returns findings with the fields filled that need no judging. */
struct history_findings history_begin(const struct history *h, const struct history_rules *rules);

/* Computes the features of an operation in all runs, without the part that the processor's speed
 * explains. */
void history_measure(const struct judging_history *j, struct past *past, struct watched *ret);
/* Returns the slowness of the processor in each run; NULL where it is not known or hardly varied.
 * *ret_range is NAN where it is not known. */
double *history_slowness(struct arena *a, const struct history_run *run, size_t n_runs,
			 double *ret_range);
/* Returns the octaves by which v rises per octave of slowness, from 0 to 1: a call gets slower at
 * most by the factor by which the processor does.  v may have one step. */
double history_slope(const double *v, const double *slowness, size_t n, size_t min);

/* Returns the minimum effect of a feature, in octaves. */
double history_min(const struct history_rules *rules, enum history_feature f);

/* Turns the significant steps of an operation into changes, and finds its outlier runs. */
void history_changes(const struct judging_history *j, struct watched *w);

#endif
