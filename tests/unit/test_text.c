/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Byte ranges, cursors over them, arenas, and text on its way out. */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/glob.h"
#include "base/scan.h"
#include "base/str.h"
#include "base/xalloc.h"

static void trim_takes_blanks_of_both_ends_only(void **state)
{
	(void)state;
	assert_str(str_trim(STR(" \t a b\r ")), "a b");
	assert_str(str_trim(STR(" \r\t")), "");
	assert_str(str_trim(STR("")), "");
	assert_str(str_trim(STR("\n")), "\n");
}

/* Spaces are looked at by eights: every number of them, before every kind of byte. */
static void spaces_are_passed_over_whatever_their_number(void **state)
{
	enum { MAX = 40 };
	static const char after[] = "x\t!\x1f\x21\xa0\x80\n";
	char text[MAX + 1];

	(void)state;
	for (size_t n = 0; n <= MAX; n++) {
		for (size_t i = 0; i < sizeof(after) - 1; i++) {
			struct input in = { .bytes = { text, n + 1 } };
			struct cursor c = cursor_on(&in);

			memset(text, ' ', n);
			text[n] = after[i];
			assert_int_equal(run_length(' ', text, n), n); /* not beyond the end */
			assert_int_equal(run_length(' ', text, n + 1), n);
			scan_blanks(&c);
			assert_int_equal(c.at, after[i] == '\t' ? n + 1 : n);
			assert_int_equal(str_trim(in.bytes).n, after[i] == '\t' ? 0 : 1);
		}
	}
}

static void order_is_by_unsigned_bytes_then_length(void **state)
{
	(void)state;
	assert_true(str_cmp(STR("a"), STR("b")) < 0);
	assert_true(str_cmp(STR("a"), STR("ab")) < 0);
	assert_true(str_cmp(STR("z"), STR("\xc3\xa9")) < 0);
	assert_int_equal(str_cmp(STR(""), STR("")), 0);
	assert_true(str_cmp(STR("a\0b"), STR("a\0c")) < 0);
	assert_false(str_eq(STR("a\0b"), STR("a\0c")));
}

static void case_is_ignored_in_ascii_only(void **state)
{
	(void)state;
	assert_true(str_eq_nocase(STR("ReaD_[]"), STR("rEAd_[]")));
	assert_false(str_eq_nocase(STR("read"), STR("reads")));
	assert_false(str_eq_nocase(STR("@["), STR("`{"))); /* these differ in bit 5 too */
	assert_false(str_eq_nocase(STR("\xc3\x89"), STR("\xc3\xa9")));
}

static void prefix_suffix_and_part(void **state)
{
	(void)state;
	assert_true(str_has_prefix(STR("osprof"), STR("osp")));
	assert_false(str_has_prefix(STR("os"), STR("osp")));
	assert_true(str_has_suffix(STR("a.json"), STR(".json")));
	assert_false(str_has_suffix(STR("son"), STR(".json")));
	assert_true(str_contains(STR("abc"), STR("bc")));
	assert_true(str_contains(STR(""), STR("")));
	assert_false(str_contains(STR(""), STR("a")));
	assert_false(str_contains(STR("ab"), STR("abc")));
}

/* Against looking at every place: texts and parts of two letters, where much looks alike. */
static void a_part_is_found_where_it_first_is(void **state)
{
	struct rng r = rng_start(5);
	char text[70], part[40];

	(void)state;
	for (int i = 0; i < 50000; i++) {
		struct str s = { text, rng_below(&r, sizeof(text)) };
		struct str p = { part, 1 + rng_below(&r, i % 50 == 0 ? sizeof(part) - 1 : 6) };
		size_t at = 0;

		for (size_t k = 0; k < sizeof(text); k++)
			text[k] = (char)('a' + rng_below(&r, 2));
		for (size_t k = 0; k < sizeof(part); k++)
			part[k] = (char)('a' + rng_below(&r, 2));
		if (i % 3 == 0 && p.n < s.n) /* one that is there */
			memcpy(part, text + rng_below(&r, (unsigned)(s.n - p.n)), p.n);
		while (at < s.n && !str_has_prefix(str_skip(s, at), p))
			at++;
		assert_int_equal(str_find(s, p), at);
	}
}

