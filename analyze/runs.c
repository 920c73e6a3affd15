/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/policy.h"
#include "analyze/runs_judging.h"
#include "analyze/significance.h"
#include "base/arena.h"
#include "base/xalloc.h"

const struct runs_rules runs_rules_default = {
	.q = 0.05,
	.min_effect = 0.07,
	.min_calls = 0.07,
	.min_tail = 0.585,
	.min_difference = 0,
	.min_tested_calls = 30,
	.min_tested_share = 0.001,
	.outlier_deviations = 8,
	.outlier_octaves = 2,
	.max_outliers = 0.34,
	.outliers_from = 5,
	.min_common_operations = 10,
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

void runs_none_known(struct replicate_stats *o)
{
	*o = (struct replicate_stats){ .tested = false };
	o->p = o->q = o->calls_p = o->calls_q = o->distance = o->distance_p = NAN;
	o->shift = o->shift_low = o->shift_high = NAN;
	o->mean = o->mean_low = o->mean_high = o->tail = NAN;
	o->calls = o->calls_low = o->calls_high = NAN;
	o->floor = (struct noise_floor){ NAN, NAN, NAN, NAN };
}

/* --- outlier runs ---------------------------------------------------------------------- */

static const double min_deviation = 0.05; /* octaves; lower bound of the standard deviation */

/* 1.4826 times the median absolute deviation, which estimates a normal standard deviation. */
static double robust_deviation(const double *v, size_t n, double middle, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(v[i] - middle);
	return fmax(1.4826 * median_of(room, n), min_deviation);
}

/* Leaves out runs of one side in another state, such as with a cold cache, since one of them would
 * make a variance that hides everything.  Returns how many. */
static size_t leave_out(struct features *f, size_t from, size_t to, const struct runs_rules *rules)
{
	double *known = xcalloc(3 * (to - from) + 1, sizeof(*known)), *sorted = known + (to - from);
	double *room = sorted + (to - from), middle, far;
	size_t n = 0, n_out = 0;

	for (size_t k = from; k < to; k++) {
		if (!isnan(f->value[FEATURE_SHIFT][k]))
			known[n++] = f->value[FEATURE_SHIFT][k];
	}
	memcpy(sorted, known, n * sizeof(*known));
	middle = median_of(sorted, n);
	far = n > 0 ? fmax(rules->outlier_deviations * robust_deviation(known, n, middle, room),
			   rules->outlier_octaves)
		    : 0;
	for (size_t i = 0; i < n; i++)
		n_out += fabs(known[i] - middle) > far;
	free(known);
	if (n < rules->outliers_from || n_out == 0 ||
	    (double)n_out > rules->max_outliers * (double)n)
		return 0;
	for (size_t k = from; k < to; k++) {
		if (fabs(f->value[FEATURE_SHIFT][k] - middle) > far)
			f->value[FEATURE_SHIFT][k] = f->value[FEATURE_MEAN][k] =
				f->value[FEATURE_TAIL][k] = NAN;
	}
	return n_out;
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
	bool none = r->idle || isnan(r->calls_octaves);

	for (size_t k = 0; k < j->n_runs; k++) {
		if (none)
			v[k] = NAN;
		else if (k >= j->n_before)
			v[k] -= j->all->iterations_octaves;
	}
}

static void collect(struct arena *a, struct judging *j, const struct lookup *l, struct ranking *all)
{
	const struct operation **op = arena_make(a, const struct operation *, j->n_runs);

	j->v = arena_make(a, struct judged, all->n + 1);
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->v[i];
		struct judged *one = &j->v[j->n];

		runs_none_known(r->runs);
		look_up_pair(l, r, j->n_before, op);
		one->r = r;
		one->f = features_of(a, op, j->n_before, j->n_runs,
				     r->scale_after > 0 ? r->scale_after : 1);
		one->cost = all->effects.per_call != 0 ? r->effect_octaves : 0;
		adjust_calls(one->f.value[FEATURE_CALLS], j, r);
		r->runs->outliers_before = leave_out(&one->f, 0, j->n_before, j->rules);
		r->runs->outliers_after = leave_out(&one->f, j->n_before, j->n_runs, j->rules);
		r->runs->share_before = median_share(j, op, 0, j->n_before);
		r->runs->share_after = median_share(j, op, j->n_before, j->n_runs);
		r->runs->n_before = one->f.n_before;
		r->runs->n_after = one->f.n_after;
		if (r->before == NULL || r->after == NULL)
			continue;
		r->runs->tested = runs_is_tested(j, r, &one->f);
		j->n++;
	}
}

