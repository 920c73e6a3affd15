/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank.h"

#include <math.h>
#include <pthread.h>

#include "analyze/pair.h"
#include "analyze/policy.h"
#include "base/arena.h"
#include "base/diag.h"

const struct rank_rules rank_rules_default = {
	.metric = METRIC_EMD,
	.min_share = 0.01,
	.min_ops = 0,
	.min_difference = 0.005,
	.min_effect = 0.7,
	.blur = 0.4,
	.few_calls = 7,
	.min_calls = 0.2,
	.min_shape = 0.5,
	.threshold = NAN,
	.threads = 1,
};

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "regressed",    "improved", "changed-shape", "same",
					     "inconclusive", "new",	 "gone" };

	return names[v];
}

static struct ranked *pair_up(struct arena *a, const struct profile *before,
			      const struct profile *after, size_t *ret_n)
{
	struct operation_pair *pair = pair_operations(a, before, after, ret_n);
	struct ranked *v = arena_make(a, struct ranked, *ret_n);

	for (size_t i = 0; i < *ret_n; i++) {
		v[i].before = pair[i].before;
		v[i].after = pair[i].after;
	}
	return v;
}

/* --- units ---------------------------------------------------------------------- */

static bool clash(enum unit before, enum unit after, struct diag *diag, const char *of)
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

/* Operations of another unit than their run's have a scale of their own. */
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

/* From and to nothing it is infinite. */
static double octaves(double before, double after)
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
		sum -= a->diff[i] * a->place[i];
	return sum;
}

static double mean_of(double total, double count)
{
	return count > 0 ? total / count : NAN;
}

/* All latencies were 0 by a clock that comes in steps: each may have been as long as a step. */
static double longest_mean(double mean, double step, double other)
{
	return mean == 0 && step > 0 && other > 0 ? fmin(step, other) : mean;
}

static double mean_change(const struct ranked *r, double nb, double na, double scale)
{
	double before = mean_of(r->compared_before, nb), after = mean_of(r->compared_after, na);

	return octaves(longest_mean(before, r->before->hist.granularity, after),
		       longest_mean(after, r->after->hist.granularity * scale, before));
}

static double relative_difference(double before, double after)
{
	return before + after > 0 ? (after - before) / (before + after) : 0;
}

/* From buckets, where there are some: an exact total held against an estimated one
 * shows the error of the estimate as a change. */
static double total_on_equal_terms(const struct operation *op)
{
	return op->hist.n > 0 ? histogram_total(&op->hist) : operation_total(op);
}

bool ranked_calls_fill_time(const struct ranked *r)
{
	return r->before->fixed_duration || r->after->fixed_duration;
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
	if (ranked_calls_fill_time(r)) {
		/* What as many calls as before would have taken. */
		r->compared_after = mean_of(r->compared_after, na) * nb / runs_ratio;
		return;
	}
	r->calls_octaves = octaves(nb, na * runs_ratio);
	r->metric[METRIC_TOTAL_OPERATIONS] = relative_difference(nb, na * runs_ratio);
}

static void measure(struct ranked *r, struct aligned *aligned, double scale, double runs_ratio)
{
	for (int m = 0; m < N_METRICS; m++)
		r->metric[m] = NAN;
	r->mean_octaves = r->calls_octaves = NAN;
	if (r->before != NULL)
		r->total_before = operation_total(r->before);
	if (r->after != NULL)
		r->total_after = operation_total(r->after) * scale;
	r->compared_before = r->total_before;
	r->compared_after = r->total_after;
	if (r->before != NULL && r->after != NULL)
		measure_both(r, aligned, scale, runs_ratio);
	else
		r->metric[METRIC_TOTAL_OPERATIONS] = r->before == NULL ? 1 : -1;
	r->metric[METRIC_TOTAL_LATENCY] =
		relative_difference(r->compared_before, r->compared_after * runs_ratio);
}

/* --- selection -------------------------------------------------------------------- */

/* A call needs company to be believed: how much every minimum grows. */
static double fewness(const struct ranked *r, const struct rank_rules *rules)
{
	double nb = (double)operation_count(r->before), na = (double)operation_count(r->after);

	return rules->few_calls / sqrt(fmax(fmin(nb, na), 1));
}

static double least_of_mean(const struct ranked *r, const struct rank_rules *rules, double few)
{
	bool exact = operation_total_exact(r->before) && operation_total_exact(r->after);

	return rules->min_effect + few + (exact ? 0 : rules->blur);
}

static bool means_differ(const struct ranked *r, const struct rank_rules *rules, double few)
{
	return fabs(r->mean_octaves) >= least_of_mean(r, rules, few);
}

static double least_of_calls(const struct rank_rules *rules, double few)
{
	return rules->min_calls + few / 4;
}

static bool calls_differ(const struct ranked *r, const struct rank_rules *rules, double few)
{
	return fabs(r->calls_octaves) >= least_of_calls(rules, few);
}

/* What of the EMD is not explained by all calls having moved the same way. */
static double change_of_shape(const struct ranked *r)
{
	return r->metric[METRIC_EMD] - fabs(r->shift);
}

