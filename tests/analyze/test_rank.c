/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/rank/rank.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"

struct fixture {
	struct profile *before, *after;
	struct arena *arena;
	struct ranking all;
	struct diag diag;
	bool ok;
};

static void setup_runs(struct fixture *f, const char *before, const char *after, size_t n_after,
		       const struct rank_rules *rules)
{
	struct rank_side b, c;

	*f = (struct fixture){ .before = made_profile(before), .after = made_profile(after) };
	f->arena = arena_new();
	b = (struct rank_side){ f->before, totals_of(f->before), 1 };
	c = (struct rank_side){ f->after, totals_of(f->after), n_after };
	f->ok = rank(f->arena, &b, &c, rules, &f->all, &f->diag);
}

static void setup(struct fixture *f, const char *before, const char *after,
		  const struct rank_rules *rules)
{
	setup_runs(f, before, after, 1, rules);
}

static void teardown(struct fixture *f)
{
	arena_free(f->arena);
	profile_free(f->before);
	profile_free(f->after);
}

static const struct ranked *find(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->all.n; i++) {
		const struct ranked *r = &f->all.v[i];
		const struct operation *op = ranked_operation(r);

		if (str_eq(op->name, str_from(name)))
			return r;
	}
	fail_msg("%s is not in the ranking", name);
	return NULL;
}

static const char *const one_process = "unit ns\n"
				       "op llseek\ntotal 2000000\n7 6000\n8 2000\n"
				       "op read\ntotal 8000000000\n19 3000\n20 5000\n"
				       "op open\ntotal 1000\n9 1\n";
static const char *const two_processes = "unit ns\n"
					 "op llseek\ntotal 2100000000\n7 4500\n8 1500\n20 2000\n"
					 "op read\ntotal 8100000000\n19 2900\n20 5100\n"
					 "op close\ntotal 900\n9 1\n";

static void the_papers_llseek_is_found(void **state)
{
	struct fixture f;
	const struct ranked *r;

	(void)state;
	setup(&f, one_process, two_processes, &rank_rules_default);
	assert_true(f.ok);
	assert_int_equal(f.all.n, 4);
	assert_int_equal(f.all.n_reported, 1);
	r = &f.all.v[0];
	assert_ptr_equal(r, find(&f, "llseek"));
	assert_int_equal(r->verdict, VERDICT_REGRESSED);
	assert_int_equal(find(&f, "read")->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(find(&f, "open")->verdict, VERDICT_GONE);
	assert_int_equal(find(&f, "close")->verdict, VERDICT_NEW);
	assert_false(find(&f, "close")->reported); /* too small a share */
	/* 1050 times the mean: log2 is 10.04. */
	assert_true(fabs(r->mean_octaves - log2(1050)) < 1e-9);
	teardown(&f);
}

static void verdicts_turn_with_the_sides(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, two_processes, one_process, &rank_rules_default);
	assert_int_equal(find(&f, "llseek")->verdict, VERDICT_IMPROVED);
	assert_int_equal(find(&f, "open")->verdict, VERDICT_NEW);
	teardown(&f);
}

/* One run a side never shows that nothing changed. */
static void a_run_is_not_shown_to_differ_from_itself(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, two_processes, two_processes, &rank_rules_default);
	assert_int_equal(f.all.n_reported, 0);
	for (size_t i = 0; i < f.all.n; i++) {
		assert_int_equal(f.all.v[i].verdict, VERDICT_INCONCLUSIVE);
		assert_true(f.all.v[i].score == 0);
	}
	teardown(&f);
}

/* Four times the mean, of 9 calls and of 9,000: few calls need a larger effect. */
static void few_calls_are_inconclusive(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "op few\ntotal 9000\n9 9\nop many\ntotal 9000000\n9 9000\n",
	      "op few\ntotal 36000\n11 9\nop many\ntotal 36000000\n11 9000\n",
	      &(struct rank_rules){ .metric = METRIC_EMD,
				    .min_effect = 0.7,
				    .small_sample = 7,
				    .min_calls = 0.2,
				    .min_shape = 0.5,
				    .threshold = NAN,
				    .threads = 1 });
	assert_int_equal(find(&f, "few")->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(find(&f, "many")->verdict, VERDICT_REGRESSED);
	teardown(&f);
}

