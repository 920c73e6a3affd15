/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/rank.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analyze/body.h"
#include "analyze/rank/one_run.h"
#include "analyze/rank/pair.h"
#include "analyze/rank/policy.h"
#include "analyze/rank/run_verdict.h"
#include "analyze/rank/waits.h"
#include "analyze/rank/workload.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/parallel.h"
#include "base/xalloc.h"

const struct rank_rules rank_rules_default = {
	.metric = METRIC_EMD,
	.sort = SORT_TOTAL,
	.workload = WORKLOAD_DETECT,
	.min_share = 0.01,
	.min_ops = 0,
	.min_difference = 0.005,
	.min_effect = 0.7,
	.margin = 0.1,
	.small_sample = 7,
	.min_slow = 1.5,
	.slow_p = 0.1,
	.slow_calls = 50,
	.min_calls = 0.2,
	.min_shape = 0.5,
	.threshold = NAN,
	.threads = 1,
};

static struct ranked *pair_up(struct arena *a, const struct profile *before,
			      const struct profile *after, const struct rank_rules *rules,
			      size_t *ret_n)
{
	struct operation_pair *pair = pair_operations(a, before, after, ret_n);
	struct ranked *v;

	*ret_n = pair_renamed(pair, *ret_n, rules->rename, rules->n_renames);
	v = arena_make(a, struct ranked, *ret_n);
	for (size_t i = 0; i < *ret_n; i++) {
		v[i].before = pair[i].before;
		v[i].after = pair[i].after;
		v[i].renamed = pair[i].renamed;
	}
	return v;
}

/* --- units ---------------------------------------------------------------------- */

static bool report_clash(const char *of, enum unit before, enum unit after, struct diag *diag)
{
	if (before == UNIT_CYCLES || after == UNIT_CYCLES)
		diag_plain(diag, DIAG_HZ_MISSING,
			   "%s: %s before, %s after; --hz gives the clock rate", of,
			   unit_name(before), unit_name(after));
	else
		diag_plain(diag, DIAG_UNIT_CLASH,
			   "%s: %s before, %s after; --unit settles an unknown one", of,
			   unit_name(before), unit_name(after));
	return false;
}

/* Operations with another unit than their run's have a scale of their own. */
static bool scale_of(const struct profile *before, const struct profile *after,
		     const struct ranked *r, double usual, double *ret)
{
	*ret = usual;
	if (r->before == NULL || r->after == NULL ||
	    (r->before->unit == before->unit && r->after->unit == after->unit))
		return true;
	return unit_scale(r->after->unit, after->hz, r->before->unit, before->hz, ret);
}

/* --- effects --------------------------------------------------------------------- */

/* log2 of a ratio; infinite from or to 0, NAN when both are 0. */
static double octaves_between(double before, double after)
{
	if (before > 0 && after > 0)
		return log2(after / before);
	if (before + after > 0)
		return after > 0 ? HUGE_VAL : -HUGE_VAL;
	return NAN;
}

static double shift_of(const struct aligned *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		sum -= a->diff[i] * a->position[i];
	return sum;
}

static double mean_of(double total, double count)
{
	return count > 0 ? total / count : NAN;
}

/* A mean below the resolution of the clock counts as one step. */
static double visible_mean(double mean, double step)
{
	return step > 0 && mean >= 0 ? fmax(mean, step) : mean;
}

static double mean_change(const struct ranked *r, double nb, double na, double scale)
{
	double before = mean_of(r->compared_before, nb), after = mean_of(r->compared_after, na);
	double step = fmax(r->before->hist.granularity, r->after->hist.granularity * scale);

	if (before < 0 || after < 0) /* values below zero have no ratio */
		return NAN;
	if (isnan(before) || isnan(after))
		return octaves_between(isnan(before) ? 0 : before, isnan(after) ? 0 : after);
	return octaves_between(visible_mean(before, step), visible_mean(after, step));
}

/* Estimates the total from buckets if there are any: an exact total compared with an estimated one
 * would show the error of the estimate as a change. */
