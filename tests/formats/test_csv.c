/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: the two ways a record is split agree, and every profile of testdata
 * that is written as a table reads back with the same histograms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "formats/format.h"
#include "formats/table/table.h"
#include "profile/profile.h"
#include "tests/formats/capture.h"

enum { INPUT_LIMIT = 1 << 28 };

static const char *testdata;

/* --- splitting -------------------------------------------------------------------- */

/* Every record with its fields and where they stand. */
static void print_records(struct out *o, const char *text, char separator, bool all_quoted)
{
	struct diag diag = { 0 };
	struct table t;
	struct input in;

	input_borrow(&in, "table", text, strlen(text));
	table_start(&t, &in, separator, &diag);
	t.all_quoted = all_quoted;
	while (table_next(&t) == TABLE_RECORD) {
		out_printf(o, "%zu+%zu%s:", (size_t)(t.record.p - text), t.record.n,
			   t.cut_short ? " cut" : "");
		for (size_t i = 0; i < t.n_fields; i++)
			out_printf(o, " %zu[%.*s]", (size_t)(table_where(&t, i).p - text),
				   STR_ARG(t.field[i]));
		out_char(o, '\n');
	}
	assert_int_equal(diag.seen[SEV_ERROR], 0);
	table_release(&t);
	input_release(&in);
}

static void assert_both_ways_agree(const char *text, char separator)
{
	struct out *direct = out_to_memory(), *libcsv = out_to_memory();

	print_records(direct, text, separator, false);
	print_records(libcsv, text, separator, true);
	if (!str_eq(out_memory(direct), out_memory(libcsv)))
		fail_msg("split: %.*s\nlibcsv: %.*s", STR_ARG(out_memory(direct)),
			 STR_ARG(out_memory(libcsv)));
	out_free(direct);
	out_free(libcsv);
}

/* Each field of the next record, if that is on the next line and has no quotes. */
static void assert_peeks(const char *text, char separator)
{
	struct diag diag = { 0 };
	struct str peeked[3];
	struct table t;
	struct input in;

	input_borrow(&in, "table", text, strlen(text));
	table_start(&t, &in, separator, &diag);
	for (;;) {
		const char *from = text + t.at;

		for (size_t i = 0; i < COUNT_OF(peeked); i++)
			peeked[i] = table_peek(&t, i);
		if (table_next(&t) != TABLE_RECORD)
			break;
		for (size_t i = 0; i < COUNT_OF(peeked) && i < t.n_fields; i++)
			assert_true(t.record.p != from || str_eq(peeked[i], t.field[i]));
	}
	table_release(&t);
	input_release(&in);
}

static void splits_as_libcsv_does(void **state)
{
	static const char letters[] = "ab ,,,;\t\r\n\n\v'#\xc3";
	uint64_t seed = 1;

	(void)state;
	assert_both_ways_agree("", ',');
	assert_both_ways_agree("\xef\xbb\xbf"
			       "a, b ,c\r\n\r\n , \n,x\n",
			       ',');
	for (int round = 0; round < 20000; round++) {
		char text[40];
		size_t n = 0;

		while (n < sizeof(text) - 1) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			text[n++] = letters[(seed >> 33) % (sizeof(letters) - 1)];
		}
		text[(seed >> 50) % sizeof(text)] = '\0';
		assert_both_ways_agree(text, ",;\t"[round % 3]);
		assert_peeks(text, ",;\t"[round % 3]);
	}
}

static void places_quoted_fields(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	print_records(o, "a, \"b\"\"c,\"\" d\" ,\"\ne\",\n", ',', false);
	assert_true(str_eq(out_memory(o), STR("0+21: 0[a] 3[b\"c,\" d] 16[\ne] 21[]\n")));
	out_free(o);
}

/* --- round trips -------------------------------------------------------------------- */

static struct profile *read_text(const char *name, struct str text, const struct format *f)
{
	struct read_options options = { 0 };
	struct diag diag = { 0 };
	struct profile *p;
	struct input in;

	input_borrow(&in, name, text.p, text.n);
	p = format_read(f, &in, &options, &diag);
	input_release(&in);
	return p;
}

static void assert_same_histogram(const char *path, const struct histogram *a,
				  const struct histogram *b)
{
	if (a->n != b->n || a->count != b->count)
		fail_msg("%s: %zu buckets became %zu", path, a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_true(a->bucket[i].edges->low == b->bucket[i].edges->low);
		assert_true(a->bucket[i].edges->high == b->bucket[i].edges->high);
		assert_int_equal(a->bucket[i].count, b->bucket[i].count);
	}
}

static void assert_same_total(const struct stated *a, const struct stated *b)
{
	assert_int_equal(a->has_total, b->has_total);
	if (a->has_total)
		assert_true(decimal_eq(a->total, b->total));
}

