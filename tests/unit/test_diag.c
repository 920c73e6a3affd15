/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: what they say, where the caret is, and when they stop. */
#include "tests/unit/unit.h"

#include <ctype.h>
#include <locale.h>

static void render(void *ctx, const struct diag_msg *msg)
{
	diag_render(ctx, msg);
}

static void expect_rendered(const char *text, size_t at, size_t len, const char *expected)
{
	struct out *o = out_to_memory();
	struct diag diag = { .emit = render, .ctx = o };
	struct input in = input_of(text);

	diag_at(&diag, DIAG_BUCKET_ORDER, &in, at, len, "%d after %d", 9, 11);
	assert_out(o, expected);
	input_release(&in);
	out_free(o);
}

static void place_line_and_caret(void **state)
{
	(void)state;
	expect_rendered("ab\n12 345 6\nz\n", 6, 3,
			"test:2:4: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    12 345 6\n"
			"       ^^^\n");
}

static void the_caret_stays_within_its_line(void **state)
{
	(void)state;
	expect_rendered("ab cd\nnext", 3, 100,
			"test:1:4: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    ab cd\n"
			"       ^^\n");
	expect_rendered("ab", 0, 0, /* nothing in particular: one caret */
			"test:1:1: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    ab\n"
			"    ^\n");
}

static void the_end_of_the_file_has_a_caret_after_it(void **state)
{
	(void)state;
	expect_rendered("ab", 2, 1,
			"test:1:3: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    ab\n"
			"      ^\n");
	expect_rendered("ab\n", 3, 1,
			"test:2:1: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    \n"
			"    ^\n");
}

static void an_empty_file_has_no_line_to_show(void **state)
{
	(void)state;
	expect_rendered("", 0, 1,
			"test:1:1: error: buckets out of order: 9 after 11 [bucket-order]\n");
}

/* A tab is shown as four characters, a euro sign is one column of three bytes. */
static void the_caret_is_under_what_is_shown(void **state)
{
	(void)state;
	expect_rendered("\t12", 1, 2,
			"test:1:2: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    \\x0912\n"
			"        ^^\n");
	expect_rendered("\xe2\x82\xac\xe2\x82\xac 12", 7, 2,
			"test:1:8: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    \xe2\x82\xac\xe2\x82\xac 12\n"
			"       ^^\n");
}

/* A reader that blames one byte of a character means the character. */
static void a_blamed_byte_is_shown_as_its_character(void **state)
{
	(void)state;
	expect_rendered("a\xe2\x82\xacz", 1, 1,
			"test:1:2: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    a\xe2\x82\xacz\n"
			"     ^\n");
	expect_rendered("a\xe2\x82\xacz", 2, 1,
			"test:1:3: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    a\xe2\x82\xacz\n"
			"     ^\n");
}

static void something_without_width_has_a_caret_too(void **state)
{
	(void)state;
	expect_rendered("a\xcc\x81z", 1, 2, /* a combining acute accent */
			"test:1:2: error: buckets out of order: 9 after 11 [bucket-order]\n"
			"    a\xcc\x81z\n"
			"     ^\n");
}

/* Of a rendered message: the line shown and where its caret begins. */
static struct str shown_line(struct out *o, size_t *ret_caret)
{
	struct str head, line, caret;

	assert_true(str_cut(out_memory(o), '\n', &head, &caret));
	assert_true(str_cut(caret, '\n', &line, &caret));
	for (*ret_caret = 0; caret.p[*ret_caret] == ' ';)
		++*ret_caret;
	assert_int_equal(caret.p[*ret_caret], '^');
	return line;
}

/* A line of 3000 bytes, all letters different from their neighbours. */
static void a_long_line_is_shown_around_the_place(void **state)
{
	static char text[3001];
	struct out *o = out_to_memory();
	struct diag diag = { .emit = render, .ctx = o, .max_each = 10000 };
	struct input in;

	(void)state;
	for (size_t i = 0; i < 3000; i++)
		text[i] = (char)('a' + i % 26);
	in = input_of(text);
	for (size_t at = 0; at < 3000; at += 7) {
		size_t caret;
		struct str line;

		diag_at(&diag, DIAG_NUMBER_BAD, &in, at, 2000, "x");
		line = shown_line(o, &caret);
		assert_true(line.n <= 120);
		assert_int_equal(line.p[caret], text[at]);
		if (at > 0 && at < 2999) {
			assert_int_equal(line.p[caret - 1], text[at - 1]);
			assert_int_equal(line.p[caret + 1], text[at + 1]);
		}
		out_reset(o);
	}
	input_release(&in);
	out_free(o);
}