static void more_calls_are_a_change(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "op stat\ntotal 512000\n8 1000\n9 1000\n",
	      "op stat\ntotal 1024000\n8 2000\n9 2000\n", &rank_rules_default);
	assert_int_equal(find(&f, "stat")->verdict, VERDICT_REGRESSED);
	assert_true(find(&f, "stat")->metric[METRIC_EMD] == 0);
	teardown(&f);
}

/* Twice as long a call, half the calls in the same time; a third runs on, as before. */
static void calls_that_fill_a_time_are_no_result(void **state)
{
	static const char *const before = "unit ns\nop x\nfixed-duration\ncount 10000\n"
					  "total 1000000\nop y\nfixed-duration\n"
					  "count 10000\ntotal 1000000\n";
	static const char *const after = "unit ns\nop x\nfixed-duration\ncount 5000\n"
					 "total 1000000\nop y\nfixed-duration\n"
					 "count 20000\ntotal 2000000\n";
	struct fixture f;

	(void)state;
	setup(&f, before, after, &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_REGRESSED);
	assert_true(find(&f, "x")->mean_octaves == 1);
	assert_true(isnan(find(&f, "x")->calls_octaves));
	assert_true(find(&f, "x")->compared_after == 2000000);
	assert_int_equal(find(&f, "y")->verdict, VERDICT_INCONCLUSIVE);
	assert_true(f.all.added == 1000000 && f.all.saved == 0);
	teardown(&f);
	setup_runs(&f, before, after, 4, &rank_rules_default);
	assert_true(ranked_change(&f.all, find(&f, "x")) == 1000000);
	teardown(&f);
}

/* The same total, spread to both sides: shape alone. */
/* A clock that comes in steps shows what is faster as 0; no ratio tells that. */
static void what_became_nothing_is_found(void **state)
{
	static const char *const some = "unit ms\nop queue\ngranularity 1\ntotal 1800\n"
					"buckets log2 1 from -20\n4 100\n"
					"op all\ntotal 4000\n5 100\n";
	static const char *const none = "unit ms\nop queue\ngranularity 1\ntotal 0\n"
					"buckets log2 1 from -20\nzero 100\n"
					"op all\ntotal 4000\n5 100\n";
	struct fixture f;

	(void)state;
	setup(&f, some, none, &rank_rules_default);
	assert_int_equal(find(&f, "queue")->verdict, VERDICT_IMPROVED);
	/* Each call took 18, and now less than 1. */
	assert_true(fabs(find(&f, "queue")->mean_octaves + log2(18)) < 1e-9);
	teardown(&f);
	setup(&f, none, some, &rank_rules_default);
	assert_int_equal(find(&f, "queue")->verdict, VERDICT_REGRESSED);
	teardown(&f);
}

static void what_is_no_longer_called_is_found(void **state)
{
	static const char *const some = "unit ns\nop a\ncount 500\ntotal 4000\n"
					"op b\ncount 9\ntotal 4000\n";
	static const char *const none = "unit ns\nop a\ncount 0\ntotal 0\n"
					"op b\ncount 9\ntotal 4000\n";
	struct fixture f;

	(void)state;
	setup(&f, some, none, &rank_rules_default);
	assert_int_equal(find(&f, "a")->verdict, VERDICT_IMPROVED);
	assert_true(find(&f, "a")->reported);
	teardown(&f);
	setup(&f, none, some, &rank_rules_default);
	assert_int_equal(find(&f, "a")->verdict, VERDICT_REGRESSED);
	assert_int_equal(find(&f, "b")->verdict, VERDICT_INCONCLUSIVE);
	teardown(&f);
}

static void a_changed_shape_is_said(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "op x\ntotal 3600000000\n13 100000\n14 100000\n",
	      "op x\ntotal 3600000000\n12 180000\n17 20000\n", &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_CHANGED_SHAPE);
	teardown(&f);
}

/* Half as many calls of 2 as there were of 1: the total is the same, as in a closed loop of
 * fixed duration, where the mean decides.  Where the mean stays, too few calls of too little
 * time do not matter, whichever way it drifts. */
