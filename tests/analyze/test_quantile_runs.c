/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes between repeated runs: Welch's t test, worked by hand. */
#include "analyze/quantile_runs.h"

#include <math.h>

#include "tests/unit/unit.h"

static const double before[] = { 1, 1.2, 0.9, 1.1, 1.3 }, after[] = { 2, 2.4, 1.7, 2.1 };

static void intervals_are_those_of_welch(void **state)
{
	struct log2_change c = log2_change_of(before, 5, after, 4);
	/* Means 1.1 and 2.05, variances of the means 0.025 / 5 and 0.083333 / 4, so the error is
	 * 0.1607275 with 4.421779 degrees of freedom.  The 95 % quantile of Student's t for these,
	 * by integrating its density with Simpson's rule, is 2.074741. */
	double half = 2.074741 * 0.1607275;

	(void)state;
	assert_true(fabs(c.change - 0.95) < 1e-12);
	assert_true(fabs(c.low - (0.95 - half)) < 1e-5);
	assert_true(fabs(c.high - (0.95 + half)) < 1e-5);
}

static void missing_values_are_left_out(void **state)
{
	double gaps[] = { NAN, 1, 1.2, 0.9, NAN, 1.1, 1.3 };
	struct log2_change all = log2_change_of(before, 5, after, 4);
	struct log2_change some = log2_change_of(gaps, 7, after, 4);

	(void)state;
	assert_true(all.low == some.low && all.high == some.high);
}

static void one_run_has_no_interval(void **state)
{
	struct log2_change c = log2_change_of(before, 1, after, 4);

	(void)state;
	assert_true(fabs(c.change - 1.05) < 1e-12);
	assert_true(isnan(c.low) && isnan(c.high));
	c = log2_change_of(NULL, 0, after, 4);
	assert_true(isnan(c.change));
}

static void equal_runs_have_an_interval_of_no_width(void **state)
{
	static const double same[] = { 3, 3, 3 };
	struct log2_change c = log2_change_of(same, 3, same, 3);

	(void)state;
	assert_true(c.change == 0 && c.low == 0 && c.high == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_are_those_of_welch),
		cmocka_unit_test(missing_values_are_left_out),
		cmocka_unit_test(one_run_has_no_interval),
		cmocka_unit_test(equal_runs_have_an_interval_of_no_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
