/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/one_run.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rank/rank.h"
#include "base/xalloc.h"

/* --- latency --------------------------------------------------------------------------------- */

/* Standard deviation of the calls of a side in octaves, at least what a bucket hides. */
static double octave_spread(const struct histogram *h)
{
	double n = (double)h->count, mean = 0, square = 0;

	for (size_t i = 0; i < h->n; i++)
		mean += (double)h->bucket[i].count / n *
			bucket_position(h->scheme, h->bucket[i].edges->index);
	for (size_t i = 0; i < h->n; i++) {
		double away = bucket_position(h->scheme, h->bucket[i].edges->index) - mean;

		square += (double)h->bucket[i].count / n * away * away;
	}
	return fmax(sqrt(square), 0.25);
}

/* Of a summary: the stated standard deviation over the mean, as octaves.  NAN without one. */
static double stated_spread(const struct operation *op)
{
	double mean = operation_mean(op);

	return op->stated.has_deviation && mean > 0 ? op->stated.deviation / mean / M_LN2 : NAN;
}

bool one_run_states_spread(const struct ranked *r)
{
	return !ranked_has_histograms(r) &&
	       !isnan(stated_spread(r->before) + stated_spread(r->after));
}

static const double usual_spread = 2; /* octaves that the small-sample penalty assumes */

enum { MIN_CALLS_OF_SPREAD = 30 };

/* So many calls of a run count as independent.  Of 1,997 operations of 562 unchanged pairs, 88 % moved
 * by less than 1.2 times their spread over the fourth root of their calls, with 60 calls as well as
 * with 3000.  At 72 calls that is the penalty, which falls so from there on. */
static const double independent_calls = 72;

static double root_of_calls(double n)
{
	return n <= independent_calls ? sqrt(n) : sqrt(sqrt(independent_calls * n));
}

/* It shrinks with the spread of the calls, as far as there are enough of them to show it. */
double one_run_penalty(const struct ranked *r, const struct rank_rules *rules)
{
	double nb = (double)operation_count(r->before), na = (double)operation_count(r->after);
	double n = fmax(fmin(nb, na), 1), few = rules->small_sample / root_of_calls(n);
	double spread = usual_spread;

	if (ranked_has_histograms(r))
		spread = fmax(octave_spread(&r->before->hist), octave_spread(&r->after->hist));
	else if (one_run_states_spread(r))
		spread = fmax(stated_spread(r->before), stated_spread(r->after));
	return few * fmax(spread / usual_spread, fmin(MIN_CALLS_OF_SPREAD / n, 1));
}

/* --- numbers of calls -------------------------------------------------------------------------- */

/* Of normally distributed numbers, 3 standard deviations are so many times the distance of a quartile. */
static const double three_deviations = 3 / 0.6745;

/* In octaves: in unchanged recordings of a whole system, 15 calls became 179. */
static const double max_calls_noise = 3.6;

static int by_number(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* How far n ascending numbers lie below nothing, or below the middle of them, at their lower quartile. */
static double spread_below(const double *v, size_t n)
{
	double quartile = v[n / 4];

	return fmin(fmax(-quartile, 0), v[(n - 1) / 2] - quartile);
}

static double limited_noise(double spread)
{
	return fmin(three_deviations * spread, max_calls_noise);
}

/* What varies by itself varies both ways: that some operations are called more often, each as it
 * happens, and none less often, is a change of the program.  All may be called so many times more. */
struct calls_noise one_run_calls_noise(const struct ranking *all)
{
	double *v = xcalloc(all->n + 1, sizeof(*v));
	struct calls_noise noise = { 0, 0 };
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (isfinite(all->v[i].calls_octaves) && !all->v[i].idle)
			v[n++] = all->v[i].calls_octaves;
	}
	if (n >= MIN_OPERATIONS_SHARING) {
		qsort(v, n, sizeof(*v), by_number);
		noise.more = limited_noise(spread_below(v, n));
		for (size_t i = 0; i < n; i++)
			v[i] = -v[i];
		qsort(v, n, sizeof(*v), by_number);
		noise.fewer = limited_noise(spread_below(v, n));
	}
	free(v);
	return noise;
}

double one_run_noise_of_calls(const struct ranking *all, const struct ranked *r)
{
	return r->calls_octaves > 0 ? all->calls_noise.more : all->calls_noise.fewer;
}

double one_run_other_calls(const struct ranking *all, const struct ranked *r)
{
	return isfinite(r->calls_octaves)
		       ? fmin(fabs(r->calls_octaves), one_run_noise_of_calls(all, r))
		       : 0;
}
