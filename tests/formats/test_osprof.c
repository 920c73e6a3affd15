/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our own format line by line: most rows are read in one step, and none may show that. */
#include "formats/format.h"
#include "profile/profile.h"
#include "tests/unit/unit.h"

static struct profile *read_text(const char *text, struct captured *captured)
{
	struct read_options options = { 0 };
	struct diag diag = diag_to(captured);
	struct input in = input_of(text);
	struct profile *p = format_read(format_by_name(STR("osprof")), &in, &options, &diag);

	input_release(&in);
	return p;
}

/* --- rows ---------------------------------------------------------------------------- */

/* Between rows of `around` each; at the end of a file there is only the one before it. */
static void expect_row(const char *row, const char *end, int index, uint64_t count, size_t around)
{
	bool last = strchr(end, '\n') == NULL;
	const struct histogram *h;
	struct captured captured;
	struct profile *p;
	char text[200], after[20];

	(void)snprintf(after, sizeof(after), "41 %zu", around);
	(void)snprintf(text, sizeof(text),
		       "osprof 1\nbuckets log2 1 from -40\nop read\n-9 %zu\n%s%s%s", around, row,
		       end, last ? "" : after);
	p = read_text(text, &captured);
	if (p == NULL)
		fail_msg("%s: %s", captured.detail, text);
	h = &p->op[0].hist;
	if (h->n != 1 + around * (last ? 1 : 2) || h->bucket[around].edges->index != index ||
	    h->bucket[around].count != count)
		fail_msg("misread: %s", text);
	profile_free(p);
}

static void rows_are_read_however_they_are_written(void **state)
{
	static const struct {
		const char *row;
		int index;
		uint64_t count;
	} rows[] = {
		{ "7 12", 7, 12 },
		{ "0 1", 0, 1 },
		{ "-3 1", -3, 1 },
		{ "-0 12", 0, 12 },
		{ "7\t12", 7, 12 },
		{ "7   12", 7, 12 },
		{ "7 \t 12", 7, 12 },
		{ "  7 12", 7, 12 },
		{ "\t7 12", 7, 12 },
		{ "7 12 ", 7, 12 },
		{ "7 12 \t", 7, 12 },
		{ "007 012", 7, 12 },
		{ "-07 12", -7, 12 },
		{ "000000007 12", 7, 12 },
		{ "0000000007 12", 7, 12 },
		{ "-000000007 12", -7, 12 },
		{ "00000000000000000000000007 12", 7, 12 },
		{ "7 0000000000000000012", 7, 12 },
		{ "7 00000000000000000012", 7, 12 },
		{ "7 9999999999999999999", 7, UINT64_C(9999999999999999999) },
		{ "7 10000000000000000000", 7, UINT64_C(10000000000000000000) },
		{ "7 18446744073709551615", 7, UINT64_MAX },
	};
	static const char *const ends[] = { "\n",   "\r\n",	 " \n", "\t\r\n",
					    "\n\n", "\n# 1 2\n", "",	"\r" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		for (size_t k = 0; k < COUNT_OF(ends); k++)
			expect_row(rows[i].row, ends[k], rows[i].index, rows[i].count,
				   rows[i].count < 100);
	}
}

/* --- what is wrong ------------------------------------------------------------------- */

static const char *position_of(const char *text, size_t line, size_t column)
{
	while (--line > 0)
		text = strchr(text, '\n') + 1;
	return text + column - 1;
}

static void expect_error(const char *lines, size_t line, size_t column, enum diag_code code)
{
	struct captured captured;
	char text[200];

	(void)snprintf(text, sizeof(text), "osprof 1\n%s", lines);
	assert_null(read_text(text, &captured));
	if (captured.at.line != line || captured.at.column != column || captured.code != code)
		fail_msg("%zu:%zu %s: %s", captured.at.line, captured.at.column,
			 diag_name(captured.code), text);
	if (code == DIAG_BUCKET_ORDER || code == DIAG_BUCKET_BOUNDS) /* the row is to blame */
		assert_int_equal(captured.len, strcspn(position_of(text, line, column), "\r\n"));
}

