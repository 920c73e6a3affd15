/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise of one configuration: floors, what makes runs unstable, replays, baselines. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/rank/noise.h"
#include "analyze/rank/policy.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input.h"
#include "base/out.h"
#include "formats/format.h"
#include "formats/general/osprof_write.h"
#include "profile/merge.h"
#include "profile/repeats.h"

enum { MAX_RUNS = 12 };

struct fixture {
	struct profile *run[MAX_RUNS], *sum;
	size_t n;
	struct arena *arena;
	struct noise noise;
	struct diag diag;
};

static const struct profile *const *runs_of(const struct fixture *f)
{
	return (const struct profile *const *)f->run;
}

static void measure(struct fixture *f, const struct rank_rules *rules, size_t max)
{
	struct runs_side side = { runs_of(f), f->n, false };

	f->arena = arena_new();
	f->sum = profile_merge(runs_of(f), f->n, &f->diag);
	assert_non_null(f->sum);
	assert_true(noise_measure(f->arena, &side, f->sum, rules, &runs_rules_default, max,
				  &f->noise, &f->diag));
}

static void teardown(struct fixture *f)
{
	for (size_t k = 0; k < f->n; k++)
		profile_free(f->run[k]);
	profile_free(f->sum);
	arena_free(f->arena);
}

/* One operation of which only summary statistics are known: nothing but its mean and its number of
 * calls is noisy, and with one operation no variance is shrunk. */
static void add_run(struct fixture *f, unsigned calls, unsigned mean)
{
	char text[100];

	(void)snprintf(text, sizeof(text), "unit ns\nop m\ncount %u\ntotal %u\n", calls,
		       calls * mean);
	f->run[f->n++] = made_profile(text);
}

static void of_means(struct fixture *f, const unsigned *mean, size_t n)
{
	*f = (struct fixture){ .n = 0 };
	for (size_t k = 0; k < n; k++)
		add_run(f, 1000, mean[k]);
}

/* --- floors ------------------------------------------------------------------------ */

/* SciPy: t.ppf(.975, 4) * std(x, ddof=1) * sqrt(1 + 1/5) and sqrt(1/2 + 1/3), with x
 * log2 of the means, and of the calls and a half. */
static void floors_are_as_scipy_has_them(void **state)
{
	const unsigned calls[] = { 1000, 1010, 990, 1020, 1005 };
	const unsigned mean[] = { 200, 210, 190, 230, 205 };
	struct fixture f = { .n = 0 };

	(void)state;
	for (size_t k = 0; k < COUNT_OF(mean); k++)
		add_run(&f, calls[k], mean[k]);
	measure(&f, &rank_rules_default, 100);
	assert_int_equal(f.noise.n, 1);
	assert_true(fabs(f.noise.v[0].one.mean - 0.3095626033187415) < 1e-9);
	assert_true(fabs(f.noise.v[0].halves.mean - 0.25796883609895127) < 1e-9);
	assert_true(fabs(f.noise.v[0].one.calls - 0.04879352332487849) < 1e-9);
	assert_true(isnan(f.noise.v[0].one.shift) && isnan(f.noise.v[0].one.tail));
	assert_true(floor_of_latency(&f.noise.v[0].one) == f.noise.v[0].one.mean);
	teardown(&f);
}

/* Three new runs against five: sqrt(1/5 + 1/3) in place of sqrt(1/5 + 1). */
static void floors_shrink_with_new_runs(void **state)
{
	const struct noise_floor one = { 0.3, NAN, 1.2, 0 };
	struct noise_floor three = floor_for_runs(&one, 5, 3);

	(void)state;
	assert_true(fabs(three.shift - 0.2) < 1e-12 && fabs(three.tail - 0.8) < 1e-12);
	assert_true(isnan(three.mean) && three.calls == 0);
	assert_true(floor_for_runs(&one, 5, 1).shift == one.shift);
}

/* A new run of mean 300 against the five, by SciPy: the t distribution of 4 degrees of
 * freedom, its standard error std(x, ddof=1) * sqrt(1 + 1/5). */
static void one_new_run_is_judged_by_prediction(void **state)
{
	const unsigned mean[] = { 200, 210, 190, 230, 205 };
	struct profile *new = made_profile("unit ns\nop m\ncount 1000\ntotal 300000\n");
	const struct profile *after = new;
	struct fixture f;
	struct ranking all;
	const struct replicate_stats *o;

	(void)state;
	of_means(&f, mean, COUNT_OF(mean));
	measure(&f, &rank_rules_default, 100);
	assert_true(rank(f.arena, &(struct rank_side){ f.sum, totals_of(f.sum), f.n },
			 &(struct rank_side){ new, totals_of(new), 1 }, &rank_rules_default, &all,
			 &f.diag));
	(void)runs_judge(f.arena, &(struct runs_side){ runs_of(&f), f.n, false },
			 &(struct runs_side){ &after, 1, false }, &rank_rules_default,
			 &runs_rules_default, NULL, &all);
	o = all.v[0].runs;
	assert_true(fabs(o->effect[FEATURE_MEAN].value - 0.5382331972515582) < 1e-9);
	assert_true(fabs(o->p - 0.008477431220104154) < 1e-9);
	assert_true(fabs(o->effect[FEATURE_MEAN].low - 0.30054074719314916) < 1e-9);
	assert_true(fabs(o->effect[FEATURE_MEAN].high - 0.7759256473099672) < 1e-9);
	assert_int_equal(all.v[0].verdict, VERDICT_REGRESSED);
	profile_free(new);
	teardown(&f);
}