static void a_load_that_is_kept_up_reports_by_its_mean(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "op x\ntotal 31000000\n10 20000\n", "op x\ntotal 31000000\n11 10000\n",
	      &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_REGRESSED);
	assert_true(find(&f, "x")->reported);
	assert_true(f.all.fixed_duration);
	teardown(&f);
	setup(&f, "op x\ntotal 31000000\n11 10000\n", "op x\ntotal 31000000\n10 20000\n",
	      &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_IMPROVED);
	teardown(&f);
	setup(&f, "op all\ntotal 9000000000\n20 6000\nop x\ntotal 100000000\n12 20000\n",
	      "op all\ntotal 9000000000\n20 6000\nop x\ntotal 120000000\n12 25000\n",
	      &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_INCONCLUSIVE);
	assert_false(find(&f, "x")->reported);
	teardown(&f);
}

/* The same EMD beyond its shift, 0.6 octaves, of 1,000 calls: 7 / sqrt(1000) more than the
 * minimum of 0.5 is wanted. */
static void a_shape_of_few_calls_is_inconclusive(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "op x\ntotal 18000000\n13 500\n14 500\n",
	      "op x\ntotal 18000000\n12 900\n17 100\n", &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_INCONCLUSIVE);
	teardown(&f);
}

/* 1,000 of 101,000 calls: 0.99 %. */
static void a_minimum_of_calls_is_a_share_of_all(void **state)
{
	static const double min_ops[] = { 0.009, 0.011 };
	struct rank_rules rules = rank_rules_default;
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(min_ops); i++) {
		rules.min_ops = min_ops[i];
		setup(&f, "op all\ntotal 60000000\n9 100000\nop some\ntotal 100000000\n16 1000\n",
		      "op all\ntotal 60000000\n9 100000\nop some\ntotal 400000000\n18 1000\n",
		      &rules);
		assert_int_equal(find(&f, "some")->reported, i == 0);
		teardown(&f);
	}
}

/* Ten runs after, added up: 48 of 848 ms a run where there were 12 of 812.  The minimum is
 * 0.5 % of a run, not of ten. */
static void runs_are_counted_out(void **state)
{
	struct fixture f;

	(void)state;
	setup_runs(&f, "op main\ntotal 800000000\n19 1000\nop x\ntotal 12000000\n13 1000\n",
		   "op main\ntotal 8000000000\n19 10000\nop x\ntotal 480000000\n15 10000\n", 10,
		   &rank_rules_default);
	assert_int_equal(find(&f, "x")->verdict, VERDICT_REGRESSED);
	assert_true(fabs(find(&f, "x")->mean_octaves - 2) < 1e-9);
	assert_int_equal(find(&f, "main")->verdict, VERDICT_INCONCLUSIVE);
	teardown(&f);
}

/* What is new is as far away as what has no bucket in common with its other side, by every
 * distance that has a largest value. */
static void new_operations_score_the_most(void **state)
{
	static const enum metric bounded[] = { METRIC_CHI_SQUARE_EFFECT, METRIC_JEFFREY,
					       METRIC_JENSEN_SHANNON,	 METRIC_MINKOWSKI_L1,
					       METRIC_MINKOWSKI_L2,	 METRIC_KS };
	struct rank_rules rules = rank_rules_default;
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bounded); i++) {
		rules.metric = bounded[i];
		setup(&f, "op moved\n5 100\n", "op moved\n20 100\nop new\n7 100\n", &rules);
		assert_true(find(&f, "moved")->score > 0.5);
		assert_true(fabs(find(&f, "new")->score - find(&f, "moved")->score) < 1e-12);
		teardown(&f);
	}
}

/* Numbers that are no times have no share in the run's latency, however small they are
 * beside it. */
static void values_need_no_share(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f,
	      "unit ns\nop sync\n39 100000\nop values\nunit plain\ntotal 3600000000\n13 100000\n14 "
	      "100000\n",
	      "unit ns\nop sync\n39 100000\nop values\nunit plain\ntotal 3600000000\n12 180000\n17 "
	      "20000\n",
	      &rank_rules_default);
	assert_int_equal(find(&f, "values")->verdict, VERDICT_CHANGED_SHAPE);
	assert_true(find(&f, "values")->reported);
	assert_false(find(&f, "sync")->reported);
	teardown(&f);
}

static void a_threshold_replaces_effects(void **state)
{
	struct rank_rules rules = rank_rules_default;
	struct fixture f;

	(void)state;
	rules.threshold = 0.5;
	setup(&f, "op a\ntotal 100000\n9 100\nop b\ntotal 100000\n9 100\n",
	      "op a\ntotal 120000\n10 100\nop b\ntotal 120000\n9 100\n", &rules);
	assert_true(find(&f, "a")->reported);  /* EMD 1 */
	assert_false(find(&f, "b")->reported); /* EMD 0 */
	teardown(&f);
}

