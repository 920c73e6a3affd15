/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact decimals: read, printed, added, multiplied. */
#include "tests/unit/unit.h"

#include <math.h>

#include "base/decimal.h"

static struct decimal decimal(const char *text)
{
	struct decimal d;

	if (!decimal_parse(str_from(text), &d))
		fail_msg("%s is a decimal", text);
	return d;
}

static void expect_printed(struct decimal d, const char *text)
{
	struct out *o = out_to_memory();

	decimal_print(o, d);
	assert_out(o, text);
	out_free(o);
}

static void decimals_by_hand(void **state)
{
	(void)state;
	expect_printed(decimal("-0.5"), "-0.5");
	expect_printed(decimal("000"), "0");
	expect_printed(decimal("-0"), "0");
	expect_printed(decimal("1."), "1");
	expect_printed(decimal(".5"), "0.5");
	expect_printed(decimal("0.000000001"), "0.000000001");
	expect_printed(decimal("-10.120000000000000"), "-10.12");
	expect_printed(decimal("7320153190"), "7320153190");
	expect_printed(decimal("170141183460469231731687303715"), "170141183460469231731687303715");
}

static void what_is_no_decimal_or_does_not_fit_is_refused(void **state)
{
	static const char *const text[] = {
		"",
		"-",
		".",
		"-.",
		"+1",
		"1e3",
		"1.2.3",
		" 1",
		"1 ",
		"0x1",
		"inf",
		"1,5",
		"--1",
		"1-",
		"0.1234567891",
		"170141183460469231731687303716", /* (2^127-1) / 1e9, rounded up */
		"999999999999999999999999999999999999",
	};
	struct decimal d = { 5 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(text); i++) {
		if (decimal_parse(str_from(text[i]), &d))
			fail_msg("%s was taken", text[i]);
		assert_true(d.billionths == 5);
	}
}

/* Text made by the test from digits it knows: what comes back is that text. */
static void random_decimals_print_as_they_were_written(void **state)
{
	struct rng r = rng_start(6);
	char text[64];

	(void)state;
	for (int i = 0; i < 50000; i++) {
		unsigned decimals = rng_below(&r, 10);
		int n = snprintf(text, sizeof(text), "%s%llu", rng_below(&r, 2) ? "-" : "",
				 (unsigned long long)(rng_u64(&r) >> rng_below(&r, 60)) + 1);

		if (decimals > 0) {
			text[n++] = '.';
			while (--decimals > 0)
				text[n++] = (char)('0' + rng_below(&r, 10));
			text[n++] = (char)('1' + rng_below(&r, 9)); /* no zero at the end */
			text[n] = '\0';
		}
		expect_printed(decimal(text), text);
	}
}

static void tenths_add_up_exactly(void **state)
{
	struct decimal sum;

	(void)state;
	assert_true(decimal_add(decimal("0.1"), decimal("0.2"), &sum));
	assert_true(decimal_eq(sum, decimal("0.3")));
	assert_false(0.1 + 0.2 == 0.3);
	assert_true(decimal_add(sum, decimal("-0.3"), &sum));
	expect_printed(sum, "0");
}

static void sums_and_products_past_the_range_are_refused(void **state)
{
	struct decimal max = decimal("170141183460469231731687303715"), d = { 5 };

	(void)state;
	assert_false(decimal_add(max, decimal("1"), &d));
	assert_false(decimal_add(decimal("-170141183460469231731687303715"), decimal("-1"), &d));
	assert_false(decimal_times(decimal("9223372036854775808"), UINT64_MAX, &d));
	/* 2^64-1 is too much as a signed number, not as a factor. */
	assert_true(decimal_times(decimal("2"), UINT64_MAX, &d));
	expect_printed(d, "36893488147419103230");
	assert_true(decimal_times(decimal("-0.5"), 3, &d));
	expect_printed(d, "-1.5");
}

static void integers_become_decimals_exactly(void **state)
{
	struct rng r = rng_start(7);
	char text[32];

	(void)state;
	expect_printed(decimal_from_u64(UINT64_MAX), "18446744073709551615");
	expect_printed(decimal_from_i64(INT64_MIN), "-9223372036854775808");
	for (int i = 0; i < 20000; i++) {
		uint64_t whole = rng_u64(&r) >> (11 + rng_below(&r, 50)); /* below 2^53 */
		struct decimal d;

		(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)whole);
		assert_true(decimal_from_f64((double)whole, &d));
		expect_printed(d, text);
		assert_true(decimal_f64(d) == (double)whole);
	}
}

/* Written with nine decimals by the C library: the same to the last one.  Odd
 * multiples of 1/1024 lie in the middle of two: 9765625 / 10 billionths. */
static void fractions_become_the_nearest_decimal(void **state)
{
	struct rng r = rng_start(8);
	char text[64];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double v = ldexp((double)(rng_u64(&r) >> 11), -(int)rng_below(&r, 70));
		struct decimal d;

		if (fmod(ldexp(v, 10), 2) == 1)
			continue;
		(void)snprintf(text, sizeof(text), "%.9f", v);
		assert_true(decimal_from_f64(v, &d));
		if (!decimal_eq(d, decimal(text)))
			fail_msg("%s", text);
	}
}

static void doubles_that_are_no_decimals_are_refused(void **state)
{
	struct decimal d = { 5 };

	(void)state;
	assert_false(decimal_from_f64(NAN, &d));
	assert_false(decimal_from_f64(HUGE_VAL, &d));
	assert_false(decimal_from_f64(-HUGE_VAL, &d));
	assert_false(decimal_from_f64(1e30, &d));
	assert_true(d.billionths == 5);
	assert_true(decimal_from_f64(-1e29, &d));
	assert_true(decimal_f64(d) == -1e29);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals_by_hand),
		cmocka_unit_test(what_is_no_decimal_or_does_not_fit_is_refused),
		cmocka_unit_test(random_decimals_print_as_they_were_written),
		cmocka_unit_test(tenths_add_up_exactly),
		cmocka_unit_test(sums_and_products_past_the_range_are_refused),
		cmocka_unit_test(integers_become_decimals_exactly),
		cmocka_unit_test(fractions_become_the_nearest_decimal),
		cmocka_unit_test(doubles_that_are_no_decimals_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
