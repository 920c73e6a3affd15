/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps in a series of numbers, one number a run: where its level changed for good.
 *
 * A stretch of runs is split where the difference of both sides' means is largest
 * against how much runs vary; then both parts are searched.  Values far from the
 * others are pulled in first, so that one outlier run makes no change point.
 *
 * A step that is undone again hides in a long stretch, so shorter ones within it are
 * looked at, too: the intervals of seeded binary segmentation (Kovacs, Buehlmann, Li
 * and Munk 2023).  Half of the error is spent on the whole stretch, half on these.
 */
#ifndef ANALYZE_CHANGE_POINTS_H
#define ANALYZE_CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much evidence a change point needs. */
struct change_point_rules {
	double level;	 /* a p above it ends the search */
	size_t least;	 /* runs on either side of a step */
	size_t shuffles; /* of the runs, which have to agree with the t test */
	uint64_t seed;
};

/* n numbers without a gap. */
struct series {
	const double *v;
	size_t n;
	double noise;	    /* variance that a run has at least; above 0 */
	double persistence; /* how much a run resembles the one before it, 0 to 1 */
};

/* One stretch that was searched. */
struct tested_step {
	size_t at; /* number of the first run after the step; 0: too short to search */
	double p;
	bool found; /* p is at most the level */
};

/* Fills *ret, which has room for 2 n, with every search that was made, found or not.
 * What lies within a part has no smaller p than what made the part. */
size_t change_points_find(const struct series *s, const struct change_point_rules *rules,
			  struct tested_step *ret);

/* Where the best split of a stretch lies that is known to have one; it holds twice
 * `least` runs or more. */
size_t change_point_position(const struct series *s, const struct change_point_rules *rules,
			     size_t from, size_t to);

/* How much a run resembles the one before it: the ratio of the squared differences of
 * next but one runs and of next ones is 1 + this, and steps hardly matter to it.  NAN
 * when there are too few or they do not differ. */
double persistence_of(const double *v, size_t n);

/* Whether a straight line explains the series better than these steps do (ascending),
 * by the Bayesian information criterion. */
bool is_rather_drift(const struct series *s, const size_t *at, size_t n_steps);

/* The line's whole rise, by least squares. */
double rise_of(const double *v, size_t n);

#endif
