/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/significance.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/ranks.h"
#include "base/xalloc.h"

double t_tail(double t, double df)
{
	double p;

	if (isnan(t) || !(df > 0))
		return NAN;
	if (isinf(t))
		return 0;
	p = isinf(df) ? gsl_cdf_ugaussian_Q(fabs(t)) : gsl_cdf_tdist_Q(fabs(t), df);
	return fmin(1, 2 * p);
}

double t_limit(double tail, double df)
{
	return isinf(df) ? gsl_cdf_ugaussian_Qinv(tail) : gsl_cdf_tdist_Qinv(tail, df);
}

double largest_rate(size_t k, size_t n)
{
	static const double confidence = 0.95;

	return k >= n ? 1 : gsl_cdf_beta_Pinv(confidence, (double)k + 1, (double)(n - k));
}

double largest_t_p(double t, double df, size_t n, size_t min)
{
	double one = fmax(t_tail(t, df), 1e-300), ways = (double)(n - 2 * min + 1);
	double share = (double)min / (double)n, z = gsl_cdf_ugaussian_Qinv(one / 2);
	double density = gsl_ran_ugaussian_pdf(z), bound = 1;

	if (z > 1)
		bound = 4 * density / z + density * (z - 1 / z) * 2 * log((1 - share) / share);
	return fmin(1, fmin(ways * one, bound));
}

