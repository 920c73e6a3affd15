/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kendall's rank correlation of several series at once, each with itself only: the
 * seasonal test of Hirsch, Slack and Smith (1982), with the variance for ties on both
 * sides (Kendall 1970).  Series are short: every pair of values is looked at.
 */
#ifndef ANALYZE_KENDALL_H
#define ANALYZE_KENDALL_H

#include <stddef.h>

/* Sums over all series so far; kendall_release() frees the slopes. */
struct kendall {
	double s;	 /* pairs in order less pairs out of order */
	double variance; /* of s, when there is no trend */
	double pairs;	 /* the largest that s could be */

	/* The slopes of all pairs, for the line of Theil and Sen. */
	double *slope;
	size_t n_slopes, cap;
};

/* `inflation`: by what the variance is larger than that of values that know nothing of
 * each other; see wander_of(). */
void kendall_add(struct kendall *k, const double *x, const double *y, size_t n, double inflation);
void kendall_release(struct kendall *k);

/* How much larger the variance is because values resemble those before them: (1 + r) /
 * (1 - r) with r the correlation of next ones, of what a line that only rises or only falls
 * leaves of their ranks.  1 when there is no resemblance; a trend of any shape adds none. */
double wander_of(const double *y, size_t n);

double kendall_tau(const struct kendall *k); /* tau-b; NAN without pairs */
double kendall_p(const struct kendall *k);   /* both sides, by the normal distribution */
double kendall_slope(struct kendall *k);     /* of y by x: the median of all; sorts */

#endif