static bool shapes_differ(const struct ranked *r, const struct rank_rules *rules, double few)
{
	return change_of_shape(r) >= rules->min_shape + few;
}

static double share_of_calls(const struct operation *op, const struct totals *run)
{
	return op != NULL && run->count > 0 ? (double)operation_count(op) / run->count : 0;
}

bool rank_large_enough(const struct ranked *r, const struct ranking *all,
		       const struct rank_rules *rules)
{
	return fmax(r->share_before, r->share_after) >= rules->min_share &&
	       fmax(share_of_calls(r->before, &all->before),
		    share_of_calls(r->after, &all->after)) >= rules->min_ops;
}

static bool totals_differ(const struct ranked *r, const struct ranking *all,
			  const struct rank_rules *rules)
{
	double run =
		fmax(all->before.latency, all->after.latency * all->scale_after * all->runs_ratio);

	return fabs(ranked_change(all, r)) >= rules->min_difference * run;
}

/* The total does not tell where calls got fewer as they got slower, or the other way, as where a
 * load is kept up for a time. */
static bool means_matter(const struct ranked *r, const struct ranking *all,
			 const struct rank_rules *rules, double few)
{
	bool made_up = r->mean_octaves * r->calls_octaves < 0 && calls_differ(r, rules, few);

	return means_differ(r, rules, few) && (made_up || totals_differ(r, all, rules));
}

static bool calls_matter(const struct ranked *r, const struct ranking *all,
			 const struct rank_rules *rules, double few)
{
	return calls_differ(r, rules, few) && totals_differ(r, all, rules);
}

static enum verdict direction(const struct ranked *r, const struct ranking *all,
			      const struct rank_rules *rules)
{
	double total = octaves(r->compared_before, r->compared_after * all->runs_ratio);

	if (fabs(total) < fmin(rules->min_effect, rules->min_calls) || isnan(total))
		return VERDICT_CHANGED_SHAPE;
	return total > 0 ? VERDICT_REGRESSED : VERDICT_IMPROVED;
}

static void judge_both(struct ranked *r, const struct ranking *all, const struct rank_rules *rules)
{
	double few = fewness(r, rules);
	bool plainly;

	if (!isnan(rules->threshold))
		r->reported = rank_large_enough(r, all, rules) && totals_differ(r, all, rules) &&
			      r->score >= rules->threshold;
	else
		r->reported = rank_large_enough(r, all, rules) &&
			      (means_matter(r, all, rules, few) ||
			       calls_matter(r, all, rules, few) || shapes_differ(r, rules, few));
	plainly = fabs(r->mean_octaves) >= rules->min_effect || calls_differ(r, rules, 0) ||
		  shapes_differ(r, rules, 0);
	if (r->reported)
		r->verdict = direction(r, all, rules);
	else
		r->verdict = plainly ? VERDICT_INCONCLUSIVE : VERDICT_SAME;
}

struct rank_rules rank_rules_for(const struct ranked *r, const struct rank_rules *usual)
{
	if (usual->policy == NULL)
		return *usual;
	return policy_rules(usual->policy, usual, r->before != NULL ? r->before : r->after);
}

struct rank_cause rank_cause(const struct ranking *all, const struct ranked *r,
			     const struct rank_rules *usual)
{
	struct rank_rules rules = rank_rules_for(r, usual);
	double few;

	if (!r->reported || r->before == NULL || r->after == NULL)
		return (struct rank_cause){ .known = false };
	if (!isnan(rules.threshold))
		return (struct rank_cause){ true, RULE_THRESHOLD, r->score, rules.threshold };
	few = fewness(r, &rules);
	if (means_matter(r, all, &rules, few))
		return (struct rank_cause){ true, RULE_MIN_EFFECT, r->mean_octaves,
					    least_of_mean(r, &rules, few) };
	if (calls_matter(r, all, &rules, few))
		return (struct rank_cause){ true, RULE_MIN_CALLS, r->calls_octaves,
					    least_of_calls(&rules, few) };
	if (shapes_differ(r, &rules, few))
		return (struct rank_cause){ true, RULE_MIN_SHAPE, change_of_shape(r),
					    rules.min_shape + few };
	return (struct rank_cause){ .known = false };
}

/* Under EMD something that was not there is held against as many calls that took no
 * time at all; other distances have a largest value. */
static double score_alone(const struct operation *op, enum metric metric)
{
	double sum = 0;

	switch (metric) {
	case METRIC_EMD:
		for (size_t i = 0; i < op->hist.n; i++)
			sum += (double)op->hist.bucket[i].count *
			       (bucket_place(op->hist.scheme, op->hist.bucket[i].edges->index) + 1);
		return op->hist.n > 0 ? fabs(sum) / (double)op->hist.count : 0;
	case METRIC_CHI_SQUARE:
		return (double)operation_count(op);
	case METRIC_KL:
		return HUGE_VAL;
	case METRIC_JEFFREY:
		return 2 * M_LN2;
	case METRIC_JENSEN_SHANNON:
		return M_LN2;
	case METRIC_MINKOWSKI_L1:
		return 2;
	case METRIC_MINKOWSKI_L2:
		return M_SQRT2;
	default:
		return 1;
	}
}

