/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/quantile_runs.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/body.h"
#include "analyze/stats/significance.h"
#include "base/xalloc.h"

static const double tail = 0.05; /* of a 90 % interval, on each side */

/* The mean of some values, and the variance of that mean. */
struct estimate {
	double mean, variance;
	size_t n;
};

static struct estimate estimate_of(const double *v, size_t n)
{
	struct estimate e = { 0, 0, 0 };
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		if (isfinite(v[i])) {
			e.mean += v[i];
			e.n++;
		}
	}
	e.mean = e.n > 0 ? e.mean / (double)e.n : NAN;
	for (size_t i = 0; i < n; i++) {
		if (isfinite(v[i]))
			squares += (v[i] - e.mean) * (v[i] - e.mean);
	}
	e.variance = e.n > 1 ? squares / (double)(e.n - 1) / (double)e.n : NAN;
	return e;
}

/* Welch and Satterthwaite's degrees of freedom. */
static double welch_freedom(const struct estimate *a, const struct estimate *b)
{
	double both = a->variance + b->variance;

	return both * both /
	       (a->variance * a->variance / (double)(a->n - 1) +
		b->variance * b->variance / (double)(b->n - 1));
}

struct log2_change log2_change_of(const double *before, size_t n_before, const double *after,
				  size_t n_after)
{
	struct estimate b = estimate_of(before, n_before), a = estimate_of(after, n_after);
	struct log2_change c = { a.mean - b.mean, NAN, NAN };
	double half;

	if (b.n < 2 || a.n < 2)
		return c;
	half = a.variance + b.variance > 0
		       ? t_limit(tail, welch_freedom(&a, &b)) * sqrt(a.variance + b.variance)
		       : 0;
	c.low = c.change - half;
	c.high = c.change + half;
	return c;
}

struct log2_change log2_change_of_pairs(const double *difference, size_t n)
{
	struct estimate e = estimate_of(difference, n);
	struct log2_change c = { e.mean, NAN, NAN };
	double half;

	if (e.n < 2)
		return c;
	half = t_limit(tail, (double)(e.n - 1)) * sqrt(e.variance);
	c.low = e.mean - half;
	c.high = e.mean + half;
	return c;
}

struct log2_change quantile_change_of(const struct histogram *before, size_t n_before,
				      const struct histogram *after, size_t n_after, double q)
{
	double *v = xcalloc(n_before + n_after, sizeof(*v));
	struct log2_change c;

	for (size_t i = 0; i < n_before; i++)
		v[i] = body_quantile(&before[i], q);
	for (size_t i = 0; i < n_after; i++)
		v[n_before + i] = body_quantile(&after[i], q);
	c = log2_change_of(v, n_before, v + n_before, n_after);
	free(v);
	return c;
}
