/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hosts/hosts_tails.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

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

/* --- far hosts ------------------------------------------------------------------------------- */

/* The far hosts of a series on one side: their distances from the middle in deviations, beyond
 * `from`, the distance of the nearest of them. */
struct far_hosts {
	double distance[SPREAD_SIDE];
	size_t n;
	double from;
	double df;	/* of the deviation */
	unsigned aside; /* hosts that may be what is looked for: one in a hundred, at least one */
};

static bool is_without(const struct names *without, const struct extreme *e)
{
	return without->n > 0 &&
	       bsearch(&e->host, without->v, without->n, sizeof(*without->v), by_name) != NULL;
}

/* Where hosts hardly differ, there are none. */
static struct far_hosts far_hosts_of(const struct tail_series *s, bool high,
				     const struct names *without)
{
	static const double min = 0.01; /* octaves, as the smallest deviation of outliers */
	unsigned aside = (unsigned)fmin(FAR, fmax(1, (double)(s->spread->n / 100)));
	struct far_hosts ret = { .df = s->df, .aside = aside };

	for (size_t i = 0; i < s->n_far; i++) {
		const struct extreme *e = extreme_of(s, high, i);

		if (!is_without(without, e))
			ret.distance[ret.n++] = fabs(spread_octaves(e->value) - s->middle);
	}
	if (ret.n < 2 || ret.distance[ret.n - 1] < min)
		return (struct far_hosts){ 0 };
	for (size_t i = 0; i < ret.n; i++)
		ret.distance[i] /= s->deviation;
	ret.from = ret.distance[--ret.n];
	return ret;
}

/* --- how likely tails are -------------------------------------------------------------------- */

/* Tails that a fleet may have, as 1 / degrees of freedom: from normal ones to Cauchy's.  Before
 * hosts are looked at, tails of 5 degrees of freedom are supposed, exponentially: in 60 made hosts
 * with such tails and 10 operations this names one in 7 of 100 fleets, with 10 in 7 of 60. */
static const double usual = 0.2;
static const double tail[] = { 0, 0.01, 0.02, 0.03, 0.045, 0.065, 0.1, 0.14, 0.2, 0.3, 0.5, 1 };

enum { N_TAILS = sizeof(tail) / sizeof(*tail) };

/* The distribution of distances in deviations that are themselves known with some error only. */
static double df_of_distances(double df_of_deviation, double one_by_df)
{
	return 1 / (1 / df_of_deviation + one_by_df);
}

/* The likelihood that so many of the far hosts lie beyond a distance that one of them exceeds with
 * probability p.  Up to `aside` of them are what is looked for, so that their number says nothing. */
static double likelihood_of_number(unsigned n, unsigned n_far, unsigned aside, double p)
{
	return n <= aside ? gsl_cdf_binomial_P(aside, p, n_far) : gsl_ran_binomial_pdf(n, p, n_far);
}

/* Adds, by the tails, the log of the likelihood of the hosts between far->from and `to`, and of the
 * number of those beyond. */
static void add_likelihood(double log_likelihood[N_TAILS], const struct far_hosts *far, double to,
			   double weight)
{
	for (size_t k = 0; k < N_TAILS && far->n > 0 && far->from < to; k++) {
		double df = df_of_distances(far->df, tail[k]);
		double all = gsl_cdf_tdist_Q(far->from, df), beyond = gsl_cdf_tdist_Q(to, df);
		double between = fmax(all - beyond, DBL_MIN), sum = 0;
		unsigned n = 0;

		for (size_t i = 0; i < far->n; i++) {
			if (far->distance[i] < to)
				sum += log(gsl_ran_tdist_pdf(far->distance[i], df) / between);
			else
				n++;
		}
		sum += log(likelihood_of_number(n, (unsigned)far->n, far->aside, beyond / all));
		log_likelihood[k] += weight * sum;
	}
}

/* Turns logs of likelihoods into probabilities. */
static void find_probabilities(double v[N_TAILS])
{
	double max = v[0], sum = 0;

	for (size_t k = 0; k < N_TAILS; k++) {
		v[k] -= tail[k] / usual;
		max = fmax(max, v[k]);
	}
	for (size_t k = 0; k < N_TAILS; k++)
		sum += v[k] = exp(v[k] - max);
	for (size_t k = 0; k < N_TAILS; k++)
		v[k] /= sum;
}

/* Errs to heavy tails by a standard deviation. */
static double cautious_df(const double probability[N_TAILS])
{
	double mean = 0, squares = 0;

	for (size_t k = 0; k < N_TAILS; k++) {
		mean += probability[k] * tail[k];
		squares += probability[k] * tail[k] * tail[k];
	}
	return 1 / (mean + sqrt(fmax(0, squares - mean * mean)));
}

double hosts_tail_df(const struct tail_series *v, size_t n, bool high)
{
	/* Operations that are looked at: more cost time and tell no more. */
	enum { ENOUGH = 200 };
	static const double sides = 2; /* before and after are mostly the same hosts */
	struct names without = far_in_most(v, n, high);
	size_t step = n / ENOUGH + 1, measured = 0;
	double likelihood[N_TAILS] = { 0 }, hosts = 0, to;

	for (size_t i = 0; i < n; i += step)
		hosts += (double)v[i].spread->n;
	to = n > 0 ? t_limit(sides / fmax(hosts, 2 * sides), HUGE_VAL) : 0;
	for (size_t i = 0; i < n; i += step) {
		struct far_hosts far = far_hosts_of(&v[i], high, &without);

		measured += far.n > 0;
		add_likelihood(likelihood, &far, to, 1 / sides);
	}
	free(without.v);
	if (measured == 0)
		return HUGE_VAL;
	find_probabilities(likelihood);
	return cautious_df(likelihood);
}