static double total_on_equal_terms(const struct operation *op)
{
	return op->hist.n > 0 ? histogram_total(&op->hist) : operation_total(op);
}

static void measure_both(struct ranked *r, struct aligned *aligned, double scale, double runs_ratio)
{
	double nb = (double)operation_count(r->before), na = (double)operation_count(r->after);

	if (!operation_total_stated(r->before) || !operation_total_stated(r->after)) {
		r->compared_before = total_on_equal_terms(r->before);
		r->compared_after = total_on_equal_terms(r->after) * scale;
	}
	r->mean_octaves = mean_change(r, nb, na, scale);
	if (r->before->hist.n > 0 && r->after->hist.n > 0) {
		align(aligned, &r->before->hist, &r->after->hist, scale);
		distance_all(aligned, r->metric);
		r->shift = shift_of(aligned);
		r->approximated = aligned->approximated || r->before->hist.approximate ||
				  r->after->hist.approximate;
	}
	r->calls_octaves = octaves_between(nb, na * runs_ratio);
	r->metric[METRIC_TOTAL_OPERATIONS] = relative_difference(nb, na * runs_ratio);
}

static struct in_run in_run(const struct operation *op, double total, size_t n_runs)
{
	double calls = op != NULL ? (double)operation_count(op) : 0;

	return (struct in_run){ calls / (double)n_runs, total / (double)n_runs,
				mean_of(total, calls) };
}

static void measure_operation(struct ranked *r, struct aligned *aligned, double scale,
			      const struct ranking *all)
{
	double runs_ratio = all->runs_ratio;

	for (int m = 0; m < N_METRICS; m++)
		r->metric[m] = NAN;
	r->mean_octaves = r->calls_octaves = r->body_octaves = r->threshold = NAN;
	r->slow.p = 1;
	r->idle = ranked_operation(r)->idle;
	if (r->before != NULL)
		r->total_before = operation_total(r->before);
	if (r->after != NULL)
		r->total_after = operation_total(r->after) * scale;
	r->run_before = in_run(r->before, r->total_before, all->n_before);
	r->run_after = in_run(r->after, r->total_after, all->n_after);
	r->compared_before = r->total_before;
	r->compared_after = r->total_after;
	if (r->before != NULL && r->after != NULL)
		measure_both(r, aligned, scale, runs_ratio);
	else
		r->metric[METRIC_TOTAL_OPERATIONS] = r->before == NULL ? 1 : -1;
	r->metric[METRIC_TOTAL_LATENCY] =
		relative_difference(r->compared_before, r->compared_after * runs_ratio);
}

/* --- shares --------------------------------------------------------------------------- */

static double latency_share(const struct operation *op, const struct totals *run,
			    const struct profile *p)
{
	double s = op != NULL ? share_of_latency(run, p, op) : 0;

	/* Values of another unit than the run's have no share, and always count. */
	return isnan(s) ? 1 : s;
}

enum { MIN_CALLS_OF_POINT = 30 }; /* of an operation that represents the run */

/* --- whole-run effects ------------------------------------------------------------------- */

enum { MANY_OPERATIONS = 1000 };
static const double min_share_of_point = 0.001; /* where there are very many operations */

static bool speaks_for_run(const struct ranked *r, const struct ranking *all)
{
	return r->before != NULL && r->after != NULL && !ranked_waits(r, all) &&
	       operation_count(r->before) >= MIN_CALLS_OF_POINT &&
	       operation_count(r->after) >= MIN_CALLS_OF_POINT &&
	       (all->n < MANY_OPERATIONS ||
		fmax(r->share_before, r->share_after) >= min_share_of_point);
}

static struct effect_point point_of(const struct ranked *r)
{
	bool exact;

	return (struct effect_point){ typical_latency(r->before, &exact),
				      typical_latency(r->after, &exact) * r->scale_after };
}

