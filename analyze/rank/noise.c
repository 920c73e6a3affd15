/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/noise.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rank/policy.h"
#include "analyze/rank/runs_judging.h"
#include "base/arena.h"
#include "base/xalloc.h"

const char *instability_name(enum instability why)
{
	static const char *const names[] = { "stable",	   "small-sample", "outlier-run",
					     "two-groups", "drift",	   "noisy" };

	return names[why];
}

double floor_of_latency(const struct noise_floor *f)
{
	return fmin(f->shift, f->mean);
}

struct noise_floor floor_for_runs(const struct noise_floor *one, size_t n, size_t m)
{
	double less = sqrt((1 / (double)n + 1 / (double)m) / (1 + 1 / (double)n));

	return (struct noise_floor){ one->shift * less, one->mean * less, one->tail * less,
				     one->calls * less };
}

/* --- gates below their floor --------------------------------------------------------- */

size_t noise_mark_below_floor(const struct profile *baseline, const struct rank_rules *rank_rules,
			      const struct runs_judgement *judged, struct ranking *all)
{
	struct arena *a = arena_new();
	struct lookup l = lookup_make(a, &baseline, 1);
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->v[i];
		struct runs_rules rules = runs_rules_for(r, rank_rules, &judged->rules);
		struct rank_rules said = rank_rules_for(r, rank_rules);
		const struct operation *op = NULL;

		if (r->before != NULL)
			look_up(&l, r->before, &op);
		if (op == NULL || op->floor == NULL)
			continue;
		r->runs->floor = floor_for_runs(op->floor, judged->n_before, judged->n_after);
		r->runs->below_floor = r->after != NULL && r->runs->tested &&
				       rank_large_enough(r, all, &said) &&
				       !policy_ruling(rank_rules->policy, 0, r).ignored &&
				       (rules.min_effect < floor_of_latency(&r->runs->floor) ||
					rules.min_calls < r->runs->floor.calls);
		n += r->runs->below_floor;
	}
	arena_free(a);
	return n;
}

void noise_store(const struct noise *noise, struct profile *baseline)
{
	const struct profile *p = baseline;
	struct arena *a = arena_new();
	struct lookup l = lookup_make(a, &p, 1);

	for (size_t i = 0; i < noise->n; i++) {
		const struct operation *op;
		struct noise_floor *floor;

		look_up(&l, noise->v[i].op, &op);
		if (op == NULL)
			continue;
		floor = arena_make(baseline->arena, struct noise_floor, 1);
		*floor = noise->v[i].one;
		baseline->op[op - p->op].floor = floor;
	}
	baseline->baseline.replays = noise->one.n;
	baseline->baseline.alarms = noise->one.alarms[ALARM_ANY];
	arena_free(a);
}

/* --- floors ------------------------------------------------------------------------ */

static const double floor_tail = 0.025; /* in each tail */

static double floor_of(const struct judging *j, const struct judged *one, enum feature which,
		       const struct prior *prior, double per_runs)
{
	struct sample s = runs_sample(j, one, which, true);
	struct moderated m;

	if (!s.ok || (which == FEATURE_TAIL && !one->f.has_tail))
		return NAN;
	m = moderate(prior, 0, s.variance, s.df, per_runs, one->f.log_calls, one->f.noise[which]);
	return t_limit(floor_tail, m.df) * m.error;
}

static void find_floors(const struct judging *j, struct noise *to)
{
	double n = (double)j->n_runs, half = floor(n / 2);
	struct prior prior[N_BASIC_FEATURES];

	for (int f = 0; f < N_BASIC_FEATURES; f++)
		prior[f] = runs_prior(j, (enum feature)f, true);
	for (size_t i = 0; i < j->n; i++) {
		struct noisy *v = &to->v[i];
		double *const one[] = { &v->one.shift, &v->one.mean, &v->one.tail, &v->one.calls };
		double *const halves[] = { &v->halves.shift, &v->halves.mean, &v->halves.tail,
					   &v->halves.calls };

		for (int f = 0; f < N_BASIC_FEATURES; f++) {
			*one[f] = floor_of(j, &j->v[i], (enum feature)f, &prior[f], 1 + 1 / n);
			*halves[f] = floor_of(j, &j->v[i], (enum feature)f, &prior[f],
					      1 / half + 1 / (n - half));
		}
	}
}

