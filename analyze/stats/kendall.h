/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kendall's rank correlation, combined over several series, without comparing values of
 * different series: the seasonal test of Hirsch, Slack and Smith (1982), with the variance
 * for ties in both variables (Kendall 1970).  Compares every pair of values, so series must
 * be short.
 */
#ifndef ANALYZE_STATS_KENDALL_H
#define ANALYZE_STATS_KENDALL_H

#include <stddef.h>

/* Sums over all series so far; kendall_release() frees the slopes. */
struct kendall {
	double s;	 /* concordant pairs less discordant pairs */
	double variance; /* of s under the null hypothesis of no trend */
	double pairs;	 /* denominator of tau-b: pairs, less those tied */

	/* The slopes of all pairs, for the Theil-Sen estimator. */
	double *slope;
	size_t n_slopes, cap;
};

/* Adds a series of n points.  `inflation` is the factor by which autocorrelation increases the
 * variance; see autocorrelation_inflation(). */
void kendall_add(struct kendall *k, const double *x, const double *y, size_t n, double inflation);
void kendall_release(struct kendall *k);

/* Returns the factor by which autocorrelation increases the variance, (1 + r) / (1 - r), where r
 * is the lag-1 autocorrelation of the ranks' residuals from the best monotonic fit.  It is 1
 * without autocorrelation; a monotonic trend of any shape does not increase it. */
double autocorrelation_inflation(const double *y, size_t n);

double kendall_tau(const struct kendall *k); /* tau-b; NAN without pairs */
double kendall_p(const struct kendall *k);   /* two-sided, normal approximation; or NAN */
double kendall_slope(struct kendall *k);     /* of y over x: the median slope; sorts slope[] */

#endif