static void find_effects(struct ranking *all)
{
	struct effect_point *point = xcalloc(all->n + 1, sizeof(*point));
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (!speaks_for_run(&all->v[i], all))
			continue;
		point[n] = point_of(&all->v[i]);
		n += point[n].before > 0 && point[n].after > 0;
	}
	all->effects = run_effects_find(point, n, &run_effect_rules_default);
	free(point);
}

/* Whether the shared effect may be the machine's, so that an operation's change is what lies beyond
 * it.  Of fewer than four operations, what a machine does by itself may be; more is the program's,
 * although no interval of so few says so. */
static bool is_of_machine(const struct ranking *all, double octaves)
{
	return run_effects_any(&all->effects) && !all->run.passes &&
	       (all->effects.of >= MIN_OPERATIONS_SHARING || fabs(octaves) < MACHINE_ALONE);
}

/* --- all of them ------------------------------------------------------------------ */

enum { MIN_ITEMS_PER_THREAD = 500 };

/* What the threads share. */
struct work {
	struct ranking *all;
	const struct rank_side *before, *after;
	const struct rank_rules *rules;
	double slowness;	 /* octaves by which the processor was slower after */
	_Atomic size_t clash_at; /* first operation with units that cannot be converted; or n */
};

static void note_clash(struct work *w, size_t at)
{
	size_t first = atomic_load(&w->clash_at);

	while (at < first && !atomic_compare_exchange_weak(&w->clash_at, &first, at))
		;
}

static void measure_stretch(void *ctx, size_t from, size_t to)
{
	struct work *w = ctx;
	const struct profile *before = w->before->profile, *after = w->after->profile;
	struct aligned aligned;

	aligned_init(&aligned);
	for (size_t i = from; i < to; i++) {
		struct ranked *r = &w->all->v[i];
		double scale;

		if (!scale_of(before, after, r, w->all->scale_after, &scale)) {
			note_clash(w, i);
			break;
		}
		r->scale_after = scale;
		measure_operation(r, &aligned, scale, w->all);
		r->share_before = latency_share(r->before, &w->before->run, before);
		r->share_after = latency_share(r->after, &w->after->run, after);
		r->delays = stalls_delays(r);
	}
	aligned_release(&aligned);
}

static void explain_movement(struct ranked *r, const struct ranking *all, double slowness)
{
	struct effect_point point;
	double octaves;

	if (r->before == NULL || r->after == NULL || ranked_waits(r, all) ||
	    operation_count(r->before) == 0 || operation_count(r->after) == 0)
		return;
	point = point_of(r);
	r->shared = speaks_for_run(r, all) &&
		    run_effects_explain(&all->effects, &point, &run_effect_rules_default);
	octaves = run_effects_octaves(&all->effects, point.before);
	if (is_of_machine(all, octaves))
		r->effect_octaves = octaves;
	if (slowness * (slowness - r->effect_octaves) > 0)
		r->effect_octaves = slowness;
}

/* Fills in what the shared effect, and the processor, explain of each operation's movement.  Where
 * the run as a whole has changed, an operation's verdict is its own total change. */
static void explain_stretch(void *ctx, size_t from, size_t to)
{
	struct work *w = ctx;

	for (size_t i = from; i < to; i++)
		explain_movement(&w->all->v[i], w->all, w->slowness);
}

static void explain_movements(struct work *w, const struct parallel *how)
{
	if (run_effects_any(&w->all->effects) || w->slowness != 0)
		parallel_for(w->all->n, how, explain_stretch, w);
}

static void judge_stretch(void *ctx, size_t from, size_t to)
{
	struct work *w = ctx;

	for (size_t i = from; i < to; i++) {
		struct ranked *r = &w->all->v[i];
		struct rank_rules rules = rank_rules_for(r, w->rules);

		rank_judge(r, w->all, &rules);
	}
}

static bool units_fit(struct work *w, struct diag *diag)
{
	size_t at = atomic_load(&w->clash_at);
	const struct ranked *r = &w->all->v[at];

	return at == w->all->n ||
	       report_clash(r->before->name.p, r->before->unit, r->after->unit, diag);
}

