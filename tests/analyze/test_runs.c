/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging repeated runs: verdicts, false alarms, and what must not matter. */
#include "tests/analyze/runs_made.h"

static void changes_are_found_and_nothing_else(void **state)
{
	const size_t runs[][2] = { { 3, 3 }, { 4, 3 }, { 2, 5 }, { 6, 6 },
				   { 7, 6 }, { 5, 1 }, { 8, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		struct fixture f;

		setup(&f, &(struct plan){ .n_before = runs[i][0],
					  .n_after = runs[i][1],
					  .n_ops = 30,
					  .seed = 7,
					  .noise = 0.02,
					  .moved = 0.5,
					  .n_changed = 3 });
		assert_int_equal(f.all.n_reported, 3);
		for (size_t k = 0; k < 3; k++) {
			const struct ranked *r = &f.all.v[k];

			assert_int_equal(r->verdict, VERDICT_REGRESSED);
			assert_true(fabs(r->runs->effect[FEATURE_MEAN].value - 0.5) < 0.1);
			assert_true(r->runs->effect[FEATURE_MEAN].low < 0.55 &&
				    r->runs->effect[FEATURE_MEAN].high > 0.45);
		}
		assert_int_equal(f.judgement.permutations > 0, runs[i][0] >= 6 && runs[i][1] >= 6);
		teardown(&f);
	}
}

/* 100 A/A comparisons each of 30 operations: the rate stated is 10 %. */
static void no_change_raises_few_alarms(void **state)
{
	const size_t runs[][2] = { { 3, 3 }, { 4, 4 }, { 6, 6 }, { 5, 1 }, { 10, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		size_t alarms = 0;

		for (uint64_t seed = 1; seed <= 100; seed++) {
			struct fixture f;

			setup(&f, &(struct plan){ .n_before = runs[i][0],
						  .n_after = runs[i][1],
						  .n_ops = 30,
						  .seed = seed,
						  .noise = 0.1,
						  .machine = 0.05 });
			alarms += f.all.n_reported > 0;
			teardown(&f);
		}
		assert_true(alarms <= 10);
	}
}

static void small_noise_proves_the_same(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, &(struct plan){
			  .n_before = 4, .n_after = 4, .n_ops = 12, .seed = 3, .noise = 0.005 });
	for (size_t i = 0; i < f.all.n; i++)
		assert_int_equal(f.all.v[i].verdict, VERDICT_SAME);
	teardown(&f);
	/* With as much noise as this nothing is proved. */
	setup(&f,
	      &(struct plan){ .n_before = 4, .n_after = 4, .n_ops = 12, .seed = 3, .noise = 0.3 });
	for (size_t i = 0; i < f.all.n; i++)
		assert_int_equal(f.all.v[i].verdict, VERDICT_INCONCLUSIVE);
	teardown(&f);
}

/* 3 % slower, without a doubt: too small to be reported. */
static void a_minimum_effect_is_asked_for(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, &(struct plan){ .n_before = 5,
				  .n_after = 5,
				  .n_ops = 20,
				  .seed = 5,
				  .noise = 0.002,
				  .moved = 0.043,
				  .n_changed = 2 });
	assert_true(find(&f, "o0")->runs->q < 0.05);
	assert_int_equal(f.all.n_reported, 0);
	assert_int_equal(find(&f, "o0")->verdict, VERDICT_SAME);
	teardown(&f);
}

static void calls_are_judged_too(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, &(struct plan){ .n_before = 3,
				  .n_after = 3,
				  .n_ops = 20,
				  .seed = 9,
				  .noise = 0.02,
				  .calls = 2,
				  .n_changed = 1 });
	assert_int_equal(f.all.n_reported, 1);
	assert_int_equal(find(&f, "o0")->verdict, VERDICT_REGRESSED);
	assert_true(find(&f, "o0")->runs->calls_q < 0.05);
	assert_true(fabs(find(&f, "o0")->runs->effect[FEATURE_CALLS].value - 1) < 0.01);
	teardown(&f);
	setup(&f, &(struct plan){ .n_before = 3,
				  .n_after = 3,
				  .n_ops = 20,
				  .seed = 9,
				  .noise = 0.02,
				  .calls = 0.5,
				  .n_changed = 1 });
	assert_int_equal(find(&f, "o0")->verdict, VERDICT_IMPROVED);
	teardown(&f);
}

