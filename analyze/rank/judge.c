/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges one operation of a single pair of runs.
 *
 * Without repeated runs, the variation between runs is unknown, so only large effects count
 * as evidence: the body of the distribution moved, there are many more slow calls than chance
 * and stalls explain, or the number of calls or the shape changed.  The mean alone is no
 * evidence, since one slow call among hundreds can multiply it.
 */
#include <math.h>

#include "analyze/body.h"
#include "analyze/idle.h"
#include "analyze/rank/one_run.h"
#include "analyze/rank/policy.h"
#include "analyze/rank/rank.h"
#include "analyze/rank/run_verdict.h"
#include "analyze/rank/runs.h"
#include "analyze/rank/stalls.h"
#include "analyze/rank/waits.h"
#include "base/arena.h"

const char *doubt_name(enum doubt d)
{
	static const char *const names[] = { "none",	  "small-sample", "slow-calls",
					     "preempted", "delayed",	  "other-calls",
					     "longest",	  "buckets",	  "small-part",
					     "effect" };

	return names[d];
}

struct rank_rules rank_rules_for(const struct ranked *r, const struct rank_rules *usual)
{
	if (usual->policy == NULL)
		return *usual;
	return policy_rules(usual->policy, usual, ranked_operation(r));
}

/* --- parts of the run ------------------------------------------------------------------ */

static double share_of_calls(const struct operation *op, const struct totals *run)
{
	return op != NULL && run->count > 0 ? (double)operation_count(op) / run->count : 0;
}

bool rank_large_enough(const struct ranked *r, const struct ranking *all,
		       const struct rank_rules *rules)
{
	bool alone = r->before == NULL || r->after == NULL;
	double share = r->runs != NULL || alone ? fmax(r->share_before, r->share_after)
						: stalls_free_share(all, r);

	if (r->runs != NULL)
		share = fmax(share, fmax(r->runs->share_before, r->runs->share_after));
	return share >= rules->min_share &&
	       fmax(share_of_calls(r->before, &all->before),
		    share_of_calls(r->after, &all->after)) >= rules->min_ops;
}

/* Idle time is not part of the run's busy time, so an idle operation is judged by its shape. */
static bool totals_differ(const struct ranked *r, const struct ranking *all,
			  const struct rank_rules *rules)
{
	return r->idle ||
	       fabs(stalls_free_change(all, r)) >= rules->min_difference * ranking_busy(all);
}

/* Without repeated runs, an effect is known to within this share of it. */
static const double uncertain_part = 0.5;

/* --- effects beyond those of the whole run ------------------------------------------------ */

/* The smaller of an effect with and without whole-run effects; 0 when their signs differ: an
 * operation that did not move has not improved because all others got slower. */
static double own_effect(const struct ranked *r, double octaves)
{
	double own = octaves - r->effect_octaves;

	if (isnan(octaves) || isinf(octaves) || r->effect_octaves == 0)
		return octaves;
	if (octaves * own <= 0)
		return 0;
	return fabs(own) < fabs(octaves) ? own : octaves;
}

static bool has_exact_totals(const struct ranked *r)
{
	return operation_total_exact(r->before) && operation_total_exact(r->after);
}

/* How far calls moved: the body if measured, else the shift of the buckets, else the mean. */
static double movement_of(const struct ranked *r)
{
	if (!ranked_has_histograms(r))
		return own_effect(r, r->mean_octaves);
	return own_effect(r, isnan(r->body_octaves) ? r->shift : r->body_octaves);
}

static double median_width(const struct ranked *r)
{
	if (!ranked_has_histograms(r))
		return 0;
	return fmax(body_median_width(&r->before->hist), body_median_width(&r->after->hist));
}

/* What an estimate from buckets may be wrong by: `margin` for buckets of an octave, and as many
 * times that as the bucket of the median is wider. */
static double estimate_margin(const struct ranked *r, const struct rank_rules *rules)
{
	if (has_exact_totals(r) || one_run_states_spread(r))
		return 0;
	return rules->margin * fmax(median_width(r), 1);
}

