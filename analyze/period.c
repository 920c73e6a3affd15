/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/period.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>

#include "analyze/distance.h"
#include "analyze/stats/ranks.h"
#include "base/xalloc.h"

enum { MAX_CANDIDATES = 16, MAX_PHASES = 12 };

static const double nearly = 0.9; /* of the best strength: a shorter period is preferred */

/* --- folding ---------------------------------------------------------------------------- */

/* Ranks of the values, and their steps. */
struct ranked_series {
	const double *rank;
	const size_t *step;
	size_t n;
	double variance; /* of the ranks, times n */
};

/* The test of Kruskal and Wallis: H = (n - 1) x between / total has a chi-square distribution with
 * (phases - 1) degrees of freedom.  As steps ascend, phases are found without dividing. */
static struct period fold_series(const struct ranked_series *s, size_t length)
{
	size_t phases = length < MAX_PHASES ? length : MAX_PHASES, used = 0, phase = 0;
	size_t place = s->step[0] % length;
	double sum[MAX_PHASES] = { 0 }, count[MAX_PHASES] = { 0 }, between = 0, h;
	double n = (double)s->n, mean = (n + 1) / 2;

	for (size_t i = 0; i < s->n; i++) {
		place += i > 0 ? s->step[i] - s->step[i - 1] : 0;
		if (place >= length) {
			place %= length;
			phase = 0;
		}
		while ((phase + 1) * length <= place * phases)
			phase++;
		sum[phase] += s->rank[i];
		count[phase]++;
	}
	for (size_t k = 0; k < phases; k++) {
		double off = count[k] > 0 ? sum[k] / count[k] - mean : 0;

		between += count[k] * off * off;
		used += count[k] > 0;
	}
	h = (n - 1) * between / s->variance;
	if (used < 2 || n <= (double)used)
		return (struct period){ .length = (double)length, .p = 1 };
	return (struct period){ .length = (double)length,
				.strength = (h - (double)used + 1) / (n - (double)used),
				.p = chi_square_tail(h, (double)used - 1) };
}

/* --- candidates ---------------------------------------------------------------------------- */

/* The cost of a Fourier transform, relative to multiplying values at each lag. */
enum { TRANSFORM_COST = 16 };

/* Autocorrelation of x[0..n) by multiplication, up to lag `longest` < n.  The inner loop is over
 * lags, so that sums do not depend on each other. */
static double *by_products(const double *x, size_t n, size_t longest)
{
	double *restrict r = xcalloc(longest + 1, sizeof(*r));

	for (size_t i = 0; i < n; i++) {
		size_t last = n - 1 - i < longest ? n - 1 - i : longest;

		for (size_t lag = 0; lag <= last; lag++)
			r[lag] += x[i] * x[i + lag];
	}
	return r;
}

/* Autocorrelation by Fourier transform, in place; x is zero-padded to avoid wrap-around. */
static void by_transform(double *x, size_t size)
{
	(void)gsl_fft_real_radix2_transform(x, 1, size);
	x[0] *= x[0];
	x[size / 2] *= x[size / 2];
	for (size_t i = 1; i < size / 2; i++) {
		x[i] = x[i] * x[i] + x[size - i] * x[size - i];
		x[size - i] = 0;
	}
	(void)gsl_fft_halfcomplex_radix2_inverse(x, 1, size);
}

/* The autocorrelation at lags 0 to `longest`, which is below n_steps. */
static double *autocorrelation(const struct ranked_series *s, size_t n_steps, size_t longest)
{
	size_t size = 4, bits = 2;
	double *x, *r, mean = ((double)s->n + 1) / 2;

	for (; size < 2 * n_steps; size *= 2)
		bits++;
	x = xcalloc(size, sizeof(*x));
	for (size_t i = 0; i < s->n; i++)
		x[s->step[i] - s->step[0]] = s->rank[i] - mean;
	if (n_steps * longest > TRANSFORM_COST * size * bits) {
		by_transform(x, size);
		return x;
	}
	r = by_products(x, n_steps, longest);
	free(x);
	return r;
}

