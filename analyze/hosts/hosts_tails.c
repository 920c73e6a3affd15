/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hosts/hosts_tails.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "profile/spread.h"

/* --- hosts that are far in most operations ------------------------------------------------ */

enum { FAR = SPREAD_SIDE / 2, MIN_OPERATIONS = 4 };

/* Sorted names. */
struct names {
	struct str *v;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Returns the extreme number i of a side, the farthest first. */
static const struct extreme *extreme_of(const struct tail_series *s, bool high, size_t i)
{
	return &s->spread->extreme[high ? s->spread->n_extremes - 1 - i : i];
}

static struct names far_in_most(const struct tail_series *v, size_t n, bool high)
{
	struct names all = { xcalloc(n * FAR + 1, sizeof(*all.v)), 0 };
	size_t kept = 0, same;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < FAR && k < v[i].n_far; k++)
			all.v[all.n++] = extreme_of(&v[i], high, k)->host;
	}
	qsort(all.v, all.n, sizeof(*all.v), by_name);
	for (size_t i = 0; i < all.n; i += same) {
		for (same = 1; i + same < all.n && str_eq(all.v[i], all.v[i + same]);)
			same++;
		if (2 * same > n && n >= MIN_OPERATIONS)
			all.v[kept++] = all.v[i];
	}
	all.n = kept;
	return all;
}

/* --- distances ------------------------------------------------------------------------------- */

/* Two hosts of a side by their rank, the farthest having rank 1, among n. */
struct ranks {
	size_t near_end, far_end, n;
};

static double share_beyond(size_t rank, size_t n)
{
	return ((double)rank - 0.375) / ((double)n + 0.25); /* Blom's */
}

/* The log of the ratio of their distances from the middle, for Student's t. */
static double expected_ratio(const struct ranks *r, double df)
{
	double far = share_beyond(r->far_end, r->n), near = share_beyond(r->near_end, r->n);

	return log(t_limit(far, df) / t_limit(near, df));
}

/* The standard deviation of that ratio: the logs of neighbouring distances differ by independent
 * exponential numbers over their rank (Renyi). */
static double noise_of_ratio(const struct ranks *r)
{
	double sum = 0, squares = 0;

	for (size_t i = r->far_end; i < r->near_end; i++) {
		sum += 1 / (double)i;
		squares += 1 / (double)i / (double)i;
	}
	return expected_ratio(r, HUGE_VAL) * sqrt(squares) / sum;
}

/* The farthest hosts that do not count. */
static size_t set_aside(const struct host_spread *s)
{
	size_t n = (size_t)s->n / 100;

	return n < 1 ? 1 : n > FAR ? FAR : n;
}

/* Measures one side; false where too few hosts are there, or they hardly differ. */
static bool measure_side(const struct tail_series *s, bool high, const struct names *without,
			 struct ranks *ret, double *ret_ratio)
{
	static const double min = 0.01; /* octaves, as the smallest deviation of outliers */
	size_t m = 0, aside = set_aside(s->spread);
	double far = 0, near = 0;

	for (size_t i = 0; i < s->n_far; i++) {
		const struct extreme *e = extreme_of(s, high, i);

		if (without->n > 0 &&
		    bsearch(&e->host, without->v, without->n, sizeof(*without->v), by_name) != NULL)
			continue;
		near = fabs(spread_octaves(e->value) - s->middle);
		if (m++ == aside)
			far = near;
	}
	*ret = (struct ranks){ m, aside + 1, (size_t)s->spread->n - (s->n_far - m) };
	*ret_ratio = log(far / near);
	return m > aside + 1 && near > min;
}

/* --- degrees of freedom ---------------------------------------------------------------------- */

/* Returns the degrees of freedom for which the ratio is larger than a normal one by `excess`. */
static double solve_df(const struct ranks *r, double excess)
{
	double wanted = expected_ratio(r, HUGE_VAL) + excess, low = 0.5, high = 200;

	if (expected_ratio(r, high) >= wanted)
		return HUGE_VAL;
	for (int i = 0; i < 40; i++) {
		double middle = sqrt(low * high);

		*(expected_ratio(r, middle) > wanted ? &low : &high) = middle;
	}
	return low;
}

/* An estimate that errs to heavy tails by its standard error.  Operations before and after are of
 * mostly the same hosts, so that two count as one; as if two more had normal tails, since a few
 * operations say little. */
static double cautious_excess(double *excess, size_t n, double noise)
{
	static const double error_of_median = 1.25, normal = 2;
	double operations = (double)n / 2;

	return (median_of(excess, n) + error_of_median * noise / sqrt(operations)) * operations /
	       (operations + normal);
}

double hosts_tail_df(const struct tail_series *v, size_t n, bool high)
{
	struct names without = far_in_most(v, n, high);
	double *excess = xcalloc(n + 1, sizeof(*excess)), ratio, df = HUGE_VAL;
	struct ranks ranks, typical = { 0 };
	size_t measured = 0;

	for (size_t i = 0; i < n; i++) {
		if (!measure_side(&v[i], high, &without, &ranks, &ratio))
			continue;
		excess[measured++] = ratio - expected_ratio(&ranks, HUGE_VAL);
		if (ranks.n > typical.n)
			typical = ranks;
	}
	if (measured > 0)
		df = solve_df(&typical,
			      cautious_excess(excess, measured, noise_of_ratio(&typical)));
	free(excess);
	free(without.v);
	return df;
}
