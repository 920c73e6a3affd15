/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds outlier hosts. */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "analyze/hosts/hosts.h"
#include "analyze/hosts/hosts_tails.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"

const char *const outlier_sides[] = { "before", "after", "change" };

enum { FEWEST_HOSTS = 8, N_LATENCY = SPREAD_TAIL + 1 };

static const double false_alarms = 0.05;  /* share of comparisons of equal hosts that name one */
static const double min_deviation = 0.01; /* octaves; lower bound of the standard deviation */

/* The hosts that remain when the extremes of either side are left out. */
struct rest {
	double middle, deviation;
	double df; /* of the deviation */
};

/* The share of the variance that n normal numbers keep when the lowest and the highest k of them
 * are left out. */
static double part_of_variance(double k, double n)
{
	double limit = gsl_cdf_ugaussian_Qinv(k / n), inside = 1 - 2 * k / n;

	return 1 - 2 * limit * gsl_ran_ugaussian_pdf(limit) / inside;
}

/* How many hosts to leave out on either side: up to a quarter, and no more than were kept. */
static size_t left_out(const struct host_spread *s)
{
	size_t quarter = (size_t)s->n / 4;

	return quarter < SPREAD_SIDE ? quarter : SPREAD_SIDE;
}

static struct rest rest_of(const struct host_spread *s)
{
	size_t k = left_out(s);
	double n = (double)s->n - 2 * (double)k, sum, square, centre = spread_mean(s);
	struct rest r;

	/* Sum deviations from the mean, to avoid cancellation. */
	sum = 0;
	square = spread_variance(s) * ((double)s->n - 1);
	for (size_t i = 0; i < k; i++) {
		double low = spread_octaves(s->extreme[i].value) - centre;
		double high = spread_octaves(s->extreme[s->n_extremes - 1 - i].value) - centre;

		sum -= low + high;
		square -= low * low + high * high;
	}
	r.middle = centre + sum / n;
	square = fmax(0, square - sum * sum / n) / (n - 1);
	r.deviation = fmax(sqrt(square / part_of_variance((double)k, (double)s->n)), min_deviation);
	r.df = n - 1;
	return r;
}

/* --- counts of slow calls ---------------------------------------------------------------- */

/* Slow calls that a host with few calls has on average, before and after, and its calls.  Where the
 * rest has hardly any slow calls, its deviation says nothing of what one or two of them do. */
struct slow_counts {
	double before, after, calls;
};

static double slow_calls_of(const struct histogram *h)
{
	static const double tail_from = 3; /* octaves beyond the median */
	const struct bucket *middle = histogram_quantile(h, 0.5);
	double from = middle != NULL ? bucket_position(h->scheme, middle->edges->index) : 0, n = 0;

	for (size_t i = 0; i < h->n; i++) {
		if (bucket_position(h->scheme, h->bucket[i].edges->index) > from + tail_from)
			n += (double)h->bucket[i].count;
	}
	return n;
}

/* The numbers of a host whose calls lie two standard deviations below the average. */
static struct slow_counts few_slow_counts(const struct operation *before,
					  const struct operation *after)
{
	const struct host_spread *calls = &before->spreads->of[SPREAD_CALLS];
	double few = exp2(-2 * sqrt(spread_variance(calls)));

	return (struct slow_counts){
		.before = slow_calls_of(&before->hist) / (double)calls->n * few,
		.after = slow_calls_of(&after->hist) / (double)after->spreads->of[SPREAD_CALLS].n *
			 few,
		.calls = exp2(spread_mean(calls)) * few,
	};
}

/* The probability of n or more events where `expected` are expected. */
static double at_min(double n, double expected)
{
	return n < 1 ? 1 : gsl_cdf_poisson_Q((unsigned)fmin(n, 1e9) - 1, expected);
}

/* The number of slow calls that has these odds among n calls; both with half a call more. */
static double slow_at(double odds, double n)
{
	return fmax(0, (odds * (n + 0.5) - 0.5) / (1 + odds));
}

/* The probability that the log2 odds of a host lie beyond this value, or on one side of a change
 * its difference, by the chance of counting alone. */
