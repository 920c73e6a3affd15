/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within analyze/history*.c only: the series of operations while they are judged. */
#ifndef ANALYZE_HISTORY_JUDGING_H
#define ANALYZE_HISTORY_JUDGING_H

#include "analyze/change_points.h"
#include "analyze/history.h"

struct arena;

/* One number of an operation over the runs that have it. */
struct lane {
	double *raw, *own;    /* [n] as measured; with the run effect taken off */
	size_t *run;	      /* [n] */
	struct series series; /* of `own` */
};

/* A stretch of a lane that was searched, and where in it a step may be. */
struct candidate {
	struct tested_step step;
	size_t lane; /* watched operation x N_FEATURES + feature */
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

/* What judging needs to know of the whole history. */
struct judging_history {
	const struct history_rules *rules;
	struct change_point_rules change_points;
	struct arena *arena;
	const struct history_run *run;
	size_t n_runs;
};

/* What was added, its pointers as many as runs; findings without what is to be found. */
struct past *history_past(struct history *h, size_t *ret_n);
struct history_findings history_begin(const struct history *h, const struct history_rules *rules);

/* Octaves that count as an effect. */
double history_min(const struct runs_rules *rules, enum feature f);

/* From significant steps to changes, and the outlier runs. */
void history_changes(const struct judging_history *j, struct watched *w);

#endif
