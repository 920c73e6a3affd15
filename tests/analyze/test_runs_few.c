/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging repeated runs of few operations, in an order that is not known. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_few_operations_share_is_their_change),
		cmocka_unit_test(a_drift_that_goes_on_is_no_change),
	};

	return cmocka_run_group_tests_name("runs_few", tests, NULL, NULL);
}
