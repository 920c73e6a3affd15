/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a time series is periodic, and the length of its period.
 *
 * Candidates are the lags with the highest autocorrelation of the ranks.  Each is tested by
 * folding: values are grouped by their phase in the period, and the phases are compared with
 * the test of Kruskal and Wallis (1952).  The result is the shortest period that explains
 * nearly as much as the best one.  A period of 2.5 steps is found as 5, the first lag at
 * which the values repeat.
 */
#ifndef ANALYZE_PERIOD_H
#define ANALYZE_PERIOD_H

#include <stdbool.h>
#include <stddef.h>

/* The period of a series. */
struct period {
	bool found;
	double length;	 /* in steps of the series, at least 2 */
	double strength; /* share of the ranks' variance that the phase explains, up to 1 */
	double p;	 /* corrected for the number of lags, or out of all ways to place events */
	double steps;	 /* mean gap of events in steps; 0 for period_find() */
};

/* Whether k events, at steps event[0] < event[1] ... of n, are evenly spaced: all gaps equal, or
 * differing by one step.  p is the share of all ways to place the events that are evenly spaced. */
struct period period_of_events(const size_t *event, size_t k, size_t n, double alpha);

enum { PERIOD_MIN_EVENTS = 4, PERIOD_MIN_CYCLES = 3, PERIOD_MIN_VALUES = 8 };

/* Finds the period of n values x[] at step[].  Steps ascend; some may be missing. */
struct period period_find(const double *x, const size_t *step, size_t n, double alpha,
			  double min_strength);

/* Returns the p of one period, of `length` steps, corrected for the number of lags. */
double period_p(const double *x, const size_t *step, size_t n, size_t length);

#endif