static void bad_rows_are_blamed_where_they_are_wrong(void **state)
{
	static const struct {
		const char *row;
		size_t line, column;
		enum diag_code code;
	} rows[] = {
		{ "7 x", 5, 3, DIAG_NUMBER_BAD },
		{ "7 5x", 5, 3, DIAG_NUMBER_BAD },
		{ "7 -5", 5, 3, DIAG_NUMBER_BAD },
		{ "7\t+5", 5, 3, DIAG_NUMBER_BAD },
		{ "7 5.0", 5, 3, DIAG_NUMBER_BAD },
		{ "7 5\r\r", 5, 3, DIAG_NUMBER_BAD },
		{ "7x 5", 5, 2, DIAG_NUMBER_BAD },
		{ "7.5 3", 5, 2, DIAG_NUMBER_BAD },
		{ "7:5", 5, 2, DIAG_NUMBER_BAD },
		{ "7 5 6", 5, 5, DIAG_LINE_UNEXPECTED },
		{ "7 5 # five", 5, 5, DIAG_LINE_UNEXPECTED },
		{ "7 18446744073709551616", 5, 3, DIAG_COUNT_OVERFLOW },
		{ "7 99999999999999999999", 5, 3, DIAG_COUNT_OVERFLOW },
		{ "7 184467440737095516150", 5, 3, DIAG_COUNT_OVERFLOW },
		{ "2147483648 5", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "4294967303 5", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "18446744073709551623 5", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "-x", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "--7 5", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "-", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "- 5", 5, 1, DIAG_LINE_UNEXPECTED },
		{ "999999999 5", 5, 1, DIAG_BUCKET_BOUNDS },
		{ " 999999999  5", 5, 2, DIAG_BUCKET_BOUNDS },
		{ "1999999999 5", 5, 1, DIAG_BUCKET_BOUNDS },
		{ "-9 1", 5, 1, DIAG_BUCKET_ORDER },
		{ "\t-9 1", 5, 2, DIAG_BUCKET_ORDER },
		{ "7 1\n7 0", 6, 1, DIAG_BUCKET_ORDER },
		{ "7 1\r\n6 1\r\n8 1", 6, 1, DIAG_BUCKET_ORDER },
		{ "7 18446744073709551614\n8 1", 6, 1, DIAG_COUNT_OVERFLOW },
	};
	static const char *const ends[] = { "", "\n", "\r\n", "\n11 1\n" };
	char lines[150];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		for (size_t k = 0; k < COUNT_OF(ends); k++) {
			(void)snprintf(lines, sizeof(lines),
				       "buckets log2 1 from -40\nop read\n-9 1\n%s%s", rows[i].row,
				       ends[k]);
			expect_error(lines, rows[i].line, rows[i].column, rows[i].code);
		}
	}
}

static void a_row_without_a_count_is_none(void **state)
{
	static const char *const rows[] = { "7", "7 ", "7\t", " 7", "  7 ", "-7", "-7 ", "7\r" };
	static const char *const ends[] = { "", "\n", "\r\n", "\n8 1\n" };
	struct captured captured;
	char text[100];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		for (size_t k = 0; k < COUNT_OF(ends); k++) {
			(void)snprintf(text, sizeof(text), "osprof 1\nop read\n%s%s", rows[i],
				       ends[k]);
			assert_null(read_text(text, &captured));
			assert_int_equal(captured.code, DIAG_NUMBER_BAD);
		}
	}
}

static void rows_belong_after_an_op(void **state)
{
	(void)state;
	expect_error("7 5\n", 2, 1, DIAG_LINE_UNEXPECTED);
	expect_error("op read\n7 5\nlayer disk\n7 5\n", 5, 1, DIAG_LINE_UNEXPECTED);
	expect_error("baseline 3\nop read\n7 5\n", 4, 1, DIAG_LINE_UNEXPECTED);
	expect_error("baseline 3\nop read\nrun 1 6:2\n7 5\n", 5, 1, DIAG_LINE_UNEXPECTED);
	expect_error("baseline 3\nop read\nend\n7 5\n", 5, 1, DIAG_LINE_UNEXPECTED);
}

/* --- statements ---------------------------------------------------------------------- */

/* Of the manual, which is where users have them from. */
static void all_keywords_are_known_and_no_others(void **state)
{
	static const char *const known[] = {
		"op",
		"under",
		"zero",
		"over",
		"total",
		"count",
		"min",
		"max",
		"interval",
		"buckets",
		"unit",
		"layer",
		"lost",
		"threshold",
		"granularity",
		"approximate",
		"machine",
		"kernel",
		"run",
		"floor",
		"end",
		"baseline",
		"alarms",
		"hz",
		"elapsed",
		"started",
		"untimed",
		"rounded-totals",
		"fixed-duration",
		"cpu-speed",
		"contention",
	};
	static const char *const unknown[] = { "o",	    "ops",     "Op",	  "oq",
					       "intervals", "interva", "rounded", "rounded-total",
					       "untimeD",   "osprof" };
	const char *expected = "expected a statement of osprof(5) or a bucket's number";
	struct captured captured;
	char text[200];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		(void)snprintf(text, sizeof(text), "osprof 1\n%s\nlayer \"\n", known[i]);
		assert_null(read_text(text, &captured));
		assert_string_not_equal(captured.detail, expected);
	}
	for (size_t i = 0; i < COUNT_OF(unknown); i++) {
		(void)snprintf(text, sizeof(text), "osprof 1\n%s 1\n", unknown[i]);
		assert_null(read_text(text, &captured));
		assert_string_equal(captured.detail, expected);
		assert_int_equal(captured.at.line, 2);
		assert_int_equal(captured.at.column, 1);
	}
}

