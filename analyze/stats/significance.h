/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The significance of differences between repeated runs.
 *
 * The variances of many operations, each from few runs, are shrunk towards a common trend
 * (Smyth 2004, as in limma).  The trend is a line of log variance over log calls; its weight
 * is d0 degrees of freedom.
 */
#ifndef ANALYZE_STATS_SIGNIFICANCE_H
#define ANALYZE_STATS_SIGNIFICANCE_H

#include <stddef.h>

/* The median of |x| for a standard normal x. */
#define NORMAL_QUARTILE 0.6744897501960817

double t_tail(double t, double df);	/* two-sided p; df may be HUGE_VAL */
double t_limit(double tail, double df); /* upper quantile: P(T > t) = tail */

/* Bounds the probability that the largest |t| over all splits of n numbers, with at least `least`
 * on either side, reaches t: the smaller of Bonferroni's bound and that of Miller and Siegmund
 * (1982), for which t is converted to a normal scale. */
double largest_t_p(double t, double df, size_t n, size_t min);

/* Adjusts p-values by Benjamini-Hochberg: q[i] is the false-discovery rate when all with p <= p[i]
 * are taken as discoveries.  NAN stays NAN and is not counted. */
void fdr_adjust(const double *p, size_t n, double *q);

/* The common trend of variances: log s0^2 = level + slope x log calls. */
struct prior {
	double level, slope;
	double d0; /* weight; 0: no common trend is known; HUGE_VAL: variances follow it exactly */
	double df_all; /* degrees of freedom of all variances together */
};

/* Fits the trend to n variances, one for each operation, with df degrees of freedom each. */
struct prior prior_fit(const double *variance, const double *log_calls, size_t n, double df);

/* The variance that the trend gives an operation; only with d0 > 0. */
double prior_variance(const struct prior *p, double log_calls);

/* A moderated t test: `t` has `df` degrees of freedom, `p` is two-sided. */
struct moderated {
	double variance, df; /* after shrinking */
	double error;	     /* standard error of the difference */
	double t, p;
};

/* Tests a difference of two means of runs.  `per_runs` is 1/n before + 1/n after; `floor` is a
 * lower bound of the shrunken variance. */
struct moderated moderate(const struct prior *prior, double difference, double variance, double df,
			  double per_runs, double log_calls, double floor);

double median_of(double *v, size_t n); /* sorts v; NAN when it is empty */

/* Returns Spearman's correlation of v with its index; *ret_p is two-sided, exact up to 8 values. */
double rank_correlation(const double *v, size_t n, double *ret_p);

/* The largest rate at which k of n events or fewer are no surprise: one-sided, 95 %. */
double largest_rate(size_t k, size_t n);

#endif
