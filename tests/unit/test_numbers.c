/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in and out: scanned and written. */
#include "tests/unit/unit.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/scan.h"
#include "base/word.h"

/* --- whole numbers ----------------------------------------------------------------- */

/* With any byte after the digits, those that carry included. */
static void a_word_of_digits_is_the_number_that_was_printed(void **state)
{
	struct rng r = rng_start(47);

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char text[WORD_BYTES + 1];
		uint64_t v = 77, number = rng_u64(&r) % 100000000;
		unsigned min = rng_below(&r, WORD_BYTES + 1), n;

		while (rng_below(&r, 3) > 0)
			number /= 10;
		n = (unsigned)snprintf(text, sizeof(text), "%0*" PRIu64, (int)min, number);
		if (rng_below(&r, 16) == 0)
			n = 0;
		for (unsigned k = n; k < WORD_BYTES; k++)
			text[k] = (char)rng_below(&r, 256);
		if (n < WORD_BYTES && is_digit(text[n]))
			text[n] = "/:\n \xff\xfa\x80"[rng_below(&r, 7)];
		assert_int_equal(word_digits(word_load(text), &v), n);
		assert_true(v == (n > 0 ? number : 77));
		for (unsigned k = 1; k <= WORD_BYTES; k++)
			assert_int_equal(word_first_number(word_load(text), k, &v), k <= n);
		if (n > 0) {
			assert_true(word_first_number(word_load(text), n, &v));
			assert_true(v == number);
		}
	}
}

static void u64_takes_all_of_its_range_and_nothing_else(void **state)
{
	uint64_t v = 5;

	(void)state;
	assert_int_equal(number_u64(STR("18446744073709551615"), &v), NUMBER_OK);
	assert_true(v == UINT64_MAX);
	assert_int_equal(number_u64(STR("000000000000000000000000000012"), &v), NUMBER_OK);
	assert_int_equal(v, 12);
	assert_int_equal(number_u64(STR("18446744073709551616"), &v), NUMBER_TOO_LARGE);
	/* 2^64 + 2^64/10 and the like wrap to small values: still too large. */
	assert_int_equal(number_u64(STR("184467440737095516160"), &v), NUMBER_TOO_LARGE);
	assert_int_equal(number_u64(STR("99999999999999999999999999"), &v), NUMBER_TOO_LARGE);
	assert_int_equal(number_u64(STR("99999999999999999999999x"), &v), NUMBER_NONE);
	assert_int_equal(number_u64(STR(""), &v), NUMBER_NONE);
	assert_int_equal(number_u64(STR("-1"), &v), NUMBER_NONE);
	assert_int_equal(number_u64(STR("+1"), &v), NUMBER_NONE);
	assert_int_equal(number_u64(STR("0x10"), &v), NUMBER_NONE);
	assert_int_equal(number_u64(STR("1 "), &v), NUMBER_NONE);
	assert_int_equal(v, 12);
}

static void expect_int(const char *text, bool ok, int value)
{
	struct input in = input_of(text);
	struct cursor c = cursor_on(&in);
	int v = 5;

	assert_int_equal(scan_int(&c, &v), ok);
	assert_int_equal(v, ok ? value : 5);
	assert_int_equal(cursor_done(&c), ok);
}

static void int_is_limited_on_both_sides(void **state)
{
	(void)state;
	expect_int("2147483647", true, 2147483647);
	expect_int("-2147483647", true, -2147483647);
	expect_int("-0", true, 0);
	expect_int("2147483648", false, 0);
	expect_int("-2147483649", false, 0);
	expect_int("18446744073709551615", false, 0);
}

static void u64_goes_out_and_in(void **state)
{
	struct rng r = rng_start(2);
	struct out *o = out_to_memory();
	char text[32];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t v = rng_u64(&r) >> rng_below(&r, 64), back;

		out_u64(o, v);
		(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
		assert_int_equal(number_u64(out_memory(o), &back), NUMBER_OK);
		assert_true(back == v);
		assert_out(o, text);
	}
	out_free(o);
}

/* --- doubles in ---------------------------------------------------------------------- */

static void f64_reads_what_strtod_reads(void **state)
{
	static const char *const text[] = { "0",
					    "0.5",
					    ".5",
					    "5.",
					    "-1e3",
					    "+2",
					    "1E2",
					    "1e-2",
					    "4.9e-324",
					    "1e-400",
					    "007",
					    "1e308",
					    "inf",
					    "-inf",
					    "123456789012345678901234567890",
					    "0.00000000000000000000000000000000001",
					    "0.00000000000000000000000000000",
					    "-0.000000000000000000000000123e3" };
	double v;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(text); i++) {
		assert_int_equal(number_f64(str_from(text[i]), &v), NUMBER_OK);
		assert_true(v == strtod(text[i], NULL));
	}
}

