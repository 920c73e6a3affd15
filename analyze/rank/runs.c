/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rank/policy.h"
#include "analyze/rank/run_verdict.h"
#include "analyze/rank/runs_judging.h"
#include "analyze/rank/waits.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/xalloc.h"

const struct runs_rules runs_rules_default = {
	.q = 0.05,
	.min_effect = 0.07,
	.min_calls = 0.07,
	.min_slow = 0.322,
	.min_tail = 0.585,
	.min_difference = 0,
	.min_tested_calls = 30,
	.min_tested_share = 0.001,
	.permute_from = 6,
	.max_permutations = 10000,
	.seed = 20061106,
};

struct runs_rules runs_rules_for(const struct ranked *r, const struct rank_rules *rank_rules,
				 const struct runs_rules *rules)
{
	const struct operation *op = ranked_operation(r);
	const struct policy *p = rank_rules->policy;
	struct runs_rules own = *rules;
	struct rank_rules said;

	if (p == NULL)
		return own;
	said = policy_rules(p, rank_rules, op);
	if (policy_rule_line(p, op, RULE_MIN_EFFECT) > 0)
		own.min_effect = said.min_effect;
	if (policy_rule_line(p, op, RULE_MIN_CALLS) > 0)
		own.min_calls = said.min_calls;
	if (policy_rule_line(p, op, RULE_MIN_DIFFERENCE) > 0)
		own.min_difference = said.min_difference;
	return own;
}

bool runs_can_judge(size_t n_before, size_t n_after)
{
	return n_before >= 2 && n_after >= 2;
}

bool runs_can_predict(size_t n_before)
{
	return n_before >= 3;
}

/* --- the runs of each operation ------------------------------------------------------ */

static int by_key(const void *pa, const void *pb)
{
	return operation_cmp_key(*(const struct operation *const *)pa,
				 *(const struct operation *const *)pb);
}

static const struct operation **sorted_operations(struct arena *a, const struct profile *p)
{
	const struct operation **v = arena_make(a, const struct operation *, p->n_ops + 1);

	for (size_t i = 0; i < p->n_ops; i++)
		v[i] = &p->op[i];
	qsort((void *)v, p->n_ops, sizeof(*v), by_key);
	return v;
}

struct lookup lookup_make(struct arena *a, const struct profile *const *run, size_t n)
{
	size_t *n_ops = arena_make(a, size_t, n);
	struct lookup l = { .n_runs = n };

	l.sorted = arena_make(a, const struct operation **, n);
	for (size_t k = 0; k < n; k++) {
		l.sorted[k] = sorted_operations(a, run[k]);
		n_ops[k] = run[k]->n_ops;
	}
	l.n_ops = n_ops;
	return l;
}

static const struct operation *look_up_in(const struct lookup *l, size_t run,
					  const struct operation *op)
{
	const struct operation *const *found = bsearch(
		&op, (const void *)l->sorted[run], l->n_ops[run], sizeof(*l->sorted[run]), by_key);

	return found != NULL ? *found : NULL;
}

void look_up(const struct lookup *l, const struct operation *op, const struct operation **ret)
{
	for (size_t k = 0; k < l->n_runs; k++)
		ret[k] = look_up_in(l, k, op);
}

/* Looks up an operation in all runs, by the name that it has on each side. */
static void look_up_pair(const struct lookup *l, const struct ranked *r, size_t n_before,
			 const struct operation **ret)
{
	const struct operation *before = ranked_operation(r);
	const struct operation *after = r->after != NULL ? r->after : r->before;

	for (size_t k = 0; k < l->n_runs; k++)
		ret[k] = look_up_in(l, k, k < n_before ? before : after);
}

static const struct totals *totals_of_runs(struct arena *a, const struct runs_side *before,
					   const struct runs_side *after)
{
	struct totals *v = arena_make(a, struct totals, before->n + after->n);

	for (size_t k = 0; k < before->n; k++)
		v[k] = totals_of(before->run[k]);
	for (size_t k = 0; k < after->n; k++)
		v[before->n + k] = totals_of(after->run[k]);
	return v;
}

static struct lookup lookup_sides(struct arena *a, const struct runs_side *before,
				  const struct runs_side *after)
{
	size_t n = before->n + after->n;
	const struct profile **run = arena_make(a, const struct profile *, n);

	memcpy(run, before->run, before->n * sizeof(*run));
	memcpy(run + before->n, after->run, after->n * sizeof(*run));
	return lookup_make(a, run, n);
}

