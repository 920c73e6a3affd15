/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points (steps) in a series with one number per run: where its level changed.
 *
 * A stretch of runs is split where the difference between the means of both sides is
 * largest relative to its standard error; then both parts are searched.  The noise may be
 * correlated (analyze/stats/series_noise.h): steps and their errors are those of generalised least
 * squares.  Permutations of the whitened noise must confirm a step, so that outlier runs make
 * no change point.
 *
 * A long stretch can hide a step that is undone later, so shorter intervals within it are
 * searched, too: those of seeded binary segmentation (Kovacs, Buehlmann, Li and Munk
 * 2023).  Half of the error probability goes to the whole stretch, half to the intervals.
 */
#ifndef ANALYZE_STATS_CHANGE_POINTS_H
#define ANALYZE_STATS_CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/stats/series_noise.h"

/* How much evidence a change point needs. */
struct change_point_rules {
	double level;	 /* largest p of a step; the search of a stretch ends above it */
	size_t min;	 /* fewest runs on either side of a step */
	size_t shuffles; /* random permutations of the runs, which must confirm the t test */
	uint64_t seed;
};

/* A series of n numbers without gaps. */
struct series {
	const double *v;
	size_t n;
	double noise;		       /* lower bound of the variance of a run; above 0 */
	struct noise_weights weights;  /* of the models of its noise */
	struct noise_filters *filters; /* may be shared with other series */
};

/* The result of searching one stretch. */
struct tested_step {
	size_t at; /* number of the first run after the step */
	double p;
	bool found; /* p is at most the level */
};

/* Writes every stretch searched, with a step found or not, to ret, which has room for 2 n;
 * returns their number.  No step within a part has a smaller p than the step that made it. */
size_t change_points_find(const struct series *s, const struct change_point_rules *rules,
			  struct tested_step *ret);

/* Returns the position of the best split of a stretch that is known to have a step; the stretch
 * must hold at least 2 x `least` runs. */
size_t change_point_position(const struct series *s, const struct change_point_rules *rules,
			     size_t from, size_t to);

/* Returns by how much twice the log-likelihood falls when the step of a stretch is put before
 * number `at` instead of at the best position. */
double change_point_misfit(const struct series *s, const struct change_point_rules *rules,
			   size_t from, size_t to, size_t at);

/* Whether a straight line explains the series better than these steps, in ascending order, by
 * the Bayesian information criterion. */
bool drift_fits_better(const struct series *s, const size_t *at, size_t n_steps);

/* Returns the rise of the least-squares line from the first to the last value. */
double rise_of(const double *v, size_t n);

#endif
