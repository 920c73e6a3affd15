/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How sure a difference between repeated runs is.
 *
 * Variances of many operations, each from few runs, are shrunk towards a common
 * trend (Smyth 2004, as in limma): the trend is a line in the logarithms of
 * variance and calls, the weight of the trend is d0 degrees of freedom.
 */
#ifndef ANALYZE_SIGNIFICANCE_H
#define ANALYZE_SIGNIFICANCE_H

#include <stddef.h>

/* The median of |normal numbers|, in standard deviations. */
#define NORMAL_QUARTILE 0.6744897501960817

double t_tail(double t, double df);	/* of both sides together; df may be HUGE_VAL */
double t_limit(double tail, double df); /* the t that has `tail` above it */

/* P that the largest |t| over all ways to split n numbers in two, at least `least` on
 * either side, reaches t: the smaller one of two bounds, Bonferroni's and that of
 * Miller and Siegmund (1982), for which t is brought to a normal scale. */
double largest_t_p(double t, double df, size_t n, size_t least);

/* Benjamini-Hochberg: q[i] is the share of false discoveries when all that have
 * p <= p[i] are taken.  NAN stays NAN and is not counted. */
void fdr_adjust(const double *p, size_t n, double *q);

/* What variances have in common: log s0^2 = level + slope x log calls. */
struct prior {
	double level, slope;
	double d0;     /* 0: nothing in common is known; HUGE_VAL: all is */
	double df_all; /* degrees of freedom of all variances together */
};

/* From n variances with df degrees of freedom each (one value for each operation). */
struct prior prior_fit(const double *variance, const double *log_calls, size_t n, double df);

/* A moderated t test: `t` has `df` degrees of freedom, `p` is two-sided. */
struct moderated {
	double variance, df; /* after shrinking */
	double error;	     /* standard error of the difference */
	double t, p;
};

/* A difference of two means of runs.  `per_runs` is 1/n before + 1/n after; the
 * shrunken variance is not let below `floor`. */
struct moderated moderate(const struct prior *prior, double difference, double variance, double df,
			  double per_runs, double log_calls, double floor);

double median_of(double *v, size_t n); /* sorts v; NAN when it is empty */

/* Spearman's correlation of v with its index; *ret_p for both sides, exact up to
 * 8 values. */
double rank_correlation(const double *v, size_t n, double *ret_p);

#endif