/* --- why ----------------------------------------------------------------------------- */

struct run_value {
	double value;
	size_t run;
};

static int by_value(const void *pa, const void *pb)
{
	const struct run_value *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value > b->value ? 1 : -1;
	return (a->run > b->run) - (a->run < b->run);
}

struct summary {
	double n, mean, square;
};

static struct summary summary_of(const struct run_value *v, size_t from, size_t to)
{
	struct summary m = { .n = (double)(to - from) };

	for (size_t i = from; i < to; i++)
		m.mean += v[i].value / m.n;
	for (size_t i = from; i < to; i++)
		m.square += (v[i].value - m.mean) * (v[i].value - m.mean);
	return m;
}

static const double outlier_p = 0.01;

/* Tests the lowest or the highest run by its studentized distance from the others; p is multiplied
 * by the number of runs, any of which could have been the outlier. */
static bool is_outlier(const struct run_value *v, size_t n, bool highest, struct noisy *to,
		       double min)
{
	size_t at = highest ? n - 1 : 0;
	struct summary rest = highest ? summary_of(v, 0, n - 1) : summary_of(v, 1, n);
	double away = v[at].value - rest.mean, df = rest.n - 1;
	double error = sqrt(rest.square / df * (1 + 1 / rest.n));

	if (fabs(away) < min || (error > 0 && t_tail(away / error, df) * (double)n > outlier_p))
		return false;
	to->why = UNSTABLE_OUTLIER_RUN;
	to->run = v[at].run;
	to->by = away;
	return true;
}

enum { FEWEST_FOR_GROUPS = 6 };
static const double pairwise_groups = 0.05;

/* Whether the runs form two groups of at least two, with hardly any of the variance within them. */
static bool has_groups(const struct run_value *v, size_t n, struct noisy *to, double min)
{
	struct summary all = summary_of(v, 0, n);

	for (size_t cut = 2; n >= FEWEST_FOR_GROUPS && cut + 2 <= n; cut++) {
		struct summary low = summary_of(v, 0, cut), high = summary_of(v, cut, n);

		if (low.square + high.square > pairwise_groups * all.square ||
		    high.mean - low.mean < min)
			continue;
		to->why = UNSTABLE_TWO_GROUPS;
		to->by = high.mean - low.mean;
		return true;
	}
	return false;
}

enum { FEWEST_FOR_DRIFT = 5 };
static const double drift_p = 0.02;

static bool has_drift(const double *in_order, size_t n, const struct run_value *sorted,
		      struct noisy *to, double min)
{
	double p, correlation, range = sorted[n - 1].value - sorted[0].value;

	if (n < FEWEST_FOR_DRIFT || range < min)
		return false;
	correlation = rank_correlation(in_order, n, &p);
	if (p > drift_p)
		return false;
	to->why = UNSTABLE_DRIFT;
	to->by = copysign(range, correlation);
	return true;
}

/* Tests for an outlier run, then groups, then drift, since each of them looks like the next. */
static bool explains_noise(const struct judging *j, const struct judged *one, enum feature which,
			   double min, struct noisy *to)
{
	struct run_value *v = xcalloc(j->n_runs, sizeof(*v));
	double *x = xcalloc(j->n_runs, sizeof(*x));
	size_t n = 0;
	bool found = false;

	for (size_t k = 0; k < j->n_runs; k++) {
		double value = one->f.value[which][k] - j->run_effect[which][k];

		if (isnan(value))
			continue;
		x[n] = value;
		v[n++] = (struct run_value){ value, k };
	}
	qsort(v, n, sizeof(*v), by_value);
	if (n >= FEWEST_FOR_HALVES)
		found = is_outlier(v, n, true, to, min) || is_outlier(v, n, false, to, min) ||
			has_groups(v, n, to, min) || has_drift(x, n, v, to, min);
	free(v);
	free(x);
	return found;
}