/* Against looking at every byte, of texts that begin anywhere. */
static void bytes_are_counted_whatever_their_number(void **state)
{
	static const char three[3] = { (char)0xfe, (char)0xff, '\0' };
	enum { MAX = 20000 };
	struct rng r = rng_start(11);
	char *text = test_malloc(MAX);

	(void)state;
	for (int i = 0; i < 400; i++) {
		unsigned letters = 1 + rng_below(&r, 3);
		struct str s = { text + rng_below(&r, 40), rng_below(&r, MAX - 40) };
		struct str_counts counts;
		size_t n[3] = { 0 };

		for (size_t k = 0; k < MAX; k++)
			text[k] = (char)(0xfe + rng_below(&r, letters));
		for (size_t k = 0; k < s.n; k++)
			n[(unsigned char)(s.p[k] + 2)]++;
		assert_int_equal(str_count(s, (char)0xfe), n[0]);
		counts = str_count_three(s, three);
		assert_memory_equal(counts.of, n, sizeof(n));
	}
	test_free(text);
}

static void cut_is_at_the_first_separator_or_not_at_all(void **state)
{
	struct str head = STR("h"), tail = STR("t");

	(void)state;
	assert_false(str_cut(STR("abc"), ',', &head, &tail));
	assert_str(head, "h");
	assert_str(tail, "t");
	assert_true(str_cut(STR("a,b,c"), ',', &head, &tail));
	assert_str(head, "a");
	assert_str(tail, "b,c");
	assert_true(str_cut(STR(","), ',', &head, &tail));
	assert_int_equal(head.n + tail.n, 0);
}

static void skip_stops_at_the_end(void **state)
{
	(void)state;
	assert_str(str_skip(STR("abc"), 2), "c");
	assert_str(str_skip(STR("abc"), 3), "");
	assert_str(str_skip(STR("abc"), SIZE_MAX), "");
}

/* --- cursors -------------------------------------------------------------------- */

static void expect_line(struct cursor *c, const char *expected)
{
	struct cursor line = *c;

	assert_true(scan_line(c, &line));
	assert_str(cursor_rest(&line), expected);
}

static void lines_lose_newline_and_one_cr(void **state)
{
	struct input in = input_of("a\r\nb\n\n\r\nc\r\r\nlast");
	struct cursor c = cursor_on(&in), line;

	(void)state;
	expect_line(&c, "a");
	expect_line(&c, "b");
	expect_line(&c, "");
	expect_line(&c, "");
	expect_line(&c, "c\r");
	expect_line(&c, "last");
	assert_false(scan_line(&c, &line));
	assert_true(cursor_done(&c));
}

static void a_line_ends_the_cursor_over_it(void **state)
{
	struct input in = input_of("1 2\n34");
	struct cursor c = cursor_on(&in), line = c;
	struct str word = STR("");
	uint64_t v;

	(void)state;
	assert_true(scan_line(&c, &line));
	assert_true(scan_u64(&line, &v));
	assert_true(scan_word(&line, &word));
	assert_str(word, "2");
	assert_false(scan_word(&line, &word)); /* not on to the next line */
	assert_false(scan_u64(&line, &v));
	assert_str(word, "2");
}

static void a_failed_scan_consumes_nothing(void **state)
{
	static const char *const text[] = { "x", "-", "", ".", "+", "--1", "e5", "\t \t" };
	struct str word = STR("kept");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(text); i++) {
		struct input in = input_of(text[i]);
		struct cursor c = cursor_on(&in);
		uint64_t u = 7;
		double f = 7;
		int n = 7;

		assert_false(scan_u64(&c, &u));
		assert_false(scan_int(&c, &n));
		assert_false(scan_f64(&c, &f));
		assert_false(scan_char(&c, 'y'));
		assert_false(scan_literal(&c, STR("yes")));
		if (text[i][0] == '\t' || text[i][0] == '\0')
			assert_false(scan_word(&c, &word));
		assert_int_equal(c.at, 0);
		assert_true(u == 7 && n == 7 && f == 7);
		assert_str(word, "kept");
	}
}

