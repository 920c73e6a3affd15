/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of two sides as far as buckets tell, worked by hand, and limits to them. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/rank/policy.h"
#include "analyze/rank/quantiles.h"
#include "base/attr.h"
#include "base/diag.h"
#include "base/input/input.h"

static struct ranked ranked_of(const struct profile *p)
{
	return (struct ranked){ .before = &p->op[0], .after = &p->op[1], .scale_after = 1 };
}

/* Of 1000 calls before, the 500th lies in bucket 8, the 900th, too, the 990th in 12; after the
 * 500th in 9, the 900th in 9 and the 990th in 13, whose unit is half of that before. */
static void edges_of_the_buckets(void **state)
{
	struct profile *p = made_profile("op x\n8 900\n12 100\nop y\n9 989\n13 11\n");
	struct ranked r = ranked_of(p);
	struct quantile_change c[3];

	(void)state;
	r.scale_after = 0.5;
	quantiles_of(&r, &quantiles_default, c);
	assert_true(c[0].percent == 50 && c[1].percent == 90 && c[2].percent == 99);
	assert_true(c[0].before_low == 256 && c[0].before_high == 512);
	assert_true(c[0].after_low == 256 && c[0].after_high == 512);
	assert_true(c[1].before_low == 256 && c[1].before_high == 512);
	assert_true(c[2].before_low == 4096 && c[2].before_high == 8192);
	assert_true(c[2].after_low == 4096 && c[2].after_high == 8192);
	profile_free(p);
}

static void a_side_without_buckets(void **state)
{
	struct profile *p = made_profile("op x\n8 900\nop y\n9 989\n");
	struct ranked r = { .before = &p->op[0], .scale_after = 1 };
	struct quantile_change c[3];

	(void)state;
	quantiles_of(&r, &quantiles_default, c);
	assert_true(c[1].before_low == 256 && isnan(c[1].after_low) && isnan(c[1].after_high));
	assert_true(isnan(quantile_min_growth(&c[1])));
	profile_free(p);
}

/* From 256-512 to 512-1024 it may be the same; to 1024-2048 it is at least twice as high. */
static void the_most_favourable_reading(void **state)
{
	static const struct {
		double before_low, before_high, after_low, after_high, growth;
		bool exceeds; /* 10 % */
	} cases[] = {
		{ 256, 512, 512, 1024, 0, false },    { 256, 512, 1024, 2048, 1, true },
		{ 256, 512, 256, 512, -0.5, false },  { 1000, 1010, 1110, 1122, 0.1, false },
		{ 1000, 1010, 1112, 1122, .1, true }, { 256, HUGE_VAL, 1024, 2048, NAN, false },
		{ 0, 0, 1024, 2048, NAN, false },     { -4, -2, 1024, 2048, NAN, false },
	};
	const struct quantile_limit limit = { 99, 0.1, 1 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct quantile_change c = { 99, cases[i].before_low, cases[i].before_high,
					     cases[i].after_low, cases[i].after_high };
		double growth = quantile_min_growth(&c);

		assert_true(isnan(cases[i].growth) ? isnan(growth)
						   : fabs(growth - cases[i].growth) < 0.002);
		assert_int_equal(quantile_exceeds(&c, &limit), cases[i].exceeds);
	}
}

static void lists_of_the_command_line(void **state)
{
	static const char *const wrong[] = {
		"", "50,", "x", "-1", "101", "50;90", "1,2,3,4,5,6,7,8,9", "nan", "50 "
	};
	struct quantile_list l;

	(void)state;
	assert_true(quantiles_parse(STR("99.9,50,50,0"), &l));
	assert_int_equal(l.n, 3);
	assert_true(l.percent[0] == 0 && l.percent[1] == 50 && l.percent[2] == 99.9);
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_false(quantiles_parse(str_from(wrong[i]), &l));
}

static struct policy *policy_of(const char *text, struct diag *diag)
{
	struct input in;
	struct policy *p;

	input_borrow(&in, "test", (const uint8_t *)text, strlen(text));
	p = policy_read(&in, diag);
	input_release(&in);
	return p;
}

/* The section's limit replaces the general one of the same quantile, and leaves the others;
 * an operation that is not reported, and of which no verdict fails, fails by it. */
static void limits_of_a_policy(void **state)
{
	static const struct {
		const char *policy;
		size_t line; /* of the limit that fails; 0: none */
	} cases[] = {
		{ "max-p50 10%\n", 1 },
		{ "max-p50 100\n", 0 },
		{ "max-p50 99.9%\n", 1 },
		{ "max-p50 10%\noperation x\n  max-p50 200%\n", 0 },
		{ "max-p50 10%\noperation x\n  max-p99 200%\n", 1 },
		{ "operation x\n  fail none\n  max-p99 0%\n  max-p50 0\n", 3 },
		{ "operation other\n  max-p50 0\n", 0 },
		{ "operation x\n  max-p50 0\n  ignore\n", 0 },
	};
	struct profile *p = made_profile("op x\n8 1000\nop y\n8 300\n10 700\n");
	struct ranked r = ranked_of(p);
	struct diag diag = { .emit = NULL };

	(void)state;
	r.verdict = VERDICT_SAME;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct policy *policy = policy_of(cases[i].policy, &diag);
		struct ruling ruling;

		assert_non_null(policy);
		ruling = policy_ruling(policy, VERDICTS_REGRESSED, &r);
		assert_int_equal(ruling.failed, cases[i].line > 0);
		assert_int_equal(ruling.limit != NULL ? ruling.limit->line : 0, cases[i].line);
		policy_free(policy);
	}
	profile_free(p);
}

static void limits_that_are_none(void **state)
{
	static const char *const wrong[] = {
		"max-p 10\n",
		"max-p101 10\n",
		"max-pp 10\n",
		"max-p99\n",
		"max-p99 -1\n",
		"max-p99 x%\n",
		"max-p99 %\n",
		"max-p99 inf\n",
		"max-p99 1% 2\n",
		"max-p99 1\nmax-p99.0 2\n",
		("max-p1 1\nmax-p2 1\nmax-p3 1\nmax-p4 1\nmax-p5 1\nmax-p6 1\nmax-p7 1\nmax-p8 1\n"
		 "max-p9 1\n"),
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct diag diag = { .emit = NULL };

		assert_null(policy_of(wrong[i], &diag));
		assert_int_equal(diag.seen[SEV_ERROR], 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_of_the_buckets),
		cmocka_unit_test(a_side_without_buckets),
		cmocka_unit_test(the_most_favourable_reading),
		cmocka_unit_test(lists_of_the_command_line),
		cmocka_unit_test(limits_of_a_policy),
		cmocka_unit_test(limits_that_are_none),
	};

	return cmocka_run_group_tests_name("quantiles", tests, NULL, NULL);
}
