/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include "analyze/representative.h"
#include "base/attr.h"

static void median_of_total_latency(void **state)
{
	struct profile *p[] = {
		made_profile("op read\n10 5\n"), made_profile("op read\n12 5\nop open\n4 1\n"),
		made_profile("op read\n11 5\n"), made_profile("op read\n9 5\n"),
		made_profile("op read\n11 5\n"),
	};
	const struct profile *run[COUNT_OF(p)];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(p); i++)
		run[i] = p[i];
	assert_int_equal(representative(run, 1), 0);
	assert_int_equal(representative(run, 2), 0);
	assert_int_equal(representative(run, 3), 2);
	assert_int_equal(representative(run, 4), 0);
	assert_int_equal(representative(run, 5), 2);
	for (size_t i = 0; i < COUNT_OF(p); i++)
		profile_free(p[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(median_of_total_latency) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