/* --- why ----------------------------------------------------------------------------- */

static void check_why(const unsigned *mean, size_t n, enum instability why, size_t run)
{
	struct fixture f;

	of_means(&f, mean, n);
	measure(&f, &rank_rules_default, 10);
	assert_string_equal(instability_name(f.noise.v[0].why), instability_name(why));
	if (why == UNSTABLE_OUTLIER_RUN)
		assert_int_equal(f.noise.v[0].run, run);
	teardown(&f);
}

static void instability_is_named(void **state)
{
	const unsigned stable[] = { 2000, 2002, 1999, 2001, 2000, 1998, 2003, 2000 };
	const unsigned slow[] = { 2000, 2010, 1990, 2005, 1995, 3000, 2002, 1998 };
	const unsigned fast[] = { 2000, 2010, 1990, 2005, 1995, 2003, 2002, 1000 };
	const unsigned two[] = { 2000, 3010, 1990, 3005, 2995, 2003, 3002, 2001 };
	const unsigned drift[] = { 2000, 2100, 2200, 2350, 2400, 2560, 2700, 2800 };
	const unsigned noisy[] = { 2000, 2500, 2200, 2800, 2100, 2650, 2300, 2400 };

	(void)state;
	check_why(stable, COUNT_OF(stable), STABLE, 0);
	check_why(slow, COUNT_OF(slow), UNSTABLE_OUTLIER_RUN, 5);
	check_why(fast, COUNT_OF(fast), UNSTABLE_OUTLIER_RUN, 7);
	check_why(two, COUNT_OF(two), UNSTABLE_TWO_GROUPS, 0);
	check_why(drift, COUNT_OF(drift), UNSTABLE_DRIFT, 0);
	check_why(noisy, COUNT_OF(noisy), UNSTABLE_NOISY, 0);
}

static void few_calls_are_said(void **state)
{
	struct fixture f = { .n = 0 };

	(void)state;
	for (unsigned k = 0; k < 4; k++)
		add_run(&f, 29 + k, 1000);
	measure(&f, &rank_rules_default, 10);
	assert_int_equal(f.noise.v[0].why, UNSTABLE_FEW_CALLS);
	teardown(&f);
}

static void calls_are_looked_at_too(void **state)
{
	struct fixture f = { .n = 0 };

	(void)state;
	for (unsigned k = 0; k < 8; k++)
		add_run(&f, k == 3 ? 1500 : 1000 + k, 1000);
	measure(&f, &rank_rules_default, 10);
	assert_int_equal(f.noise.v[0].why, UNSTABLE_OUTLIER_RUN);
	assert_int_equal(f.noise.v[0].about, ABOUT_CALLS);
	assert_int_equal(f.noise.v[0].run, 3);
	assert_true(fabs(f.noise.v[0].by - log2(1.5)) < 0.01);
	teardown(&f);
}

/* --- replays --------------------------------------------------------------------------- */

/* Three against three of six: 20 ways; three against two of five: 10. */
static void all_splits_are_replayed(void **state)
{
	const unsigned mean[] = { 2000, 2002, 1999, 2001, 2000, 1998 };
	struct fixture f;

	(void)state;
	for (size_t n = 3; n <= 6; n++) {
		const size_t ways[] = { 0, 6, 10, 20 };

		of_means(&f, mean, n);
		measure(&f, &rank_rules_default, 20);
		assert_int_equal(f.noise.one.n, n);
		assert_int_equal(f.noise.halves.n, ways[n - 3]);
		assert_int_equal(f.noise.halves.alarms[ALARM_ANY], 0);
		assert_int_equal(f.noise.one.alarms[ALARM_ANY], 0);
		teardown(&f);
	}
	of_means(&f, mean, 6);
	measure(&f, &rank_rules_default, 19);
	assert_int_equal(f.noise.halves.n, 19);
	assert_false(f.noise.halves.all);
	teardown(&f);
}

/* 2000 and 3000 by turns: of the 20 splits that which has all slow runs on one side, and
 * its mirror image, are alarms; only one of them is a regression. */
