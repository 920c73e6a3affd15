/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mean latency within a bucket, estimated from the counts around it.
 *
 * The middle of a wide bucket is a poor estimate: beyond a mode, most calls of a bucket lie in its
 * lower part.  The calls below each edge are therefore joined by a smooth, monotone curve: a cubic
 * in each bucket, on a logarithmic axis.  Its slope at an edge is that of the quartic through the
 * five edges around it, as in the piecewise parabolic method (Colella and Woodward 1984), but at
 * most three times the density on either side, which keeps the curve monotone (Fritsch and Carlson
 * 1980).
 */
#include "profile/means.h"

#include <math.h>
#include <string.h>

enum { AROUND = 2, N_PARTS = 2 * AROUND + 1 };

/* A bucket on the axis, the natural logarithm of latency.  A bucket that reaches to zero or is open
 * has no length there; it counts as 1, the length of [0, x] on an axis that is linear below x. */
struct part {
	double low, high; /* of the latencies that it can hold */
	double width;	  /* on the axis; 0: no bucket */
	double count;
};

static bool is_log(const struct part *p)
{
	return p->low > 0 && !isinf(p->high);
}

static struct part part_at(const struct histogram *h, size_t i)
{
	const struct edges *e;
	struct part p = { .width = 0 };

	if (i >= h->n) /* also before the first bucket, as i wraps around */
		return p;
	e = h->bucket[i].edges;
	p = (struct part){ e->low, e->high, 1, (double)h->bucket[i].count };
	histogram_narrow(h, &p.low, &p.high);
	if (is_log(&p))
		p.width = h->scheme->kind == BUCKET_LOG2 && !(h->granularity > 0)
				  ? M_LN2 / h->scheme->resolution
				  : log(p.high / p.low);
	return p;
}

static bool are_adjacent(const struct part *a, const struct part *b)
{
	return a->width > 0 && b->width > 0 && b->low - a->high <= fabs(b->low) * 1e-9;
}

/* Returns the slope at the edge between p[1] and p[2], in calls; zero at the edge of a gap.  Where
 * no bucket follows on one of them, an empty one of its width does. */
static double slope_between(const struct part *p)
{
	struct part a = p[0], d = p[3];
	const struct part *b = &p[1], *c = &p[2];
	double x[4], f[4], slope = 0;

	if (!are_adjacent(b, c))
		return 0;
	if (!are_adjacent(&a, b))
		a = (struct part){ .width = b->width };
	if (!are_adjacent(c, &d))
		d = (struct part){ .width = c->width };
	if (a.width == b->width && b->width == c->width && c->width == d.width) {
		slope = (7 * (b->count + c->count) - a.count - d.count) / (12 * b->width);
	} else {
		x[1] = -b->width, f[1] = -b->count;
		x[0] = x[1] - a.width, f[0] = f[1] - a.count;
		x[2] = c->width, f[2] = c->count;
		x[3] = x[2] + d.width, f[3] = f[2] + d.count;
		for (int j = 0; j < 4; j++) {
			double term = f[j] / x[j];

			for (int m = 0; m < 4; m++)
				term *= m == j ? 1 : x[m] / (x[m] - x[j]);
			slope += term;
		}
	}
	return fmax(0, fmin(slope, 3 * fmin(b->count / b->width, c->count / c->width)));
}

/* Finds the integrals of t^n exp(k t) for t from 0 to 1, n from 0 to 2; `to` is exp(k). */
static void integrate_powers(double k, double to, double t[3])
{
	double term = 1;

	if (k > 0.03) { /* below, differences lose digits; the series is good to 1e-13 */
		t[0] = (to - 1) / k;
		t[1] = (to - t[0]) / k;
		t[2] = (to - 2 * t[1]) / k;
		return;
	}
	t[0] = t[1] = t[2] = 0;
	for (int i = 0; i < 6; i++) {
		for (int n = 0; n < 3; n++)
			t[n] += term / (i + n + 1);
		term *= k / (i + 1);
	}
}

/* Returns the mean of a bucket in which the curve has slopes `left` and `right`, as multiples of
 * its mean slope: the integral of the latency times the density
 * 6 t (1 - t) + left (3 t^2 - 4 t + 1) + right (3 t^2 - 2 t) for t from 0 to 1. */
static double mean_within(const struct part *p, double left, double right)
{
	double t[3];

	if (!is_log(p)) /* on a linear axis, the integral of t itself */
		return p->low + (p->high - p->low) * (0.5 + (right - left) / 12);
	integrate_powers(p->width, p->high / p->low, t);
	return p->low * (6 * (t[1] - t[2]) + left * (3 * t[2] - 4 * t[1] + t[0]) +
			 right * (3 * t[2] - 2 * t[1]));
}

/* Returns the mean of p[AROUND]; `left` is the slope at its lower edge. */
static double mean_at(const struct histogram *h, const struct part *p, double left, double right)
{
	const struct part *at = &p[AROUND];
	double density = at->count / at->width;

	if (isinf(at->high))
		return at->low;
	if (isinf(at->low))
		return at->high;
	if (at->high - at->low <= h->granularity * (1 + 1e-9)) /* a single latency */
		return (at->low + at->high) / 2;
	return mean_within(at, left / density, right / density);
}

double histogram_bucket_mean(const struct histogram *h, size_t i)
{
	struct part p[N_PARTS];

	for (size_t k = 0; k < N_PARTS; k++)
		p[k] = part_at(h, i + k - AROUND);
	return mean_at(h, p, slope_between(p), slope_between(p + 1));
}

double histogram_bucket_octave(const struct histogram *h, size_t i)
{
	struct part p[N_PARTS];
	const struct part *at = &p[AROUND];
	double left, right;

	for (size_t k = 0; k < N_PARTS; k++)
		p[k] = part_at(h, i + k - AROUND);
	if (!is_log(at) || at->high - at->low <= h->granularity * (1 + 1e-9))
		return log2(histogram_bucket_mean(h, i));
	left = slope_between(p);
	right = slope_between(p + 1);
	/* The axis is that of the integral: the mean of t for the density of mean_within(). */
	return log2(at->low) +
	       at->width / M_LN2 * (0.5 + (right - left) * at->width / at->count / 12);
}

double histogram_total(const struct histogram *h)
{
	struct part p[N_PARTS];
	double sum = 0, left = 0;

	for (size_t k = 0; k < N_PARTS; k++)
		p[k] = part_at(h, k - AROUND);
	for (size_t i = 0; i < h->n; i++) {
		double right = slope_between(p + 1);

		sum += p[AROUND].count * mean_at(h, p, left, right);
		left = right;
		memmove(p, p + 1, (N_PARTS - 1) * sizeof(*p));
		p[N_PARTS - 1] = part_at(h, i + 1 + AROUND);
	}
	return sum;
}