/* The smallest movement that counts, for estimates that may be wrong by `margin`. */
static double min_beyond(const struct ranked *r, const struct ranking *all,
			 const struct rank_rules *rules, double few, double margin)
{
	return rules->min_effect + few + margin + one_run_other_calls(all, r) +
	       run_effect_rules_default.uncertain_part * fabs(r->effect_octaves);
}

static double min_movement(const struct ranked *r, const struct ranking *all,
			   const struct rank_rules *rules, double few)
{
	return min_beyond(r, all, rules, few, estimate_margin(r, rules));
}

/* Slow calls are counted at edges, so that the width of buckets does not matter. */
static double min_of_slow(const struct ranked *r, const struct ranking *all,
			  const struct rank_rules *rules, double few)
{
	return min_beyond(r, all, rules, few, fmin(estimate_margin(r, rules), rules->margin));
}

static const double agreeing = 0.88; /* share of the minimum that both must reach */

/* Where totals are exact, the mean must confirm a movement, since a peak on the edge of two buckets
 * changes buckets with a tiny shift.  One of the two may fall slightly short of the minimum if the
 * other makes up for it. */
static bool mean_agrees(const struct ranked *r, double min)
{
	double mean = own_effect(r, r->mean_octaves), moved = movement_of(r);

	return !has_exact_totals(r) ||
	       (mean * moved > 0 && fmin(fabs(mean), fabs(moved)) >= agreeing * min);
}

/* The change compared with the minimum, in octaves: the geometric mean of the movements of the body
 * and of an exact mean, or of the body alone. */
static double change_of_latency(const struct ranked *r)
{
	double moved = movement_of(r), mean = own_effect(r, r->mean_octaves);

	return has_exact_totals(r) ? copysign(sqrt(fmax(moved * mean, 0)), moved) : moved;
}

/* Whether the mean changed by that much beyond what delays did to the other operations, too, which
 * is known to within the part that holds for all that operations share. */
static bool is_beyond_others(const struct ranked *r, const struct ranking *all, double min)
{
	double explained = stalls_explain(all, r), own = r->mean_octaves - explained;

	return explained == 0 ||
	       (r->mean_octaves * own > 0 && fabs(own) >= min + uncertain_part * fabs(explained));
}

static bool latency_differs(const struct ranked *r, const struct ranking *all,
			    const struct rank_rules *rules, double few)
{
	double min = min_movement(r, all, rules, few);

	return fabs(change_of_latency(r)) >= min && mean_agrees(r, min) &&
	       stalls_leave_body(all, r) && is_beyond_others(r, all, min);
}

static double min_tested_calls(const struct ranked *r, const struct ranking *all,
			       const struct rank_rules *rules, double few)
{
	return rules->min_calls + few / 4 + one_run_noise_of_calls(all, r);
}

static bool calls_differ(const struct ranked *r, const struct ranking *all,
			 const struct rank_rules *rules, double few)
{
	return !ranked_is_idle(r) && fabs(r->calls_octaves) >= min_tested_calls(r, all, rules, few);
}

/* The part of the EMD that a common shift of all calls does not explain. */
static double change_of_shape(const struct ranked *r)
{
	return r->metric[METRIC_EMD] - fabs(r->shift);
}

static bool shape_differs(const struct ranked *r, const struct rank_rules *rules, double few)
{
	return change_of_shape(r) >= rules->min_shape + few;
}

/* The latency that slow calls added, for as many calls as before. */
static double slow_latency_added(const struct ranked *r)
{
	double n_before = (double)operation_count(r->before);
	double n_after = (double)operation_count(r->after);

	return r->slow.latency_after * n_before / n_after - r->slow.latency_before;
}

/* Whether the number of slow calls changed, and with it enough latency to matter to the operation
 * and to the run. */
static bool slow_calls_matter(const struct ranked *r, const struct ranking *all,
			      const struct rank_rules *rules, double few)
{
	double added = slow_latency_added(r), mean = own_effect(r, r->mean_octaves);

	double max = r->slow.further ? slow_call_rules_default.further_p : rules->slow_p;

	return r->slow.p <= max && fabs(r->slow.octaves) >= rules->min_slow &&
	       fmax(r->slow.before, r->slow.after) >= rules->slow_calls * all->at_once &&
	       added * r->slow.octaves > 0 && added * mean > 0 &&
	       fabs(mean) >= min_of_slow(r, all, rules, few) &&
	       is_beyond_others(r, all, min_of_slow(r, all, rules, few)) &&
	       (r->idle || fabs(added) >= rules->min_difference * ranking_busy(all));
}

