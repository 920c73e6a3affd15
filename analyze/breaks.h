/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a series changes its level: Pettitt's test (1979), again and again.
 *
 * Ranks are compared, so neither the distribution nor an outlier matters.  A part of the
 * series is split where the sum of ranks is farthest from what chance gives, as long as
 * that is significant; then both sides are looked at.
 */
#ifndef ANALYZE_BREAKS_H
#define ANALYZE_BREAKS_H

#include <stddef.h>

struct arena;

/* One change of level in a series. */
struct level_break {
	size_t at; /* the first value of the new level */
	double p;  /* of this split alone */
};

/* All significant changes of level, in an arena. */
struct breaks {
	struct level_break *v; /* ascending */
	size_t n;
};

enum { BREAKS_MIN_PART = 4 }; /* values on each side */

/* Splits while p <= alpha. */
struct breaks breaks_find(struct arena *a, const double *x, size_t n, double alpha);

#endif
