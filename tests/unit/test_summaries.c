/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints of an operation that have no histogram, alone and between others that have one. */
#include "tests/unit/building.h"

/* Of five prints the first, the third and the fourth have summary statistics alone: they are in no
 * interval, but in the sums, and the last print is the last. */
static void prints_of_moments_are_added_up(void **state)
{
	(void)state;
	for (int cumulative = 0; cumulative < 2; cumulative++) {
		struct building t = { .options = { .snapshots = cumulative ? SNAPSHOTS_CUMULATIVE
									   : SNAPSHOTS_DELTA } };
		struct builder *b = begin(&t, "");
		const struct operation *op;
		struct profile *p;

		for (uint64_t k = 1; k <= 5; k++) {
			build_next_interval(b, NAN);
			operation(b, "read");
			if (k == 2 || k == 5)
				counts(b, &k, 1); /* in [1, 2) */
			assert_true(build_count(b, k, nowhere));
			if (k != 3)
				assert_true(build_total(b, decimal_from_u64(k), nowhere));
			build_max(b, k == 4 ? 9 : 1);
		}
		p = finish(&t);
		op = &p->op[0];
		assert_int_equal(op->n_intervals, 2);
		assert_int_equal(op->interval[0].start, 1);
		assert_int_equal(op->interval[1].start, 4);
		assert_int_equal(op->stated.count, cumulative ? 5 : 15);
		assert_true(op->stated.max == (cumulative ? 1 : 9));
		assert_int_equal(op->stated.has_total, cumulative);
		profile_free(p);
	}
}

static void sums_of_moments_have_to_fit(void **state)
{
	const struct decimal largest = total_of("170000000000000000000000000000");

	(void)state;
	for (int total = 0; total < 2; total++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");

		for (int k = 0; k < 4; k++) {
			build_next_interval(b, NAN);
			operation(b, "read");
			assert_true(build_count(b, total || k != 1 ? 1 : UINT64_MAX, nowhere));
			if (total)
				assert_true(build_total(b, largest, nowhere));
		}
		build_snapshots(b, SNAPSHOTS_DELTA);
		finish_with(&t, total ? DIAG_TOTAL_OVERFLOW : DIAG_COUNT_OVERFLOW);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_of_moments_are_added_up),
		cmocka_unit_test(sums_of_moments_have_to_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
