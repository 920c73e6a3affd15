/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For analyze/history*.c only: the series of operations while they are judged. */
#ifndef ANALYZE_HISTORY_JUDGING_H
#define ANALYZE_HISTORY_JUDGING_H

#include "analyze/change_points.h"
#include "analyze/history.h"

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
	size_t lane; /* number of the operation x N_FEATURES + feature */
	double q;
};

/* One operation's series, and the candidates for change points in it. */
struct watched {
	struct past *past;
	struct features f; /* values [n_runs] */
	struct lane lane[N_FEATURES];
	struct candidate **found[N_FEATURES]; /* significant ones, ascending */
	size_t n_found[N_FEATURES];
};

/* What judging needs of the whole history. */
struct judging_history {
	const struct history_rules *rules;
	struct change_point_rules change_points;
	struct arena *arena;
	const struct history_run *run;
	size_t n_runs;
};

/* Returns the *ret_n operations that were added, each with run[n_runs]. */
struct past *history_past(struct history *h, size_t *ret_n);
/* Returns findings with the fields filled that need no judging. */
struct history_findings history_begin(const struct history *h, const struct history_rules *rules);

/* Returns the minimum effect of a feature, in octaves. */
double history_min(const struct runs_rules *rules, enum feature f);

/* Turns the significant steps of an operation into changes, and finds its outlier runs. */
void history_changes(const struct judging_history *j, struct watched *w);

#endif
