/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of a run went, worked out by hand. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/idle.h"
#include "analyze/rank/run_account.h"

static struct profile *run_of(const char *text)
{
	struct profile *p = made_profile(text);

	idle_mark(p, NULL);
	return p;
}

static struct run_account account_of(const char *text)
{
	struct profile *p = run_of(text);
	struct run_account a = run_account_of(p);

	profile_free(p);
	return a;
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("got %.17g, expected %.17g", got, want);
}

/* One thread, 2 s: 300 ms in read, 1.2 s asleep; the rest is the program's own. */
static void time_between_calls_is_the_rest(void **state)
{
	struct run_account a = account_of("unit ms\nelapsed 2\nop read\ncount 3\ntotal 300\n"
					  "op nanosleep\ncount 1\ntotal 1200\n");

	(void)state;
	near(a.elapsed, 2);
	near(a.busy, 0.3);
	near(a.waiting, 1.2);
	near(a.rest, 0.5);
	near(a.concurrency, 1);
	assert_false(a.concurrency_stated);
	assert_int_equal(a.source, ELAPSED_STATED);
}

/* Four clients have 8 s between them, and wait for answers in 6 of them. */
static void stated_clients_share_the_time(void **state)
{
	struct run_account a =
		account_of("unit s\nelapsed 2\nconcurrency 4\nop request\ncount 100\ntotal 6\n");

	(void)state;
	near(a.busy, 6);
	near(a.waiting, 0);
	near(a.rest, 2);
	near(a.concurrency, 4);
	assert_true(a.concurrency_stated);
}

/* 5 s of calls in 2 s: two and a half at a time, which leave nothing. */
static void clients_are_estimated_where_calls_overlap(void **state)
{
	struct run_account a = account_of("unit s\nelapsed 2\nop futex\ncount 10\ntotal 1\n"
					  "op read\ncount 10\ntotal 4\n");

	(void)state;
	near(a.busy, 4);
	near(a.waiting, 1);
	near(a.concurrency, 2.5);
	near(a.rest + 1, 1);
	assert_false(a.concurrency_stated);
}

/* Calls of 96 s do not fit into four clients' 8 s; 8.04 s do, as 8 s may have been rounded. */
static void calls_that_do_not_fit_leave_no_rest(void **state)
{
	(void)state;
	assert_true(isnan(
		account_of("unit s\nelapsed 2\nconcurrency 4\nop r\ncount 9\ntotal 96\n").rest));
	assert_true(
		account_of("unit s\nelapsed 2\nconcurrency 4\nop r\ncount 9\ntotal 8.04\n").rest ==
		0);
}

static void what_is_unknown_stays_unknown(void **state)
{
	struct run_account a = account_of("unit s\nop read\ncount 2\ntotal 3\n");
	struct run_account cycles =
		account_of("unit cycles\nelapsed 2\nop read\ncount 2\ntotal 3\n");

	(void)state;
	assert_true(isnan(a.elapsed) && isnan(a.concurrency) && isnan(a.rest));
	near(a.busy, 3);
	assert_int_equal(a.source, ELAPSED_UNKNOWN);
	near(cycles.elapsed, 2);
	assert_true(isnan(cycles.busy) && isnan(cycles.waiting) && isnan(cycles.rest));
	assert_true(isnan(cycles.concurrency));
}

static void a_side_is_the_mean_of_its_runs(void **state)
{
	struct profile *run[] = {
		run_of("unit s\nelapsed 2\nconcurrency 2\nop read\ncount 2\ntotal 3\n"),
		run_of("unit s\nelapsed 4\nconcurrency 2\nop read\ncount 2\ntotal 5\n"),
		run_of("unit s\nop read\ncount 2\ntotal 4\n"),
	};
	const struct profile *const *side = (const struct profile *const *)run;
	struct run_account two = run_account_mean(side, 2), three = run_account_mean(side, 3);

	(void)state;
	near(two.elapsed, 3);
	near(two.busy, 4);
	near(two.rest, 2); /* 1 and 3 */
	near(two.concurrency, 2);
	assert_true(two.concurrency_stated);
	assert_true(isnan(three.elapsed) && isnan(three.rest) && !three.concurrency_stated);
	near(three.busy, 4);
	assert_int_equal(three.source, ELAPSED_UNKNOWN);
	for (size_t i = 0; i < COUNT_OF(run); i++)
		profile_free(run[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_between_calls_is_the_rest),
		cmocka_unit_test(stated_clients_share_the_time),
		cmocka_unit_test(clients_are_estimated_where_calls_overlap),
		cmocka_unit_test(calls_that_do_not_fit_leave_no_rest),
		cmocka_unit_test(what_is_unknown_stays_unknown),
		cmocka_unit_test(a_side_is_the_mean_of_its_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
