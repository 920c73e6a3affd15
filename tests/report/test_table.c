/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of tables: what is kept of those before must not show. */
#include "tests/analyze/made.h"

#include <math.h>

#include "base/attr.h"
#include "base/out.h"
#include "report/sparkline.h"
#include "report/table.h"
#include "tests/unit/cells.h"

static const struct column column[] = { { NULL, "r", ALIGN_LEFT } };
static const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };

/* Ranges that come again, in other scales, and such as share a place with others. */
static void a_range_is_written_as_if_it_were_the_first(void **state)
{
	static const struct scale scale[] = {
		{ .unit = UNIT_NS },
		{ .unit = UNIT_US },
		{ .unit = UNIT_CYCLES, .hz = 1e9 },
		{ .unit = UNIT_CYCLES, .hz = 2e9 },
		{ .unit = UNIT_PLAIN },
	};
	struct out *printed = out_to_memory(), *expected = out_to_memory();
	struct table *t = table_begin(column, COUNT_OF(column), &plain, printed);

	(void)state;
	out_text(expected, "r\n");
	for (int round = 0; round < 2; round++) {
		for (int k = -80; k < 700; k++) {
			const struct scale s = scale[(k + 80 + round) % (int)COUNT_OF(scale)];
			const double low = k % 9 == 0 ? -HUGE_VAL : k % 7 == 0 ? 0 : exp2(k % 90);
			const double high = k % 11 == 0 ? HUGE_VAL : exp2(k % 90 + 1 + k % 3);

			for (int again = 0; again < 2; again++) {
				table_range(t, low, high, s);
				quantity_range(expected, low, high, s);
				out_char(expected, '\n');
			}
		}
	}
	table_range(t, NAN, NAN, scale[0]);
	out_char(expected, '\n');
	table_end(t);
	assert_int_equal(out_memory(printed).n, out_memory(expected).n);
	assert_memory_equal(out_memory(printed).p, out_memory(expected).p, out_memory(printed).n);
	out_free(printed);
	out_free(expected);
}

/* Counts on both sides of what is kept. */
static void bars_are_the_same_with_logarithms_kept(void **state)
{
	static struct cells room;
	struct histogram h = histogram_in(&room, &bucket_octaves);
	const struct histogram *all[] = { &h };
	struct known_logs known = { 0 };
	uint64_t x = 1;

	(void)state;
	for (int i = 0; i < 12; i++)
		put_bucket(&h, i, 1);
	for (int round = 0; round < 2000; round++) {
		struct out *with = out_to_memory(), *without = out_to_memory();
		struct span_of_octaves span = sparkline_span(all, 1);

		for (size_t i = 0; i < h.n; i++) {
			x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			h.bucket[i].count = 1 + (x >> 40) % (round % 2 == 0 ? 600 : 127);
		}
		sparkline(without, &plain, &h, span, 24, NULL);
		sparkline(with, &plain, &h, span, 24, &known);
		assert_int_equal(out_memory(with).n, h.n);
		assert_memory_equal(out_memory(with).p, out_memory(without).p, h.n);
		out_free(with);
		out_free(without);
	}
}

/* Columns that a terminal has no room for are left out from the right, and named. */
static void a_table_fits_the_terminal(void **state)
{
	static const struct column columns[] = { { "name", "operation", ALIGN_LEFT },
						 { "calls", "calls", ALIGN_RIGHT },
						 { "mean", "mean", ALIGN_RIGHT },
						 { "bars", "latencies", ALIGN_LEFT } };
	static const struct {
		unsigned columns;
		const char *printed;
	} cases[] = {
		{ 0, "operation  calls  mean  latencies\nread          12   345  ..::|\n" },
		{ 33, "operation  calls  mean  latencies\nread          12   345  ..::|\n" },
		{ 32, "operation  calls  mean\nread          12   345\n"
		      "(32 columns have no room for latencies)\n" },
		{ 22, "operation  calls  mean\nread          12   345\n"
		      "(22 columns have no room for latencies)\n" },
		{ 21, "operation  calls\nread          12\n"
		      "(21 columns have no room for mean, latencies)\n" },
		{ 1, "operation  calls\nread          12\n"
		     "(1 columns have no room for mean, latencies)\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct style style = { .output_format = OUTPUT_FORMAT_TEXT,
					     .width = cases[i].columns };
		struct out *printed = out_to_memory();
		struct table *t = table_begin(columns, COUNT_OF(columns), &style, printed);

		table_text(t, "read", TONE_PLAIN);
		table_count(t, 12);
		table_text(t, "345", TONE_PLAIN);
		table_text(t, "..::|", TONE_PLAIN);
		table_end(t);
		out_char(printed, '\0');
		assert_string_equal(out_memory(printed).p, cases[i].printed);
		out_free(printed);
	}
}

/* What is spare goes first, all of one degree together; what fits then stays. */
static void spare_columns_go_first(void **state)
{
	static const struct column columns[] = {
		{ "", "a", ALIGN_LEFT },    { "", "bb", ALIGN_LEFT },	 { "", "ccc", ALIGN_LEFT },
		{ "", "dddd", ALIGN_LEFT }, { "", "eeeee", ALIGN_LEFT }, { "", "f", ALIGN_LEFT },
	};
	static const struct {
		unsigned columns;
		const char *printed;
	} cases[] = {
		{ 26, "a  bb  ccc  dddd  eeeee  f\n" },
		{ 25, "a  bb  ccc  f\n(25 columns have no room for dddd, eeeee)\n" },
		{ 13, "a  bb  ccc  f\n(13 columns have no room for dddd, eeeee)\n" },
		{ 12, "a  bb  f\n(12 columns have no room for ccc, dddd, eeeee)\n" },
		{ 7, "a  bb\n(7 columns have no room for ccc, dddd, eeeee, f)\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct style style = { .output_format = OUTPUT_FORMAT_TEXT,
					     .width = cases[i].columns };
		struct out *printed = out_to_memory();
		struct table *t = table_begin(columns, COUNT_OF(columns), &style, printed);

		table_spare(t, 2, 1);
		table_spare(t, 3, 2);
		table_spare(t, 4, 2);
		table_end(t);
		out_char(printed, '\0');
		assert_string_equal(out_memory(printed).p, cases[i].printed);
		out_free(printed);
	}
}

/* The last column is what a row is about. */
static void a_kept_column_stays(void **state)
{
	static const struct column columns[] = {
		{ NULL, "a", ALIGN_RIGHT },
		{ NULL, "b", ALIGN_RIGHT },
		{ NULL, "c", ALIGN_RIGHT },
		{ NULL, "path", ALIGN_LEFT },
	};
	const struct style narrow = { .output_format = OUTPUT_FORMAT_TEXT, .width = 10 };
	struct out *printed = out_to_memory();
	struct table *t = table_begin(columns, COUNT_OF(columns), &narrow, printed);

	(void)state;
	table_keep_last(t);
	for (size_t i = 0; i < 3; i++)
		table_count(t, i);
	table_text(t, "a > rather > long > path", TONE_PLAIN);
	table_end(t);
	out_char(printed, '\0');
	assert_string_equal(out_memory(printed).p, "a  b  path\n"
						   "0  1  a > rather > long > path\n"
						   "(10 columns have no room for c)\n");
	out_free(printed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_is_written_as_if_it_were_the_first),
		cmocka_unit_test(bars_are_the_same_with_logarithms_kept),
		cmocka_unit_test(a_table_fits_the_terminal),
		cmocka_unit_test(spare_columns_go_first),
		cmocka_unit_test(a_kept_column_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
