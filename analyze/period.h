/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a series in time repeats itself, and how long that takes.
 *
 * Candidates are the lags at which the series resembles itself most (autocorrelation of
 * ranks).  Each is tried by folding: values are put into phases of the candidate, and the
 * phases compared by the test of Kruskal and Wallis (1952).  Of periods that explain
 * nearly as much as the best, the shortest is it.  One of 2.5 steps shows as 5: only then
 * do the values come again.
 */
#ifndef ANALYZE_PERIOD_H
#define ANALYZE_PERIOD_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a series repeats, and after how many steps. */
struct period {
	bool found;
	double length;	 /* in steps of the series: 2 or more */
	double strength; /* share of the ranks' variance that the phase explains, 0 to 1 */
	double p;	 /* for all lags that were candidates, or of all ways to place events */
	double steps;	 /* of events: how many steps apart they are; 0: found in values */
};

/* Of events that are in k of n steps, at the steps event[0] < event[1] ...: whether they are as far
 * apart as can be, all gaps equal or one step apart.  p: of all ways to place them. */
struct period period_of_events(const size_t *event, size_t k, size_t n, double alpha);

enum { PERIOD_MIN_EVENTS = 4, PERIOD_MIN_CYCLES = 3, PERIOD_MIN_VALUES = 8 };

/* n values at ascending steps; step[i] is where x[i] lies, and some may be missing. */
struct period period_find(const double *x, const size_t *step, size_t n, double alpha,
			  double min_strength);

#endif