bool runs_is_tested(const struct judging *j, const struct ranked *r, const struct features *f)
{
	return f->fewest >= j->rules->min_tested_calls ||
	       (r->share_before + r->share_after) / 2 >= j->rules->min_tested_share;
}

const struct effect effect_unknown = { NAN, NAN, NAN, NAN, NAN, false };

void runs_none_known(struct replicate_stats *o)
{
	*o = (struct replicate_stats){ .tested = false };
	o->p = o->q = o->calls_q = o->states_q = o->distance = o->distance_p = NAN;
	for (int f = 0; f < N_FEATURES; f++)
		o->effect[f] = effect_unknown;
	o->floor = (struct noise_floor){ NAN, NAN, NAN, NAN };
}

/* --- the runs of each operation, measured ------------------------------------------------ */

/* The median share over runs, so that one run in which something else took long does not make the
 * operation look small. */
static double median_share(const struct judging *j, const struct operation *const *op, size_t from,
			   size_t to)
{
	double *v = xcalloc(to - from + 1, sizeof(*v)), r;
	size_t n = 0;

	for (size_t k = from; k < to; k++) {
		double busy = op[k] != NULL && op[k]->idle ? j->total[k].latency
							   : totals_busy(&j->total[k]);

		v[n++] = op[k] != NULL && busy > 0 ? operation_own(op[k]) / busy : 0;
	}
	r = median_of(v, n);
	free(v);
	return r;
}

/* Makes numbers of calls NAN where they are no result; otherwise removes the extra work that runs
 * of a fixed duration got done. */
static void adjust_calls(double *v, const struct judging *j, const struct ranked *r)
{
	bool none = ranked_is_idle(r) || isnan(r->calls_octaves);

	for (size_t k = 0; k < j->n_runs; k++) {
		if (none)
			v[k] = NAN;
		else if (k >= j->n_before)
			v[k] -= j->all->iterations_octaves;
	}
}

/* --- states ------------------------------------------------------------------------------- */

static struct run_states none_of(struct run_states s)
{
	s.n = 0;
	return s;
}

/* Finds runs in another state.  The same on both sides is no finding. */
static void find_states(struct arena *a, const struct judging *j, const struct judged *one)
{
	struct replicate_stats *o = one->r->runs;
	enum feature f = isnan(one->f.value[FEATURE_P50][0]) ? FEATURE_MEAN : FEATURE_P50;
	double floor = fmax(sqrt(one->f.noise[f]), j->rules->min_effect / 2);
	struct run_states before = states_find(a, one->f.value[f], 0, j->n_before, floor);
	struct run_states after = states_find(a, one->f.value[f], j->n_before, j->n_runs, floor);
	bool alike = before.n > 0 && after.n > 0 && (before.factor > 1) == (after.factor > 1);

	if (before.n + after.n > 0 && !alike)
		o->states_q = states_p(before.n, before.of, after.n, after.of);
	if (alike && states_p(before.n, before.of, after.n, after.of) > j->rules->q) {
		before = none_of(before);
		after = none_of(after);
	}
	o->states_before = before;
	o->states_after = after;
}

/* --- all runs of each operation -------------------------------------------------------------- */

/* Of partners, latencies are those of the time in which both ran, and calls those of the run. */
static struct features measure_features(struct arena *a, const struct judging *j,
					const struct operation *const *op, double scale_after)
{
	const struct operation **part = arena_make(a, const struct operation *, j->n_runs);
	struct features f, whole;

	if (j->duets.n == 0)
		return features_of(a, op, j->n_before, j->n_runs, scale_after);
	for (size_t k = 0; k < j->n_before; k++) {
		size_t partner = j->n_before + j->duets.partner[k];

		part[k] = duet_part(a, op[k], j->duets.until[k]);
		part[partner] = duet_part(a, op[partner], j->duets.until[k]);
	}
	f = features_of(a, part, j->n_before, j->n_runs, scale_after);
	whole = features_of(a, op, j->n_before, j->n_runs, scale_after);
	f.value[FEATURE_CALLS] = whole.value[FEATURE_CALLS];
	return f;
}

static void collect_judged(struct arena *a, struct judging *j, const struct lookup *l,
			   struct ranking *all, struct arena *kept)
{
	const struct operation **op = arena_make(a, const struct operation *, j->n_runs);

