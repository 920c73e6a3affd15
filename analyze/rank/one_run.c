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

/* Of normally distributed numbers, 3 standard deviations are so many times the median distance. */
static const double three_deviations = 3 / 0.6745;

/* In octaves: in unchanged recordings of a whole system, 15 calls became 179. */
static const double max_calls_noise = 3.6;

static int by_number(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* Of two in the middle the lower: at a tie the operations nearest to no change are taken as unchanged. */
static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_number);
	return v[(n - 1) / 2];
}

/* The median distance of n numbers from a center; uses `work`. */
static double median_distance(const double *v, size_t n, double center, double *work)
{
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(v[i] - center);
	return median_of(work, n);
}

/* The same work takes as many calls, or all operations take so many times more. */
double one_run_calls_noise(const struct ranking *all)
{
	double *v = xcalloc(2 * all->n + 1, sizeof(*v)), noise = 0;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (isfinite(all->v[i].calls_octaves) && !all->v[i].idle)
			v[n++] = all->v[i].calls_octaves;
	}
	if (n >= MIN_OPERATIONS_SHARING)
		noise = three_deviations * fmin(median_distance(v, n, 0, v + n),
						median_distance(v, n, median_of(v, n), v + n));
	noise = fmin(noise, max_calls_noise);
	free(v);
	return noise;
}

double one_run_other_calls(const struct ranking *all, const struct ranked *r)
{
	return isfinite(r->calls_octaves) ? fmin(fabs(r->calls_octaves), all->calls_noise) : 0;
}