static void sum_up_delays(struct ranking *all)
{
	for (size_t i = 0; i < all->n; i++) {
		all->delays.before += all->v[i].delays.before;
		all->delays.after += all->v[i].delays.after;
		all->n_delays += all->v[i].delays.before > 0;
	}
}

/* Octaves by which the processor was slower after, where both sides state its speed. */
static double slowness_of(const struct profile *before, const struct profile *after)
{
	return before->cpu_speed > 0 && after->cpu_speed > 0
		       ? log2(before->cpu_speed / after->cpu_speed)
		       : 0;
}

/* A sum of several runs has no account of its own; runs_judge() gives it the mean of theirs. */
static struct elapsed_change elapsed_of_sides(const struct rank_side *before,
					      const struct rank_side *after)
{
	struct run_account b = run_account_of(before->profile), c = run_account_of(after->profile);

	if (before->n_runs > 1)
		b.elapsed = b.rest = NAN;
	if (after->n_runs > 1)
		c.elapsed = c.rest = NAN;
	return elapsed_change_of(&b, &c);
}

static void sum_up(struct ranking *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		double change = ranked_is_idle(r) ? 0 : ranked_change(all, r);

		all->approximated |= r->approximated;
		*(change > 0 ? &all->added : &all->saved) += fabs(change);
	}
}

bool rank(struct arena *a, const struct rank_side *before, const struct rank_side *after,
	  const struct rank_rules *rules, struct ranking *ret, struct diag *diag)
{
	const struct profile *b = before->profile, *c = after->profile;
	struct ranking all = { .before = before->run,
			       .after = after->run,
			       .n_before = before->n_runs,
			       .n_after = after->n_runs };
	struct work work = { .all = &all,
			     .before = before,
			     .after = after,
			     .rules = rules,
			     .slowness = slowness_of(b, c) };
	struct parallel how = { .threads = rules->threads, .fewest = MIN_ITEMS_PER_THREAD };

	if (!unit_scale(c->unit, c->hz, b->unit, b->hz, &all.scale_after))
		return report_clash("the two runs", b->unit, c->unit, diag);
	all.runs_ratio = (double)before->n_runs / (double)after->n_runs;
	if (!unit_seconds(b->unit, b->hz, &all.seconds))
		all.seconds = 0;
	all.v = pair_up(a, b, c, rules, &all.n);
	atomic_init(&work.clash_at, all.n);
	parallel_for(all.n, &how, measure_stretch, &work);
	if (!units_fit(&work, diag))
		return false;
	all.elapsed = elapsed_of_sides(before, after);
	all.at_once = fmax(fmax(b->concurrency, c->concurrency), 1);
	workload_find(&all, before, after, rules->workload);
	all.calls_noise = one_run_calls_noise(&all);
	waits_find(&all, false);
	sum_up_delays(&all);
	find_effects(&all);
	run_verdict_of_pair(&all, work.slowness);
	explain_movements(&work, &how);
	parallel_for(all.n, &how, judge_stretch, &work);
	sum_up(&all);
	rank_order(&all, rules->sort);
	*ret = all;
	return true;
}

struct ranked_peaks rank_peaks(struct arena *a, const struct ranked *r, double scale_after)
{
	struct ranked_peaks p = { 0 };

	/* Calls without a histogram would make all peaks of the other side new or gone. */
	if (r->before != NULL && r->after != NULL &&
	    (r->before->hist.n == 0) != (r->after->hist.n == 0) && operation_count(r->before) > 0 &&
	    operation_count(r->after) > 0)
		return p;
	if (r->before != NULL)
		p.before = peaks_find(a, &r->before->hist, &peak_rules_default);
	if (r->after != NULL) {
		struct histogram h = histogram_scaled(a, &r->after->hist, scale_after);

		p.after = peaks_find(a, &h, &peak_rules_default);
	}
	p.pairs = peaks_match(a, &p.before, &p.after, &match_rules_default);
	return p;
}