	j->v = arena_make(a, struct judged, all->n + 1);
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->v[i];
		struct judged *one = &j->v[j->n];

		runs_none_known(r->runs);
		look_up_pair(l, r, j->n_before, op);
		one->r = r;
		one->f = measure_features(a, j, op, r->scale_after > 0 ? r->scale_after : 1);
		one->cost = all->effects.per_call != 0 ? r->effect_octaves : 0;
		adjust_calls(one->f.value[FEATURE_CALLS], j, r);
		features_sum(&one->f, j->n_runs);
		r->runs->share_before = median_share(j, op, 0, j->n_before);
		r->runs->share_after = median_share(j, op, j->n_before, j->n_runs);
		r->runs->n_before = one->f.n_before;
		r->runs->n_after = one->f.n_after;
		if (r->before == NULL || r->after == NULL)
			continue;
		r->runs->tested = runs_is_tested(j, r, &one->f);
		find_states(kept, j, one);
		j->n++;
	}
}

/* --- verdicts ------------------------------------------------------------------------------- */

/* The smallest change of a feature that counts, in octaves. */
static double min_that_counts(enum feature f, const struct runs_rules *rules)
{
	switch (f) {
	case FEATURE_CALLS:
		return rules->min_calls;
	case FEATURE_TAIL:
		return rules->min_tail;
	case FEATURE_P99:
	case FEATURE_SLOW:
	case FEATURE_SLOWEST:
		return fmax(rules->min_slow, rules->min_effect);
	default:
		return rules->min_effect;
	}
}

static const double support_p = 0.05;

static bool effect_supports(const struct effect *e, double mean)
{
	return e->p <= support_p && e->value * mean > 0;
}

/* One slow call may determine the mean of a single run, so the body or the number of slow calls
 * must confirm it.  Several runs do not share such an accident. */
static bool mean_is_supported(const struct judging *j, const struct judged *one)
{
	const struct effect *e = one->r->runs->effect;
	double mean = e[FEATURE_MEAN].value;

	if (j->n_runs - j->n_before > 1 || j->by_host || isnan(e[FEATURE_P50].p))
		return true;
	return effect_supports(&e[FEATURE_P50], mean) || effect_supports(&e[FEATURE_SLOW], mean);
}

/* With few calls per run, one slow call is a large part of the mean, so the ranks of the runs must
 * differ, too: at 1 %, which five runs against five reach if they do not overlap.  Fewer runs must
 * not overlap. */
static bool ranks_differ(const struct judging *j, const struct judged *one, enum feature f)
{
	static const double max = 0.01;
	double *own, p;

	if (one->f.fewest >= j->rules->min_tested_calls)
		return true;
	own = xcalloc(j->n_runs, sizeof(*own));
	for (size_t k = 0; k < j->n_runs; k++)
		own[k] = one->f.value[f][k] - runs_effect_and_speed(j, one, f, k);
	p = rank_sum_p(own, j->n_before, j->n_runs - j->n_before);
	free(own);
	return p <= max;
}

/* Marks the features whose changes count. */
static void mark_effects(const struct judging *j, const struct judged *one,
			 const struct runs_rules *rules)
{
	struct replicate_stats *o = one->r->runs;
	double uncertain = j->both ? run_effect_rules_default.uncertain_part * fabs(one->cost) : 0;
	double level = o->q <= rules->q ? simes_level(j, one, j->cut) : -1;

	for (int f = 0; f < N_FEATURES; f++) {
		struct effect *e = &o->effect[f];
		double min = min_that_counts((enum feature)f, rules) +
			     (feature_is_latency((enum feature)f) ? uncertain : 0);

		if (!runs_tests_latency(j, (enum feature)f))
			continue;
		e->counts = e->p <= level && fabs(e->min) >= min &&
			    ranks_differ(j, one, (enum feature)f) &&
			    (f != FEATURE_MEAN || mean_is_supported(j, one));
	}
	o->effect[FEATURE_CALLS].counts =
		o->calls_q <= rules->q && fabs(o->effect[FEATURE_CALLS].value) >= rules->min_calls;
}

/* Whether a feature of latency that counts rose, or fell. */
static bool any_moved(const struct replicate_stats *o, bool up)
{
	for (int f = 0; f < N_FEATURES; f++) {
		if (f != FEATURE_CALLS && o->effect[f].counts && (o->effect[f].value > 0) == up)
			return true;
	}
	return false;
}