static void find_why(const struct judging *j, const struct judged *one, struct noisy *to)
{
	const struct runs_rules *rules = j->rules;
	bool calls = to->one.calls > rules->min_calls;

	if (one->f.fewest < rules->min_tested_calls) {
		to->why = UNSTABLE_FEW_CALLS;
		return;
	}
	if (explains_noise(j, one, FEATURE_MEAN, rules->min_effect, to) ||
	    explains_noise(j, one, FEATURE_SHIFT, rules->min_effect, to))
		return;
	to->about = ABOUT_CALLS;
	if (explains_noise(j, one, FEATURE_CALLS, rules->min_calls, to))
		return;
	if (floor_of_latency(&to->one) > rules->min_effect)
		to->about = ABOUT_LATENCY;
	else if (!calls)
		return;
	to->why = UNSTABLE_NOISY;
}

/* --- all of it -------------------------------------------------------------------------- */

static int by_weight(const void *pa, const void *pb)
{
	const struct noisy *a = pa, *b = pb;

	if (a->weighs != b->weighs)
		return a->weighs ? -1 : 1;
	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return operation_cmp_key(a->op, b->op);
}

static struct noisy noisy_of(const struct judging *j, const struct judged *one,
			     const struct profile *sum, const struct totals *totals,
			     const struct operation *op)
{
	double share = share_of_latency(totals, sum, op);
	struct noisy v = { .op = op, .n_runs = one->f.n_before };

	v.share = isnan(share) ? 1 : share;
	v.calls = (double)operation_count(op) / (double)j->n_runs;
	v.tested = one->f.fewest >= j->rules->min_tested_calls ||
		   v.share >= j->rules->min_tested_share;
	v.weighs = v.share >= j->rank_rules->min_share;
	return v;
}

static void measure_operations(struct arena *a, struct judging *j, const struct runs_side *side,
			       const struct profile *sum, struct noise *to)
{
	const struct operation **op = arena_make(a, const struct operation *, side->n);
	struct lookup l = lookup_make(a, side->run, side->n);
	struct ranked *r = arena_make(a, struct ranked, sum->n_ops);
	struct replicate_stats *over = arena_make(a, struct replicate_stats, sum->n_ops);
	struct totals totals = totals_of(sum);

	j->v = arena_make(a, struct judged, sum->n_ops);
	j->n = sum->n_ops;
	for (size_t i = 0; i < j->n; i++) {
		struct judged *one = &j->v[i];

		look_up(&l, &sum->op[i], op);
		one->f = features_of(a, op, side->n, side->n, 1);
		to->v[i] = noisy_of(j, one, sum, &totals, &sum->op[i]);
		over[i].tested = to->v[i].tested;
		r[i].runs = &over[i];
		one->r = &r[i];
	}
	runs_find_effects(a, j);
	find_floors(j, to);
	for (size_t i = 0; i < j->n; i++)
		find_why(j, &j->v[i], &to->v[i]);
	to->drift = drift_of_runs(j);
}

bool noise_measure(struct arena *a, const struct runs_side *side, const struct profile *sum,
		   const struct rank_rules *rank_rules, const struct runs_rules *rules, size_t max,
		   struct noise *ret, struct diag *diag)
{
	struct judging j = {
		.rank_rules = rank_rules, .rules = rules, .n_before = side->n, .n_runs = side->n
	};
	struct noise to = { .n = sum->n_ops,
			    .n_runs = side->n,
			    .rules = *rules,
			    .has_policy = rank_rules->policy != NULL };
	struct arena *own = arena_new();
	bool ok;

	to.v = arena_make(a, struct noisy, to.n);
	measure_operations(own, &j, side, sum, &to);
	qsort(to.v, to.n, sizeof(*to.v), by_weight);
	ok = noise_replay(side, rank_rules, rules, max, &to, diag);
	arena_free(own);
	if (ok)
		*ret = to;
	return ok;
}
