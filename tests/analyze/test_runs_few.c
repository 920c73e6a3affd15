/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging repeated runs of few operations, in an order that is not known, and how many would decide.
 */
#include "tests/analyze/runs_made.h"

/* What one to three operations share cannot be told from a change of the program. */
static void what_few_operations_share_is_their_change(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 5; n++) {
		struct fixture f;

		setup(&f, &(struct plan){ .n_before = 5,
					  .n_after = 5,
					  .n_ops = n,
					  .seed = n,
					  .noise = 0.01,
					  .run_effect = 0.2,
					  .listed = true });
		assert_int_equal(f.all.n_reported, n < 4 ? n : 0);
		assert_int_equal(f.judgement.run_effect_removed, n >= 4);
		teardown(&f);
	}
}

/* Runs of unknown times, one side after the other, get slower from run to run. */
static void a_drift_that_goes_on_is_no_change(void **state)
{
	size_t alarms = 0, found = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct plan plan = { .n_before = 5,
				     .n_after = 5,
				     .n_ops = 1 + seed % 3,
				     .seed = seed,
				     .noise = 0.01,
				     .slope = 0.03,
				     .listed = true };
		struct fixture f;

		setup(&f, &plan);
		alarms += f.all.n_reported > 0;
		teardown(&f);
		plan.slope = 0;
		plan.run_effect = 0.15; /* what the drift makes of the sides */
		setup(&f, &plan);
		found += f.all.n_reported > 0;
		teardown(&f);
	}
	assert_true(alarms <= 4); /* a rate of 5 % has no more in 95 % */
	assert_true(found >= 36);
}

/* Of operations that are not decided, so many runs as planned decide most, if they changed as
 * measured. */
static void planned_runs_decide(void **state)
{
	size_t planned = 0, decided = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct plan plan = { .n_before = 4,
				     .n_after = 4,
				     .n_ops = 1,
				     .seed = seed,
				     .noise = 0.07,
				     .moved = 0.12,
				     .n_changed = 1,
				     .turns = true,
				     .started = true };
		const struct replicate_stats *o;
		struct fixture f;
		size_t needed;

		setup(&f, &plan);
		o = f.all.v[0].runs;
		needed = o->runs_needed;
		plan.moved = o->effect[FEATURE_MEAN].value;
		assert_true(needed == 0 || f.all.v[0].verdict == VERDICT_INCONCLUSIVE);
		teardown(&f);
		if (needed == 0 || needed > MAX_RUNS)
			continue;
		assert_true(needed > 4);
		plan.n_before = plan.n_after = needed;
		plan.seed += 1000;
		setup(&f, &plan);
		decided += f.all.v[0].verdict != VERDICT_INCONCLUSIVE;
		planned++;
		teardown(&f);
	}
	assert_true(planned >= 20);
	assert_true(10 * decided >= 6 * planned); /* 80 %, less what 4 runs tell of their spread */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_few_operations_share_is_their_change),
		cmocka_unit_test(a_drift_that_goes_on_is_no_change),
		cmocka_unit_test(planned_runs_decide),
	};

	return cmocka_run_group_tests_name("runs_few", tests, NULL, NULL);
}