/* Equivalence test: the 90 % intervals of mean and median lie within the minimum effect, those of
 * the 90th and 99th percentile within the margin of tails, and that of the calls, unless they are
 * no result.  Where only means are known, nothing is known of tails. */
static bool is_same(const struct ranked *r, const struct runs_rules *rules)
{
	static const enum feature latencies[] = { FEATURE_P50, FEATURE_P90, FEATURE_P99 };
	const struct effect *e = r->runs->effect;
	bool has_buckets = r->before->hist.n > 0 || r->after->hist.n > 0;
	bool calls = isnan(e[FEATURE_CALLS].value)
			     ? r->fixed_duration || r->idle
			     : effect_is_within(&e[FEATURE_CALLS], rules->min_calls);
	bool same = calls && effect_is_within(&e[FEATURE_MEAN], rules->min_effect) &&
		    r->runs->states_before.n + r->runs->states_after.n == 0;

	for (size_t i = 0; i < COUNT_OF(latencies) && has_buckets; i++)
		same = same && effect_is_within(&e[latencies[i]], latencies[i] == FEATURE_P50
									  ? rules->min_effect
									  : rules->min_slow);
	return same;
}

static bool hosts_are_same(const struct ranked *r, const struct runs_rules *rules)
{
	const struct effect *e = r->runs->effect;

	return (isnan(e[FEATURE_SHIFT].value) ||
		effect_is_within(&e[FEATURE_SHIFT], rules->min_effect)) &&
	       effect_is_within(&e[FEATURE_MEAN], rules->min_effect) &&
	       (isnan(e[FEATURE_CALLS].value)
			? r->fixed_duration || r->idle
			: effect_is_within(&e[FEATURE_CALLS], rules->min_calls));
}

/* The verdict where latency and number of calls moved in opposite directions, both certainly: the
 * total decides, but fewer and longer calls are no improvement of the operation. */
static enum verdict verdict_by_total(const struct ranked *r, const struct runs_rules *rules)
{
	double total = r->runs->effect[FEATURE_TOTAL].value;

	if (!(fabs(total) >= rules->min_effect))
		return VERDICT_CHANGED_SHAPE;
	if (total > 0)
		return VERDICT_REGRESSED;
	return r->runs->effect[FEATURE_CALLS].value < 0 ? VERDICT_CHANGED_SHAPE : VERDICT_IMPROVED;
}

/* More runs in another state, which is slower or faster. */
static enum verdict verdict_by_states(const struct replicate_stats *o)
{
	bool more =
		o->states_after.n * o->states_before.of >= o->states_before.n * o->states_after.of;
	bool slower = (more ? o->states_after : o->states_before).factor > 1;

	return slower == more ? VERDICT_REGRESSED : VERDICT_IMPROVED;
}

/*
 * Latency gives the direction by the features that count: all of them must agree, since neither a
 * better median with a worse tail nor the reverse is an improvement.  More calls are worse.
 */
static enum verdict verdict_by_effects(const struct judging *j, const struct judged *one,
				       const struct runs_rules *rules)
{
	struct ranked *r = one->r;
	struct replicate_stats *o = r->runs;
	bool up = any_moved(o, true), down = any_moved(o, false);
	const struct effect *calls = &o->effect[FEATURE_CALLS];
	bool more = calls->counts && calls->value > 0, fewer = calls->counts && calls->value < 0;

	o->mixed = up && down;
	if (o->mixed)
		return VERDICT_CHANGED_SHAPE;
	if ((up && fewer) || (down && more))
		return verdict_by_total(r, rules);
	if (up || more)
		return VERDICT_REGRESSED;
	if (down || fewer)
		return VERDICT_IMPROVED;
	if (o->states_q <= rules->q)
		return verdict_by_states(o);
	return (j->by_host ? hosts_are_same(r, rules) : is_same(r, rules)) ? VERDICT_SAME
									   : VERDICT_INCONCLUSIVE;
}

static bool totals_differ(const struct judging *j, const struct ranked *r,
			  const struct runs_rules *rules)
{
	const struct ranking *all = j->all;
	return ranked_is_idle(r) ||
	       fabs(ranked_change(all, r)) >= rules->min_difference * ranking_busy(all);
}