/* --- verdicts ------------------------------------------------------------------------------- */

static const double shortest_wait = 20e-6; /* seconds */

bool ranked_waits(const struct ranked *r, const struct ranking *all)
{
	double before = operation_mean(r->before), after = operation_mean(r->after);

	return ranked_is_idle(r) &&
	       !(fmax(before, after * r->scale_after) * all->seconds < shortest_wait);
}

static bool has_risen(double octaves)
{
	return octaves >= runs_rules_default.min_effect;
}

static double octaves_of_total(const struct ranked *r, const struct ranking *all)
{
	double after = r->compared_after * all->runs_ratio;

	if (r->compared_before > 0 && after > 0)
		return log2(after / r->compared_before);
	return after > 0 ? HUGE_VAL : r->compared_before > 0 ? -HUGE_VAL : NAN;
}

struct movements ranked_movements(const struct ranked *r, const struct ranking *all)
{
	double body = isnan(r->body_octaves) ? r->shift : r->body_octaves;

	return (struct movements){
		.mean = r->mean_octaves,
		.body = ranked_has_histograms(r) ? body : NAN,
		.total = octaves_of_total(r, all),
		.waits = ranked_waits(r, all),
		.fixed_duration = r->fixed_duration,
	};
}

enum verdict verdict_checked(enum verdict v, const struct movements *m)
{
	if (v != VERDICT_REGRESSED && v != VERDICT_IMPROVED)
		return v;
	if (m->waits)
		return VERDICT_CHANGED_SHAPE;
	if (v == VERDICT_IMPROVED && has_risen(m->mean) && (has_risen(m->body) || isnan(m->body)))
		return m->fixed_duration ? VERDICT_REGRESSED : VERDICT_CHANGED_SHAPE;
	if (v == VERDICT_REGRESSED && m->mean < 0 && m->total < 0)
		return VERDICT_CHANGED_SHAPE;
	return v;
}

static enum verdict direction_of(const struct ranked *r, const struct ranking *all,
				 const struct rank_rules *rules)
{
	double total = own_effect(r, octaves_of_total(r, all));
	struct movements m = ranked_movements(r, all);

	if (fabs(total) < fmin(rules->min_effect, rules->min_calls) || isnan(total))
		return VERDICT_CHANGED_SHAPE;
	return verdict_checked(total > 0 ? VERDICT_REGRESSED : VERDICT_IMPROVED, &m);
}

/* --- what is not reported --------------------------------------------------------------------- */

/* A summary shows no other slow calls than the longest; it counts as one when it is as much longer
 * as a slow call is. */
static bool longest_grew(const struct ranked *r)
{
	const struct stated *b = &r->before->stated, *a = &r->after->stated;

	return !ranked_has_histograms(r) && b->has_max && a->has_max && b->max > 0 &&
	       log2(a->max * r->scale_after / b->max) >= slow_call_rules_default.beyond;
}

/* Why one run a side is not enough for a change that is large. */
static enum doubt doubt_of_one_run(const struct ranked *r, const struct ranking *all,
				   const struct rank_rules *rules)
{
	return one_run_other_calls(all, r) >= rules->min_calls ? DOUBT_OTHER_CALLS
							       : DOUBT_FEW_CALLS;
}