static int by_value(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

double median_of(double *v, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(v, n, sizeof(*v), by_value);
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

/* --- false discoveries ------------------------------------------------------------ */

struct numbered {
	double value;
	size_t at;
};

static int by_number(const void *pa, const void *pb)
{
	const struct numbered *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value > b->value ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

void fdr_adjust(const double *p, size_t n, double *q)
{
	struct numbered *v = xcalloc(n + 1, sizeof(*v));
	size_t m = 0;
	double min = 1;

	for (size_t i = 0; i < n; i++) {
		q[i] = NAN;
		if (!isnan(p[i]))
			v[m++] = (struct numbered){ p[i], i };
	}
	qsort(v, m, sizeof(*v), by_number);
	for (size_t i = m; i-- > 0;) {
		min = fmin(min, v[i].value * (double)m / (double)(i + 1));
		q[v[i].at] = min;
	}
	free(v);
}

/* --- variances ---------------------------------------------------------------------- */

enum { FEWEST_FOR_A_TREND = 20, FEWEST_FOR_A_PRIOR = 3, MAX_FOR_SLOPES = 200 };

/* The median of the slopes between pairs (Theil-Sen) of at most 200 points; 0 for few points. */
static double robust_slope(const double *x, const double *y, size_t n)
{
	size_t step = (n + MAX_FOR_SLOPES - 1) / MAX_FOR_SLOPES, m = 0;
	double *slope, r;

	if (n < FEWEST_FOR_A_TREND)
		return 0;
	slope = xcalloc((n / step + 1) * (n / step + 1) / 2 + 1, sizeof(*slope));
	for (size_t i = 0; i < n; i += step) {
		for (size_t k = i + step; k < n; k += step) {
			if (fabs(x[k] - x[i]) > 1e-9)
				slope[m++] = (y[k] - y[i]) / (x[k] - x[i]);
		}
	}
	r = m > 0 ? gsl_stats_median(slope, 1, m) : 0; /* 20,000 slopes: do not sort them */
	free(slope);
	return r;
}

/* Solves trigamma(y) = x for y by Newton's method on 1/trigamma (limma). */
static double trigamma_inverse(double x)
{
	double y = 0.5 + 1 / x;

	if (x > 1e7)
		return 1 / sqrt(x);
	if (x < 1e-6)
		return 1 / x;
	for (int i = 0; i < 50; i++) {
		double tri = gsl_sf_psi_1(y), step = tri * (1 - tri / x) / gsl_sf_psi_n(2, y);

		y += step;
		if (-step / y < 1e-10)
			break;
	}
	return y;
}

/* Computes level and d0 from the mean and variance of the residuals of the line.  With few
 * operations that variance is uncertain, so one standard error is added, which makes d0 rather too
 * small than too large. */
static void fit_summary(struct prior *r, const double *left, size_t n, double df)
{
	double mean = 0, spread = 0, free = (double)n - (r->slope != 0 ? 2 : 1);

	for (size_t i = 0; i < n; i++)
		mean += left[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		spread += (left[i] - mean) * (left[i] - mean) / free;
	spread *= 1 + sqrt(2 / free);
	mean += log(df / 2) - gsl_sf_psi(df / 2);
	spread -= gsl_sf_psi_1(df / 2);
	r->d0 = HUGE_VAL;
	r->level = mean;
	if (spread > 0) {
		r->d0 = 2 * trigamma_inverse(spread);
		r->level += gsl_sf_psi(r->d0 / 2) - log(r->d0 / 2);
	}
}

struct prior prior_fit(const double *variance, const double *log_calls, size_t n, double df)
{
	double *room = xcalloc(3 * n + 1, sizeof(*room)), *x = room, *y = room + n;
	double *sorted = room + 2 * n, min;
	struct prior r = { .level = -HUGE_VAL, .df_all = df * (double)n };

	memcpy(sorted, variance, n * sizeof(*sorted));
	min = n > 0 ? fmax(median_of(sorted, n) * 1e-5, 1e-18) : 0;
	for (size_t i = 0; i < n; i++) {
		x[i] = log_calls[i];
		y[i] = log(fmax(variance[i], min));
	}
	r.slope = robust_slope(x, y, n);
	for (size_t i = 0; i < n; i++)
		y[i] -= r.slope * x[i];
	if (n >= FEWEST_FOR_A_PRIOR)
		fit_summary(&r, y, n, df);
	free(room);
	return r;
}

double prior_variance(const struct prior *p, double log_calls)
{
	return exp(p->level + p->slope * log_calls);
}

struct moderated moderate(const struct prior *prior, double difference, double variance, double df,
			  double per_runs, double log_calls, double floor)
{
	double common = prior->d0 > 0 ? prior_variance(prior, log_calls) : 0;
	struct moderated r = { .df = fmin(df + prior->d0, fmax(prior->df_all, df)) };

	r.variance =
		isinf(prior->d0) ? common : (prior->d0 * common + df * variance) / (prior->d0 + df);
	r.variance = fmax(r.variance, floor);
	r.error = sqrt(r.variance * per_runs);
	if (r.error > 0)
		r.t = difference / r.error;
	else
		r.t = difference == 0 ? 0 : copysign(HUGE_VAL, difference);
	r.p = t_tail(r.t, r.df);
	return r;
}

/* --- drift -------------------------------------------------------------------------- */

enum { MAX_EXACT = 8 };

/* Index i relative to the mean of 0..n-1. */
static double from_middle(size_t i, size_t n)
{
	return (double)i - ((double)n - 1) / 2;
}

/* The sum of products of ranks and indices, both relative to their means.  These are multiples of a
 * quarter, so sums are exact. */
static double cross_of(const double *rank, size_t n)
{
	double cross = 0;

	for (size_t i = 0; i < n; i++)
		cross += from_middle(i, n) * (rank[i] - ((double)n + 1) / 2);
	return cross;
}

static double correlation_of(const double *rank, size_t n)
{
	double x2 = 0, y2 = 0;

	for (size_t i = 0; i < n; i++) {
		double y = rank[i] - ((double)n + 1) / 2;

		x2 += from_middle(i, n) * from_middle(i, n);
		y2 += y * y;
	}
	return y2 > 0 ? cross_of(rank, n) / sqrt(x2 * y2) : 0;
}

/* Counts the permutations of rank[from...] for which the absolute sum of products, including
 * `cross` for the ranks before, is at least `least`. */
static size_t as_extreme(double *rank, size_t from, size_t n, double cross, double min)
{
	double x = from_middle(from, n), middle = ((double)n + 1) / 2;
	size_t r = 0;

	if (from + 1 == n)
		return fabs(cross + x * (rank[from] - middle)) >= min;
	for (size_t i = from; i < n; i++) {
		double first = rank[i];

		rank[i] = rank[from];
		rank[from] = first;
		r += as_extreme(rank, from + 1, n, cross + x * (first - middle), min);
		rank[from] = rank[i];
		rank[i] = first;
	}
	return r;
}

double rank_correlation(const double *v, size_t n, double *ret_p)
{
	double *rank = xcalloc(n + 1, sizeof(*rank)), rho;

	ranks_of(v, n, rank);
	rho = correlation_of(rank, n);
	if (n < 3) {
		*ret_p = 1;
	} else if (n <= MAX_EXACT) {
		size_t extreme = as_extreme(rank, 0, n, 0, fabs(cross_of(rank, n)));

		*ret_p = (double)extreme / gsl_sf_fact((unsigned)n);
	} else {
		*ret_p = t_tail(rho * sqrt(((double)n - 2) / fmax(1 - rho * rho, 1e-300)),
				(double)n - 2);
	}
	free(rank);
	return rho;
}
