/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: computes the p-values of every operation, and which are significant. */
#include <math.h>
#include <stdlib.h>

#include "analyze/runs_judging.h"
#include "analyze/significance.h"
#include "base/parallel.h"
#include "base/xalloc.h"

/* --- moderated t ----------------------------------------------------------------------- */

/* The part of a feature in run k that whole-run effects explain. */
static double runs_effect(const struct judging *j, const struct judged *one, enum feature which,
			  size_t k)
{
	bool latency = which == FEATURE_SHIFT || which == FEATURE_MEAN;

	return j->run_effect[which][k] + (latency && k >= j->n_before ? one->cost : 0);
}

double runs_effect_and_speed(const struct judging *j, const struct judged *one, enum feature which,
			     size_t k)
{
	double speed = j->speed.use == CPU_SPEED_ADJUSTED ? j->speed.slowness[k] : 0;

	return runs_effect(j, one, which, k) + one->slope[which] * speed;
}

/* The speed is adjusted for only with more degrees of freedom than this. */
static const double min_df_adjusted = 3;

static bool is_adjusted(const struct judging *j, enum feature which, double df)
{
	return j->speed.use == CPU_SPEED_ADJUSTED && which != FEATURE_CALLS && df > min_df_adjusted;
}

/* Improves the estimate by the order of the runs, if known, and by the speed of the processor. */
static void refine_sample(const struct judging *j, enum feature which, const double *x,
			  struct sample *s)
{
	bool adjusted = is_adjusted(j, which, s->df);
	struct in_order ordered;

	if (j->order.n == 0 ||
	    !difference_in_order(&j->order, x, adjusted ? j->speed.slowness : NULL, j->n_before,
				 &ordered))
		return;
	s->df -= adjusted;
	s->difference = ordered.difference;
	s->variance = ordered.error * ordered.error / s->per_runs;
	s->slope = ordered.slope;
	if (j->speed.use == CPU_SPEED_BOUNDED && (which == FEATURE_SHIFT || which == FEATURE_MEAN))
		s->difference = cpu_speed_bound(&j->speed, s->difference);
}

static struct sample sample_over_hosts(const struct judging *j, const struct judged *one,
				       enum feature which)
{
	struct sample s = one->over_hosts[which];

	s.difference -= runs_effect(j, one, which, 1) - runs_effect(j, one, which, 0);
	return s;
}

static struct sample sample_over_runs(const struct judging *j, const struct judged *one,
				      enum feature which)
{
	double mean[2], square = 0, n[2] = { 0, 0 };
	double *x = xcalloc(j->n_runs, sizeof(*x));
	struct sample s = { 0 };

	for (size_t k = 0; k < j->n_runs; k++) {
		x[k] = one->f.value[which][k] - runs_effect(j, one, which, k);
		n[k >= j->n_before] += !isnan(x[k]);
	}
	mean[0] = mean_over(x, 0, j->n_before);
	mean[1] = mean_over(x, j->n_before, j->n_runs);
	for (size_t k = 0; k < j->n_runs; k++) {
		double away = x[k] - mean[k >= j->n_before];

		square += isnan(away) ? 0 : away * away;
	}
	s.ok = n[0] >= 2 && n[1] >= fmin(2, (double)(j->n_runs - j->n_before));
	s.df = n[0] - 1 + fmax(n[1] - 1, 0);
	s.difference = mean[1] - mean[0];
	s.variance = s.ok ? square / s.df : NAN;
	s.per_runs = s.ok ? 1 / n[0] + 1 / n[1] : NAN;
	if (s.ok)
		refine_sample(j, which, x, &s);
	free(x);
	return s;
}

struct sample runs_sample(const struct judging *j, const struct judged *one, enum feature which)
{
	return j->by_host ? sample_over_hosts(j, one, which) : sample_over_runs(j, one, which);
}

/* The degrees of freedom of an operation that every run has. */
static double full_df(const struct judging *j, enum feature which)
{
	double df = (double)j->n_runs - (j->n_runs > j->n_before ? 2 : 1);

	if (!j->by_host)
		return df - is_adjusted(j, which, df);
	df = 0;
	for (size_t i = 0; i < j->n; i++)
		df = fmax(df, j->v[i].over_hosts[which].df);
	return df;
}

