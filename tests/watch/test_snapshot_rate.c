/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a snapshot is of more time, or of counters that were not cleared. */
#include "tests/unit/unit.h"

#include "watch/snapshot_rate.h"

/* 100 calls each second, `n` times; the last of them at second n - 1. */
static struct snapshot_rate steady(size_t n)
{
	struct snapshot_rate p = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		snapshot_rate_add(&p, (double)i, 100);
	return p;
}

static void late_snapshots(void **state)
{
	struct snapshot_rate p = steady(5);

	(void)state;
	/* 200 calls in 2 s are 100 a second; in 1 s the 100 new ones are. */
	assert_true(snapshot_rate_fits_all(&p, 6, 200, 100));
	assert_false(snapshot_rate_fits_all(&p, 5, 200, 100));
	/* Half a second late: between them 1.41 s, the geometric mean, divides. */
	assert_true(snapshot_rate_fits_all(&p, 5.5, 200, 100));
	assert_false(snapshot_rate_fits_all(&p, 5.4, 200, 100));
	/* Nothing new in a second is not what comes otherwise. */
	assert_true(snapshot_rate_fits_all(&p, 5, 100, 100));
}

static void other_rates(void **state)
{
	struct snapshot_rate p = steady(5);

	(void)state;
	/* The first one's second is not known: 100 calls each with weights 1, 0.75, 0.5625 and
	 * 0.421875, then 300. */
	snapshot_rate_add(&p, 5, 300);
	assert_float_equal(p.calls, 300 + 0.75 * (100 + 75 + 56.25 + 42.1875), 1e-9);
	assert_float_equal(p.seconds, 1 + 0.75 * (1 + 0.75 + 0.5625 + 0.421875), 1e-9);
	/* 165.5 a second: of 400 in 1 s, 300 of them old, rather the new ones alone. */
	assert_false(snapshot_rate_fits_all(&p, 6, 400, 300));
	assert_true(snapshot_rate_fits_all(&p, 7, 400, 300));
}

static void unknown_rates(void **state)
{
	struct snapshot_rate p = steady(1);

	(void)state;
	assert_false(snapshot_rate_is_known(&p));
	assert_false(snapshot_rate_fits_all(&p, 2, 200, 100));
	/* One second between two of them is what there is to go by. */
	p = steady(2);
	assert_true(snapshot_rate_is_known(&p) && !snapshot_rate_is_burst(&p, 3));
	assert_true(snapshot_rate_fits_all(&p, 3, 200, 100));
	assert_false(snapshot_rate_fits_all(&p, 2, 200, 100));
	p = steady(5);
	assert_true(snapshot_rate_is_burst(&p, 4.01));
	assert_false(snapshot_rate_fits_all(&p, 4.01, 200, 100));
	assert_false(snapshot_rate_fits_all(&p, 3, 200, 100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(late_snapshots),
		cmocka_unit_test(other_rates),
		cmocka_unit_test(unknown_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
