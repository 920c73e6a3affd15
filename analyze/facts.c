/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/facts.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/body.h"
#include "analyze/quantiles.h"
#include "analyze/rank.h"
#include "analyze/runs.h"
#include "base/arena.h"
#include "base/attr.h"

enum { MAX_FACTS = 16 };

/* The facts of one operation while they are collected. */
struct collected {
	struct facts facts;
	const struct ranking *all;
	const struct ranked *r;
	const struct runs_judgement *runs;
};

const char *fact_kind_name(enum fact_kind kind)
{
	static const char *const names[] = { "mean",  "calls", "total",	 "max",	 "quantile",
					     "range", "slow",  "states", "same", "wait" };

	return names[kind];
}

static struct fact *add_fact(struct collected *c, enum fact_kind kind)
{
	struct fact *f = &c->facts.v[c->facts.n++];

	*f = (struct fact){ .kind = kind,
			    .before.value = NAN,
			    .after.value = NAN,
			    .change_low = NAN,
			    .change_high = NAN,
			    .p = NAN };
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

static struct fact_side quantile_side(const struct operation *op, double q, double low, double high,
				      double scale)
{
	struct fact_side s = { NAN, low, high, NAN, NAN };

	if (op == NULL || op->hist.n == 0)
		return s;
	s.value = exp2(body_quantile(&op->hist, q)) * scale;
	/* The interpolation counts calls on the edge of two buckets to either. */
	s.value = fmin(fmax(s.value, fmax(low, 0)), high);
	return s;
}

static void add_quantiles(struct collected *c)
{
	struct quantile_change q[MAX_QUANTILES];

	quantiles_of(c->r, &quantiles_default, q);
	for (size_t i = 0; i < quantiles_default.n; i++) {
		double share = q[i].percent / 100;
		struct fact *f = add_fact(c, FACT_QUANTILE);

		f->quantile = share;
		f->before =
			quantile_side(c->r->before, share, q[i].before_low, q[i].before_high, 1);
		f->after = quantile_side(c->r->after, share, q[i].after_low, q[i].after_high,
					 c->r->scale_after);
		add_effect(f, c, feature_of_quantile(share));
	}
}

/* --- ranges ----------------------------------------------------------------------------------- */

static double calls_within(const struct operation *op, double low, double high)
{
	double sum = 0;

	for (size_t i = 0; op != NULL && i < op->hist.n; i++) {
		const struct bucket *b = &op->hist.bucket[i];
		double from = b->edges->low, to = b->edges->high;
		double part = from >= low && to <= high ? 1 : 0;

		if (part == 0 && from < high && to > low && isfinite(from) && isfinite(to))
			part = (fmin(to, high) - fmax(from, low)) / (to - from);
		sum += part * (double)b->count;
	}
	return sum;
}

static struct fact_side range_side(const struct operation *op, size_t n_runs, double low,
				   double high)
{
	double calls = calls_within(op, low, high);

	return (struct fact_side){ .value = calls / (double)n_runs,
				   .share = op != NULL && op->hist.count > 0
						    ? calls / (double)op->hist.count
						    : 0 };
}

static const double trimmed = 0.05; /* share of a peak's calls outside its range, on either end */

/* The buckets of a peak without those that hold its outermost calls. */
static bool trim_peak(const struct operation *op, const struct peak *p, double *ret_low,
		      double *ret_high)
{
	double all = calls_within(op, p->low, p->high), below = 0, from = NAN, to = NAN;

	for (size_t i = 0; i < op->hist.n; i++) {
		const struct bucket *b = &op->hist.bucket[i];
		double upto;

		if (b->edges->low < p->low || b->edges->high > p->high)
			continue;
		upto = below + (double)b->count;
		if (isnan(from) && upto > trimmed * all)
			from = b->edges->low;
		if (isnan(to) && upto >= (1 - trimmed) * all)
			to = b->edges->high;
		below = upto;
	}
	*ret_low = from;
	*ret_high = to;
	return to > from && isfinite(to) && from > 0;
}

/* Adds the range of the peak whose share of the calls grew most; before, the one that shrank most
 * is another fact. */
static void add_range(struct collected *c, const struct peaks *peaks, bool after)
{
	const struct ranked *r = c->r;
	const struct operation *op = after ? r->after : r->before;
	double most = 0, best_low = NAN, best_high = NAN;
	struct fact *f;

	for (size_t i = 0; i < peaks->n; i++) {
		double scale = after ? r->scale_after : 1, low, high, own, other;
		struct peak p = peaks->v[i];

		p.low /= scale;
		p.high /= scale;
		if (!trim_peak(op, &p, &low, &high))
			continue;
		own = range_side(op, 1, low, high).share;
		other = after ? range_side(r->before, 1, low * scale, high * scale).share
			      : range_side(r->after, 1, low / r->scale_after, high / r->scale_after)
					.share;
		if (own - other > most) {
			most = own - other;
			best_low = low * scale;
			best_high = high * scale;
		}
	}
	if (isnan(best_low))
		return;
	f = add_fact(c, FACT_RANGE);
	f->low = best_low;
	f->high = best_high;
	f->before = range_side(r->before, c->all->n_before, best_low, best_high);
	f->after = range_side(r->after, c->all->n_after, best_low / r->scale_after,
			      best_high / r->scale_after);
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

/* --- repeated runs ------------------------------------------------------------------------------
 */

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

/* --- all of them
 * ---------------------------------------------------------------------------------- */

/* What counts comes first; then what changed most. */
static double importance(const struct fact *f)
{
	double change = f->before.value > 0 && f->after.value > 0
				? fabs(log2(f->after.value / f->before.value))
				: 0;

	if (f->kind == FACT_SAME || f->kind == FACT_WAIT)
		return 1e6;
	if (f->kind == FACT_STATES)
		return 1e5;
	if (f->kind == FACT_RANGE)
		return fabs(f->after.share - f->before.share);
	return change + (f->counts ? 1e3 : 0);
}

static int by_importance(const void *pa, const void *pb)
{
	double a = importance(pa), b = importance(pb);

	return (a < b) - (a > b);
}

struct facts facts_of(struct arena *a, const struct ranking *all, const struct ranked *r,
		      const struct runs_judgement *runs)
{
	struct collected c = { .all = all, .r = r, .runs = r->runs != NULL ? runs : NULL };

	c.facts.v = arena_make(a, struct fact, MAX_FACTS);
	add_numbers(&c);
	add_quantiles(&c);
	add_ranges(a, &c);
	if (c.runs != NULL) {
		add_same(&c);
		add_states(&c);
	}
	if (r->wait != WAIT_NONE)
		add_fact(&c, FACT_WAIT);
	qsort(c.facts.v, c.facts.n, sizeof(*c.facts.v), by_importance);
	return c.facts;
}