struct prior runs_prior(const struct judging *j, enum feature which)
{
	double *variance = xcalloc(2 * j->n + 1, sizeof(*variance)), *calls = variance + j->n;
	double df = full_df(j, which);
	struct prior r;
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++) {
		struct sample s = runs_sample(j, &j->v[i], which);

		/* The fit needs equal degrees of freedom, so every run must have the operation. */
		if (!s.ok || s.df != df || !j->v[i].r->runs->tested)
			continue;
		variance[n] = s.variance;
		calls[n++] = j->v[i].f.log_calls;
	}
	r = prior_fit(variance, calls, n, df);
	free(variance);
	return r;
}

struct interval_of {
	double *middle, *low, *high;
};

static struct interval_of target_for(struct replicate_stats *o, enum feature which)
{
	switch (which) {
	case FEATURE_SHIFT:
		return (struct interval_of){ &o->shift, &o->shift_low, &o->shift_high };
	case FEATURE_MEAN:
		return (struct interval_of){ &o->mean, &o->mean_low, &o->mean_high };
	case FEATURE_CALLS:
		return (struct interval_of){ &o->calls, &o->calls_low, &o->calls_high };
	case FEATURE_TAIL:
		break;
	}
	return (struct interval_of){ &o->tail, NULL, NULL };
}

static void test_feature(const struct judging *j, struct judged *one, enum feature which,
			 const struct prior *prior)
{
	struct sample s = runs_sample(j, one, which);
	struct interval_of to = target_for(one->r->runs, which);
	struct moderated m;

	one->p[which] = NAN;
	one->slope[which] = s.slope;
	if (!s.ok || (which == FEATURE_TAIL && !one->f.has_tail))
		return;
	m = moderate(prior, s.difference, s.variance, s.df, s.per_runs, one->f.log_calls,
		     one->f.noise[which]);
	one->p[which] = m.p;
	one->n_latency += which != FEATURE_CALLS;
	*to.middle = s.difference;
	if (to.low != NULL) {
		double reach = t_limit(0.05, m.df) * m.error;

		*to.low = s.difference - reach;
		*to.high = s.difference + reach;
	}
}

/* --- permuting runs --------------------------------------------------------------------- */

/* Shifts a run's CDF by its run effect, by moving shares between neighbouring cells. */
static void remove_run_effect(struct grid *g, size_t run, double run_effect)
{
	double *f = g->cdf + run * g->n, last = 0;

	if (run_effect > 0) {
		for (size_t i = 0; i + 1 < g->n; i++)
			f[i] += (f[i + 1] - f[i]) *
				fmin(1, run_effect / (g->position[i + 1] - g->position[i]));
	} else if (run_effect < 0) {
		for (size_t i = 0; i + 1 < g->n; i++) {
			double own = f[i];

			f[i] += (own - last) *
				fmax(-1, run_effect / (g->position[i + 1] - g->position[i]));
			last = own;
		}
	}
}

static void permute_stretch(void *ctx, size_t from, size_t to)
{
	const struct judging *j = ctx;
	struct permutation_room room = { 0 };

	for (size_t i = from; i < to; i++) {
		struct judged *one = &j->v[i];
		struct replicate_stats *o = one->r->runs;

		if (one->f.grid.n == 0 || !o->tested)
			continue;
		for (size_t k = 0; k < j->n_runs; k++)
			remove_run_effect(&one->f.grid, k,
					  runs_effect_and_speed(j, one, FEATURE_SHIFT, k));
		o->distance_p = permutation_p(&j->permutations, &one->f.grid, &room, &o->distance);
	}
	permutation_room_release(&room);
}

enum { MIN_ITEMS_PER_THREAD = 20 };

static void permute_all(struct judging *j)
{
	parallel_for(j->n, &(struct parallel){ j->rank_rules->threads, MIN_ITEMS_PER_THREAD },
		     permute_stretch, j);
}

/* --- significance ------------------------------------------------------------------------- */

enum { N_LATENCY = FEATURE_TAIL + 1 };

/* The share of the significance level of each feature.  A change of the program shows in the
 * position of its calls; mean and tail also depend on a few slow calls, and vary more. */
static const double part_of_level[N_LATENCY] = {
	[FEATURE_SHIFT] = 0.6, [FEATURE_MEAN] = 0.2, [FEATURE_TAIL] = 0.2
};