static double chance_of_value(const struct slow_counts *s, double value, double expected,
			      bool above)
{
	double n = slow_at(exp2(value), s->calls);

	return above ? at_min(round(n), expected)
		     : gsl_cdf_poisson_P((unsigned)fmin(round(n), 1e9), expected);
}

static double chance_of_change(const struct slow_counts *s, double change)
{
	double from = change > 0 ? s->before : s->after, to = change > 0 ? s->after : s->before;
	double ratio = exp2(fabs(change)), max = from + 10 * sqrt(from) + 20, sum = 0;

	for (unsigned n = 0; n <= max; n++)
		sum += gsl_ran_poisson_pdf(n, from) *
		       at_min(ceil(ratio * (n + 0.5) - 0.5 - 1e-6), to);
	return sum;
}

static double chance_of(const struct slow_counts *s, enum outlier_side side, double value,
			double octaves)
{
	if (side == OUTLIER_CHANGE)
		return chance_of_change(s, value);
	return chance_of_value(s, value, side == OUTLIER_BEFORE ? s->before : s->after,
			       octaves > 0);
}

/* --- outliers -------------------------------------------------------------------------------- */

/* The degrees of freedom of the tails of a fleet, of a feature; by direction, low and high. */
struct tails {
	double df[N_LATENCY][2];
};

struct search {
	struct outlier_host *v;
	size_t n, cap;
	struct arena *arena;
	double tests_of_a_host; /* operations x features x sides */
	double min_effect;
	struct tails of_hosts, of_changes;
};

static double p_of_test(const struct search *s, double n_hosts)
{
	return false_alarms / 2 / (s->tests_of_a_host * n_hosts);
}

/* Deviations from which on a host is an outlier.  Both the tails of the fleet and the few hosts
 * that the deviation is known from make it larger. */
static double limit_of(double p, double df_of_deviation, double df_of_tail)
{
	return t_limit(p, 1 / (1 / df_of_deviation + 1 / df_of_tail));
}

static bool is_outlier(const struct search *s, const struct rest *r, double octaves,
		       double deviations)
{
	return fabs(octaves) >= s->min_effect && fabs(octaves) > deviations * r->deviation;
}

/* --- tails ----------------------------------------------------------------------------------- */

static size_t add_series(struct tail_series *to, size_t n, const struct operation *op, int feature)
{
	const struct host_spread *s =
		op != NULL && op->spreads != NULL ? &op->spreads->of[feature] : NULL;

	struct rest rest;

	if (s == NULL || s->n < FEWEST_HOSTS)
		return n;
	rest = rest_of(s);
	to[n] = (struct tail_series){ s, rest.middle, rest.deviation, rest.df, left_out(s) };
	return n + 1;
}

static void find_tails(struct search *s, const struct profile *differences,
		       const struct ranking *all)
{
	struct tail_series *hosts = arena_make(s->arena, struct tail_series, 2 * all->n + 1);
	struct tail_series *changes = arena_make(s->arena, struct tail_series, all->n + 1);

	for (int f = 0; f < N_LATENCY; f++) {
		size_t n = 0, m = 0;

		for (size_t i = 0; i < all->n; i++) {
			const struct ranked *r = &all->v[i];

			n = add_series(hosts, n, r->before, f);
			n = add_series(hosts, n, r->after, f);
			m = add_series(changes, m, hosts_change_of(differences, r), f);
		}
		for (int high = 0; high < 2; high++) {
			s->of_hosts.df[f][high] = hosts_tail_df(hosts, n, high == 1);
			s->of_changes.df[f][high] = hosts_tail_df(changes, m, high == 1);
		}
	}
}

/* --- the search ------------------------------------------------------------------------------ */