static void f64_refuses_what_only_strtod_takes(void **state)
{
	static const char *const text[] = { "",	  "0x10", "nan", "1,5",	     " 1",
					    "1 ", "e5",	  ".",	 "1e",	     "1e+",
					    "-",  "+-1",  "1_0", "INFINITY", "1f" };
	double v = 5;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(text); i++) {
		assert_int_equal(number_f64(str_from(text[i]), &v), NUMBER_NONE);
		assert_true(v == 5);
	}
	assert_int_equal(number_f64(STR("1e309"), &v), NUMBER_TOO_LARGE);
	assert_int_equal(number_f64(STR("-1e309"), &v), NUMBER_TOO_LARGE);
	assert_true(v == 5);
}

static void f64_stops_before_an_exponent_that_is_none(void **state)
{
	struct input in = input_of("1.5e+x");
	struct cursor c = cursor_on(&in);
	double v;

	(void)state;
	assert_true(scan_f64(&c, &v) && v == 1.5);
	assert_str(cursor_rest(&c), "e+x");
}

static void a_number_of_a_thousand_digits_is_none(void **state)
{
	static char digits[1001];
	uint64_t u;
	double v;

	(void)state;
	memset(digits, '9', 1000);
	assert_int_not_equal(number_f64(str_from(digits), &v), NUMBER_OK);
	assert_int_equal(number_u64(str_from(digits), &u), NUMBER_TOO_LARGE);
}

/* Short numbers are read without strtod(): never a bit apart from it. */
static void short_numbers_are_read_as_strtod_does(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 200000; round++) {
		char text[40];
		size_t n = 0, digits;
		struct cursor c;
		struct input in;
		double v;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		digits = 1 + (seed >> 60);
		if ((seed >> 40) % 5 == 0)
			text[n++] = '-';
		for (size_t i = 0; i < digits; i++) {
			if (i == (seed >> 50) % 18)
				text[n++] = '.';
			text[n++] = (char)('0' + (seed >> (i * 3)) % 10);
		}
		text[n] = '\0';
		assert_int_equal(number_f64((struct str){ text, n }, &v), NUMBER_OK);
		assert_true(v == strtod(text, NULL));
		in = input_of(text);
		c = cursor_on(&in);
		v = 5;
		/* Those that are not begun by a digit, or are long, are for others. */
		assert_int_equal(scan_short_f64(&c, &v), is_digit(text[0]) && n <= 15);
		assert_true(c.at == 0 ? v == 5 : c.at == n && v == strtod(text, NULL));
	}
}

/* Of a small number the zeros in front are no digits: up to 27 places after the point. */
static void small_numbers_are_read_as_strtod_does(void **state)
{
	static const char zeros[] = "0.00000000000000000000000";
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		char text[60];
		double v;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		(void)snprintf(text, sizeof(text), "%s%.*s%" PRIu64, round % 2 ? "" : "-",
			       2 + (int)(seed % (sizeof(zeros) - 3)), zeros,
			       seed >> (seed >> 8) % 60);
		assert_int_equal(number_f64(str_from(text), &v), NUMBER_OK);
		if (v != strtod(text, NULL))
			fail_msg("%s", text);
	}
}

/* --- doubles out ---------------------------------------------------------------------- */

static double read_back(struct out *o)
{
	char text[400];
	struct str s = out_memory(o);

	assert_true(s.n > 0 && s.n < sizeof(text));
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	out_reset(o);
	return strtod(text, NULL);
}

/* Doubles of all exponents; decimals of few digits; products that need all digits. */
static double some_double(struct rng *r)
{
	switch (rng_below(r, 4)) {
	case 0:
		return rng_f64(r);
	case 1:
		return (double)rng_below(r, 1000000) / 1000;
	case 2:
		return (double)(rng_u64(r) >> rng_below(r, 64)) * 1e-9;
	default:
		return ldexp((double)rng_u64(r), -(int)rng_below(r, 90));
	}
}

static void f64_reads_back_the_same(void **state)
{
	struct rng r = rng_start(3);
	struct out *o = out_to_memory();

	(void)state;
	for (int i = 0; i < 200000; i++) {
		double v = some_double(&r);

		out_f64(o, v);
		if (read_back(o) != v)
			fail_msg("%.17g reads back as another", v);
	}
	out_free(o);
}

/* What needs 16 or 17 digits is written as printf() does, those near powers of two and of ten
 * among them. */