static void alarms_are_counted_by_gate(void **state)
{
	const unsigned two[] = { 2000, 3000, 2001, 3002, 1999, 2998 };
	char text[] = "operation m\n  fail improved\n";
	struct rank_rules rules = rank_rules_default;
	struct fixture f;
	struct policy *policy;
	struct input in;

	(void)state;
	input_borrow(&in, "policy", text, strlen(text));
	of_means(&f, two, COUNT_OF(two));
	policy = policy_read(&in, &f.diag);
	assert_non_null(policy);
	rules.policy = policy;
	measure(&f, &rules, 100);
	assert_int_equal(f.noise.halves.n, 20);
	assert_int_equal(f.noise.halves.alarms[ALARM_ANY], 2);
	assert_int_equal(f.noise.halves.alarms[ALARM_REGRESSED], 1);
	assert_int_equal(f.noise.halves.alarms[ALARM_POLICY], 1);
	assert_int_equal(f.noise.v[0].alarms[ALARM_ANY], 2);
	policy_free(policy);
	input_release(&in);
	teardown(&f);
}

/* --- baselines ---------------------------------------------------------------------------- */

static void write(const struct profile *p, struct out *o)
{
	struct diag diag = { 0 };

	out_reset(o);
	assert_true(osprof_write(p, o, &diag));
	out_char(o, '\0');
}

static struct profile *read_again(struct str text)
{
	struct read_options options = { .resolution = 0 };
	struct diag diag = { 0 };
	struct profile *p;
	struct input in;

	input_borrow(&in, "written", text.p, text.n - 1); /* without the NUL */
	p = format_read(format_by_name(STR("osprof")), &in, &options, &diag);
	assert_non_null(p);
	input_release(&in);
	return p;
}

/* Runs that lack operations, are in other buckets, and have other summary statistics: into a file,
 * out of it, and each is what it was on the buckets of all. */
static void runs_come_out_of_a_baseline_as_they_went_in(void **state)
{
	const char *const text[] = {
		"unit ns\nop a\ncount 5\ntotal 700\nmin 100\nmax 255\n6 2\n7 3\nop m\ncount 3\n",
		"unit ns\nop a\ntotal 300\n7 2\nop b\n3 1\n",
		"unit ns\nop m\ncount 4\ntotal 12\nop none\nunit us\ncount 0\n",
	};
	struct out *before = out_to_memory(), *after = out_to_memory();
	struct fixture f = { .n = 3 };
	struct profile *baseline, *again, *part[3];

	(void)state;
	for (size_t k = 0; k < 3; k++)
		f.run[k] = made_profile(text[k]);
	baseline = profile_of_runs(runs_of(&f), 3, &f.diag);
	assert_non_null(baseline);
	write(baseline, before);
	again = read_again(out_memory(before));
	write(again, after);
	assert_string_equal(out_memory(after).p, out_memory(before).p);
	profile_part(again, part);
	for (size_t k = 0; k < 3; k++) {
		write(f.run[k], before);
		write(part[k], after);
		assert_string_equal(out_memory(after).p, out_memory(before).p);
		profile_free(part[k]);
		profile_free(f.run[k]);
	}
	profile_free(again);
	profile_free(baseline);
	out_free(before);
	out_free(after);
}

/* A gate that asks for 0.07 octaves, of runs that vary by 0.31. */
static void gates_below_their_floor_are_found(void **state)
{
	const unsigned mean[] = { 200, 210, 190, 230, 205 };
	struct runs_judgement judged = { .rules = runs_rules_default, .n_before = 5, .n_after = 1 };
	struct replicate_stats over = { .tested = true };
	struct profile *baseline;
	struct ranking all;
	struct fixture f;

	(void)state;
	of_means(&f, mean, COUNT_OF(mean));
	measure(&f, &rank_rules_default, 10);
	baseline = profile_of_runs(runs_of(&f), f.n, &f.diag);
	assert_non_null(baseline);
	noise_store(&f.noise, baseline);
	assert_int_equal(baseline->baseline.replays, 5);
	assert_true(rank(f.arena, &(struct rank_side){ f.sum, totals_of(f.sum), f.n },
			 &(struct rank_side){ f.run[0], totals_of(f.run[0]), 1 },
			 &rank_rules_default, &all, &f.diag));
	all.v[0].runs = &over;
	assert_int_equal(noise_mark_below_floor(baseline, &rank_rules_default, &judged, &all), 1);
	assert_true(over.below_floor && fabs(over.floor.mean - 0.3095626033187415) < 1e-9);
	judged.rules.min_effect = 0.31;
	assert_int_equal(noise_mark_below_floor(baseline, &rank_rules_default, &judged, &all), 0);
	judged.rules.min_effect = 0.25;
	judged.n_after = 5;
	assert_int_equal(noise_mark_below_floor(baseline, &rank_rules_default, &judged, &all), 0);
	profile_free(baseline);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floors_are_as_scipy_has_them),
		cmocka_unit_test(floors_shrink_with_new_runs),
		cmocka_unit_test(one_new_run_is_judged_by_prediction),
		cmocka_unit_test(instability_is_named),
		cmocka_unit_test(few_calls_are_said),
		cmocka_unit_test(calls_are_looked_at_too),
		cmocka_unit_test(all_splits_are_replayed),
		cmocka_unit_test(alarms_are_counted_by_gate),
		cmocka_unit_test(runs_come_out_of_a_baseline_as_they_went_in),
		cmocka_unit_test(gates_below_their_floor_are_found),
	};

	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