/* A whole machine that got slower is said once; no operation is blamed for it, and one
 * that stood still is not praised. */
static void the_common_mode_is_taken_off(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, &(struct plan){ .n_before = 4,
				  .n_after = 4,
				  .n_ops = 20,
				  .seed = 11,
				  .noise = 0.01,
				  .run_effect = 0.4,
				  .moved = -0.4,
				  .n_changed = 2 });
	assert_true(f.judgement.run_effect_removed);
	assert_true(fabs(f.judgement.shared.value - 0.4) < 0.03);
	assert_int_equal(f.all.n_reported, 0);
	teardown(&f);
}

static void drift_is_found(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, &(struct plan){ .n_before = 6,
				  .n_after = 6,
				  .n_ops = 20,
				  .seed = 13,
				  .noise = 0.01,
				  .drift = 0.05 });
	assert_true(f.judgement.drift_before.found);
	assert_true(f.judgement.drift_before.correlation > 0.9);
	assert_false(f.judgement.drift_after.found);
	teardown(&f);
}

static const struct plan mixed = { .n_before = 6,
				   .n_after = 7,
				   .n_ops = 25,
				   .seed = 17,
				   .noise = 0.05,
				   .moved = 0.4,
				   .n_changed = 5 };

static enum verdict turned(enum verdict v)
{
	return v == VERDICT_REGRESSED  ? VERDICT_IMPROVED
	       : v == VERDICT_IMPROVED ? VERDICT_REGRESSED
				       : v;
}

static void verdicts_turn_with_the_sides(void **state)
{
	struct fixture f, g;

	(void)state;
	setup(&f, &mixed);
	g = (struct fixture){ .n = { f.n[1], f.n[0] } };
	memcpy(g.run[0], f.run[1], sizeof(g.run[0]));
	memcpy(g.run[1], f.run[0], sizeof(g.run[1]));
	judge(&g);
	assert_true(f.all.n_reported >= 4);
	for (size_t i = 0; i < f.all.n; i++) {
		const struct ranked *a = &f.all.v[i];
		char name[16] = "";

		memcpy(name, a->before->name.p, a->before->name.n);
		assert_int_equal(find(&g, name)->verdict, turned(a->verdict));
		assert_true(fabs(find(&g, name)->runs->p - a->runs->p) < 1e-9);
		assert_true(fabs(find(&g, name)->runs->effect[FEATURE_SHIFT].value +
				 a->runs->effect[FEATURE_SHIFT].value) < 1e-9);
	}
	forget(&g);
	teardown(&f);
}

static void the_order_of_runs_does_not_matter(void **state)
{
	struct fixture f, g;

	(void)state;
	setup(&f, &mixed);
	g = (struct fixture){ .n = { f.n[0], f.n[1] } };
	for (int s = 0; s < 2; s++) {
		for (size_t k = 0; k < f.n[s]; k++)
			g.run[s][k] = f.run[s][(k + 2) % f.n[s]];
	}
	judge(&g);
	for (size_t i = 0; i < f.all.n; i++) {
		assert_true(str_eq(f.all.v[i].before->name, g.all.v[i].before->name));
		assert_int_equal(f.all.v[i].verdict, g.all.v[i].verdict);
		assert_true(fabs(f.all.v[i].runs->p - g.all.v[i].runs->p) < 1e-9);
		assert_true(fabs(f.all.v[i].runs->effect[FEATURE_SHIFT].low -
				 g.all.v[i].runs->effect[FEATURE_SHIFT].low) < 1e-9);
	}
	forget(&g);
	teardown(&f);
}

/* `x` is in both of the runs after, `y` in one of them and in none before: 1 of 2 is
 * half.  `z` is in one of three. */
static void new_ones_are_in_half_of_the_runs(void **state)
{
	static const char *const base = "unit ns\nop a\ntotal 800000\n9 1000\n";
	static const char *const more = "unit ns\nop a\ntotal 800000\n9 1000\n"
					"op x\ntotal 900000\n9 1000\n";
	static const char *const max = "unit ns\nop a\ntotal 800000\n9 1000\n"
				       "op x\ntotal 900000\n9 1000\nop z\ntotal 900000\n9 1000\n";
	struct fixture f = { .n = { 3, 3 } };

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		f.run[0][k] = made_profile(base);
		f.run[1][k] = made_profile(k == 0 ? base : k == 1 ? more : max);
	}
	judge(&f);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_NEW);
	assert_true(find(&f, "x")->reported);
	assert_int_equal(find(&f, "z")->verdict, VERDICT_INCONCLUSIVE);
	assert_false(find(&f, "z")->reported);
	assert_int_equal(find(&f, "a")->verdict, VERDICT_SAME);
	teardown(&f);
}