void runs_judge_pair(const struct judging *j, const struct judged *one)
{
	struct ranked *r = one->r;
	struct runs_rules rules = runs_rules_for(r, j->rank_rules, j->rules);
	struct rank_rules said = rank_rules_for(r, j->rank_rules);

	mark_effects(j, one, &rules);
	r->verdict = verdict_by_effects(j, one, &rules);
	if (ranked_waits(r, j->all) &&
	    (r->verdict == VERDICT_REGRESSED || r->verdict == VERDICT_IMPROVED))
		r->verdict = VERDICT_CHANGED_SHAPE;
	if (r->verdict == VERDICT_INCONCLUSIVE && r->runs->tested)
		r->runs->runs_needed = runs_that_decide(j, one, &rules);
	if (isnan(said.threshold))
		r->reported = r->verdict != VERDICT_SAME && r->verdict != VERDICT_INCONCLUSIVE &&
			      rank_large_enough(r, j->all, &said) && totals_differ(j, r, &rules);
}

/* An operation is new or gone only if at least half of the runs have it, else too rare. */
void runs_judge_alone(struct ranked *r, size_t n_before, size_t n_after)
{
	size_t has = r->before != NULL ? r->runs->n_before : r->runs->n_after;
	size_t of = r->before != NULL ? n_before : n_after;

	if (2 * has < of) {
		r->verdict = VERDICT_INCONCLUSIVE;
		r->reported = false;
	}
}

struct permutations runs_permutations(struct arena *a, size_t n_before, size_t n_after,
				      const struct runs_rules *rules)
{
	if (n_before < rules->permute_from || n_after < rules->permute_from ||
	    n_before + n_after > MAX_RUNS_PERMUTED)
		return (struct permutations){ .n = 0 };
	return permutations_make(a, n_before, n_after, rules->max_permutations, rules->seed);
}

struct runs_judgement runs_judge(struct arena *a, const struct runs_side *before,
				 const struct runs_side *after, const struct rank_rules *rank_rules,
				 const struct runs_rules *rules,
				 const struct permutations *permutations, struct ranking *all)
{
	struct runs_judgement ret = { .rules = *rules, .n_before = before->n, .n_after = after->n };
	struct judging j = { .rank_rules = rank_rules, .rules = rules, .all = all };
	struct replicate_stats *known = arena_make(a, struct replicate_stats, all->n);
	struct arena *own = arena_new();
	struct lookup l = lookup_sides(own, before, after);
	struct duets duets = duets_of(own, before, after);
	struct run_order order =
		duets.n > 0 ? (struct run_order){ .n = 0 } : run_order_of(own, before, after);

	ret.shared = ret.elapsed = effect_unknown;
	ret.drift_before = ret.drift_after = (struct drift){ NAN, NAN, NAN, false };
	j.n_before = j.replicates[0] = before->n;
	j.replicates[1] = after->n;
	j.n_runs = before->n + after->n;
	j.listed = before->listed && after->listed;
	j.total = totals_of_runs(own, before, after);
	if (duets.n == 0)
		j.permutations = permutations != NULL
					 ? *permutations
					 : runs_permutations(own, before->n, after->n, rules);
	ret.permutations = j.permutations.n;
	j.order = order;
	j.duets = duets;
	j.speed = cpu_speed_of_runs(own, &order, before, after);
	ret.speed_use = j.speed.use;
	ret.speed_range = j.speed.range;
	ret.speed_difference = j.speed.difference;
	ret.duets = duets.n > 0;
	ret.order_used = runs_order_known(&j);
	ret.order_turns = ret.duets || (order.n > 0 && order.turns);
	ret.order_blocked = order.blocked;
	for (size_t i = 0; i < all->n; i++)
		all->v[i].runs = &known[i];
	/* A partner's elapsed time has the work of the other one in it. */
	if (duets.n == 0)
		runs_find_elapsed(own, &j, before, after, &ret);
	runs_find_waits(before, after, &ret, all);
	collect_judged(own, &j, &l, all, a);
	runs_find_shared(own, &j, &ret);
	runs_test_all(&j);
	for (size_t i = 0; i < j.n; i++) {
		runs_judge_pair(&j, &j.v[i]);
		ret.n_tested += j.v[i].r->runs->tested;
	}
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].before == NULL || all->v[i].after == NULL)
			runs_judge_alone(&all->v[i], before->n, after->n);
	}
	runs_find_verdict(all, &ret);
	rank_order(all, rank_rules->sort);
	arena_free(own);
	return ret;
}
