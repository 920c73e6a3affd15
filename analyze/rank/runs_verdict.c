/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: what they say of the run as a whole. */
#include <math.h>

#include "analyze/idle.h"
#include "analyze/rank/run_verdict.h"
#include "analyze/rank/runs_judging.h"
#include "analyze/rank/waits.h"
#include "base/arena.h"

/* Seconds of one run in calls that wait for input: they are the world's, not the program's. */
static double waited_for_input(const struct profile *p)
{
	double sum = 0, unit;

	if (!unit_seconds(p->unit, p->hz, &unit))
		return 0;
	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].idle && wait_class_of(p->op[i].name) == WAIT_CLASS_INPUT)
			sum += operation_own(&p->op[i]) * unit;
	}
	return sum;
}

/* Tests the elapsed time of the runs.  Waits for input are taken out as far as they grew. */
void runs_find_elapsed(struct arena *a, const struct judging *j, const struct runs_side *before,
		       const struct runs_side *after, struct runs_judgement *ret)
{
	double *value = arena_make(a, double, j->n_runs), min = HUGE_VAL;

	for (size_t k = 0; k < j->n_runs; k++) {
		const struct profile *p =
			k < before->n ? before->run[k] : after->run[k - before->n];

		if (!(p->elapsed > 0))
			return;
		min = fmin(min, waited_for_input(p));
	}
	for (size_t k = 0; k < j->n_runs; k++) {
		const struct profile *p =
			k < before->n ? before->run[k] : after->run[k - before->n];
		double at_once = fmax(run_account_of(p).concurrency, 1);
		double world = (waited_for_input(p) - min) / at_once;

		value[k] = log2(fmax(p->elapsed - world, p->elapsed / 1000));
	}
	ret->elapsed = runs_test_series(j, value);
}

/* Judges which waits mattered, by the means of the runs' accounts. */
void runs_find_waits(const struct runs_side *before, const struct runs_side *after,
		     const struct runs_judgement *ret, struct ranking *all)
{
	struct run_account b = run_account_mean(before->run, before->n);
	struct run_account c = run_account_mean(after->run, after->n);
	double price = runs_price(&ret->rules, FAMILY_RUN, before->n, after->n, !ret->order_used);

	all->elapsed = elapsed_change_of(&b, &c);
	all->elapsed.certain = ret->elapsed.p * price <= ret->rules.q;
	waits_find(all, true);
}

static bool shared_passes(const struct runs_judgement *ret, const struct cpu_speed *speed)
{
	double lower = ret->shared.value > 0 ? ret->shared.low : -ret->shared.high;
	bool known = ret->order_used && speed->use != CPU_SPEED_UNKNOWN &&
		     !ret->drift_before.found && !ret->drift_after.found;

	return lower >= (known ? MACHINE_KNOWN : MACHINE_ALONE);
}

void runs_find_shared(struct arena *a, struct judging *j, struct runs_judgement *ret)
{
	runs_find_run_effect(a, j, ret);
	ret->shared_passes = shared_passes(ret, &j->speed);
	j->both = j->run_effect_known && j->n_comparable >= MIN_OPERATIONS_SHARING &&
		  !ret->order_turns && !ret->shared_passes;
	ret->run_effect_removed = j->both;
}

/* Whether a change of the whole run is certain: in turns if it is significant, otherwise if it is
 * larger than what a machine does by itself. */
static bool is_certain(const struct runs_judgement *j, const struct effect *e)
{
	double n_tests = 1 + !isnan(j->elapsed.p); /* of the family */
	double price = runs_price(&j->rules, FAMILY_RUN, j->n_before, j->n_after, !j->order_used);

	if (!(e->p * price * n_tests <= j->rules.q))
		return false;
	return j->order_turns ? fabs(e->value) >= j->rules.min_effect
			      : fabs(effect_lower_end(e)) >= MACHINE_ALONE;
}

void runs_find_verdict(struct ranking *all, const struct runs_judgement *j)
{
	struct run_verdict *run = &all->run;
	bool shared, elapsed;

	*run = (struct run_verdict){
		.verdict = VERDICT_INCONCLUSIVE,
		.shared = j->shared,
		.n_shared = j->n_grouped,
		.of = j->n_tested,
		.elapsed = j->elapsed,
		.order = j->duets	  ? ORDER_DUETS
			 : j->order_turns ? ORDER_TURNS
			 : j->order_used  ? ORDER_BLOCKED
					  : ORDER_UNKNOWN,
		.passes = j->shared_passes,
	};
	shared = j->shared_passes || is_certain(j, &j->shared);
	elapsed = !all->fixed_duration && is_certain(j, &j->elapsed);
	run->shared.counts = shared;
	run->elapsed.counts = elapsed;
	if (shared && elapsed && j->shared.value * j->elapsed.value < 0)
		run->verdict = VERDICT_CHANGED_SHAPE;
	else if (shared || elapsed)
		run->verdict = run_direction(shared ? j->shared.value : j->elapsed.value);
	else if (effect_is_within(&j->shared, j->rules.min_effect) &&
		 (isnan(j->elapsed.value) || effect_is_within(&j->elapsed, j->rules.min_effect)))
		run->verdict = VERDICT_SAME;
}
