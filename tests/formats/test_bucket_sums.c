/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts added up by bucket, compared with a plain array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/bucket_sums.h"

enum { BUCKETS = 100, ADDED = 20000 };

/* Seven is prime to the number of buckets: all come, neither ascending nor in pairs. */
static void sums_are_those_of_an_array(void **state)
{
	uint64_t expected[BUCKETS] = { 0 };
	struct bucket_sums s = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < ADDED; i++) {
		int index = (int)(7 * i % BUCKETS) - BUCKETS / 2;

		expected[index + BUCKETS / 2] += i;
		assert_true(bucket_sums_add(&s, index, i));
	}
	assert_true(s.cap < 4 * BUCKETS); /* memory goes by buckets */
	assert_true(bucket_sums_settle(&s));
	assert_int_equal(s.n, BUCKETS);
	for (size_t i = 0; i < s.n; i++) {
		assert_int_equal(s.at[i].index, (int)i - BUCKETS / 2);
		assert_int_equal(s.at[i].count, expected[i]);
	}
	bucket_sums_release(&s);
}

static void what_ascends_stays(void **state)
{
	struct bucket_sums s = { .n = 0 };

	(void)state;
	for (int i = 0; i < BUCKETS; i++)
		assert_true(bucket_sums_add(&s, 3 * i, (uint64_t)i));
	assert_true(bucket_sums_settle(&s));
	assert_int_equal(s.n, BUCKETS);
	for (int i = 0; i < BUCKETS; i++) {
		assert_int_equal(s.at[i].index, 3 * i);
		assert_int_equal(s.at[i].count, i);
	}
	bucket_sums_release(&s);
}

static void a_sum_may_be_full_but_no_more(void **state)
{
	struct bucket_sums s = { .n = 0 };

	(void)state;
	assert_true(bucket_sums_settle(&s)); /* none at all */
	assert_true(bucket_sums_add(&s, 5, UINT64_MAX - 1));
	assert_true(bucket_sums_add(&s, 5, 1));
	assert_true(bucket_sums_settle(&s));
	assert_int_equal(s.n, 1);
	assert_true(s.at[0].count == UINT64_MAX);
	assert_true(bucket_sums_add(&s, 5, 1));
	assert_false(bucket_sums_settle(&s));
	bucket_sums_release(&s);
}

static void add_all(struct bucket_sums *s, const struct bucket_sum *sum, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_true(bucket_sums_add(s, sum[i].index, sum[i].count));
	assert_true(bucket_sums_settle(s));
}

static void what_was_there_before_is_taken_away(void **state)
{
	static const struct bucket_sum before[] = { { -2, 3 }, { 0, 0 }, { 1, 4 }, { 6, 0 } };
	static const struct bucket_sum after[] = { { -2, 3 }, { -1, 5 }, { 1, 9 } };
	static const uint64_t left[] = { 0, 5, 5 };
	struct bucket_sums earlier = { .n = 0 }, later = { .n = 0 }, none = { .n = 0 };

	(void)state;
	add_all(&earlier, before, 4);
	add_all(&later, after, 3);
	assert_true(bucket_sums_subtract(&later, &earlier));
	assert_int_equal(later.n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(later.at[i].index, after[i].index);
		assert_int_equal(later.at[i].count, left[i]);
	}
	assert_true(bucket_sums_subtract(&later, &none));
	assert_int_equal(later.at[2].count, 5);
	bucket_sums_release(&earlier);
	bucket_sums_release(&later);
}

static void what_shrinks_stays_as_it_was(void **state)
{
	static const struct bucket_sum before[] = { { 1, 4 }, { 2, 1 } };
	static const struct bucket_sum less[] = { { 1, 9 }, { 2, 0 } };
	static const struct bucket_sum gone[] = { { 0, 7 }, { 1, 9 } };
	struct bucket_sums earlier = { .n = 0 }, later = { .n = 0 }, copy = { .n = 0 };

	(void)state;
	add_all(&earlier, before, 2);
	add_all(&later, less, 2);
	bucket_sums_copy(&copy, &later);
	assert_false(bucket_sums_subtract(&later, &earlier));
	assert_int_equal(later.n, copy.n);
	assert_memory_equal(later.at, copy.at, copy.n * sizeof(*copy.at));
	bucket_sums_clear(&later);
	add_all(&later, gone, 2);
	assert_false(bucket_sums_subtract(&later, &earlier));
	assert_int_equal(later.at[1].count, 9);
	bucket_sums_release(&earlier);
	bucket_sums_release(&later);
	bucket_sums_release(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_an_array),
		cmocka_unit_test(what_ascends_stays),
		cmocka_unit_test(a_sum_may_be_full_but_no_more),
		cmocka_unit_test(what_was_there_before_is_taken_away),
		cmocka_unit_test(what_shrinks_stays_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