static void f64_of_many_digits_is_as_printf_has_it(void **state)
{
	struct rng r = rng_start(5);
	struct out *o = out_to_memory();
	char text[40];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		double v = i % 4 == 0	? some_double(&r)
			   : i % 4 == 1 ? ldexp(1, (int)rng_below(&r, 100) - 50)
			   : i % 4 == 2
				   ? pow(10, (int)rng_below(&r, 40) - 20)
				   : (double)rng_u64(&r) / (double)(1 + rng_u64(&r) % 1000000000);
		int digits = 15;

		for (unsigned steps = rng_below(&r, 3); i % 4 != 0 && steps > 0; steps--)
			v = nextafter(v, (i & 8) != 0 ? 0 : HUGE_VAL);
		(void)snprintf(text, sizeof(text), "%.*g", digits, v);
		if (v == floor(v) || strtod(text, NULL) == v)
			continue; /* these are written without an exponent */
		do
			(void)snprintf(text, sizeof(text), "%.*g", ++digits, v);
		while (digits < 17 && strtod(text, NULL) != v);
		out_f64(o, v);
		assert_out(o, text);
	}
	out_free(o);
}

static size_t n_digits(struct str s)
{
	size_t n = 0, zeros = 0;

	for (size_t i = 0; i < s.n && s.p[i] != 'e'; i++) {
		if (s.p[i] == '0' && n == 0)
			continue;
		if (s.p[i] >= '0' && s.p[i] <= '9') {
			n++;
			zeros = s.p[i] == '0' ? zeros + 1 : 0;
		}
	}
	return n - zeros;
}

/* By trying: no rounding to fewer digits reads back as the same. */
static void f64_has_no_digit_too_many(void **state)
{
	struct rng r = rng_start(4);
	struct out *o = out_to_memory();
	char text[40];

	(void)state;
	for (int i = 0; i < 50000; i++) {
		double v = i % 2 ? some_double(&r)
				 : (double)rng_below(&r, 100000) *
					   pow(10, (int)rng_below(&r, 600) - 310);
		int digits;

		out_f64(o, v);
		digits = (int)n_digits(out_memory(o));
		if (digits > 1) {
			(void)snprintf(text, sizeof(text), "%.*e", digits - 2, v);
			if (strtod(text, NULL) == v)
				fail_msg("%.*s could be %s", STR_ARG(out_memory(o)), text);
		}
		out_reset(o);
	}
	out_free(o);
}

static void expect_as_strtod(const char *text)
{
	double v;

	if (number_f64(str_from(text), &v) != NUMBER_OK)
		fail_msg("%s is a number", text);
	if (v != strtod(text, NULL) || signbit(v) != signbit(strtod(text, NULL)))
		fail_msg("%s is read as %a", text, v);
}

/* Digits of every number, the point at every place, with an exponent and without. */
static void numbers_are_read_as_by_strtod(void **state)
{
	enum { MAX = 24 };
	struct rng r = rng_start(11);

	(void)state;
	for (int i = 0; i < 200000; i++) {
		size_t n = 1 + rng_below(&r, MAX), point = rng_below(&r, (unsigned)n + 1), at = 0;
		char text[MAX + 10];

		if (rng_below(&r, 4) == 0)
			text[at++] = '-';
		for (size_t k = 0; k < n; k++) {
			if (k == point)
				text[at++] = '.';
			text[at++] = (char)('0' + rng_below(&r, i % 3 == 0 ? 2 : 10));
		}
		text[at] = '\0';
		if (i % 2 == 0)
			(void)snprintf(text + at, sizeof(text) - at, "e%d",
				       (int)rng_below(&r, 80) - 40);
		expect_as_strtod(text);
	}
}

/* Half-way between two doubles, and as near to it as digits go. */
static void ties_are_read_as_by_strtod(void **state)
{
	static const char *const fractions[] = { ".124", ".125", ".126", ".374", ".375", ".376",
						 ".624", ".625", ".626", ".874", ".875", ".876" };
	struct rng r = rng_start(12);
	char text[40];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t whole = (UINT64_C(1) << 50) + (rng_u64(&r) >> 14);

		for (size_t k = 0; k < COUNT_OF(fractions); k++) {
			(void)snprintf(text, sizeof(text), "%llu%s", (unsigned long long)whole,
				       fractions[k]);
			expect_as_strtod(text);
		}
	}
}

static void f64_of_numbers_that_people_write(void **state)
{
	struct out *o = out_to_memory();
	static const struct {
		double v;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.5, "-0.5" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1e15, "1000000000000000" },
		{ 9007199254740993.0, "9007199254740992" }, /* 2^53: a tie, to even */
		{ 1e22, "1e+22" },
		{ 5e-324, "5e-324" },
		{ 1.1e-10, "1.1e-10" },
		{ 9.1e-10, "9.1e-10" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ HUGE_VAL, "inf" },
		{ -HUGE_VAL, "-inf" },
		{ NAN, "nan" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		out_f64(o, rows[i].v);
		assert_out(o, rows[i].text);
	}
	out_free(o);
}