/* Microseconds on coarse buckets against nanoseconds on finer ones, and an operation
 * that one run lacks: the same latencies are the same, twice as long is worse. */
static void units_buckets_and_gaps_are_bridged(void **state)
{
	static const char *const before[] = {
		"unit us\nop a\ntotal 12100\n3 1000\nop b\ntotal 12100\n3 1000\n",
		"unit us\nop a\ntotal 12000\n3 1000\nop b\ntotal 12000\n3 1000\n",
		"unit us\nop a\ntotal 12050\n3 1000\n",
	};
	static const char *const after[] = {
		"unit ns\nbuckets log2 2\nop a\ntotal 12080000\n27 1000\nop b\ntotal 24100000\n29 "
		"1000\n",
		"unit ns\nbuckets log2 1\nop a\ntotal 12030000\n13 1000\nop b\ntotal 24000000\n14 "
		"1000\n",
		"unit ns\nbuckets log2 2\nop a\ntotal 12060000\n27 1000\nop b\ntotal 24080000\n29 "
		"1000\n",
	};
	struct fixture f = { .n = { 3, 3 } };

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		f.run[0][k] = made_profile(before[k]);
		f.run[1][k] = made_profile(after[k]);
	}
	judge(&f);
	assert_true(fabs(find(&f, "a")->runs->effect[FEATURE_MEAN].value) < 0.01);
	assert_true(find(&f, "a")->verdict != VERDICT_REGRESSED);
	assert_true(fabs(find(&f, "b")->runs->effect[FEATURE_MEAN].value - 1) < 0.01);
	assert_int_equal(find(&f, "b")->runs->n_before, 2);
	assert_int_equal(find(&f, "b")->verdict, VERDICT_REGRESSED);
	teardown(&f);
}

/* Without buckets there are means and calls; with no call at all there is nothing. */
static void moments_are_judged_by_means(void **state)
{
	struct fixture f = { .n = { 6, 6 } };

	(void)state;
	for (size_t k = 0; k < 6; k++) {
		char text[128];

		(void)snprintf(text, sizeof(text),
			       "unit ns\nop m\ncount 1000\ntotal %zu\nop none\ncount 0\n",
			       500000 + k * 100);
		f.run[0][k] = made_profile(text);
		(void)snprintf(text, sizeof(text),
			       "unit ns\nop m\ncount 1000\ntotal %zu\nop none\ncount 0\n",
			       900000 + k * 100);
		f.run[1][k] = made_profile(text);
	}
	judge(&f);
	assert_int_equal(find(&f, "m")->verdict, VERDICT_REGRESSED);
	assert_true(isnan(find(&f, "m")->runs->effect[FEATURE_SHIFT].value));
	assert_true(isnan(find(&f, "m")->runs->distance_p));
	assert_false(find(&f, "none")->reported);
	teardown(&f);
}

/* Eighteen looks share the error of a comparison; at other numbers of runs there is none. */
static void sequential_looks_share_the_error(void **state)
{
	struct runs_rules once = runs_rules_default, rules = once;

	(void)state;
	rules.sequential = true;
	for (size_t n = FIRST_LOOK; n <= LAST_LOOK; n++)
		assert_float_equal(runs_price(&rules, FAMILY_CALLS, n, n, false) *
					   runs_level_of_look(&rules, n, n + 1),
				   runs_price(&once, FAMILY_CALLS, n, n, false) * once.q, 1e-9);
	assert_true(runs_level_of_look(&rules, FIRST_LOOK - 1, LAST_LOOK) == 0);
	assert_true(isinf(runs_price(&rules, FAMILY_RUN, LAST_LOOK + 1, LAST_LOOK + 1, false)));
}