static void units_are_reconciled_or_refused(void **state)
{
	struct fixture f;

	(void)state;
	/* 1 us against 1,000 ns: a total of 5 us both times. */
	setup(&f, "unit us\nop a\ntotal 5000\n0 5000\n", "unit ns\nop a\ntotal 5000000\n9 5000\n",
	      &rank_rules_default);
	assert_true(f.ok);
	assert_true(fabs(f.all.v[0].total_after - 5000) < 1e-6);
	assert_true(f.all.v[0].approximated);
	teardown(&f);
	setup(&f, "unit us\nop a\n0 5\n", "op a\n0 5\n", &rank_rules_default);
	assert_false(f.ok);
	assert_int_equal(f.diag.seen[SEV_ERROR], 1);
	teardown(&f);
	setup(&f, "unit cycles\nop a\n0 5\n", "unit ns\nop a\n0 5\n", &rank_rules_default);
	assert_false(f.ok);
	teardown(&f);
	/* 2 GHz: 2,000 cycles are 1,000 ns. */
	setup(&f, "unit cycles\nhz 2e9\nop a\ntotal 2000\n10 1\n",
	      "unit ns\nop a\ntotal 1000\n9 1\n", &rank_rules_default);
	assert_true(f.ok);
	assert_true(fabs(f.all.v[0].total_after - 2000) < 1e-6);
	teardown(&f);
}

/* Any number of threads, any order of operations: the same result. */
static void the_result_does_not_depend_on_threads(void **state)
{
	struct out *text = out_to_memory(), *turned = out_to_memory();
	struct rank_rules rules = rank_rules_default;
	struct fixture one, several;

	(void)state;
	out_text(text, "unit ns\n");
	out_text(turned, "unit ns\n");
	for (int i = 0; i < 3000; i++) {
		out_printf(text, "op o%d\n%d %d\n%d 7\n", i, 5 + i % 20, 10 + i, 30);
		out_printf(turned, "op o%d\n%d %d\n%d 7\n", 2999 - i, 5 + i % 17, 10 + i, 31);
	}
	out_char(text, '\0');
	out_char(turned, '\0');
	setup(&one, out_memory(text).p, out_memory(turned).p, &rules);
	rules.threads = 5;
	setup(&several, out_memory(text).p, out_memory(turned).p, &rules);
	assert_int_equal(one.all.n, 3000);
	for (size_t i = 0; i < one.all.n; i++) {
		assert_true(str_eq(one.all.v[i].before->name, several.all.v[i].before->name));
		assert_true(str_eq(one.all.v[i].before->name, one.all.v[i].after->name));
		assert_memory_equal(one.all.v[i].metric, several.all.v[i].metric,
				    sizeof(one.all.v[i].metric));
	}
	assert_true(one.all.added == several.all.added);
	teardown(&one);
	teardown(&several);
	out_free(text);
	out_free(turned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_llseek_is_found),
		cmocka_unit_test(verdicts_turn_with_the_sides),
		cmocka_unit_test(a_run_is_not_shown_to_differ_from_itself),
		cmocka_unit_test(few_calls_are_inconclusive),
		cmocka_unit_test(more_calls_are_a_change),
		cmocka_unit_test(calls_that_fill_a_time_are_no_result),
		cmocka_unit_test(what_became_nothing_is_found),
		cmocka_unit_test(what_is_no_longer_called_is_found),
		cmocka_unit_test(a_changed_shape_is_said),
		cmocka_unit_test(a_load_that_is_kept_up_reports_by_its_mean),
		cmocka_unit_test(a_shape_of_few_calls_is_inconclusive),
		cmocka_unit_test(a_minimum_of_calls_is_a_share_of_all),
		cmocka_unit_test(runs_are_counted_out),
		cmocka_unit_test(new_operations_score_the_most),
		cmocka_unit_test(values_need_no_share),
		cmocka_unit_test(a_threshold_replaces_effects),
		cmocka_unit_test(units_are_reconciled_or_refused),
		cmocka_unit_test(the_result_does_not_depend_on_threads),
	};

	return cmocka_run_group_tests_name("rank", tests, NULL, NULL);
}
