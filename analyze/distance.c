/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/distance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Below this a power series is more accurate than a difference of logarithms. */
static const double small = 0.1;

/* How many of the n terms of such a series at x can affect a double. */
static size_t terms_needed(double x, size_t n)
{
	return x < 0.01 ? n / 2 : x < 0.03 ? n * 3 / 4 : n;
}

/* c[0] + c[1] x + ... + c[n-1] x^(n-1) */
static double polynomial(const double *c, size_t n, double x)
{
	double sum = 0;

	while (n-- > 0)
		sum = sum * x + c[n];
	return sum;
}

static bool both_filled(const struct aligned *a)
{
	return a->n_before > 0 && a->n_after > 0;
}

static double emd(const struct aligned *a)
{
	double cumulative = 0, sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i + 1 < a->n; i++) {
		cumulative += a->diff[i];
		sum += fabs(cumulative) * (a->position[i + 1] - a->position[i]);
	}
	return sum;
}

/* (sqrt(B/A) a - sqrt(A/B) b)^2 is A B (p - q)^2. */
static double chi_square(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++)
		sum += a->diff[i] * a->diff[i] / (a->before[i] + a->after[i]);
	return sum * a->n_before * a->n_after;
}

static double chi_square_df(const struct aligned *a)
{
	return both_filled(a) && a->n > 0 ? (double)(a->n - 1) : 0;
}

double chi_square_tail(double statistic, double df)
{
	const double surely_zero = 3000; /* the tail underflows, for any number of buckets */

	if (df < 1)
		return 1;
	if (statistic > surely_zero + 4 * df)
		return 0;
	return gsl_cdf_chisq_Q(statistic, df);
}

static double chi_square_p(const struct aligned *a)
{
	return chi_square_tail(chi_square(a), chi_square_df(a));
}

static double chi_square_effect(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++)
		sum += a->diff[i] * a->diff[i] / (a->p[i] + a->q[i]);
	return fmin(sum / 2, 1);
}

/* (1 + x) ln(1 + x) - x, without cancellation: sum of (-x)^k / (k (k-1)), k >= 2. */
static double relative_entropy_term(double x)
{
	static const double c[] = {
		1.0 / 2,   -1.0 / 6,   1.0 / 12,  -1.0 / 20,  1.0 / 30,
		-1.0 / 42, 1.0 / 56,   -1.0 / 72, 1.0 / 90,   -1.0 / 110,
		1.0 / 132, -1.0 / 156, 1.0 / 182, -1.0 / 210, 1.0 / 240,
	};

	if (fabs(x) >= small)
		return (1 + x) * log1p(x) - x;
	return x * x * polynomial(c, terms_needed(fabs(x), COUNT_OF(c)), x);
}

/* sum p ln(p/q) - p + q: -p + q sums to 0, and makes every term non-negative. */
static double kl(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return NAN;
	for (size_t i = 0; i < a->n; i++) {
		if (a->p[i] > 0 && a->q[i] == 0)
			return HUGE_VAL;
		sum += a->p[i] > 0 ? a->q[i] * relative_entropy_term(a->diff[i] / a->q[i])
				   : a->q[i];
	}
	return sum;
}

/* (1 + d) ln(1 + d) + (1 - d) ln(1 - d): sum of d^2k / (k (2k-1)), k >= 1. */
static double jeffrey_term(double d)
{
	static const double c[] = { 1.0,      1.0 / 6,	1.0 / 15, 1.0 / 28,
				    1.0 / 45, 1.0 / 66, 1.0 / 91, 1.0 / 120 };
	double square = d * d;

	if (fabs(d) >= 1)
		return 2 * M_LN2;
	if (fabs(d) >= small)
		return (1 + d) * log1p(d) + (1 - d) * log1p(-d);
	return square * polynomial(c, terms_needed(fabs(d), COUNT_OF(c)), square);
}

