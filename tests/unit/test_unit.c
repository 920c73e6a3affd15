/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units, quantities in them, and lists of names. */
#include "tests/unit/unit.h"

#include <math.h>

#include "base/out.h"
#include "profile/names.h"
#include "profile/quantity.h"
#include "profile/unit.h"

/* What unit_name() says is read as the same; seconds are those of the SI. */
static void units_go_out_and_in(void **state)
{
	(void)state;
	for (enum unit u = UNIT_UNKNOWN; u <= UNIT_S; u++) {
		enum unit back = UNIT_PLAIN;

		assert_true(unit_parse(str_from(unit_name(u)), &back));
		assert_int_equal(back, u);
	}
}

static void spellings_of_collectors(void **state)
{
	static const struct {
		const char *text;
		enum unit unit;
	} rows[] = { { "nsecs", UNIT_NS },	  { "usecs", UNIT_US },	    { "msecs", UNIT_MS },
		     { "\xc2\xb5s", UNIT_US },	  { "\xce\xbcs", UNIT_US }, { "secs", UNIT_S },
		     { "microseconds", UNIT_US }, { "cycles", UNIT_CYCLES } };
	enum unit u;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_true(unit_parse(str_from(rows[i].text), &u));
		assert_int_equal(u, rows[i].unit);
	}
	u = UNIT_MS;
	assert_false(unit_parse(STR("m"), &u) || unit_parse(STR(""), &u) ||
		     unit_parse(STR("NS"), &u) || unit_parse(STR("nsx"), &u));
	assert_int_equal(u, UNIT_MS);
}

static void a_name_may_end_in_its_unit(void **state)
{
	static const struct {
		const char *name;
		enum unit unit;
	} rows[] = { { "read_us", UNIT_US },	  { "nsecs", UNIT_NS },
		     { "latency (ms)", UNIT_MS }, { "vfs.read-ns", UNIT_NS },
		     { "usecs", UNIT_US },	  { "start_s", UNIT_S },
		     { "s", UNIT_UNKNOWN },	  { "bonus", UNIT_UNKNOWN },
		     { "us_read", UNIT_UNKNOWN }, { "", UNIT_UNKNOWN },
		     { "_", UNIT_UNKNOWN },	  { "is_plain", UNIT_UNKNOWN },
		     { "usec_hist", UNIT_US },	  { "us_hist", UNIT_US },
		     { "nsecs_hist", UNIT_NS },	  { "wait_ms_histogram", UNIT_MS },
		     { "s_hist", UNIT_UNKNOWN },  { "_hist", UNIT_UNKNOWN },
		     { "hist", UNIT_UNKNOWN },	  { "us_histo", UNIT_UNKNOWN } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (unit_in_name(str_from(rows[i].name)) != rows[i].unit)
			fail_msg("%s is in %s", rows[i].name,
				 unit_name(unit_in_name(str_from(rows[i].name))));
	}
}

static void seconds_need_a_clock_for_cycles_only(void **state)
{
	double seconds = 7;

	(void)state;
	assert_true(unit_seconds(UNIT_MS, 0, &seconds) && seconds == 0.001);
	assert_true(unit_seconds(UNIT_CYCLES, 2e9, &seconds) && seconds == 5e-10);
	seconds = 7;
	assert_false(unit_seconds(UNIT_CYCLES, 0, &seconds));
	assert_false(unit_seconds(UNIT_PLAIN, 2e9, &seconds));
	assert_false(unit_seconds(UNIT_UNKNOWN, 2e9, &seconds));
	assert_true(seconds == 7);
	assert_true(unit_is_time(UNIT_S) && unit_is_time(UNIT_NS));
	assert_false(unit_is_time(UNIT_CYCLES) || unit_is_time(UNIT_PLAIN) ||
		     unit_is_time(UNIT_UNKNOWN));
}

/* --- names ------------------------------------------------------------------------- */

static void keys_have_names_or_are_names(void **state)
{
	struct input in = input_of("# a comment\n\n0 read\r\n  1\twrite  all \n60 exit\n");
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct names *n = names_read(&in, &diag);

	(void)state;
	assert_non_null(n);
	assert_str(names_find(n, STR("0")), "read");
	assert_str(names_find(n, STR("1")), "write  all");
	assert_str(names_find(n, STR("60")), "exit");
	assert_str(names_find(n, STR("6")), "6");
	assert_str(names_find(n, STR("#")), "#");
	names_free(n);
	names_free(NULL);
}

static void expect_bad(const char *text, enum diag_code code, size_t line, size_t column)
{
	struct input in = input_of(text);
	struct captured captured;
	struct diag diag = diag_to(&captured);

	assert_null(names_read(&in, &diag));
	assert_int_equal(captured.n, 1);
	assert_int_equal(captured.code, code);
	assert_int_equal(captured.at.line, line);
	assert_int_equal(captured.at.column, column);
	input_release(&in);
}

static void keys_without_a_name_or_with_two_are_refused(void **state)
{
	(void)state;
	expect_bad("0 read\n1\n", DIAG_NAME_BAD, 2, 2);
	expect_bad("0 read\n1 write\n0 open\n", DIAG_OPERATION_TWICE, 3, 1);
}

static void assert_range(double low, double high, struct scale s, const char *expected)
{
	struct out *o = out_to_memory();

	quantity_range(o, low, high, s);
	assert_str(out_memory(o), expected);
	out_free(o);
}

/* A clock of whole milliseconds says 0 of all that takes less than one. */
static void zero_of_a_coarse_clock_is_up_to_its_step(void **state)
{
	const struct scale ok = { .unit = UNIT_MS };
	const struct scale coarse = { .unit = UNIT_MS, .granularity = 1 };

	(void)state;
	assert_range(0, 0x1p-10, ok, "0-977 ns");
	assert_range(0, 0x1p-10, coarse, "0-1 ms");
	assert_range(0, 2, coarse, "0-2 ms");
	assert_range(1, 2, coarse, "1-2 ms");
	assert_range(0, HUGE_VAL, coarse, ">= 0 ns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_go_out_and_in),
		cmocka_unit_test(spellings_of_collectors),
		cmocka_unit_test(a_name_may_end_in_its_unit),
		cmocka_unit_test(seconds_need_a_clock_for_cycles_only),
		cmocka_unit_test(zero_of_a_coarse_clock_is_up_to_its_step),
		cmocka_unit_test(keys_have_names_or_are_names),
		cmocka_unit_test(keys_without_a_name_or_with_two_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
