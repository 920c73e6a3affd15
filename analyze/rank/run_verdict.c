/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/run_verdict.h"

#include <math.h>

const char *run_verdict_name(const struct ranking *all)
{
	return all->run.verdict == VERDICT_CHANGED_SHAPE ? "changed"
							 : verdict_name(all->run.verdict);
}

const char *runs_order_name(enum runs_order order)
{
	static const char *const names[] = { "unknown", "blocked", "turns", "duets" };

	return names[order];
}

enum verdict run_direction(double octaves)
{
	return octaves > 0 ? VERDICT_REGRESSED : VERDICT_IMPROVED;
}

double effect_lower_end(const struct effect *e)
{
	if (e->low > 0)
		return e->low;
	return e->high < 0 ? e->high : 0;
}

bool effect_is_within(const struct effect *e, double min)
{
	return e->low > -min && e->high < min;
}

/* A cost per call is a factor of the run by what it adds to all of its calls. */
static struct effect shared_of_pair(const struct ranking *all)
{
	const struct run_effects *e = &all->effects;
	struct effect r = effect_unknown;
	double before = 0, after = 0;

	if (!run_effects_any(e))
		return r;
	r.value = r.min = log2(e->factor);
	r.low = e->low;
	r.high = e->high;
	if (e->per_call == 0)
		return r;
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *op = &all->v[i];

		if (op->before == NULL || op->after == NULL || op->idle)
			continue;
		before += op->compared_before;
		after += op->compared_before + e->per_call * (double)operation_count(op->before);
	}
	r.value = r.min = before > 0 && after > 0 ? log2(after / before) : NAN;
	r.low = r.value - (e->high - e->low) / 2;
	r.high = r.value + (e->high - e->low) / 2;
	return r;
}

void run_verdict_of_pair(struct ranking *all, double slowness)
{
	struct run_verdict *run = &all->run;
	double lower;

	*run = (struct run_verdict){ .verdict = VERDICT_INCONCLUSIVE,
				     .shared = shared_of_pair(all),
				     .n_shared = all->effects.operations,
				     .of = all->effects.of,
				     .elapsed = effect_unknown };
	if (!isnan(all->elapsed.grew))
		run->elapsed.value = log2(all->elapsed.after.elapsed / all->elapsed.before.elapsed);
	lower = effect_lower_end(&run->shared);
	run->passes = fabs(lower) - fmax(copysign(slowness, slowness * lower), 0) >= MACHINE_ALONE;
	if (run->passes)
		run->verdict = run_direction(lower);
}

bool replicate_slower(const struct replicate_stats *o)
{
	static const enum feature slow[] = { FEATURE_MEAN, FEATURE_P99, FEATURE_SLOW,
					     FEATURE_SLOWEST };

	for (size_t i = 0; i < COUNT_OF(slow); i++) {
		if (o->effect[slow[i]].counts && o->effect[slow[i]].value > 0)
			return true;
	}
	return false;
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "regressed",    "improved", "changed-shape", "same",
					     "inconclusive", "new",	 "gone" };

	return names[v];
}