static void scans_take_what_they_found_and_no_more(void **state)
{
	struct input in = input_of("12ab -3,0.5e1x");
	struct cursor c = cursor_on(&in);
	uint64_t u = 0;
	int n = 0;
	double f = 0;

	(void)state;
	assert_true(scan_u64(&c, &u) && u == 12);
	assert_true(scan_literal(&c, STR("ab")));
	scan_blanks(&c);
	assert_true(scan_int(&c, &n) && n == -3);
	assert_true(scan_char(&c, ','));
	assert_true(scan_f64(&c, &f) && f == 5);
	assert_str(cursor_rest(&c), "x");
}

static void short_numbers_are_words_of_few_digits(void **state)
{
	static const struct {
		const char *text;
		size_t consumed;
		bool ok;
		uint64_t v;
	} rows[] = {
		{ "7", 1, true, 7 },
		{ " \t  12 3", 7, true, 12 },
		{ "12\t", 3, true, 12 },
		{ "  ", 2, false, 0 },
		{ "", 0, false, 0 },
		{ " 12,", 1, false, 0 },
		{ "-1", 0, false, 0 },
		{ "0 5", 2, true, 0 },
		{ "0\t", 2, true, 0 },
		{ "0", 1, true, 0 },
		{ "00 5", 3, true, 0 },
		{ "0x", 0, false, 0 },
		{ "0000000000000000001 ", 20, true, 1 },
		{ "9999999999999999999", 19, true, UINT64_C(9999999999999999999) },
		{ "00000000000000000001", 0, false, 0 }, /* more digits are for others */
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct input in = input_of(rows[i].text);
		struct cursor c = cursor_on(&in);
		uint64_t v = 0;

		assert_int_equal(scan_short_u64(&c, &v), rows[i].ok);
		assert_int_equal(v, rows[i].v);
		assert_int_equal(c.at, rows[i].consumed);
	}
}