static void assert_same_operation(const char *path, const struct operation *a,
				  const struct operation *b)
{
	assert_true(str_eq(a->layer, b->layer));
	assert_int_equal(a->unit, b->unit);
	assert_int_equal(operation_count(a), operation_count(b));
	assert_same_total(&a->stated, &b->stated);
	assert_same_histogram(path, &a->hist, &b->hist);
	assert_int_equal(a->n_intervals, b->n_intervals);
	for (size_t i = 0; i < a->n_intervals; i++) {
		const struct interval *ai = &a->interval[i], *bi = &b->interval[i];

		assert_same_histogram(path, &ai->hist, &bi->hist);
		assert_same_total(&ai->stated, &bi->stated);
		assert_true(ai->start == bi->start || (isnan(ai->start) && isnan(bi->start)));
		assert_true(ai->end == bi->end || (isnan(ai->end) && isnan(bi->end)));
	}
}

/* False when the file cannot be read without options. */
static bool survives(const char *path)
{
	const struct format *csv = format_by_name(STR("csv"));
	struct profile *p, *back;
	struct diag diag = { 0 };
	struct input in;
	struct out *o;

	if (!input_open(&in, path, INPUT_LIMIT, &diag))
		return false;
	o = out_to_memory();
	p = read_text(path, in.bytes, NULL);
	if (p != NULL) {
		assert_true(csv->write(p, o, &diag));
		assert_true(diag.seen[SEV_NOTE] <= 1);
		back = read_text(path, out_memory(o), NULL);
		if (back == NULL)
			fail_msg("%s: cannot read back\n%.*s", path, STR_ARG(out_memory(o)));
		assert_string_equal(back->format, "csv");
		assert_int_equal(p->n_ops, back->n_ops);
		for (size_t i = 0; i < p->n_ops; i++)
			assert_same_operation(path, &p->op[i], &back->op[i]);
		profile_free(back);
	}
	out_free(o);
	input_release(&in);
	profile_free(p);
	return p != NULL;
}

static size_t n_converted;

static void convert(const char *capture)
{
	struct capture_settings s;

	capture_settings(&s, capture);
	n_converted += survives(s.path);
	capture_settings_release(&s);
}

static void converts_there_and_back(void **state)
{
	(void)state;
	captures_walk(testdata, convert);
	assert_true(n_converted > 10);
}

/* Buckets that nothing fell into keep their place: scheme and all come back. */
static void keeps_schemes(void **state)
{
	static const char text[] = "osprof 1\nends\nunit us\n"
				   "layer a\nop x\nbuckets log2 1 from -10 open 20\n3 1\n"
				   "layer b\nop x\nbuckets log2 3 from -9\n4 1\n5 2\n"
				   "layer c\nop x\nbuckets loglinear 16 1\n3 1\n"
				   "layer d\nop x\nbuckets linear 0 10 from 0 open 100\n3 1\n"
				   "layer e\nop x\nbuckets edges 1 5 25 125\n1 7\nend 5\n";
	struct profile *p = read_text("schemes", str_from(text), NULL), *back;
	struct out *o = out_to_memory(), *again = out_to_memory();
	struct diag diag = { 0 };

	(void)state;
	assert_non_null(p);
	assert_true(format_by_name(STR("csv"))->write(p, o, &diag));
	back = read_text("schemes", out_memory(o), NULL);
	assert_non_null(back);
	assert_true(format_by_name(STR("osprof"))->write(back, again, &diag));
	if (!str_eq(out_memory(again), str_from(text)))
		fail_msg("got %.*s", STR_ARG(out_memory(again)));
	assert_int_equal(diag.seen[SEV_NOTE], 0);
	profile_free(p);
	profile_free(back);
	out_free(o);
	out_free(again);
}

static unsigned notes_about(const char *text)
{
	struct profile *p = read_text("layers", str_from(text), NULL);
	struct out *o = out_to_memory();
	struct diag diag = { 0 };

	assert_non_null(p);
	assert_true(format_by_name(STR("csv"))->write(p, o, &diag));
	profile_free(p);
	out_free(o);
	return diag.seen[SEV_NOTE];
}

/* Rows tell the scheme of their layer, whose operations need not follow one another. */
static void reports_schemes_that_are_lost(void **state)
{
	(void)state;
	assert_int_equal(notes_about("osprof 1\nunit us\n"
				     "layer a\nop x\nbuckets log2 1\n3 1\n"
				     "layer b\nop x\nbuckets linear 0 10\n3 1\n"
				     "layer a\nop y\nbuckets log2 1\n4 1\n"),
			 0);
	assert_int_equal(notes_about("osprof 1\nunit us\n"
				     "layer a\nop x\nbuckets log2 1\n3 1\n"
				     "layer b\nop x\nbuckets linear 0 10\n3 1\n"
				     "layer a\nop y\nbuckets linear 0 10\n4 1\n"),
			 1);
	assert_int_equal(notes_about("osprof 1\nunit us\n"
				     "layer a\nop x\nbuckets log2 1\n3 1\n"
				     "layer b\nop x\nbuckets linear 0 10\n3 1\n"
				     "layer a\nop y\nbuckets edges 1 5 25 125\n1 7\n"),
			 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_as_libcsv_does),
		cmocka_unit_test(places_quoted_fields),
		cmocka_unit_test(converts_there_and_back),
		cmocka_unit_test(keeps_schemes),
		cmocka_unit_test(reports_schemes_that_are_lost),
	};

	testdata = argc == 2 ? argv[1] : "testdata";
	return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