/* --- verdicts ------------------------------------------------------------------------------- */

/* The directions of the effects that are significant and large enough. */
struct signs {
	unsigned up, down;
	bool shape;
};

static void add_sign(struct signs *s, double effect, double least)
{
	if (fabs(effect) >= least)
		(*(effect > 0 ? &s->up : &s->down))++;
}

/* The smaller of an effect with and without the run effect; 0 when their signs differ: an
 * operation that did not move has not improved because all others got slower. */
static double conservative_effect(const struct judging *j, enum feature f, double cost,
				  double effect)
{
	double own = effect + mean_over(j->run_effect[f], j->n_before, j->n_runs) -
		     mean_over(j->run_effect[f], 0, j->n_before) + (f != FEATURE_TAIL ? cost : 0);

	if (isnan(effect) || effect * own <= 0)
		return 0;
	return fabs(own) < fabs(effect) ? own : effect;
}

static const double support_p = 0.05;

/* One slow call may determine the mean of a single run, so the body or the number of slow calls
 * must confirm it.  Several runs do not share such an accident. */
static bool mean_is_supported(const struct judging *j, const struct judged *one)
{
	const struct replicate_stats *o = one->r->runs;

	if (j->n_runs - j->n_before > 1 || j->by_host || isnan(one->p[FEATURE_SHIFT]))
		return true;
	return (one->p[FEATURE_SHIFT] <= support_p && o->shift * o->mean > 0) ||
	       (one->p[FEATURE_TAIL] <= support_p && o->tail * o->mean > 0);
}

/* With few calls per run, one slow call is a large part of the mean, so all runs of one side must
 * lie beyond those of the other. */
static bool sides_do_not_overlap(const struct judging *j, const struct judged *one, enum feature f)
{
	double low[2] = { HUGE_VAL, HUGE_VAL }, high[2] = { -HUGE_VAL, -HUGE_VAL };

	if (one->f.fewest >= j->rules->min_tested_calls)
		return true;
	for (size_t k = 0; k < j->n_runs; k++) {
		double v = one->f.value[f][k] - runs_effect_and_speed(j, one, f, k);
		size_t side = k >= j->n_before;

		if (isnan(v))
			continue;
		low[side] = fmin(low[side], v);
		high[side] = fmax(high[side], v);
	}
	return low[1] > high[0] || low[0] > high[1];
}

static struct signs signs_of(const struct judging *j, const struct judged *one,
			     const struct runs_rules *rules)
{
	const struct replicate_stats *o = one->r->runs;
	const double effect[] = { conservative_effect(j, FEATURE_SHIFT, one->cost, o->shift),
				  conservative_effect(j, FEATURE_MEAN, one->cost, o->mean),
				  conservative_effect(j, FEATURE_TAIL, one->cost, o->tail) };
	const double uncertain = run_effect_rules_default.uncertain_part * fabs(one->cost);
	const double least[] = { rules->min_effect + uncertain, rules->min_effect + uncertain,
				 rules->min_tail };
	bool exact = !isnan(o->distance_p), agreed = !exact || o->distance_p <= rules->q;
	struct signs s = { 0 };

	for (int f = FEATURE_SHIFT; f <= FEATURE_TAIL && o->q <= rules->q; f++) {
		if (agreed && one->p[f] <= simes_level(j, one, j->cut / (exact ? 2 : 1)) &&
		    sides_do_not_overlap(j, one, (enum feature)f) &&
		    (f != FEATURE_MEAN || mean_is_supported(j, one)))
			add_sign(&s, effect[f], least[f]);
	}
	if (o->q <= rules->q && exact && 2 * o->distance_p <= j->cut) {
		s.shape = fmin(o->distance, one->r->metric[METRIC_EMD]) >= rules->min_effect;
		if (s.shape && s.up + s.down == 0)
			add_sign(&s, effect[FEATURE_SHIFT],
				 fmax(rules->min_effect, o->distance / 2));
	}
	if (o->calls_q <= rules->q)
		add_sign(&s, o->calls, rules->min_calls);
	return s;
}

static bool within(double low, double high, double least)
{
	return low > -least && high < least;
}