/* Half a unit of the last digit, and a little for the product inside. */
static void digits_are_rounded_to_the_nearest(void **state)
{
	struct rng r = rng_start(5);
	struct out *o = out_to_memory();

	(void)state;
	for (int i = 0; i < 200000; i++) {
		double v = some_double(&r), back;
		int digits = 1 + (int)rng_below(&r, 15);

		if (fabs(v) < 1e-300 || fabs(v) > 1e300)
			continue;
		out_digits(o, v, digits);
		back = read_back(o);
		if (fabs(back - v) >
		    0.5 * pow(10, floor(log10(fabs(v))) + 1 - digits) + fabs(v) * 4e-16)
			fail_msg("%.17g to %d digits: %.17g", v, digits, back);
	}
	out_free(o);
}

static void digits_by_hand(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	out_digits(o, 2.0 / 3, 4);
	assert_out(o, "0.6667");
	out_digits(o, 9.9996, 4);
	assert_out(o, "10");
	out_digits(o, -0.00012344, 3);
	assert_out(o, "-0.000123");
	out_digits(o, 123456, 2); /* whole numbers stay whole */
	assert_out(o, "123456");
	out_digits(o, -HUGE_VAL, 3);
	assert_out(o, "-inf");
	out_free(o);
}

static void expect_as_printf(struct out *o, double v, int decimals)
{
	char text[400];

	(void)snprintf(text, sizeof(text), "%.*f", decimals, v);
	out_decimals(o, v, decimals);
	assert_out(o, text);
}

/* Eighths are ties of two decimals, which go to the even digit. */
static void decimals_are_those_of_printf(void **state)
{
	struct rng r = rng_start(6);
	struct out *o = out_to_memory();

	(void)state;
	for (int i = -1000; i < 1000; i++) {
		for (int decimals = 0; decimals < 5; decimals++)
			expect_as_printf(o, i / 8.0, decimals);
	}
	for (int i = 0; i < 200000; i++) {
		double size = pow(10, (double)rng_below(&r, 24) - 6);

		expect_as_printf(o, ((double)rng_below(&r, 1 << 30) / (1 << 29) - 1) * size,
				 (int)rng_below(&r, 4));
	}
	expect_as_printf(o, -0.0, 2);
	expect_as_printf(o, 999999999999999.9, 3);
	expect_as_printf(o, DBL_MAX, 1);
	out_decimals(o, -HUGE_VAL, 1);
	assert_out(o, "-inf");
	out_free(o);
}

static void a_comma_locale_changes_nothing(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE" };
	const char *set = NULL;
	struct out *o;
	double v = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names) && set == NULL; i++)
		set = setlocale(LC_ALL, names[i]);
	if (set == NULL)
		skip();
	o = out_to_memory();
	out_f64(o, 0.5);
	out_char(o, ' ');
	out_f64(o, 0.1 + 0.2);
	out_char(o, ' ');
	out_digits(o, 1.25e-30, 3);
	out_char(o, ' ');
	out_decimals(o, 1.5, 2);
	out_decimals(o, 0.25, 4);
	assert_int_equal(number_f64(STR("1.5e1"), &v), NUMBER_OK);
	(void)setlocale(LC_ALL, "C");
	assert_out(o, "0.5 0.30000000000000004 1.25e-30 1.500.2500");
	assert_true(v == 15);
	out_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_of_digits_is_the_number_that_was_printed),
		cmocka_unit_test(short_numbers_are_read_as_strtod_does),
		cmocka_unit_test(u64_takes_all_of_its_range_and_nothing_else),
		cmocka_unit_test(int_is_limited_on_both_sides),
		cmocka_unit_test(u64_goes_out_and_in),
		cmocka_unit_test(f64_reads_what_strtod_reads),
		cmocka_unit_test(f64_refuses_what_only_strtod_takes),
		cmocka_unit_test(f64_stops_before_an_exponent_that_is_none),
		cmocka_unit_test(a_number_of_a_thousand_digits_is_none),
		cmocka_unit_test(small_numbers_are_read_as_strtod_does),
		cmocka_unit_test(f64_reads_back_the_same),
		cmocka_unit_test(f64_of_many_digits_is_as_printf_has_it),
		cmocka_unit_test(f64_has_no_digit_too_many),
		cmocka_unit_test(numbers_are_read_as_by_strtod),
		cmocka_unit_test(ties_are_read_as_by_strtod),
		cmocka_unit_test(f64_of_numbers_that_people_write),
		cmocka_unit_test(digits_are_rounded_to_the_nearest),
		cmocka_unit_test(digits_by_hand),
		cmocka_unit_test(decimals_are_those_of_printf),
		cmocka_unit_test(a_comma_locale_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
