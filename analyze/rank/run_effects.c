/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/run_effects.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "base/xalloc.h"

const struct run_effect_rules run_effect_rules_default = {
	.tolerance = 0.2,
	.noticeable = 0.1,
	.uncertain_part = 0.2,
};

/* No effect: a factor of 1, no cost per call. */
static const struct run_effects run_effects_none = { .factor = 1, .low = NAN, .high = NAN };

/* Candidate effects come from at most so many operations, evenly chosen; all operations vote. */
enum { MAX_PROPOSING = 64 };

bool run_effects_any(const struct run_effects *e)
{
	return e->factor != 1 || e->per_call != 0;
}

static double expected_mean(const struct run_effects *e, double before)
{
	return e->factor * before + e->per_call;
}

double run_effects_octaves(const struct run_effects *e, double before)
{
	double after = expected_mean(e, before);

	return before > 0 && after > 0 ? log2(after / before) : 0;
}

/* The residual of a point, in octaves. */
static double residual_of(const struct run_effects *e, const struct effect_point *p)
{
	double after = expected_mean(e, p->before);

	return after > 0 ? log2(p->after / after) : HUGE_VAL;
}

/* The sum of squared residuals, each at most the squared tolerance, so that it does not matter how
 * far an operation is off that changed by itself. */
static double unexplained_rest(const struct run_effects *e, const struct effect_point *p, size_t n,
			       const struct run_effect_rules *rules)
{
	double sum = 0, max = rules->tolerance * rules->tolerance;

	for (size_t i = 0; i < n; i++) {
		double r = residual_of(e, &p[i]);

		sum += fmin(r * r, max);
	}
	return sum;
}

static size_t count_agreeing(const struct run_effects *e, const struct effect_point *p, size_t n,
			     double tolerance)
{
	size_t agreeing = 0;

	for (size_t i = 0; i < n; i++)
		agreeing += fabs(residual_of(e, &p[i])) <= tolerance;
	return agreeing;
}

struct search {
	const struct effect_point *point;
	size_t n, step;
	const struct run_effect_rules *rules;
	double min;
	struct run_effects best;
};

static void propose_effect(struct search *s, double factor, double per_call)
{
	struct run_effects e = { .factor = factor, .per_call = per_call };
	double left;

	if (!(factor > 0))
		return;
	left = unexplained_rest(&e, s->point, s->n, s->rules);
	if (left < s->min) {
		s->min = left;
		s->best = e;
	}
}

/* Each candidate is the effect that explains one operation exactly. */
static struct run_effects find_one(struct search *s, bool factor)
{
	s->best = run_effects_none;
	s->min = HUGE_VAL;
	for (size_t i = 0; i < s->n; i += s->step) {
		const struct effect_point *p = &s->point[i];

		if (factor)
			propose_effect(s, p->after / p->before, 0);
		else
			propose_effect(s, 1, p->after - p->before);
	}
	return s->best;
}

/* Replaces the effect with the less noisy median over the operations that agree with it. */
static void refine_effect(struct run_effects *e, const struct search *s, bool factor)
{
	double *v = xcalloc(s->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct effect_point *p = &s->point[i];

		if (fabs(residual_of(e, p)) > s->rules->tolerance)
			continue;
		/* Use only operations for which the fixed cost is a noticeable part. */
		if (!factor && fabs(run_effects_octaves(e, p->before)) < s->rules->noticeable)
			continue;
		v[n++] = factor ? log2(p->after / p->before) : p->after - p->before;
	}
	if (n > 0 && factor)
		e->factor = exp2(median_of(v, n));
	else if (n > 0)
		e->per_call = median_of(v, n);
	free(v);
}

bool run_effects_explain(const struct run_effects *e, const struct effect_point *p,
			 const struct run_effect_rules *rules)
{
	return run_effects_any(e) && fabs(residual_of(e, p)) <= rules->tolerance &&
	       fabs(run_effects_octaves(e, p->before)) >= rules->noticeable;
}

static size_t count_moved(const struct run_effects *e, const struct search *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += run_effects_explain(e, &s->point[i], s->rules);
	return n;
}

/* The standard error of a median is so many times that of a mean. */
static const double error_of_median = 1.2533;

/* Fills the interval from the residuals of the group, at least a third of whose tolerance is taken
 * as its deviation: the group was chosen for being close together. */
static void find_interval(struct run_effects *e, const struct search *s)
{
	double square = 0, n = 0, deviation, reach;

	for (size_t i = 0; i < s->n; i++) {
		double left = residual_of(e, &s->point[i]);

		if (!run_effects_explain(e, &s->point[i], s->rules))
			continue;
		square += left * left;
		n++;
	}
	deviation = fmax(sqrt(square / fmax(n - 1, 1)), s->rules->tolerance / 3);
	reach = t_limit(0.05, fmax(n - 1, 1)) * error_of_median * deviation / sqrt(fmax(n, 1));
	e->low = log2(e->factor) - reach;
	e->high = log2(e->factor) + reach;
}

struct run_effects run_effects_find(const struct effect_point *point, size_t n,
				    const struct run_effect_rules *rules)
{
	struct search s = { .point = point, .n = n, .rules = rules };
	struct run_effects none = run_effects_none, factor, cost, *best;
	size_t without, with;

	none.of = n;
	if (n < 2)
		return none;
	s.step = (n + MAX_PROPOSING - 1) / MAX_PROPOSING;
	factor = find_one(&s, true);
	refine_effect(&factor, &s, true);
	cost = find_one(&s, false);
	refine_effect(&cost, &s, false);
	best = unexplained_rest(&cost, point, n, rules) < unexplained_rest(&factor, point, n, rules)
		       ? &cost
		       : &factor;
	without = count_agreeing(&none, point, n, rules->tolerance);
	with = count_agreeing(best, point, n, rules->tolerance);
	best->of = n;
	best->operations = count_moved(best, &s);
	none.tie = with == without && best->operations > 1;
	if (with <= without || best->operations < 2)
		return none;
	find_interval(best, &s);
	return *best;
}
