/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/facts.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rank/facts_parts.h"
#include "analyze/rank/quantiles.h"
#include "analyze/rank/rank.h"
#include "analyze/rank/runs.h"
#include "analyze/rank/waits.h"
#include "base/arena.h"
#include "base/attr.h"

/* The facts of one operation while they are collected. */
struct collected {
	struct facts facts;
	const struct ranking *all;
	const struct ranked *r;
	const struct runs_judgement *runs;
	const struct rank_rules *rules;
};

const char *fact_kind_name(enum fact_kind kind)
{
	static const char *const names[] = { "mean", "calls",  "total", "max",	"quantile", "range",
					     "slow", "states", "same",	"wait", "slowest" };

	return names[kind];
}

static struct fact *add_fact(struct collected *c, enum fact_kind kind)
{
	struct fact *f = &c->facts.v[c->facts.n++];

	*f = fact_unknown(kind);
	return f;
}

/* Adds what repeated runs say.  The interval is of means over runs, the numbers are of all calls
 * together: it is widened to hold them, so that it never excludes what stands beside it. */
static void add_effect(struct fact *f, const struct collected *c, enum feature feature)
{
	const struct effect *e = c->runs != NULL ? &c->r->runs->effect[feature] : &effect_unknown;
	double ratio = f->after.value / f->before.value;

	f->p = e->p;
	f->counts = e->counts;
	if (isnan(e->value) || !(ratio > 0) || isinf(ratio))
		return;
	f->change_low = fmin(exp2(e->low), ratio);
	f->change_high = fmax(exp2(e->high), ratio);
	if (f->before.value == f->after.value)
		f->p = 1;
}

/* --- sums ------------------------------------------------------------------------------- */

static void add_number(struct collected *c, enum fact_kind kind, double before, double after,
		       enum feature feature)
{
	struct fact *f = add_fact(c, kind);

	f->before.value = before;
	f->after.value = after;
	add_effect(f, c, feature);
}

static void add_numbers(struct collected *c)
{
	const struct ranked *r = c->r;

	add_number(c, FACT_MEAN, r->run_before.mean, r->run_after.mean, FEATURE_MEAN);
	add_number(c, FACT_CALLS, r->run_before.calls, r->run_after.calls, FEATURE_CALLS);
	add_number(c, FACT_TOTAL, r->run_before.total, r->run_after.total, FEATURE_TOTAL);
	if (r->before != NULL && r->after != NULL && r->before->stated.has_max &&
	    r->after->stated.has_max)
		add_number(c, FACT_MAX, r->before->stated.max,
			   r->after->stated.max * r->scale_after, FEATURE_MAX);
}

/* --- quantiles ------------------------------------------------------------------------------- */

static struct fact fact_without_effect(const struct ranked *r, double share)
{
	const struct quantile_list one = { .percent = { 100 * share }, .n = 1 };
	struct quantile_change q;
	struct fact f = { .kind = FACT_QUANTILE,
			  .quantile = share,
			  .change_low = NAN,
			  .change_high = NAN,
			  .p = NAN };

	quantiles_of(r, &one, &q);
	f.before = fact_quantile_side(r->before, share, q.before_low, q.before_high, 1);
	f.after = fact_quantile_side(r->after, share, q.after_low, q.after_high, r->scale_after);
	return f;
}

struct fact fact_of_quantile(const struct ranked *r, const struct runs_judgement *runs, double q)
{
	const struct collected c = { .r = r, .runs = r->runs != NULL ? runs : NULL };
	struct fact f = fact_without_effect(r, q);

	add_effect(&f, &c, feature_of_quantile(q));
	return f;
}