static void short_numbers_may_have_a_point(void **state)
{
	static const struct {
		const char *text;
		size_t consumed;
		bool ok;
		double v;
	} rows[] = {
		{ "7", 1, true, 7 },
		{ " \t 0.502 1.002", 9, true, 0.502 },
		{ "0.25\t", 5, true, 0.25 },
		{ "12. ", 4, true, 12 },
		{ "007.50", 6, true, 7.5 },
		{ "123456789012345", 15, true, 123456789012345 },
		{ "0.1234567890123", 15, true, 0.1234567890123 },
		{ "  ", 2, false, 0 },
		{ "", 0, false, 0 },
		{ ".5", 0, false, 0 },
		{ " .", 1, false, 0 },
		{ "-1", 0, false, 0 },
		{ "1e3", 0, false, 0 },
		{ "1.5.", 0, false, 0 },
		{ "1,5", 0, false, 0 },
		{ "0.12345678901234", 0, false, 0 },
		{ "inf", 0, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct input in = input_of(rows[i].text);
		struct cursor c = cursor_on(&in);
		double v = 0;

		assert_int_equal(scan_short_f64(&c, &v), rows[i].ok);
		assert_true(v == rows[i].v);
		assert_int_equal(c.at, rows[i].consumed);
	}
}

static void numbers_of_any_length_are_scanned_up_to_2_64(void **state)
{
	static const struct {
		const char *text;
		size_t consumed;
		uint64_t v;
	} rows[] = {
		{ "7", 1, 7 },
		{ "12,", 2, 12 },
		{ "", 0, 0 },
		{ "x1", 0, 0 },
		{ "9999999999999999999", 19, UINT64_C(9999999999999999999) },
		{ "9999999999999999999\"", 19, UINT64_C(9999999999999999999) },
		{ "18446744073709551615.", 20, UINT64_MAX },
		{ "18446744073709551616", 0, 0 },
		{ "000000000000000000000042 ", 24, 42 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct input in = input_of(rows[i].text);
		struct cursor c = cursor_on(&in);
		uint64_t v = 0;

		assert_int_equal(scan_u64(&c, &v), rows[i].consumed > 0);
		assert_true(v == rows[i].v);
		assert_int_equal(c.at, rows[i].consumed);
	}
}

static void a_cursor_on_a_part_keeps_the_place_in_the_whole(void **state)
{
	struct input in = input_of("name 12 rest");
	struct cursor c = cursor_at(&in, (struct str){ in.bytes.p + 5, 2 });
	uint64_t v;

	(void)state;
	assert_int_equal(c.at, 5);
	assert_true(scan_u64(&c, &v));
	assert_int_equal(v, 12);
	assert_true(cursor_done(&c));
}

/* --- arenas ----------------------------------------------------------------------- */

/* Blocks of many sizes are filled with their number; none may change another. */
static void arena_blocks_are_zeroed_aligned_and_apart(void **state)
{
	enum { BLOCKS = 2000 };
	static unsigned char *block[BLOCKS];
	static size_t size[BLOCKS];
	struct rng r = rng_start(1);
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < BLOCKS; i++) {
		size[i] = rng_below(&r, i % 100 == 0 ? 100000 : 300);
		block[i] = arena_alloc(a, size[i], 1);
		assert_int_equal((uintptr_t)block[i] % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < size[i]; k++) {
			assert_int_equal(block[i][k], 0);
			block[i][k] = (unsigned char)(i % 255 + 1);
		}
	}
	for (size_t i = 0; i < BLOCKS; i++) {
		for (size_t k = 0; k < size[i]; k++)
			assert_int_equal(block[i][k], i % 255 + 1);
	}
	arena_free(a);
	arena_free(NULL);
}

static void a_cleared_arena_gives_zeroes_again(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	arena_clear(a); /* of nothing */
	for (size_t n = 1; n < 100000; n *= 3) {
		for (size_t i = 0; i < 10; i++) {
			unsigned char *p = arena_alloc(a, n, 1);

			for (size_t k = 0; k < n; k++)
				assert_int_equal(p[k], 0);
			memset(p, 0xff, n);
		}
		arena_clear(a);
	}
	arena_free(a);
}

static void arena_joins_texts_of_any_length(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_str(arena_join(a, STR("ab"), ',', STR("c")), "ab,c");
	assert_str(arena_join(a, STR(""), '/', STR("c")), "/c");
	assert_str(arena_join(a, (struct str){ NULL, 0 }, ',', (struct str){ NULL, 0 }), ",");
	arena_free(a);
}

static void arena_text_is_a_terminated_copy(void **state)
{
	struct arena *a = arena_new();
	char text[] = "abc";
	struct str copy = arena_str(a, (struct str){ text, 2 });

	(void)state;
	text[0] = 'x';
	assert_string_equal(copy.p, "ab");
	assert_int_equal(arena_str(a, (struct str){ NULL, 0 }).n, 0);
	assert_string_equal(arena_printf(a, "%d-%s", 12, "z").p, "12-z");
	arena_free(a);
}

static void xgrow_at_least_doubles_and_keeps_items(void **state)
{
	size_t cap = 0, n_grown = 0;
	int *v = NULL;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		size_t before = cap;

		v = xgrow(v, &cap, (size_t)i + 1, sizeof(*v));
		n_grown += cap != before;
		v[i] = i;
	}
	for (int i = 0; i < 10000; i++)
		assert_int_equal(v[i], i);
	assert_true(n_grown < 20);
	free(v);
}

/* --- out --------------------------------------------------------------------------- */

static void memory_holds_what_was_written_in_order(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	assert_out(o, "");
	out_char(o, 'a');
	out_text(o, "bc");
	out_repeat(o, '-', 3);
	out_repeat(o, '-', 0);
	out_printf(o, "%03d", 7);
	out_u64(o, 0);
	out_u64(o, UINT64_MAX);
	assert_out(o, "abc---007018446744073709551615");
	out_bytes(o, STR("after"));
	assert_out(o, "after");
	out_free(o);
	out_free(NULL);
}