static void refuse_contention(const char *statements)
{
	struct captured captured;
	char text[200];

	(void)snprintf(text, sizeof(text), "osprof 1\n%s\nop read\n7 5\n", statements);
	assert_null(read_text(text, &captured));
}

/* Others use no more than there is. */
static void contention_is_read(void **state)
{
	struct captured captured;
	struct profile *p = read_text(
		"osprof 1\ncontention 3 4 18446744073709551615 0\nop read\n7 5\n", &captured);

	(void)state;
	assert_non_null(p);
	assert_true(p->contention.others == 3 && p->contention.capacity == 4 &&
		    p->contention.waited == UINT64_MAX && p->contention.waits == 0);
	profile_free(p);
	refuse_contention("contention 5 4 0 0");
	refuse_contention("contention 0 0 0 0");
	refuse_contention("contention 1 4 0");
	refuse_contention("contention 1 4 0 0 0");
	refuse_contention("contention 1 4 0 -1");
	refuse_contention("contention 1 4 0 18446744073709551616");
	refuse_contention("contention 1 4 0 0\ncontention 1 4 0 0");
}

static void expect_interval(const char *numbers, double start, double end)
{
	struct captured captured;
	struct profile *p;
	char text[200];

	(void)snprintf(text, sizeof(text), "osprof 1\nop read\ninterval %s\n7 5\n", numbers);
	p = read_text(text, &captured);
	if (p == NULL)
		fail_msg("%s: %s", captured.detail, text);
	assert_int_equal(p->op[0].n_intervals, 1);
	assert_true(p->op[0].interval[0].start == start && p->op[0].interval[0].end == end);
	profile_free(p);
}

static void numbers_are_read_however_they_are_written(void **state)
{
	(void)state;
	expect_interval("0 0.502", 0, 0.502);
	expect_interval("0.502 1.002", 0.502, 1.002);
	expect_interval(" 1 \t 2 ", 1, 2);
	expect_interval("1\t2\r", 1, 2);
	expect_interval("007 7.50", 7, 7.5);
	expect_interval("1. 2.", 1, 2);
	expect_interval(".5 +1e1", 0.5, 10);
	expect_interval("-0 1e-3", 0, 0.001);
	expect_interval("0.1 123456789012345", 0.1, 123456789012345.0);
	expect_interval("0.1 1234567890123456", 0.1, 1234567890123456.0);
	expect_interval("0.30000000000000004 12345678901234567890123", 0.30000000000000004,
			12345678901234567890123.0);
}

static void bad_numbers_are_blamed_where_they_stand(void **state)
{
	(void)state;
	expect_error("op read\ninterval 0 x\n", 3, 12, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval 0.5s 1\n", 3, 10, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval . 1\n", 3, 10, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval 0 1.5.\n", 3, 12, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval 0 1e400\n", 3, 12, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval 0 1\r\r\n", 3, 12, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval 0\n", 3, 1, DIAG_NUMBER_BAD);
	expect_error("op read\ninterval 0 1 2\n", 3, 14, DIAG_LINE_UNEXPECTED);
	expect_error("op read\ninterval 2  1\n", 3, 10, DIAG_INTERVAL_BAD);
	expect_error("op read\ncount 18446744073709551616\n", 3, 7, DIAG_COUNT_OVERFLOW);
	expect_error("op read\ncount\n", 3, 1, DIAG_NUMBER_BAD);
	expect_error("op read\ncount 5 \t6\n", 3, 10, DIAG_LINE_UNEXPECTED);
}

/* --- whole runs ----------------------------------------------------------------------- */

static struct profile *read_whole(const char *text)
{
	struct captured captured;
	struct profile *p = read_text(text, &captured);

	if (p == NULL)
		fail_msg("%s: %s", captured.detail, text);
	return p;
}

/* osprof(5): without rows ahead of the first interval the whole run is the sum of its intervals,
 * and its total is theirs. */