/* Equivalence test: the 90 % intervals lie within the minimum effects. */
static bool is_same(const struct ranked *r, const struct runs_rules *rules)
{
	const struct replicate_stats *o = r->runs;
	bool shift = isnan(o->shift) || within(o->shift_low, o->shift_high, rules->min_effect);
	bool mean = isnan(o->mean) || within(o->mean_low, o->mean_high, rules->min_effect);
	bool calls = isnan(o->calls) ? r->fixed_duration || r->idle
				     : within(o->calls_low, o->calls_high, rules->min_calls);

	return shift && mean && calls && (!isnan(o->shift) || !isnan(o->mean)) &&
	       o->outliers_before + o->outliers_after == 0;
}

static enum verdict verdict_by_signs(const struct judging *j, const struct judged *one,
				     const struct runs_rules *rules)
{
	struct signs s = signs_of(j, one, rules);
	const struct ranked *r = one->r;
	double total = log2(r->compared_after * j->all->runs_ratio / r->compared_before);

	if (s.up + s.down == 0 && !s.shape)
		return is_same(r, rules) ? VERDICT_SAME : VERDICT_INCONCLUSIVE;
	if (s.up > 0 && s.down == 0)
		return VERDICT_REGRESSED;
	if (s.down > 0 && s.up == 0)
		return VERDICT_IMPROVED;
	/* One feature improved and another regressed: the total decides. */
	if (s.up > 0 && isfinite(total) && fabs(total) >= rules->min_effect)
		return total > 0 ? VERDICT_REGRESSED : VERDICT_IMPROVED;
	return VERDICT_CHANGED_SHAPE;
}

static bool totals_differ(const struct judging *j, const struct ranked *r,
			  const struct runs_rules *rules)
{
	const struct ranking *all = j->all;
	return r->idle || fabs(ranked_change(all, r)) >= rules->min_difference * ranking_busy(all);
}

/* Whether the mean moved by less than the minimum effect, and in no certain direction, because of a
 * few slow calls that come and go, while the body of the calls moved significantly. */
static bool mean_is_unmoved(const struct judging *j, const struct judged *one,
			    const struct runs_rules *rules)
{
	const struct replicate_stats *o = one->r->runs;

	return fabs(one->r->mean_octaves) < rules->min_effect && o->mean_low < 0 &&
	       o->mean_high > 0 &&
	       fabs(conservative_effect(j, FEATURE_SHIFT, one->cost, o->shift)) >=
		       rules->min_effect &&
	       one->p[FEATURE_SHIFT] <= simes_level(j, one, j->cut);
}

void runs_judge_pair(const struct judging *j, const struct judged *one)
{
	struct ranked *r = one->r;
	struct runs_rules rules = runs_rules_for(r, j->rank_rules, j->rules);
	struct rank_rules said = rank_rules_for(r, j->rank_rules);
	struct movements moved = ranked_movements(r, j->all);

	if (mean_is_unmoved(j, one, &rules))
		moved.mean = 0;
	r->verdict = verdict_checked(verdict_by_signs(j, one, &rules), &moved);
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

	ret.run_effect = ret.run_effect_p = NAN;
	ret.speed_range = ret.speed_difference = NAN;
	ret.drift_before = ret.drift_after = (struct drift){ NAN, NAN, NAN, false };
	j.n_before = before->n;
	j.n_runs = before->n + after->n;
	j.total = totals_of_runs(own, before, after);
	j.permutations = permutations != NULL ? *permutations
					      : runs_permutations(own, before->n, after->n, rules);
	ret.permutations = j.permutations.n;
	j.order = run_order_of(own, before, after);
	j.speed = cpu_speed_of_runs(own, &j.order, before, after);
	ret.speed_use = j.speed.use;
	ret.speed_range = j.speed.range;
	ret.speed_difference = j.speed.difference;
	ret.order_used = j.order.n > 0;
	ret.order_blocked = j.order.blocked;
	for (size_t i = 0; i < all->n; i++)
		all->v[i].runs = &known[i];
	collect(own, &j, &l, all);
	runs_find_run_effect(own, &j, &ret);
	runs_test_all(&j);
	for (size_t i = 0; i < j.n; i++) {
		runs_judge_pair(&j, &j.v[i]);
		ret.n_tested += j.v[i].r->runs->tested;
	}
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].before == NULL || all->v[i].after == NULL)
			runs_judge_alone(&all->v[i], before->n, after->n);
	}
	rank_order(all, rank_rules->sort);
	arena_free(own);
	return ret;
}
