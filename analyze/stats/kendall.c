/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/kendall.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/ranks.h"
#include "analyze/stats/significance.h"
#include "base/xalloc.h"

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sums over groups of t equal values. */
struct ties {
	double pairs;	 /* t (t - 1) / 2 */
	double triples;	 /* t (t - 1) (t - 2) */
	double variance; /* t (t - 1) (2 t + 5) */
};

static struct ties ties_of(const double *v, size_t n)
{
	double *sorted = xcalloc(n + 1, sizeof(*sorted));
	struct ties ties = { 0, 0, 0 };

	for (size_t i = 0; i < n; i++)
		sorted[i] = v[i];
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && sorted[end] == sorted[i]; end++)
			;
		t = (double)(end - i);
		ties.pairs += t * (t - 1) / 2;
		ties.triples += t * (t - 1) * (t - 2);
		ties.variance += t * (t - 1) * (2 * t + 5);
	}
	free(sorted);
	return ties;
}

static int sign(double v)
{
	return (v > 0) - (v < 0);
}

static void add_pair(struct kendall *k, double dx, double dy)
{
	k->s += sign(dx) * sign(dy);
	if (dx == 0)
		return;
	k->slope = xgrow(k->slope, &k->cap, k->n_slopes + 1, sizeof(*k->slope));
	k->slope[k->n_slopes++] = dy / dx;
}

void kendall_add(struct kendall *k, const double *x, const double *y, size_t n, double inflation)
{
	double all = (double)n * (double)(n - 1) / 2, variance;
	struct ties tx, ty;

	if (n < 2)
		return;
	tx = ties_of(x, n);
	ty = ties_of(y, n);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			add_pair(k, x[j] - x[i], y[j] - y[i]);
	}
	k->pairs += sqrt((all - tx.pairs) * (all - ty.pairs));
	variance = (2 * all * (2 * (double)n + 5) - tx.variance - ty.variance) / 18 +
		   tx.pairs * ty.pairs / all;
	if (n > 2)
		variance += tx.triples * ty.triples / (18 * all * (double)(n - 2));
	k->variance += variance * inflation;
}

/* --- resemblance ---------------------------------------------------------------------- */

static const double max_resemblance = 0.95;

/* Fits the nearest non-decreasing line to v (isotonic regression by pooling adjacent violators).
 * Writes the residuals to rest[] and returns their sum of squares. */
static double left_by_rising(const double *v, size_t n, double *rest)
{
	double *level = xcalloc(n, sizeof(*level)), squares = 0;
	size_t *from = xcalloc(n, sizeof(*from)), pools = 0;

	for (size_t i = 0; i < n; i++) {
		level[pools] = v[i];
		from[pools++] = i;
		while (pools > 1 && level[pools - 2] >= level[pools - 1]) {
			double before = (double)(from[pools - 1] - from[pools - 2]);
			double after = (double)(i + 1 - from[pools - 1]);

			level[pools - 2] = (level[pools - 2] * before + level[pools - 1] * after) /
					   (before + after);
			pools--;
		}
	}
	for (size_t p = 0; p < pools; p++) {
		for (size_t i = from[p]; i < (p + 1 < pools ? from[p + 1] : n); i++) {
			rest[i] = v[i] - level[p];
			squares += rest[i] * rest[i];
		}
	}
	free(level);
	free(from);
	return squares;
}

double autocorrelation_inflation(const double *y, size_t n)
{
	double *rank = xcalloc(3 * n + 1, sizeof(*rank)), *rising = rank + n, *falling = rising + n;
	double up, down, *rest, next = 0, r;

	ranks_of(y, n, rank);
	up = left_by_rising(rank, n, rising);
	for (size_t i = 0; i < n; i++)
		rank[i] = -rank[i];
	down = left_by_rising(rank, n, falling);
	rest = up <= down ? rising : falling;
	for (size_t i = 0; i + 1 < n; i++)
		next += rest[i] * rest[i + 1];
	r = fmin(up, down) > 0 ? next / fmin(up, down) : 0;
	r = fmax(0, fmin(r, max_resemblance));
	free(rank);
	return (1 + r) / (1 - r);
}

/* --- what comes of it ------------------------------------------------------------------- */

void kendall_release(struct kendall *k)
{
	free(k->slope);
}

double kendall_tau(const struct kendall *k)
{
	return k->pairs > 0 ? k->s / k->pairs : NAN;
}

double kendall_p(const struct kendall *k)
{
	return k->variance > 0 ? t_tail(k->s / sqrt(k->variance), HUGE_VAL) : NAN;
}

double kendall_slope(struct kendall *k)
{
	return median_of(k->slope, k->n_slopes);
}
