/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operation in each of the repeated runs, with the outliers and change points that a history
 * of them has. */
#ifndef TUI_STUDIES_RUN_STUDY_H
#define TUI_STUDIES_RUN_STUDY_H

#include "analyze/history/history.h"
#include "profile/time_words.h"
#include "tui/studies/study.h"

/* One run. */
struct run_point {
	enum side side;
	size_t number;		 /* among the runs of its side, from 1 */
	struct str name;	 /* its file; empty when a file has several runs */
	double start;		 /* of its first interval, where these have clock times; or NAN */
	bool outlier;		 /* unlike the runs around it */
	double calls, mean, p99; /* in the unit of the run before; NAN where it is absent */
};

/* All runs of both sides, those before first. */
struct run_study {
	struct run_point *v;
	size_t n, n_before;
	bool timed; /* every run has a start */
	struct time_words words;
	struct history *history[N_SIDES]; /* NULL: too few runs */
	const struct past *past[N_SIDES]; /* of the operation; NULL: too few runs */
};

/* Returns what the runs say of an operation; in the arena, but for what release frees.  A history
 * needs other operations, too: it takes the first of the study. */
struct run_study run_study_of(struct arena *a, const struct study *s, const struct item *i);
void run_study_release(struct run_study *r);

#endif