/* Adds an outlier; of several features of one operation of a host, keeps the farthest. */
static void add_outlier(struct search *s, const struct outlier_host *outlier)
{
	for (size_t i = s->n; i > 0 && s->v[i - 1].of == outlier->of; i--) {
		struct outlier_host *known = &s->v[i - 1];

		if (known->side != outlier->side || !str_eq(known->host, outlier->host))
			continue;
		if (outlier->deviations > known->deviations)
			*known = *outlier;
		return;
	}
	s->v = arena_grow(s->arena, s->v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v[s->n++] = *outlier;
}

static void look_at(struct search *s, const struct host_spread *spread, const struct ranked *of,
		    enum outlier_side side, int feature)
{
	const struct operation *before = of->before != NULL ? of->before : of->after;
	const struct operation *after = of->after != NULL ? of->after : of->before;
	const struct tails *tails = side == OUTLIER_CHANGE ? &s->of_changes : &s->of_hosts;
	double p = p_of_test(s, (double)spread->n), limit[2];
	struct slow_counts slow = { 0 };
	struct rest rest;

	if (spread->n < FEWEST_HOSTS)
		return;
	rest = rest_of(spread);
	for (int high = 0; high < 2; high++)
		limit[high] = limit_of(p, rest.df, tails->df[feature][high]);
	if (feature == SPREAD_TAIL)
		slow = few_slow_counts(before, after);
	for (size_t i = 0; i < spread->n_extremes; i++) {
		double value = spread_octaves(spread->extreme[i].value);
		double octaves = value - rest.middle;
		struct outlier_host outlier = { .host = spread->extreme[i].host,
						.of = of,
						.side = side,
						.feature = (enum spread_feature)feature,
						.octaves = octaves,
						.deviations = fabs(octaves) / rest.deviation };

		if (is_outlier(s, &rest, octaves, limit[octaves > 0]) &&
		    (feature != SPREAD_TAIL || chance_of(&slow, side, value, octaves) <= p))
			add_outlier(s, &outlier);
	}
}

static void look_at_operation(struct search *s, const struct operation *op, const struct ranked *of,
			      enum outlier_side side)
{
	for (int f = 0; op != NULL && op->spreads != NULL && f < N_LATENCY; f++)
		look_at(s, &op->spreads->of[f], of, side, f);
}

static void mark_before_too(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->n && s->v[i].side == OUTLIER_AFTER; k++)
			s->v[i].before_too |= s->v[k].side == OUTLIER_BEFORE &&
					      s->v[k].of == s->v[i].of &&
					      s->v[k].octaves * s->v[i].octaves > 0 &&
					      str_eq(s->v[k].host, s->v[i].host);
	}
}

static int by_deviations(const void *pa, const void *pb)
{
	const struct outlier_host *a = pa, *b = pb;
	int order = str_cmp(a->host, b->host);

	if (a->deviations != b->deviations)
		return a->deviations > b->deviations ? -1 : 1;
	if (order != 0)
		return order;
	return a->of != b->of ? (a->of < b->of ? -1 : 1) : (int)a->side - (int)b->side;
}

/* The limit of latency where all hosts have the operation; it depends on their number, and is the
 * larger one of both directions. */
static double usual_limit(const struct search *s, double n)
{
	const double *df = s->of_hosts.df[SPREAD_SHIFT];

	if (n <= FEWEST_HOSTS)
		return NAN;
	return limit_of(p_of_test(s, n), n - 2 * fmin(SPREAD_SIDE, floor(n / 4)) - 1,
			fmin(df[0], df[1]));
}

struct hosts_findings hosts_find(struct arena *a, const struct profile *before,
				 const struct profile *after, const struct profile *differences,
				 const struct runs_rules *rules, const struct ranking *all)
{
	struct hosts_findings ret = { .n_before = before->n_hosts,
				      .n_after = after->n_hosts,
				      .missing_before = before->n_missing,
				      .missing_after = after->n_missing,
				      .paired = differences != NULL };
	struct search s = { .arena = a, .min_effect = rules->min_effect };
	double sides = differences != NULL ? 3 : 2;

	s.tests_of_a_host = sides * N_LATENCY * fmax(1, (double)all->n);
	find_tails(&s, differences, all);
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		look_at_operation(&s, r->before, r, OUTLIER_BEFORE);
		look_at_operation(&s, r->after, r, OUTLIER_AFTER);
		look_at_operation(&s, hosts_change_of(differences, r), r, OUTLIER_CHANGE);
	}
	mark_before_too(&s);
	if (s.n > 0)
		qsort(s.v, s.n, sizeof(*s.v), by_deviations);
	ret.deviations = usual_limit(&s, (double)ret.n_after);
	ret.outlier = s.v;
	ret.n_outliers = s.n;
	return ret;
}