/* As many as fit into a time: twice as long a call, half the calls; and twice the calls. */
static void calls_that_fill_a_time_are_not_judged(void **state)
{
	static const char *const text = "unit ns\nop m\nfixed-duration\ncount %d\ntotal %zu\n"
					"op n\nfixed-duration\ncount %d\ntotal %zu\n";
	struct fixture f = { .n = { 6, 6 } };

	(void)state;
	for (size_t k = 0; k < 6; k++) {
		char run[160];

		(void)snprintf(run, sizeof(run), text, 1000, 500000 + k * 100, 1000,
			       500000 + k * 10);
		f.run[0][k] = made_profile(run);
		(void)snprintf(run, sizeof(run), text, 500, 500000 + k * 100, 2000,
			       1000000 + k * 20);
		f.run[1][k] = made_profile(run);
	}
	judge(&f);
	assert_int_equal(find(&f, "m")->verdict, VERDICT_REGRESSED);
	assert_true(isnan(find(&f, "m")->runs->effect[FEATURE_CALLS].value));
	assert_int_equal(find(&f, "n")->verdict, VERDICT_SAME);
	teardown(&f);
}

/* All runs before, then all after, on a machine that gets slower: neither who knows the order nor
 * who does not takes that for a change of six operations. */
static void a_drift_is_no_change(void **state)
{
	struct plan plan = {
		.n_before = 6, .n_after = 6, .n_ops = 6, .seed = 11, .noise = 0.01, .slope = 0.05
	};
	struct fixture f;

	(void)state;
	setup(&f, &plan);
	assert_false(f.judgement.order_used);
	assert_int_equal(f.all.n_reported, 0);
	teardown(&f);
	plan.started = true;
	setup(&f, &plan);
	assert_true(f.judgement.order_used && f.judgement.order_blocked);
	assert_true(f.judgement.permutations > 0);
	assert_int_equal(f.all.n_reported, 0);
	teardown(&f);
	plan.moved = 2;
	plan.n_changed = 1; /* a step that stands out */
	setup(&f, &plan);
	assert_int_equal(f.all.n_reported, 1);
	assert_int_equal(find(&f, "o0")->verdict, VERDICT_REGRESSED);
	teardown(&f);
}

/* Sides that took turns while the machine got slower: what hides the change from those who do
 * not know the order is known for a drift. */
static void a_change_is_found_in_spite_of_a_drift(void **state)
{
	struct plan plan = { .n_before = 5,
			     .n_after = 5,
			     .n_ops = 6,
			     .seed = 12,
			     .noise = 0.01,
			     .slope = 0.08,
			     .turns = true,
			     .moved = 0.3,
			     .n_changed = 2 };
	struct fixture f;

	(void)state;
	setup(&f, &plan);
	assert_int_equal(f.all.n_reported, 0);
	teardown(&f);
	plan.started = true;
	setup(&f, &plan);
	assert_true(f.judgement.order_used && !f.judgement.order_blocked);
	assert_int_equal(f.all.n_reported, 2);
	assert_int_equal(find(&f, "o0")->verdict, VERDICT_REGRESSED);
	assert_int_equal(find(&f, "o1")->verdict, VERDICT_REGRESSED);
	assert_true(fabs(find(&f, "o0")->runs->effect[FEATURE_SHIFT].value - 0.3) < 0.12);
	teardown(&f);
}

static void one_run_a_side_cannot_be_judged(void **state)
{
	(void)state;
	assert_true(runs_can_judge(2, 2));
	assert_false(runs_can_judge(1, 5));
	assert_false(runs_can_judge(5, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_found_and_nothing_else),
		cmocka_unit_test(no_change_raises_few_alarms),
		cmocka_unit_test(small_noise_proves_the_same),
		cmocka_unit_test(a_minimum_effect_is_asked_for),
		cmocka_unit_test(calls_are_judged_too),
		cmocka_unit_test(the_common_mode_is_taken_off),
		cmocka_unit_test(drift_is_found),
		cmocka_unit_test(verdicts_turn_with_the_sides),
		cmocka_unit_test(the_order_of_runs_does_not_matter),
		cmocka_unit_test(new_ones_are_in_half_of_the_runs),
		cmocka_unit_test(units_buckets_and_gaps_are_bridged),
		cmocka_unit_test(moments_are_judged_by_means),
		cmocka_unit_test(sequential_looks_share_the_error),
		cmocka_unit_test(calls_that_fill_a_time_are_not_judged),
		cmocka_unit_test(a_drift_is_no_change),
		cmocka_unit_test(a_change_is_found_in_spite_of_a_drift),
		cmocka_unit_test(one_run_a_side_cannot_be_judged),
	};

	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