static double jeffrey(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++) {
		double both = a->p[i] + a->q[i];

		sum += both / 2 * jeffrey_term(a->diff[i] / both);
	}
	return sum;
}

static double jensen_shannon(const struct aligned *a)
{
	return jeffrey(a) / 2;
}

static double minkowski_l1(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++)
		sum += fabs(a->diff[i]);
	return sum;
}

static double minkowski_l2(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++)
		sum += a->diff[i] * a->diff[i];
	return sqrt(sum);
}

static double intersection(const struct aligned *a)
{
	double sum = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++)
		sum += a->p[i] < a->q[i] ? a->p[i] : a->q[i];
	return sum;
}

static double ks(const struct aligned *a)
{
	double cumulative = 0, max = 0;

	if (!both_filled(a))
		return 0;
	for (size_t i = 0; i < a->n; i++) {
		cumulative += a->diff[i];
		max = fabs(cumulative) > max ? fabs(cumulative) : max;
	}
	return max;
}

static double normalised_difference(double before, double after)
{
	return before + after > 0 ? (after - before) / (before + after) : 0;
}

static double total_operations(const struct aligned *a)
{
	return normalised_difference(a->n_before, a->n_after);
}

static double total_latency(const struct aligned *a)
{
	return normalised_difference(a->total_before, a->total_after);
}

static const struct distance distances[N_METRICS] = {
	[METRIC_EMD] = { "emd", "earth mover's distance (log2 of latency)", emd, true },
	[METRIC_CHI_SQUARE] = { "chi_square", "chi-square statistic", chi_square, true },
	[METRIC_CHI_SQUARE_DF] = { "chi_square_df", "degrees of freedom of chi-square",
				   chi_square_df, false },
	[METRIC_CHI_SQUARE_P] = { "chi_square_p", "p-value of chi-square", chi_square_p, false },
	[METRIC_CHI_SQUARE_EFFECT] = { "chi_square_effect", "effect size of chi-square (0 to 1)",
				       chi_square_effect, true },
	[METRIC_KL] = { "kl", "Kullback-Leibler divergence (nats)", kl, true },
	[METRIC_JEFFREY] = { "jeffrey", "Jeffrey divergence (nats)", jeffrey, true },
	[METRIC_JENSEN_SHANNON] = { "jensen_shannon", "Jensen-Shannon divergence (nats)",
				    jensen_shannon, true },
	[METRIC_MINKOWSKI_L1] = { "minkowski_l1", "Minkowski distance L1", minkowski_l1, true },
	[METRIC_MINKOWSKI_L2] = { "minkowski_l2", "Minkowski distance L2", minkowski_l2, true },
	[METRIC_INTERSECTION] = { "intersection", "histogram intersection (a similarity)",
				  intersection, false },
	[METRIC_KS] = { "ks", "Kolmogorov-Smirnov statistic", ks, true },
	[METRIC_TOTAL_OPERATIONS] = { "total_operations",
				      "normalised difference of total operations", total_operations,
				      true },
	[METRIC_TOTAL_LATENCY] = { "total_latency", "normalised difference of total latency",
				   total_latency, true },
};

const struct distance *distance_at(enum metric m)
{
	return &distances[m];
}

bool distance_by_name(struct str name, enum metric *ret)
{
	for (int m = 0; m < N_METRICS; m++) {
		if (str_eq(name, str_from(distances[m].name))) {
			*ret = (enum metric)m;
			return true;
		}
	}
	return false;
}

void distance_all(const struct aligned *a, double value[N_METRICS])
{
	for (int m = 0; m < N_METRICS; m++) {
		if (m != METRIC_CHI_SQUARE_P && m != METRIC_JENSEN_SHANNON)
			value[m] = distances[m].between(a);
	}
	value[METRIC_CHI_SQUARE_P] =
		chi_square_tail(value[METRIC_CHI_SQUARE], value[METRIC_CHI_SQUARE_DF]);
	value[METRIC_JENSEN_SHANNON] = value[METRIC_JEFFREY] / 2;
}