/* The same of characters of three bytes: none is shown in halves. */
static void a_long_line_is_cut_between_characters(void **state)
{
	static char text[3001];
	struct out *o = out_to_memory();
	struct diag diag = { .emit = render, .ctx = o, .max_each = 10000 };
	struct input in;

	(void)state;
	for (size_t i = 0; i < 3000; i++)
		text[i] = "\xe2\x82\xac"[i % 3];
	in = input_of(text);
	for (size_t at = 0; at < 3000; at++) {
		diag_at(&diag, DIAG_NUMBER_BAD, &in, at, 1, "x");
		assert_null(memchr(out_memory(o).p, '\\', out_memory(o).n));
		out_reset(o);
	}
	input_release(&in);
	out_free(o);
}

static void hostile_text_is_escaped_everywhere(void **state)
{
	struct out *o = out_to_memory();
	struct diag diag = { .emit = render, .ctx = o };
	struct input in = input_of("\x1b[31m");
	struct str s;

	(void)state;
	in.name = STR("a\x1b"
		      "b");
	diag_at(&diag, DIAG_NUMBER_BAD, &in, 0, 1, "got %s", "\x1b[2J\nnext");
	diag_plain(&diag, DIAG_USAGE, "%s", "\x9b");
	for (s = out_memory(o); s.n > 0; s = str_skip(s, 1))
		assert_true(s.p[0] == '\n' || isprint((unsigned char)s.p[0]));
	assert_true(str_contains(out_memory(o), STR("a\\x1bb:1:1: ")));
	assert_true(str_contains(out_memory(o), STR("got \\x1b[2J\\x0anext")));
	input_release(&in);
	out_free(o);
}

static void without_a_place_the_program_is_named(void **state)
{
	struct out *o = out_to_memory();
	struct diag diag = { .emit = render, .ctx = o };

	(void)state;
	diag_plain(&diag, DIAG_EVENTS_LOST, "%d", 12);
	assert_out(o, "osprof: warning: the collector lost events: 12 [events-lost]\n");
	out_free(o);
}

static void messages_of_one_severity_stop_after_the_limit(void **state)
{
	struct captured captured;
	struct diag diag = diag_to(&captured);

	(void)state;
	diag.max_each = 3;
	for (int i = 0; i < 10; i++)
		diag_plain(&diag, DIAG_EVENTS_LOST, "x");
	assert_int_equal(captured.n, 4);
	assert_int_equal(captured.code, DIAG_TOO_MANY);
	assert_int_equal(diag.seen[SEV_WARNING], 10); /* all are counted */
	diag_plain(&diag, DIAG_USAGE, "an error is not a warning");
	assert_int_equal(captured.n, 5);
	assert_int_equal(captured.code, DIAG_USAGE);
}

static void twenty_are_enough_and_nobody_need_listen(void **state)
{
	struct captured captured;
	struct diag diag = diag_to(&captured), deaf = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++) {
		diag_plain(&diag, DIAG_USAGE, "x");
		diag_plain(&deaf, DIAG_USAGE, "x");
	}
	assert_int_equal(captured.n, 21);
	assert_int_equal(deaf.seen[SEV_ERROR], 100);
}

/* Users grep for the names: each is one word, and no two are the same. */
static void names_of_codes_are_words_and_differ(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(id, severity, name, text) DIAG_##id,
#include "base/diag_codes.def"
#undef DIAG
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(codes); i++) {
		const char *name = diag_name(codes[i]);

		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
		assert_true(strlen(diag_text(codes[i])) > 3);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(name, diag_name(codes[k]));
	}
}

static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") == NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(place_line_and_caret),
		cmocka_unit_test(the_caret_stays_within_its_line),
		cmocka_unit_test(the_end_of_the_file_has_a_caret_after_it),
		cmocka_unit_test(an_empty_file_has_no_line_to_show),
		cmocka_unit_test(the_caret_is_under_what_is_shown),
		cmocka_unit_test(a_blamed_byte_is_shown_as_its_character),
		cmocka_unit_test(something_without_width_has_a_caret_too),
		cmocka_unit_test(a_long_line_is_shown_around_the_place),
		cmocka_unit_test(a_long_line_is_cut_between_characters),
		cmocka_unit_test(hostile_text_is_escaped_everywhere),
		cmocka_unit_test(without_a_place_the_program_is_named),
		cmocka_unit_test(messages_of_one_severity_stop_after_the_limit),
		cmocka_unit_test(twenty_are_enough_and_nobody_need_listen),
		cmocka_unit_test(names_of_codes_are_words_and_differ),
	};

	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