struct weighted {
	double p, part; /* share of this feature and of all with a smaller p */
};

/* Sorts the known p-values, ascending, with cumulative parts that end at 1. */
static size_t sorted_p(const struct judged *one, struct weighted ret[N_LATENCY])
{
	double parts = 0, sum = 0;
	size_t n = 0;

	for (int f = FEATURE_SHIFT; f <= FEATURE_TAIL; f++) {
		struct weighted own = { one->p[f], part_of_level[f] };
		size_t at = n;

		if (isnan(own.p))
			continue;
		for (; at > 0 && ret[at - 1].p > own.p; at--)
			ret[at] = ret[at - 1];
		ret[at] = own;
		parts += own.part;
		n++;
	}
	for (size_t i = 0; i < n; i++)
		ret[i].part = (sum += ret[i].part) / parts;
	return n;
}

/* Corrects a p-value by the weighted Simes procedure: the features of an operation are positively
 * dependent, so several that are nearly significant count as much as one that is.  With few calls,
 * all features are practically the same number, and the Bonferroni correction is used. */
static double paid_p(const struct judging *j, const struct judged *one, const struct weighted *w,
		     size_t n)
{
	bool few = one->f.fewest < j->rules->min_tested_calls;

	return few ? w->p * (double)n : w->p / w->part;
}

static double min_latency_p(const struct judging *j, const struct judged *one)
{
	struct weighted w[N_LATENCY];
	double least = HUGE_VAL;
	size_t n = sorted_p(one, w);

	for (size_t i = 0; i < n; i++)
		least = fmin(least, paid_p(j, one, &w[i], n));
	return n > 0 ? fmin(1, least) : NAN;
}

double simes_level(const struct judging *j, const struct judged *one, double level)
{
	struct weighted w[N_LATENCY];
	size_t n = sorted_p(one, w);

	for (size_t i = n; i-- > 0;) {
		if (paid_p(j, one, &w[i], n) <= level)
			return w[i].p;
	}
	return -1;
}

/* Combines the permutation test with the t tests.  The permutation test takes precedence: unless
 * its p, not adjusted, is at most q, the t tests do not count.  The smaller p is doubled for two
 * tests. Where runs have an order and the sides did not take turns, drift makes permutations
 * unreliable, so both tests must agree. */
static double together(const struct judged *one, double by_t, const struct runs_rules *rules,
		       const struct run_order *order)
{
	double exact = one->r->runs->distance_p;

	if (isnan(exact))
		return by_t;
	if (order->n > 0 && !order->turns)
		return fmax(exact, by_t);
	if (isnan(by_t) || exact > rules->q)
		by_t = exact;
	return fmin(1, 2 * fmin(exact, by_t));
}

static double adjust(const struct judging *j, bool calls)
{
	double *p = xcalloc(2 * j->n + 1, sizeof(*p)), *q = p + j->n, cut = -1;

	for (size_t i = 0; i < j->n; i++) {
		const struct replicate_stats *o = j->v[i].r->runs;

		p[i] = o->tested ? (calls ? o->calls_p : o->p) : NAN;
	}
	fdr_adjust(p, j->n, q);
	for (size_t i = 0; i < j->n; i++) {
		struct replicate_stats *o = j->v[i].r->runs;

		*(calls ? &o->calls_q : &o->q) = q[i];
		if (q[i] <= j->rules->q)
			cut = fmax(cut, p[i]);
	}
	free(p);
	return cut;
}

void runs_test_all(struct judging *j)
{
	for (int f = 0; f < N_FEATURES; f++) {
		struct prior prior = runs_prior(j, (enum feature)f);

		for (size_t i = 0; i < j->n; i++)
			test_feature(j, &j->v[i], (enum feature)f, &prior);
	}
	if (j->permutations.n > 0)
		permute_all(j);
	for (size_t i = 0; i < j->n; i++) {
		struct judged *one = &j->v[i];

		one->least = min_latency_p(j, one);
		one->r->runs->p = together(one, one->least, j->rules, &j->order);
		one->r->runs->calls_p = one->p[FEATURE_CALLS];
	}
	j->cut = adjust(j, false);
	j->cut_calls = adjust(j, true);
}
