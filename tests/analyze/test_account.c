/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of an operation, worked by hand. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/account.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/diag.h"
#include "tests/mean_alone.h"

struct fixture {
	struct profile *before, *after;
	struct arena *arena;
	struct ranking all;
	struct ranked_peaks peaks;
	struct diag diag;
};

static struct account report(struct fixture *f, const char *before, const char *after,
			     size_t runs_before, size_t runs_after)
{
	struct rank_side b, c;

	*f = (struct fixture){ .before = made_profile(before), .after = made_profile(after) };
	f->arena = arena_new();
	b = (struct rank_side){ f->before, totals_of(f->before), runs_before };
	c = (struct rank_side){ f->after, totals_of(f->after), runs_after };
	assert_true(rank(f->arena, &b, &c, &rank_rules_default, &f->all, &f->diag));
	f->peaks = rank_peaks(f->arena, &f->all.v[0], f->all.scale_after);
	return account_of(f->arena, &f->all, &f->all.v[0], &f->peaks, runs_before, runs_after);
}

static void release(struct fixture *f)
{
	arena_free(f->arena);
	profile_free(f->before);
	profile_free(f->after);
}

/* Nine of ten calls from bucket 8 to 15; over two runs, against one: numbers are those of a
 * run. */
static void calls_that_went_elsewhere(void **state)
{
	struct fixture f;
	struct account n =
		report(&f, "unit ns\nop x\n8 2000\n", "unit ns\nop x\n8 100\n15 900\n", 2, 1);

	(void)state;
	assert_int_equal(n.kind, ACCOUNT_PEAK);
	assert_int_equal(n.n_news, 2);
	assert_true(n.news[0].share == 0.9 && n.news[0].calls == 900 && !n.news[0].stayed);
	assert_true(n.news[0].before->low == 256 && n.news[0].after->low == 32768);
	assert_true(n.news[1].stayed && n.news[1].share == 0.1);
	assert_true(n.calls_before == 1000 && n.calls_after == 1000);
	assert_true(is_near(n.change, 900 * (32768 - 256) * mean_alone));
	assert_true(n.change_of_run == n.change);
	assert_true(is_near(n.mean_before, 256 * mean_alone));
	assert_true(is_near(n.mean_after, (0.1 * 256 + 0.9 * 32768) * mean_alone));
	release(&f);
}

/* 7 of 1,000 calls, twenty octaves beyond, are said first, though no larger number of calls
 * changed: they are all of the change. */
static void few_slow_calls_come_first(void **state)
{
	struct fixture f;
	struct account n =
		report(&f, "unit ns\nop x\n8 1000\n", "unit ns\nop x\n8 993\n28 7\n", 1, 1);

	(void)state;
	assert_int_equal(n.kind, ACCOUNT_PEAK);
	assert_int_equal(n.n_news, 1);
	assert_true(n.news[0].calls == 7 && n.news[0].share == 0.007);
	/* Too far for calls to have come from there. */
	assert_true(n.news[0].before == NULL && n.news[0].after->low == 268435456);
	release(&f);
}

/* The second line of each: where the peaks are the same, what is said is the mean, or the number
 * of calls, or nothing. */
static void calls_that_stayed(void **state)
{
	/* `same` matches, so that x and y are not taken for one operation that was renamed. */
	static const char *const before = "unit ns\nop x\ntotal 384000\n8 1000\n"
					  "op same\ntotal 384\n8 1\n";
	static const struct {
		const char *after;
		enum account_kind kind;
	} cases[] = {
		{ "unit ns\nop x\ntotal 422400\n8 1000\n", ACCOUNT_MEAN },
		{ "unit ns\nop x\ntotal 768000\n8 2000\n", ACCOUNT_CALLS },
		{ "unit ns\nop x\ntotal 385000\n8 1002\n", ACCOUNT_NOTHING },
		{ "unit ns\nop y\ntotal 385000\n8 1002\nop same\ntotal 384\n8 1\n", ACCOUNT_NEW },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture f;
		struct account n = report(&f, before, cases[i].after, 1, 1);

		if (cases[i].kind == ACCOUNT_NEW)
			assert_true(n.kind == ACCOUNT_NEW || n.kind == ACCOUNT_GONE);
		else
			assert_int_equal(n.kind, cases[i].kind);
		assert_int_equal(n.n_news, 0);
		release(&f);
	}
}

/* Six peaks that all move by three octaves: four are named. */
static void of_many_peaks_four_are_named(void **state)
{
	struct fixture f;
	struct account n =
		report(&f, "unit ns\nop x\n2 100\n8 100\n14 100\n20 100\n26 100\n32 100\n",
		       "unit ns\nop x\n5 100\n11 100\n17 100\n23 100\n29 100\n35 100\n", 1, 1);

	(void)state;
	assert_int_equal(n.n_news, 4);
	assert_int_equal(n.n_smaller, 2);
	assert_true(n.news[0].after->low == 0x1p35 && n.news[3].after->low == 0x1p17);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_went_elsewhere),
		cmocka_unit_test(few_slow_calls_come_first),
		cmocka_unit_test(calls_that_stayed),
		cmocka_unit_test(of_many_peaks_four_are_named),
	};

	return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