/* Larger than any buffer, in pieces that do not divide it. */
static void a_file_gets_every_byte_in_order(void **state)
{
	FILE *f = tmpfile();
	struct out *o = out_to_file(f);
	char line[16];

	(void)state;
	for (int i = 0; i < 40000; i++)
		out_printf(o, "%d\n", i);
	assert_true(out_close(o));
	rewind(f);
	for (int i = 0; i < 40000; i++) {
		assert_non_null(fgets(line, sizeof(line), f));
		assert_int_equal(atoi(line), i);
	}
	assert_null(fgets(line, sizeof(line), f));
	(void)fclose(f);
}

static void a_full_disk_is_noticed(void **state)
{
	FILE *f = fopen("/dev/full", "w");
	struct out *o;

	(void)state;
	if (f == NULL)
		skip();
	o = out_to_file(f);
	out_text(o, "lost");
	assert_false(out_close(o));
	(void)fclose(f);
}

static void globs_match_as_in_a_shell(void **state)
{
	char name[300];

	(void)state;
	assert_true(glob_matches("read", STR("read")));
	assert_false(glob_matches("read", STR("readdir")));
	assert_false(glob_matches("read", STR("")));
	assert_true(glob_matches("*read*", STR("ext4_readdir")));
	assert_true(glob_matches("p[rw]?ead\\*", STR("pwread*")));
	assert_false(glob_matches("p[rw]?ead\\*", STR("pwreads")));
	assert_true(glob_matches("read\\*", STR("read*")));
	memset(name, 'a', sizeof(name));
	for (size_t n = 120; n < sizeof(name); n++) {
		assert_true(glob_matches("a*", (struct str){ name, n }));
		assert_false(glob_matches("*b", (struct str){ name, n }));
	}
}

static void letters_and_digits_are_those_of_ascii(void **state)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	(void)state;
	for (int c = 0; c < 256; c++) {
		assert_int_equal(is_letter((char)c), c != 0 && strchr(letters, c) != NULL);
		assert_int_equal(is_digit((char)c), c != 0 && strchr("0123456789", c) != NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_and_digits_are_those_of_ascii),
		cmocka_unit_test(globs_match_as_in_a_shell),
		cmocka_unit_test(trim_takes_blanks_of_both_ends_only),
		cmocka_unit_test(spaces_are_passed_over_whatever_their_number),
		cmocka_unit_test(order_is_by_unsigned_bytes_then_length),
		cmocka_unit_test(case_is_ignored_in_ascii_only),
		cmocka_unit_test(prefix_suffix_and_part),
		cmocka_unit_test(a_part_is_found_where_it_first_is),
		cmocka_unit_test(bytes_are_counted_whatever_their_number),
		cmocka_unit_test(cut_is_at_the_first_separator_or_not_at_all),
		cmocka_unit_test(skip_stops_at_the_end),
		cmocka_unit_test(lines_lose_newline_and_one_cr),
		cmocka_unit_test(a_line_ends_the_cursor_over_it),
		cmocka_unit_test(a_failed_scan_consumes_nothing),
		cmocka_unit_test(scans_take_what_they_found_and_no_more),
		cmocka_unit_test(short_numbers_are_words_of_few_digits),
		cmocka_unit_test(short_numbers_may_have_a_point),
		cmocka_unit_test(numbers_of_any_length_are_scanned_up_to_2_64),
		cmocka_unit_test(a_cursor_on_a_part_keeps_the_place_in_the_whole),
		cmocka_unit_test(arena_blocks_are_zeroed_aligned_and_apart),
		cmocka_unit_test(a_cleared_arena_gives_zeroes_again),
		cmocka_unit_test(arena_joins_texts_of_any_length),
		cmocka_unit_test(arena_text_is_a_terminated_copy),
		cmocka_unit_test(xgrow_at_least_doubles_and_keeps_items),
		cmocka_unit_test(memory_holds_what_was_written_in_order),
		cmocka_unit_test(a_file_gets_every_byte_in_order),
		cmocka_unit_test(a_full_disk_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