static enum doubt doubt_of(const struct ranked *r, const struct ranking *all,
			   const struct rank_rules *rules)
{
	double mean = own_effect(r, r->mean_octaves), moved = movement_of(r);
	bool slow = fabs(mean) >= rules->min_effect * uncertain_part &&
		    fabs(moved) < rules->min_effect && r->slow.before + r->slow.after >= 0.5 &&
		    slow_latency_added(r) * mean > 0;

	if (!rank_large_enough(r, all, rules))
		return fmax(r->share_before, r->share_after) >= rules->min_share ? DOUBT_FEW_CALLS
										 : DOUBT_SMALL_PART;
	if (fabs(mean) >= rules->min_effect && !is_beyond_others(r, all, rules->min_effect))
		return DOUBT_DELAYED;
	if (slow)
		return r->slow.preempted ? DOUBT_PREEMPTED : DOUBT_SLOW_CALLS;
	if (fabs(moved) >= rules->min_effect && !mean_agrees(r, rules->min_effect))
		return DOUBT_BUCKETS;
	if (!(fabs(moved) >= rules->min_effect ||
	      (!ranked_is_idle(r) && fabs(r->calls_octaves) >= rules->min_calls) ||
	      shape_differs(r, rules, 0)))
		return longest_grew(r) ? DOUBT_LONGEST : DOUBT_EFFECT;
	return totals_differ(r, all, rules) ? doubt_of_one_run(r, all, rules) : DOUBT_SMALL_PART;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Uses exact totals where both sides have them, since these show movements within a bucket. */
static double movement_of_body(const struct ranked *r, const struct histogram *after)
{
	bool exact_before, exact_after;
	double b = typical_latency(r->before, &exact_before);
	double a = typical_latency(r->after, &exact_after) * r->scale_after;

	if (exact_before && exact_after && b > 0 && a > 0)
		return log2(a / b);
	return body_location(after) - body_location(&r->before->hist);
}

/* Measures body and slow calls, which takes longer, of an operation that can be reported. */
static void look_closer(struct ranked *r, const struct ranking *all, const struct rank_rules *rules)
{
	struct slow_call_rules slow = slow_call_rules_default;
	struct histogram after = r->after->hist;
	struct arena *a = NULL;

	if (r->scale_after != 1) {
		a = arena_new();
		after = histogram_scaled(a, &r->after->hist, r->scale_after);
	}
	r->body_octaves = movement_of_body(r, &after);
	slow.min_calls = rules->slow_calls;
	slow.min_octaves = rules->min_slow;
	r->slow = slow_calls_compare(&r->before->hist, &after,
				     all->seconds > 0 ? all->seconds : NAN, &slow);
	arena_free(a);
}

struct evidence {
	bool body, calls, slow, shape;
	bool longer; /* it sleeps, and that made the run longer */
};

/* Whether its sleeping explains that the run takes longer than a machine makes it by itself.  Then a
 * single call is enough: a sleep lasts as long as the program asks, whatever the machine does. */
static bool makes_run_longer(const struct ranked *r, const struct ranking *all)
{
	const struct elapsed_change *e = &all->elapsed;

	return r->wait == WAIT_MATTERS &&
	       wait_class_of(ranked_operation(r)->name) == WAIT_CLASS_SLEEP &&
	       log2(e->after.elapsed / e->before.elapsed) >= MACHINE_ALONE;
}

static struct evidence evidence_of(const struct ranked *r, const struct ranking *all,
				   const struct rank_rules *rules, double few)
{
	bool matters = totals_differ(r, all, rules);

	return (struct evidence){
		.body = matters && latency_differs(r, all, rules, few),
		.calls = matters && calls_differ(r, all, rules, few),
		.slow = slow_calls_matter(r, all, rules, few),
		.shape = shape_differs(r, rules, few),
		.longer = makes_run_longer(r, all),
	};
}

/* Whether something changed in the direction of a verdict: more latency in all is no regression where
 * all that is certain is that there are fewer calls. */
static bool agrees_with(enum verdict v, const struct ranked *r, const struct evidence *e)
{
	double sign = v == VERDICT_REGRESSED ? 1 : -1;

	return (e->body && change_of_latency(r) * sign > 0) ||
	       (e->calls && r->calls_octaves * sign > 0) ||
	       (e->slow && r->slow.octaves * sign > 0) || e->shape || (e->longer && sign > 0);
}

static enum verdict verdict_by(const struct evidence *e, const struct ranked *r,
			       const struct ranking *all, const struct rank_rules *rules)
{
	enum verdict v = direction_of(r, all, rules);

	if ((v == VERDICT_REGRESSED || v == VERDICT_IMPROVED) && !agrees_with(v, r, e))
		return VERDICT_CHANGED_SHAPE;
	return v;
}

static void judge_both(struct ranked *r, const struct ranking *all, const struct rank_rules *rules)
{
	double few = one_run_penalty(r, rules);
	bool large = rank_large_enough(r, all, rules);
	struct evidence e;

	if (large && ranked_has_histograms(r))
		look_closer(r, all, rules);
	r->threshold = min_movement(r, all, rules, few);
	if (isinf(r->threshold))
		r->threshold = min_of_slow(r, all, rules, few);
	/* One run does not show how runs vary: nothing is ever the same. */
	r->verdict = VERDICT_INCONCLUSIVE;
	if (!isnan(rules->threshold)) {
		r->reported = large && totals_differ(r, all, rules) && r->score >= rules->threshold;
		if (r->reported)
			r->verdict = direction_of(r, all, rules);
	} else {
		e = evidence_of(r, all, rules, few);
		r->reported = e.longer || (large && (e.body || e.calls || e.slow || e.shape));
		if (r->reported)
			r->verdict = verdict_by(&e, r, all, rules);
	}
	r->doubt = r->verdict == VERDICT_INCONCLUSIVE ? doubt_of(r, all, rules) : DOUBT_NONE;
}

/* The score of an operation on one side only.  EMD compares it with as many calls that took no time
 * at all; the other metrics have a largest value. */
static double score_alone(const struct operation *op, enum metric metric)
{
	double sum = 0;

	switch (metric) {
	case METRIC_EMD:
		for (size_t i = 0; i < op->hist.n; i++)
			sum += (double)op->hist.bucket[i].count *
			       (bucket_position(op->hist.scheme, op->hist.bucket[i].edges->index) +
				1);
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

/* A new operation is a regression of the run if it adds enough to the total: it is not noise.  One
 * that waits has to make the run longer. */
static void judge_alone(struct ranked *r, const struct ranking *all, const struct rank_rules *rules)
{
	bool new = r->before == NULL;

	r->score = score_alone(new ? r->after : r->before, rules->metric);
	r->reported = rank_large_enough(r, all, rules);
	r->verdict = new ? VERDICT_NEW : VERDICT_GONE;
	r->adds_to_run = new && r->reported && !ranked_is_idle(r) &&
			 (makes_run_longer(r, all) ||
			  stalls_free_change(all, r) >= rules->min_difference * ranking_busy(all));
}

void rank_judge(struct ranked *r, const struct ranking *all, const struct rank_rules *rules)
{
	if (r->before == NULL || r->after == NULL) {
		judge_alone(r, all, rules);
		return;
	}
	r->score = fabs(r->metric[rules->metric]);
	if (isnan(r->score)) /* without histograms: use the means */
		r->score = fabs(r->mean_octaves);
	if (isnan(r->score))
		r->score = 0;
	judge_both(r, all, rules);
}

struct rank_cause rank_cause(const struct ranking *all, const struct ranked *r,
			     const struct rank_rules *usual)
{
	struct rank_rules rules = rank_rules_for(r, usual);
	struct evidence e;
	double few;

	if (!r->reported || r->before == NULL || r->after == NULL)
		return (struct rank_cause){ .known = false };
	if (!isnan(rules.threshold))
		return (struct rank_cause){ true, RULE_THRESHOLD, r->score, rules.threshold };
	few = one_run_penalty(r, &rules);
	e = evidence_of(r, all, &rules, few);
	if (e.body)
		return (struct rank_cause){ true, RULE_MIN_EFFECT, change_of_latency(r),
					    min_movement(r, all, &rules, few) };
	if (e.calls)
		return (struct rank_cause){ true, RULE_MIN_CALLS, r->calls_octaves,
					    min_tested_calls(r, all, &rules, few) };
	if (e.slow)
		return (struct rank_cause){ true, RULE_MIN_SLOW, r->slow.octaves, rules.min_slow };
	if (e.shape)
		return (struct rank_cause){ true, RULE_MIN_SHAPE, change_of_shape(r),
					    rules.min_shape + few };
	return (struct rank_cause){ .known = false };
}
