/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: computes the p-values of every operation, and which are significant. */
#include <math.h>
#include <stdlib.h>

#include "analyze/rank/runs_judging.h"
#include "analyze/stats/significance.h"
#include "base/parallel.h"
#include "base/xalloc.h"

/* --- moderated t ----------------------------------------------------------------------- */

/* The part of a feature in run k that all operations share. */
static double shared_part(const struct judging *j, const struct judged *one, enum feature which,
			  size_t k)
{
	bool latency = feature_is_latency(which);

	return j->run_effect[which][k] + (latency && k >= j->n_before ? one->cost : 0);
}

double runs_effect_and_speed(const struct judging *j, const struct judged *one, enum feature which,
			     size_t k)
{
	double speed = j->speed.use == CPU_SPEED_ADJUSTED ? j->speed.slowness[k] : 0;

	return (j->both ? shared_part(j, one, which, k) : 0) + one->slope[which] * speed;
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

	if (!difference_in_order(&j->order, x, adjusted ? j->speed.slowness : NULL, j->n_before,
				 &ordered))
		return;
	s->df -= adjusted;
	s->difference = ordered.difference;
	s->variance = ordered.error * ordered.error / s->per_runs;
	s->slope = ordered.slope;
	if (j->speed.use == CPU_SPEED_BOUNDED && feature_is_latency(which))
		s->difference = cpu_speed_bound(&j->speed, s->difference);
}

static struct sample sample_over_hosts(const struct judging *j, const struct judged *one,
				       enum feature which, bool own)
{
	struct sample s = one->over_hosts[which];

	if (own)
		s.difference -= shared_part(j, one, which, 1) - shared_part(j, one, which, 0);
	return s;
}

static struct sample sample_over_runs(const struct judging *j, const struct judged *one,
				      enum feature which, bool own)
{
	double mean[2], square = 0, n[2] = { 0, 0 };
	double *x = xcalloc(j->n_runs, sizeof(*x));
	struct sample s = { 0 };