static void add_quantiles(struct collected *c)
{
	for (size_t i = 0; i < quantiles_default.n; i++) {
		double share = quantiles_default.percent[i] / 100;

		*add_fact(c, FACT_QUANTILE) = fact_of_quantile(c->r, c->runs, share);
	}
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* What a peak's range may be chosen for. */
struct range_choice {
	double max, low, high;
};

static void consider_range(struct range_choice *c, double gain, double low, double high)
{
	if (gain > c->max)
		*c = (struct range_choice){ gain, low, high };
}

static void add_chosen_range(struct collected *c, const struct range_choice *choice, bool adds)
{
	const struct ranked *r = c->r;
	struct fact *f;

	if (!(choice->max > 0))
		return;
	f = add_fact(c, FACT_RANGE);
	f->adds = adds;
	f->low = choice->low;
	f->high = fmin(choice->high,
		       fmax(fact_highest(r->before), fact_highest(r->after) * r->scale_after));
	f->before = fact_range_side(r->before, c->all->n_before, f->low, f->high);
	f->after = fact_range_side(r->after, c->all->n_after, f->low / r->scale_after,
				   f->high / r->scale_after);
}

enum { MIN_CALLS_THAT_ADD = 2 }; /* one call may have been a stall */

/* Adds the range of the peak whose share of the calls grew most, and that of the peak that makes
 * more than half of the change of the mean latency; before, the one that shrank most. */
static void add_range(struct collected *c, const struct peaks *peaks, bool after)
{
	const struct ranked *r = c->r;
	const struct operation *op = after ? r->after : r->before;
	struct range_choice grew = { 0, NAN, NAN }, adds = { 0, NAN, NAN };
	double grown = (r->run_after.mean - r->run_before.mean) * (after ? 1 : -1);

	for (size_t i = 0; i < peaks->n; i++) {
		double scale = after ? r->scale_after : 1, low, high, own, other;
		struct peak p = peaks->v[i];

		p.low /= scale;
		p.high /= scale;
		if (!fact_trim_peak(op, &p, &low, &high))
			continue;
		own = fact_range_side(op, 1, low, high).share;
		low *= scale;
		high *= scale;
		other = after ? fact_range_side(r->before, 1, low, high).share
			      : fact_range_side(r->after, 1, low / r->scale_after,
						high / r->scale_after)
					.share;
		consider_range(&grew, own - other, low, high);
		if (p.count >= MIN_CALLS_THAT_ADD && grown > 0 &&
		    (own - other) * p.mean > grown / 2)
			consider_range(&adds, (own - other) * p.mean, low, high);
	}
	if (adds.low != grew.low)
		add_chosen_range(c, &adds, true);
	add_chosen_range(c, &grew, adds.low == grew.low);
}

static void add_ranges(struct arena *a, struct collected *c)
{
	const struct ranked *r = c->r;
	struct ranked_peaks p;

	if (r->before == NULL || r->after == NULL || r->before->hist.n == 0 ||
	    r->after->hist.n == 0)
		return;
	p = rank_peaks(a, r, r->scale_after);
	add_range(c, &p.after, true);
	add_range(c, &p.before, false);
}

/* --- repeated runs ----------------------------------------------------------------------- */

static double bound_of(const struct effect *e)
{
	return isnan(e->value) ? NAN : exp2(fmax(fabs(e->low), fabs(e->high))) - 1;
}

static void add_same(struct collected *c)
{
	const struct effect *e = c->r->runs->effect;
	struct fact *f;

	if (c->r->verdict != VERDICT_SAME)
		return;
	f = add_fact(c, FACT_SAME);
	f->bound[0] = bound_of(&e[FEATURE_MEAN]);
	f->bound[1] = bound_of(&e[FEATURE_P50]);
	f->bound[2] = bound_of(&e[FEATURE_P99]);
}

static void add_states(struct collected *c)
{
	const struct replicate_stats *o = c->r->runs;

	for (int after = 0; after < 2; after++) {
		const struct run_states *s = after ? &o->states_after : &o->states_before;
		struct fact *f;

		if (s->n == 0)
			continue;
		f = add_fact(c, FACT_STATES);
		f->states = s;
		f->after_has_states = after;
		f->p = o->states_q;
		f->counts = o->states_q <= c->runs->rules.q;
	}
}

/* --- a single pair ----------------------------------------------------------------------- */

static struct fact_side slow_side(double calls, double latency, size_t n_runs)
{
	double n = (double)n_runs;

	return (struct fact_side){ .value = calls / n, .latency = latency / n };
}

static void add_slow(struct collected *c)
{
	const struct slow_calls *slow = &c->r->slow;
	struct fact *f;

	if (!(slow->limit > 0) || !(slow->before + slow->after > 0))
		return;
	f = add_fact(c, FACT_SLOW);
	f->low = slow->limit;
	f->before = slow_side(slow->before, slow->latency_before, c->all->n_before);
	f->after = slow_side(slow->after, slow->latency_after, c->all->n_after);
	f->p = slow->p;
}

static struct fact *first_of(struct collected *c, enum fact_kind kind)
{
	for (size_t i = 0; i < c->facts.n; i++) {
		if (c->facts.v[i].kind == kind)
			return &c->facts.v[i];
	}
	return NULL;
}

static void set_counts(struct fact *f)
{
	if (f != NULL)
		f->counts = true;
}

/* The quantile that shows the change: the median if it follows at least half of the largest change,
 * in octaves. */
static struct fact *telling_quantile(struct collected *c)
{
	struct fact *median = first_of(c, FACT_QUANTILE), *largest = median;

	for (size_t i = 0; i < c->facts.n; i++) {
		struct fact *f = &c->facts.v[i];

		if (f->kind == FACT_QUANTILE && fabs(fact_octaves(f)) > fabs(fact_octaves(largest)))
			largest = f;
	}
	if (median == NULL || fact_octaves(median) / fact_octaves(largest) >= 0.5)
		return median;
	return largest;
}

/* Marks what made one run a side report an operation. */
static void mark_cause(struct collected *c)
{
	const struct ranked *r = c->r;
	struct rank_cause cause = rank_cause(c->all, r, c->rules);
	bool of_mean = r->before != NULL && r->after != NULL &&
		       ((operation_total_exact(r->before) && operation_total_exact(r->after)) ||
			r->before->hist.n == 0 || r->after->hist.n == 0);

	if (!cause.known)
		return;
	if (cause.rule == RULE_MIN_EFFECT)
		set_counts(of_mean ? first_of(c, FACT_MEAN) : telling_quantile(c));
	if (cause.rule == RULE_MIN_SLOW)
		set_counts(first_of(c, FACT_SLOW));
	if (!ranked_is_idle(r) && !r->fixed_duration &&
	    fabs(r->calls_octaves) >= c->rules->min_calls)
		set_counts(first_of(c, FACT_CALLS));
}

/* --- what comes first -------------------------------------------------------------------- */

const struct fact *facts_next(const struct facts *f, enum fact_kind kind, const struct fact *after)
{
	for (size_t i = after == NULL ? 0 : (size_t)(after - f->v) + 1; i < f->n; i++) {
		if (f->v[i].kind == kind)
			return &f->v[i];
	}
	return NULL;
}

double fact_octaves(const struct fact *f)
{
	double ratio = f->after.value / f->before.value;

	return ratio > 0 && isfinite(ratio) ? log2(ratio) : 0;
}

static bool is_latency(const struct fact *f)
{
	return f->kind == FACT_MEAN || f->kind == FACT_QUANTILE || f->kind == FACT_MAX ||
	       f->kind == FACT_SLOW;
}

/* A direction that is the verdict's comes before any other, and the mean before what is as
 * large. */
static double fact_fitness(const struct ranked *r, const struct fact *f)
{
	double octaves = fact_octaves(f);
	bool against = (r->verdict == VERDICT_REGRESSED && octaves < 0) ||
		       (r->verdict == VERDICT_IMPROVED && octaves > 0);

	return (f->kind == FACT_SLOW ? 0 : fabs(octaves)) + (f->kind == FACT_MEAN ? 1e3 : 0) +
	       (against ? 0 : 1e6);
}

/* Returns the fittest change of latency: among those that count, or that are noticeable. */
static const struct fact *fittest_latency(const struct collected *c, bool counted)
{
	const struct fact *found = NULL;

	for (size_t i = 0; i < c->facts.n; i++) {
		const struct fact *f = &c->facts.v[i];
		bool eligible =
			counted ? f->counts
				: f->kind != FACT_MAX &&
					  fabs(fact_octaves(f)) >= runs_rules_default.min_effect;

		if (is_latency(f) && eligible &&
		    (found == NULL || fact_fitness(c->r, f) > fact_fitness(c->r, found)))
			found = f;
	}
	return found;
}

/* The change of latency on which the verdict rests; where that is one of the whole distribution,
 * the largest that a number shows. */
static const struct fact *leading_latency(const struct collected *c)
{
	const struct fact *found = fittest_latency(c, true);
	bool has_direction =
		c->r->verdict == VERDICT_REGRESSED || c->r->verdict == VERDICT_IMPROVED;

	return found == NULL && c->facts.calls == NULL && has_direction ? fittest_latency(c, false)
									: found;
}

static void find_leads(struct collected *c)
{
	const struct fact *calls = facts_next(&c->facts, FACT_CALLS, NULL);

	if (c->r->verdict == VERDICT_SAME || c->r->verdict == VERDICT_INCONCLUSIVE)
		return;
	if (calls != NULL && calls->counts && calls->before.value > 0 && calls->after.value > 0)
		c->facts.calls = calls;
	if (c->r->before != NULL && c->r->after != NULL)
		c->facts.latency = leading_latency(c);
}

/* --- all of them ------------------------------------------------------------------------- */

/* What counts comes first; then what changed most. */
static double fact_importance(const struct fact *f)
{
	double change = fabs(fact_octaves(f));

	if (f->kind == FACT_SAME || f->kind == FACT_WAIT)
		return 1e6;
	if (f->kind == FACT_STATES)
		return 1e5;
	if (f->kind == FACT_RANGE)
		return f->adds ? 1e4 : fabs(f->after.share - f->before.share);
	return change + (f->counts ? 1e3 : 0);
}

static int by_importance(const void *pa, const void *pb)
{
	double a = fact_importance(pa), b = fact_importance(pb);

	return (a < b) - (a > b);
}

struct facts facts_of(struct arena *a, const struct ranking *all, const struct ranked *r,
		      const struct runs_judgement *runs, const struct rank_rules *rules)
{
	struct collected c = {
		.all = all, .r = r, .runs = r->runs != NULL ? runs : NULL, .rules = rules
	};

	c.facts.v = arena_make(a, struct fact, MAX_FACTS);
	add_numbers(&c);
	add_quantiles(&c);
	add_ranges(a, &c);
	add_slow(&c);
	if (c.runs != NULL) {
		add_same(&c);
		add_states(&c);
	} else {
		mark_cause(&c);
	}
	if (r->wait != WAIT_NONE)
		add_fact(&c, FACT_WAIT);
	qsort(c.facts.v, c.facts.n, sizeof(*c.facts.v), by_importance);
	find_leads(&c);
	return c.facts;
}