static void intervals_without_a_whole_run_are_added_up(void **state)
{
	static const struct {
		const char *ahead, *totals[2];
		double total;
	} runs[] = { { "", { "1300", "300.5" }, 1600.5 },
		     { "buckets log2 2\n", { "100", "25.5" }, 125.5 } };
	char text[300];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		struct profile *p;

		(void)snprintf(text, sizeof(text),
			       "osprof 1\nop read\n%sinterval 0 1\n7 5\n9 1\ntotal %s\n"
			       "interval 1 2\n7 2\ntotal %s\n",
			       runs[i].ahead, runs[i].totals[0], runs[i].totals[1]);
		p = read_whole(text);
		assert_int_equal(p->op[0].n_intervals, 2);
		assert_int_equal(p->op[0].hist.n, 2);
		assert_int_equal(p->op[0].hist.bucket[0].count, 7);
		assert_int_equal(p->op[0].hist.bucket[1].count, 1);
		assert_int_equal(p->op[0].hist.scheme->resolution, 1 + i);
		assert_true(operation_total(&p->op[0]) == runs[i].total);
		profile_free(p);
	}
}

/* Buckets that no row follows are those of an empty histogram, wherever its operation ends. */
static void buckets_without_rows_are_kept(void **state)
{
	static const char *const after[] = { "", "op write\n7 1\n", "layer disk\nop write\n7 1\n" };
	char text[200];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(after); i++) {
		struct profile *p;

		(void)snprintf(text, sizeof(text), "osprof 1\nop read\nbuckets log2 3\n%s",
			       after[i]);
		p = read_whole(text);
		assert_int_equal(p->n_ops, i == 0 ? 1 : 2);
		assert_int_equal(p->op[0].hist.n, 0);
		assert_int_equal(p->op[0].hist.scheme->resolution, 3);
		profile_free(p);
	}
}

static void buckets_stand_once_and_ahead_of_rows(void **state)
{
	(void)state;
	expect_error("op read\nbuckets log2 1\nbuckets log2 1\n", 4, 1, DIAG_SCHEME_MIXED);
	expect_error("op read\n7 1\nbuckets log2 1\n", 4, 1, DIAG_SCHEME_MIXED);
	expect_error("op read\ninterval 0 1\nbuckets log2 1\n", 4, 1, DIAG_SCHEME_MIXED);
}

/* --- whole files ---------------------------------------------------------------------- */

/* Whoever writes says so in the head; a file without it may have been written by hand. */
static void a_file_that_says_where_it_ends_is_whole_or_refused(void **state)
{
	static const char whole[] = "osprof 1\nends\nunit ns\nmachine box\nlayer disk\n"
				    "op read\ncount 5\ntotal 700\n9 2\n10 3\nop write\n9 1\n"
				    "layer fs\nop read\nmax 800\n9 1\nend 3\n";
	static const char *const other_ends[] = { "end 2\n", "end 4\n", "end 3\n7 1\n",
						  "end 3\nop more\n7 1\n" };
	const size_t n = sizeof(whole) - 1, before_end = n - strlen("end 3\n");
	char text[sizeof(whole) + 20];
	struct captured captured;
	struct profile *p;

	(void)state;
	p = read_text(whole, &captured);
	assert_non_null(p);
	assert_int_equal(p->n_ops, 3);
	profile_free(p);
	for (size_t cut = strlen("osprof 1\nends"); cut < n - 1; cut++) {
		(void)snprintf(text, sizeof(text), "%.*s", (int)cut, whole);
		if (read_text(text, &captured) != NULL)
			fail_msg("cut off, and read: %s", text);
	}
	for (size_t i = 0; i < COUNT_OF(other_ends); i++) {
		(void)snprintf(text, sizeof(text), "%.*s%s", (int)before_end, whole, other_ends[i]);
		if (read_text(text, &captured) != NULL)
			fail_msg("another end, and read: %s", text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_read_however_they_are_written),
		cmocka_unit_test(bad_rows_are_blamed_where_they_are_wrong),
		cmocka_unit_test(a_row_without_a_count_is_none),
		cmocka_unit_test(rows_belong_after_an_op),
		cmocka_unit_test(all_keywords_are_known_and_no_others),
		cmocka_unit_test(contention_is_read),
		cmocka_unit_test(numbers_are_read_however_they_are_written),
		cmocka_unit_test(bad_numbers_are_blamed_where_they_stand),
		cmocka_unit_test(intervals_without_a_whole_run_are_added_up),
		cmocka_unit_test(buckets_without_rows_are_kept),
		cmocka_unit_test(buckets_stand_once_and_ahead_of_rows),
		cmocka_unit_test(a_file_that_says_where_it_ends_is_whole_or_refused),
	};

	return cmocka_run_group_tests_name("osprof", tests, NULL, NULL);
}