/* The lags with the highest peaks, at most MAX_CANDIDATES. */
static size_t best_lags(const double *r, size_t longest, size_t lag[MAX_CANDIDATES])
{
	size_t n = 0;

	for (size_t i = 2; i <= longest; i++) {
		size_t k;

		if (r[i] <= 0 || r[i] < r[i - 1] * (i > 2) || r[i] < r[i + 1])
			continue;
		for (k = n < MAX_CANDIDATES ? n++ : MAX_CANDIDATES; k > 0; k--) {
			if (r[lag[k - 1]] >= r[i])
				break;
			if (k < MAX_CANDIDATES)
				lag[k] = lag[k - 1];
		}
		if (k < MAX_CANDIDATES)
			lag[k] = i;
	}
	return n;
}

static struct period choose_period(struct period *tried, size_t n, size_t n_lags, double alpha,
				   double min_strength)
{
	struct period best = { .p = 1 };
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		tried[i].p = fmin(1, tried[i].p * (double)n_lags);
		if (tried[i].p <= alpha)
			max = fmax(max, tried[i].strength);
	}
	for (size_t i = 0; i < n; i++) {
		if (tried[i].p > alpha || tried[i].strength < fmax(nearly * max, min_strength))
			continue;
		if (!best.found || tried[i].length < best.length)
			best = tried[i];
		best.found = true;
	}
	return best;
}

static double variance_of(const double *rank, size_t n)
{
	double mean = ((double)n + 1) / 2, sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (rank[i] - mean) * (rank[i] - mean);
	return sum;
}

struct period period_find(const double *x, const size_t *step, size_t n, double alpha,
			  double min_strength)
{
	double *rank = xcalloc(n + 1, sizeof(*rank));
	struct ranked_series s = { rank, step, n, 0 };
	struct period tried[MAX_CANDIDATES], best = { .p = 1 };
	size_t lag[MAX_CANDIDATES], n_steps, longest;

	if (n >= PERIOD_MIN_VALUES) {
		ranks_of(x, n, rank);
		s.variance = variance_of(rank, n);
	}
	if (s.variance > 0) {
		size_t n_lags;
		double *r;

		n_steps = step[n - 1] - step[0] + 1;
		longest = n_steps / PERIOD_MIN_CYCLES;
		r = autocorrelation(&s, n_steps, longest + 1);
		n_lags = best_lags(r, longest, lag);
		for (size_t i = 0; i < n_lags; i++)
			tried[i] = fold_series(&s, lag[i]);
		best = choose_period(tried, n_lags, longest, alpha, min_strength);
		free(r);
	}
	free(rank);
	return best;
}

double period_p(const double *x, const size_t *step, size_t n, size_t length)
{
	double *rank = xcalloc(n + 1, sizeof(*rank)), p = 1;
	struct ranked_series s = { rank, step, n, 0 };

	ranks_of(x, n, rank);
	s.variance = variance_of(rank, n);
	if (s.variance > 0)
		p = fmin(1, fold_series(&s, length).p *
				    (double)((step[n - 1] - step[0] + 1) / PERIOD_MIN_CYCLES));
	free(rank);
	return p;
}

/* --- events in some of the steps -------------------------------------------------------- */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* How many ways there are to place k events in n steps with all gaps g >= 2 steps, except that up
 * to `uneven` gaps may be g + 1. */
static double count_ways(size_t k, size_t n, size_t uneven)
{
	double all = 0;

	for (size_t g = 2; (k - 1) * g < n; g++) {
		for (size_t j = 0; j <= uneven && (k - 1) * g + j < n; j++)
			all += exp(log_choose((double)k - 1, (double)j)) *
			       (double)(n - (k - 1) * g - j);
	}
	return all;
}

struct period period_of_events(const size_t *event, size_t k, size_t n, double alpha)
{
	struct period none = { .found = false }, p = { .found = true };
	size_t min = SIZE_MAX, max = 0, uneven = 0;

	if (k < PERIOD_MIN_EVENTS)
		return none;
	for (size_t i = 1; i < k; i++) {
		size_t gap = event[i] - event[i - 1];

		min = gap < min ? gap : min;
		max = gap > max ? gap : max;
	}
	for (size_t i = 1; i < k; i++)
		uneven += event[i] - event[i - 1] > min;
	if (min < 2 || max > min + 1)
		return none;
	p.length = p.steps = (double)(event[k - 1] - event[0]) / (double)(k - 1);
	/* The share of the gaps that have the more frequent length. */
	p.strength = (double)(2 * uneven > k - 1 ? uneven : k - 1 - uneven) / (double)(k - 1);
	p.p = fmin(1, count_ways(k, n, uneven == 0 ? 0 : k - 1) *
			      exp(-log_choose((double)n, (double)k)));
	return p.p <= alpha ? p : none;
}
