/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds where a series changes its level, by applying Pettitt's test (1979) recursively.
 *
 * The test compares ranks, so neither the distribution nor an outlier matters.  A part of
 * the series is split where the sum of ranks is farthest from its expectation, if that is
 * significant; then each side is searched in turn.
 */
#ifndef ANALYZE_BREAKS_H
#define ANALYZE_BREAKS_H

#include <stddef.h>

struct arena;

/* One change of level in a series. */
struct level_break {
	size_t at; /* the first value of the new level */
	double p;  /* of this split alone, not adjusted for the others */
};

/* All significant changes of level; v lies in the caller's arena. */
struct breaks {
	struct level_break *v; /* ascending */
	size_t n;
};

enum { BREAKS_MIN_PART = 4 }; /* values on each side of a split, at least */

/* Returns the splits of x[n] with p <= alpha. */
struct breaks breaks_find(struct arena *a, const double *x, size_t n, double alpha);

#endif