static void judge(struct ranked *r, const struct ranking *all, const struct rank_rules *rules)
{
	if (r->before != NULL && r->after != NULL) {
		r->score = fabs(r->metric[rules->metric]);
		if (isnan(r->score)) /* moments only: their difference is all there is */
			r->score = fabs(r->mean_octaves);
		if (isnan(r->score))
			r->score = 0;
		judge_both(r, all, rules);
		return;
	}
	r->score = score_alone(r->before != NULL ? r->before : r->after, rules->metric);
	r->reported = rank_large_enough(r, all, rules);
	r->verdict = r->before == NULL ? VERDICT_NEW : VERDICT_GONE;
}

static double share(const struct operation *op, const struct totals *run, const struct profile *p)
{
	double s = op != NULL ? share_of_latency(run, p, op) : 0;

	/* Values that are no latencies of the run stand for themselves. */
	return isnan(s) ? 1 : s;
}

double ranked_change(const struct ranking *all, const struct ranked *r)
{
	return r->compared_after * all->runs_ratio - r->compared_before;
}

/* --- all of them ------------------------------------------------------------------ */

/* A stretch of the operations, measured and judged by one thread. */
struct work {
	struct ranking *all;
	const struct rank_side *before, *after;
	const struct rank_rules *rules;
	size_t from, to;
	size_t clash_at; /* the first operation whose units do not fit; `to` when all do */
};

static void *measure_stretch(void *arg)
{
	struct work *w = arg;
	const struct profile *before = w->before->profile, *after = w->after->profile;
	struct aligned aligned;

	aligned_init(&aligned);
	for (w->clash_at = w->from; w->clash_at < w->to; w->clash_at++) {
		struct ranked *r = &w->all->v[w->clash_at];
		struct rank_rules rules = rank_rules_for(r, w->rules);
		double scale;

		if (!scale_of(before, after, r, w->all->scale_after, &scale))
			break;
		r->scale_after = scale;
		measure(r, &aligned, scale, w->all->runs_ratio);
		r->share_before = share(r->before, &w->before->run, before);
		r->share_after = share(r->after, &w->after->run, after);
		judge(r, w->all, &rules);
	}
	aligned_release(&aligned);
	return NULL;
}

enum { MOST_THREADS = 16, WORTH_A_THREAD = 500 };

/* The operations in as many stretches as there are threads for; where a thread
 * cannot be had its stretch is done here. */
static bool measure_all(struct ranking *all, const struct rank_side *before,
			const struct rank_side *after, const struct rank_rules *rules,
			struct diag *diag)
{
	struct work work[MOST_THREADS];
	pthread_t thread[MOST_THREADS];
	bool started[MOST_THREADS];
	size_t n = rules->threads < MOST_THREADS ? rules->threads : MOST_THREADS;

	if (n > all->n / WORTH_A_THREAD)
		n = all->n / WORTH_A_THREAD;
	if (n < 1)
		n = 1;
	for (size_t i = 0; i < n; i++) {
		work[i] = (struct work){ all,	before,		after,
					 rules, i * all->n / n, (i + 1) * all->n / n,
					 0 };
		started[i] =
			i > 0 && pthread_create(&thread[i], NULL, measure_stretch, &work[i]) == 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (!started[i])
			(void)measure_stretch(&work[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (started[i])
			(void)pthread_join(thread[i], NULL);
	}
	for (size_t i = 0; i < n; i++) {
		const struct ranked *r = &all->v[work[i].clash_at];

		if (work[i].clash_at < work[i].to)
			return clash(r->before->unit, r->after->unit, diag, r->before->name.p);
	}
	return true;
}

static void sum_up(struct ranking *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		double change = ranked_change(all, r);

		all->approximated |= r->approximated;
		*(change > 0 ? &all->added : &all->saved) += fabs(change);
	}
}

bool rank(struct arena *a, const struct rank_side *before, const struct rank_side *after,
	  const struct rank_rules *rules, struct ranking *ret, struct diag *diag)
{
	const struct profile *b = before->profile, *c = after->profile;
	struct ranking all = { .before = before->run, .after = after->run };

	if (!unit_scale(c->unit, c->hz, b->unit, b->hz, &all.scale_after))
		return clash(b->unit, c->unit, diag, "the two runs");
	all.runs_ratio = (double)before->n_runs / (double)after->n_runs;
	all.v = pair_up(a, b, c, &all.n);
	if (!measure_all(&all, before, after, rules, diag))
		return false;
	sum_up(&all);
	rank_order(&all);
	*ret = all;
	return true;
}

struct ranked_peaks rank_peaks(struct arena *a, const struct ranked *r, double scale_after)
{
	struct ranked_peaks p = { 0 };

	if (r->before != NULL)
		p.before = peaks_find(a, &r->before->hist, &peak_rules_default);
	if (r->after != NULL) {
		struct histogram h = histogram_scaled(a, &r->after->hist, scale_after);

		p.after = peaks_find(a, &h, &peak_rules_default);
	}
	p.pairs = peaks_match(a, &p.before, &p.after, &match_rules_default);
	return p;
}