	for (size_t k = 0; k < j->n_runs; k++) {
		x[k] = one->f.value[which][k] - (own ? shared_part(j, one, which, k) : 0);
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
	if (j->duets.n > 0)
		s = runs_of_duets(j, x);
	else if (s.ok && j->order.n > 0)
		refine_sample(j, which, x, &s);
	else if (s.ok && j->listed)
		s.drift = listed_drift_of(x, j->n_before, j->n_runs);
	free(x);
	return s;
}

struct sample runs_sample(const struct judging *j, const struct judged *one, enum feature which,
			  bool own)
{
	if (j->by_host && which >= N_BASIC_FEATURES)
		return (struct sample){ .ok = false };
	return j->by_host ? sample_over_hosts(j, one, which, own)
			  : sample_over_runs(j, one, which, own);
}

/* The degrees of freedom of an operation that every run has. */
static double full_df(const struct judging *j, enum feature which)
{
	double df = (double)j->n_runs - (j->n_runs > j->n_before ? 2 : 1);

	if (j->duets.n > 0)
		return (double)j->duets.n - 1;
	if (!j->by_host)
		return df - is_adjusted(j, which, df);
	df = 0;
	for (size_t i = 0; i < j->n; i++)
		df = fmax(df, j->v[i].over_hosts[which].df);
	return df;
}

struct prior runs_prior(const struct judging *j, enum feature which, bool own)
{
	double *variance = xcalloc(2 * j->n + 1, sizeof(*variance)), *calls = variance + j->n;
	double df = full_df(j, which);
	struct prior r;
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++) {
		struct sample s = runs_sample(j, &j->v[i], which, own);

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

/* The smaller of two changes; 0 when their signs differ: an operation that did not move has not
 * improved because all others got slower. */
static double smaller_change(double whole, double own)
{
	if (whole * own <= 0)
		return 0;
	return fabs(own) < fabs(whole) ? own : whole;
}

/* The priors of a feature: of whole changes, and of those without what operations share. */
struct priors {
	struct prior whole, own;
};

/* Where the order of the runs is not known, they may be correlated, or drift. */
static void pay_for_order(const struct judging *j, const struct sample *s, struct moderated *m)
{
	struct unordered u = { j->n_before, j->n_runs - j->n_before };

	if (j->by_host || runs_order_known(j) || u.n_after < 2)
		return;
	m->p = listed_drift_p(&s->drift, m, s->difference, s->per_runs,
			      unordered_p(&u, m->t, m->df));
	m->error *= unordered_width(&u);
}

/* From so many runs a side on, runs in two states rarely look quiet: when 3 of 10 are slow, three
 * runs are all in one state in 37 %, five in 17 %. */
enum { ENOUGH_TO_BE_QUIET = 5 };

/* The variance of a run that is believed.  Few runs of an operation that is in one of two
 * states are often all in the same one: they look quieter than they are, so an operation is not
 * taken to be quieter than others with as many calls. */
static double believed_variance(const struct judging *j, const struct judged *one,
				enum feature which, const struct prior *prior)
{
	size_t fewer = j->replicates[0] < j->replicates[1] ? j->replicates[0] : j->replicates[1];
	double common = fewer < ENOUGH_TO_BE_QUIET && prior->d0 > 0
				? prior_variance(prior, one->f.log_calls)
				: 0;

	/* Partners are counted independently of each other. */
	return fmax(one->f.noise[which] * (j->duets.n > 0 ? 2 : 1), common);
}

static void test_feature(const struct judging *j, struct judged *one, enum feature which,
			 const struct priors *priors)
{
	struct sample s = runs_sample(j, one, which, false), own;
	struct effect *e = &one->r->runs->effect[which];
	struct moderated m;
	double reach;

	one->slope[which] = s.slope;
	if (!s.ok || isnan(s.difference) || (which == FEATURE_TAIL && !one->f.has_tail))
		return;
	m = moderate(&priors->whole, s.difference, s.variance, s.df, s.per_runs, one->f.log_calls,
		     believed_variance(j, one, which, &priors->whole));
	pay_for_order(j, &s, &m);
	reach = t_limit(0.05, m.df) * m.error;
	*e = (struct effect){ .value = s.difference,
			      .low = s.difference - reach,
			      .high = s.difference + reach,
			      .min = s.difference,
			      .p = m.p };
	if (!j->both || !feature_is_latency(which))
		return;
	own = runs_sample(j, one, which, true);
	m = moderate(&priors->own, own.difference, own.variance, own.df, own.per_runs,
		     one->f.log_calls, believed_variance(j, one, which, &priors->own));
	pay_for_order(j, &own, &m);
	e->min = smaller_change(s.difference, own.difference);
	e->p = fmax(e->p, m.p);
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

bool runs_tests_latency(const struct judging *j, enum feature f)
{
	if (j->by_host)
		return f == FEATURE_SHIFT || f == FEATURE_MEAN || f == FEATURE_TAIL;
	return f == FEATURE_MEAN || (f >= FEATURE_P50 && f < FEATURE_TOTAL);
}

/* Sorts the known p-values of the latency features, ascending; returns how many there are. */
static size_t sorted_p(const struct judging *j, const struct judged *one, double ret[N_FEATURES])
{
	size_t n = 0;

	for (int f = 0; f < N_FEATURES; f++) {
		double p = one->r->runs->effect[f].p;
		size_t at = n;

		if (!runs_tests_latency(j, (enum feature)f) || isnan(p))
			continue;
		for (; at > 0 && ret[at - 1] > p; at--)
			ret[at] = ret[at - 1];
		ret[at] = p;
		n++;
	}
	return n;
}

/* What the i-th smallest of n p-values is worth by Simes: the features of an operation are
 * positively dependent, so several that are nearly significant count as much as one that is.  With
 * few calls, all features are practically the same number, and Bonferroni's bound is used. */
static double paid_p(const struct judging *j, const struct judged *one, double p, size_t i,
		     size_t n)
{
	bool few = one->f.fewest < j->rules->min_tested_calls;

	return p * (double)n / (few ? 1 : (double)i + 1);
}

static double min_latency_p(const struct judging *j, const struct judged *one)
{
	double p[N_FEATURES], min = HUGE_VAL;
	size_t n = sorted_p(j, one, p);

	for (size_t i = 0; i < n; i++)
		min = fmin(min, paid_p(j, one, p[i], i, n));
	return n > 0 ? fmin(1, min) : NAN;
}

double simes_level(const struct judging *j, const struct judged *one, double level)
{
	double p[N_FEATURES];
	size_t n = sorted_p(j, one, p);

	for (size_t i = n; i-- > 0;) {
		if (paid_p(j, one, p[i], i, n) <= level)
			return p[i];
	}
	return -1;
}

/* Adjusts the p-values of one family over all tested operations.  Returns the largest p that is
 * significant; -1 when none is. */
static double adjust_family(const struct judging *j, enum test_family family)
{
	double *p = xcalloc(2 * j->n + 1, sizeof(*p)), *q = p + j->n, cut = -1;
	double price = runs_price(j->rules, family, j->replicates[0], j->replicates[1],
				  !runs_order_known(j));

	for (size_t i = 0; i < j->n; i++) {
		const struct replicate_stats *o = j->v[i].r->runs;
		const double of[] = { [FAMILY_LATENCY] = o->p,
				      [FAMILY_CALLS] = o->effect[FEATURE_CALLS].p,
				      [FAMILY_STATES] = o->states_q };

		p[i] = o->tested ? fmin(1, of[family] * price) : NAN;
	}
	fdr_adjust(p, j->n, q);
	for (size_t i = 0; i < j->n; i++) {
		struct replicate_stats *o = j->v[i].r->runs;
		double *const to[] = { [FAMILY_LATENCY] = &o->q,
				       [FAMILY_CALLS] = &o->calls_q,
				       [FAMILY_STATES] = &o->states_q };

		*to[family] = q[i];
		if (q[i] <= j->rules->q)
			cut = fmax(cut, p[i] / price);
	}
	free(p);
	return cut;
}

void runs_test_all(struct judging *j)
{
	for (int f = 0; f < N_FEATURES; f++) {
		struct priors priors = { .whole = runs_prior(j, (enum feature)f, false) };

		if (j->both)
			priors.own = runs_prior(j, (enum feature)f, true);
		for (size_t i = 0; i < j->n; i++)
			test_feature(j, &j->v[i], (enum feature)f, &priors);
	}
	if (j->permutations.n > 0)
		permute_all(j);
	for (size_t i = 0; i < j->n; i++)
		j->v[i].r->runs->p = min_latency_p(j, &j->v[i]);
	j->cut = adjust_family(j, FAMILY_LATENCY);
	(void)adjust_family(j, FAMILY_CALLS);
	(void)adjust_family(j, FAMILY_STATES);
}
