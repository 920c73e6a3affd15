/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as it comes: values, places of errors, and documents cut off anywhere. */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"

struct fixture {
	struct input in;
	struct captured captured;
	struct diag diag;
	struct json j;
	char *copy; /* exactly as long as the text: a sanitizer sees the byte after it */
};

static void begin_n(struct fixture *f, const char *text, size_t n)
{
	f->diag = diag_to(&f->captured);
	f->copy = malloc(n > 0 ? n : 1);
	assert_non_null(f->copy);
	memcpy(f->copy, text, n);
	input_borrow(&f->in, "test", f->copy, n);
	json_start(&f->j, cursor_on(&f->in), arena_new(), &f->diag);
}

static void begin(struct fixture *f, const char *text)
{
	begin_n(f, text, strlen(text));
}

static void end(struct fixture *f)
{
	arena_free(f->j.strings);
	input_release(&f->in);
	free(f->copy);
}

/* --- values ---------------------------------------------------------------------- */

static void members_and_items_come_in_order(void **state)
{
	struct fixture f;
	struct str key;
	uint64_t v, sum = 0;

	(void)state;
	begin(&f, " { \"a\" : [1 ,2,\n3 ] , \"b\":{}, \"c\": [] } ");
	assert_true(json_open(&f.j, '{'));
	assert_true(json_key(&f.j, &key));
	assert_str(key, "a");
	assert_true(json_open(&f.j, '['));
	while (json_item(&f.j)) {
		assert_true(json_u64(&f.j, &v));
		sum = sum * 10 + v;
	}
	assert_int_equal(sum, 123);
	assert_true(json_key(&f.j, &key) && json_open(&f.j, '{'));
	assert_false(json_key(&f.j, &key));
	assert_true(json_key(&f.j, &key) && json_open(&f.j, '['));
	assert_str(key, "c");
	assert_false(json_item(&f.j));
	assert_false(json_key(&f.j, &key));
	assert_true(json_end(&f.j));
	assert_false(f.j.failed);
	end(&f);
}

static void string_is(const char *json, const char *expected, size_t n)
{
	struct fixture f;
	struct str s;

	begin(&f, json);
	assert_true(json_string(&f.j, &s));
	assert_int_equal(s.n, n);
	assert_memory_equal(s.p, expected, n);
	end(&f);
}

static void escapes_are_decoded(void **state)
{
	(void)state;
	string_is("\"\"", "", 0);
	string_is("\"plain \xc3\xa9\"", "plain \xc3\xa9", 8);
	string_is("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8);
	string_is("\"a\\u0000b\"", "a\0b", 3);
	string_is("\"\\u00E9\\u20ac\"", "\xc3\xa9\xe2\x82\xac", 5);
}

/* U+1F600 is D83D DE00 in UTF-16, F0 9F 98 80 in UTF-8; U+FFFD is EF BF BD. */
static void surrogates_pair_up_or_are_replaced(void **state)
{
	(void)state;
	string_is("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4);
	string_is("\"\\ude00\"", "\xef\xbf\xbd", 3);
	string_is("\"\\ud83dx\"", "\xef\xbf\xbdx", 4);
	string_is("\"\\ud83d\\u0041\"", "\xef\xbf\xbd\x41", 4);
	string_is("\"\\ud83d\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80", 7);
}

static void expect_u64(const char *text, uint64_t expected)
{
	struct fixture f;
	uint64_t v;

	begin(&f, text);
	assert_true(json_u64(&f.j, &v));
	assert_true(v == expected);
	assert_true(json_end(&f.j));
	end(&f);
}

static void expect_i64(const char *text, int64_t expected)
{
	struct fixture f;
	int64_t v;

	begin(&f, text);
	assert_true(json_i64(&f.j, &v));
	assert_true(v == expected);
	end(&f);
}

static void integers_plain_and_in_strings(void **state)
{
	(void)state;
	expect_u64("0", 0);
	expect_u64(" 18446744073709551615", UINT64_MAX);
	expect_u64("\"18446744073709551615\"", UINT64_MAX);
	expect_i64("-5", -5);
	expect_i64("\"-5\"", -5);
	expect_i64("9223372036854775807", INT64_MAX);
	expect_i64("-9223372036854775808", INT64_MIN);
}

static void a_text_is_found_where_it_stands(void **state)
{
	struct fixture f;
	struct str s = STR("");

	(void)state;
	begin(&f, "[ \"1\\u0032\",  -3.50, \"\", true]");
	assert_true(json_open(&f.j, '['));
	assert_true(json_item(&f.j) && json_text_in_place(&f.j, &s));
	assert_str(s, "1\\u0032");
	assert_true(s.p == f.j.c.in->bytes.p + 3);
	assert_true(json_item(&f.j) && json_text_in_place(&f.j, &s));
	assert_str(s, "-3.50");
	assert_true(json_item(&f.j) && json_text_in_place(&f.j, &s));
	assert_int_equal(s.n, 0);
	assert_true(json_item(&f.j));
	assert_false(json_text_in_place(&f.j, &s));
	end(&f);
}

static void values_that_may_be_of_another_kind(void **state)
{
	struct fixture f;
	struct str s = STR("as it was");
	double v = 7;

	(void)state;
	begin(&f, "[\"1\\u0032\", -3.50, \"w\", {\"a\": [1]}, null, null, 0.25] ");
	assert_true(json_open(&f.j, '['));
	assert_true(json_item(&f.j) && json_text(&f.j, &s));
	assert_str(s, "12");
	assert_true(json_item(&f.j) && json_text(&f.j, &s));
	assert_str(s, "-3.50");
	assert_true(json_item(&f.j) && json_text_or_skip(&f.j, &s));
	assert_str(s, "w");
	assert_true(json_item(&f.j) && json_text_or_skip(&f.j, &s));
	assert_true(json_item(&f.j) && json_text_or_skip(&f.j, &s));
	assert_str(s, "w");
	assert_true(json_item(&f.j) && json_f64_or_null(&f.j, &v));
	assert_true(v == 7);
	assert_true(json_item(&f.j) && json_f64_or_null(&f.j, &v));
	assert_true(v == 0.25);
	assert_false(json_item(&f.j));
	assert_true(json_end(&f.j));
	end(&f);
}

/* --- errors ------------------------------------------------------------------------ */

typedef bool json_reader(struct json *j);

static bool read_u64(struct json *j)
{
	uint64_t v = 77;
	bool ok = json_u64(j, &v);

	assert_true(ok || v == 77);
	return ok;
}

static bool read_i64(struct json *j)
{
	int64_t v = 77;
	bool ok = json_i64(j, &v);

	assert_true(ok || v == 77);
	return ok;
}

static bool read_text(struct json *j)
{
	struct str s;

	return json_text(j, &s);
}

static bool read_number(struct json *j)
{
	struct str s;

	return json_number(j, &s);
}

static void expect_error(json_reader *read, const char *text, size_t line, size_t column,
			 enum diag_code code)
{
	struct fixture f;
	struct str s;

	begin(&f, text);
	if (read(&f.j))
		fail_msg("%s was taken", text);
	if (f.captured.n != 1 || f.captured.at.line != line || f.captured.at.column != column ||
	    f.captured.code != code)
		fail_msg("%s: %u errors, the last at %zu:%zu: %s", text, f.captured.n,
			 f.captured.at.line, f.captured.at.column, diag_name(f.captured.code));
	/* After the first error everything is false and nothing more is said. */
	assert_true(f.j.failed);
	assert_false(json_open(&f.j, '{') || json_key(&f.j, &s) || json_item(&f.j) ||
		     json_string(&f.j, &s) || read_u64(&f.j) || read_i64(&f.j) ||
		     json_number(&f.j, &s) || json_skip(&f.j) || json_end(&f.j));
	assert_int_equal(f.captured.n, 1);
	end(&f);
}

static void errors_are_where_they_are(void **state)
{
	(void)state;
	expect_error(json_skip, "[1,\n 2 3]", 2, 4, DIAG_JSON_BAD);
	expect_error(json_skip, "[1,]", 1, 4, DIAG_JSON_BAD);
	expect_error(json_skip, "[,1]", 1, 2, DIAG_JSON_BAD);
	expect_error(json_skip, "{\"a\" 1}", 1, 6, DIAG_JSON_BAD);
	expect_error(json_skip, "{\"a\":1,}", 1, 8, DIAG_JSON_BAD);
	expect_error(json_skip, "{a:1}", 1, 2, DIAG_JSON_BAD);
	expect_error(json_skip, "[1}", 1, 3, DIAG_JSON_BAD);
	expect_error(json_skip, "nul", 1, 1, DIAG_JSON_BAD);
	expect_error(json_skip, "NaN", 1, 1, DIAG_JSON_BAD);
	expect_error(json_skip, "", 1, 1, DIAG_INPUT_TRUNCATED);
	expect_error(json_skip, "[\n", 2, 1, DIAG_INPUT_TRUNCATED);
	expect_error(json_skip, "\"abc", 1, 5, DIAG_INPUT_TRUNCATED);
}

static void errors_within_strings(void **state)
{
	(void)state;
	expect_error(json_skip, "\"ab\\x41\"", 1, 5, DIAG_JSON_BAD);
	expect_error(json_skip, "\"ab\\u12g4\"", 1, 6, DIAG_JSON_BAD);
	expect_error(json_skip, "\"a\tb\"", 1, 3, DIAG_JSON_BAD);
	expect_error(json_skip, "\"a\nb\"", 1, 3, DIAG_JSON_BAD);
	expect_error(json_skip, "\"ab\\", 1, 5, DIAG_INPUT_TRUNCATED);
}

static void numbers_that_json_does_not_know(void **state)
{
	static const char *const text[] = { "+1", ".5", "01", "-", "1.", "1.e5", "1e", "-01" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(text); i++) {
		struct fixture f;

		begin(&f, text[i]);
		if (json_skip(&f.j))
			fail_msg("%s was taken", text[i]);
		assert_int_equal(f.captured.n, 1);
		end(&f);
	}
	expect_error(read_number, "\"5\"", 1, 1, DIAG_JSON_BAD);
	expect_error(read_text, "true", 1, 1, DIAG_JSON_BAD);
	expect_error(json_end, " 1", 1, 2, DIAG_JSON_BAD);
}

static void integers_out_of_range_or_not_whole(void **state)
{
	(void)state;
	expect_error(read_u64, " 18446744073709551616", 1, 2, DIAG_COUNT_OVERFLOW);
	expect_error(read_u64, "\"18446744073709551616\"", 1, 1, DIAG_COUNT_OVERFLOW);
	expect_error(read_u64, "-1", 1, 1, DIAG_NUMBER_BAD);
	expect_error(read_u64, "1.5", 1, 1, DIAG_NUMBER_BAD);
	expect_error(read_u64, "1e3", 1, 1, DIAG_NUMBER_BAD);
	expect_error(read_u64, "\"\"", 1, 1, DIAG_NUMBER_BAD);
	expect_error(read_u64, "\"12 \"", 1, 1, DIAG_NUMBER_BAD);
	expect_error(read_u64, "007", 1, 1, DIAG_JSON_BAD);
	expect_error(read_u64, "null", 1, 1, DIAG_JSON_BAD);
	expect_error(read_i64, "9223372036854775808", 1, 1, DIAG_NUMBER_RANGE);
	expect_error(read_i64, "-9223372036854775809", 1, 1, DIAG_NUMBER_RANGE);
	expect_error(read_i64, "99999999999999999999", 1, 1, DIAG_NUMBER_RANGE);
}

static bool nested(unsigned depth, char open, char close)
{
	char text[1000];
	struct fixture f;
	bool ok;

	memset(text, open, depth);
	memset(text + depth, close, depth);
	begin_n(&f, text, (size_t)2 * depth);
	ok = json_skip(&f.j);
	if (!ok) /* at the bracket that is one too many */
		assert_int_equal(f.captured.at.column, JSON_DEPTH + 1);
	end(&f);
	return ok;
}

static void nesting_has_a_limit(void **state)
{
	(void)state;
	assert_true(nested(JSON_DEPTH, '[', ']'));
	assert_false(nested(JSON_DEPTH + 1, '[', ']'));
	assert_false(nested(500, '[', ']'));
}

/* Whatever the cut, no prefix of one object is a whole one, and the error is at
 * its end or is the half of a word or a number. */
static void every_prefix_is_refused(void **state)
{
	static const char sample[] = "{\"a\\u00e9\\ud83d\\ude00\": [1, -2.5e+3, \"x\\\\y\"], "
				     "\"b\":{\"c\":true,\"d\":null}, \"e\": \"\", \"f\":[[],{}]}";

	(void)state;
	for (size_t n = 0; n <= sizeof(sample) - 1; n++) {
		struct fixture f;
		bool ok;

		begin_n(&f, sample, n);
		ok = json_skip(&f.j);
		assert_int_equal(ok, n == sizeof(sample) - 1);
		assert_int_equal(f.captured.n, !ok);
		assert_true(f.j.c.at <= n);
		end(&f);
	}
}

/* --- random documents ------------------------------------------------------------- */

static void write_string(struct rng *r, struct out *o)
{
	static const char *const piece[] = { "a", "\\n", "\\u20ac", "\xc3\xa9", "]",
					     "}", ",",	 "\\\"",    "\\\\",	"\\ud800" };

	out_char(o, '"');
	for (unsigned n = rng_below(r, 5); n > 0; n--)
		out_text(o, piece[rng_below(r, COUNT_OF(piece))]);
	out_char(o, '"');
}

static void write_value(struct rng *r, struct out *o, unsigned depth)
{
	static const char *const plain[] = {
		"true", "false", "null", "0", "-0.5e-7", "12E3", " 1 "
	};
	unsigned kind = rng_below(r, depth > 0 ? 4 : 2), n;

	if (kind == 0) {
		out_text(o, plain[rng_below(r, COUNT_OF(plain))]);
		return;
	}
	if (kind == 1) {
		write_string(r, o);
		return;
	}
	out_char(o, kind == 2 ? '[' : '{');
	n = rng_below(r, 5);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			out_text(o, rng_below(r, 2) ? "," : " ,\n");
		if (kind == 3) {
			write_string(r, o);
			out_text(o, rng_below(r, 2) ? ":" : " :\t");
		}
		write_value(r, o, depth - 1);
	}
	out_char(o, kind == 2 ? ']' : '}');
}

static void skipping_ends_exactly_after_the_value(void **state)
{
	struct rng r = rng_start(10);
	struct out *o = out_to_memory();

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct fixture f;

		write_value(&r, o, 6);
		out_text(o, " @rest");
		begin_n(&f, out_memory(o).p, out_memory(o).n);
		if (!json_skip(&f.j))
			fail_msg("%.*s", STR_ARG(out_memory(o)));
		assert_int_equal(json_peek(&f.j), '@');
		assert_str(cursor_rest(&f.j.c), "@rest");
		end(&f);
		out_reset(o);
	}
	out_free(o);
}

/* One byte changed: taken or refused with one error, never read past the end. */
static void damaged_documents_end_in_one_error(void **state)
{
	static const char bytes[] = "{}[]\",:\\u0 -.e\n";
	struct rng r = rng_start(11);
	struct out *o = out_to_memory();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct fixture f;
		bool ok;

		write_value(&r, o, 4);
		begin_n(&f, out_memory(o).p, out_memory(o).n);
		f.copy[rng_below(&r, (unsigned)f.in.bytes.n)] = bytes[rng_below(&r, sizeof(bytes))];
		ok = json_skip(&f.j);
		assert_int_equal(ok, f.captured.n == 0);
		assert_true(f.captured.n <= 1);
		end(&f);
		out_reset(o);
	}
	out_free(o);
}

/* --- loops and tables ------------------------------------------------------------- */

/* What is no object, or no array, is reported once, and its loop has nothing. */
static void loops_over_nothing_end_at_once(void **state)
{
	struct fixture f;
	struct str key;
	size_t n = 0;

	(void)state;
	begin(&f, "[1]");
	for (json_object(&f.j); json_key(&f.j, &key);)
		n++;
	assert_int_equal(n, 0);
	assert_true(f.j.failed);
	end(&f);
	begin(&f, "{\"a\": 1}");
	for (json_array(&f.j); json_item(&f.j);)
		n++;
	assert_int_equal(n, 0);
	assert_true(f.j.failed);
	end(&f);
}

struct sum {
	struct json *j;
	uint64_t sum;
};

static bool add_item(void *ctx)
{
	struct sum *s = ctx;
	uint64_t v;

	if (!json_u64(s->j, &v))
		return false;
	s->sum += v;
	return true;
}

static void each_item_is_read_once(void **state)
{
	struct fixture f;
	struct sum s = { .j = &f.j };

	(void)state;
	begin(&f, "[1, 20, 300]");
	assert_true(json_each(&f.j, add_item, &s) && json_end(&f.j));
	assert_int_equal(s.sum, 321);
	end(&f);
	begin(&f, "[]");
	assert_true(json_each(&f.j, add_item, &s) && json_end(&f.j));
	assert_int_equal(s.sum, 321);
	end(&f);
	begin(&f, "[1, true]");
	assert_false(json_each(&f.j, add_item, &s));
	end(&f);
}

static void members_are_kept_by_name(void **state)
{
	struct fixture f;
	struct str name = STR(""), number = STR("");
	uint64_t count = 0;
	double mean = 0, other = 7;
	bool has_count = false, has_other = false, failed = false;
	const struct json_member members[] = {
		JSON_STRING("name", &name),
		JSON_U64("count", &count, &has_count),
		JSON_F64("mean", &mean),
		JSON_NUMBER("max", &number),
		JSON_F64_OR_NULL("other", &other, &has_other),
		JSON_FLAG("failed", &failed),
	};

	(void)state;
	begin(&f, "{\"x\": {\"count\": 9}, \"max\": 1.50, \"count\": 3, \"failed\": \"yes\","
		  " \"mean\": 2.5, \"name\": \"read\"}");
	assert_true(json_members(&f.j, members, COUNT_OF(members)) && json_end(&f.j));
	assert_str(name, "read");
	assert_str(number, "1.50");
	assert_int_equal(count, 3);
	assert_true(mean == 2.5 && other == 7);
	assert_true(has_count && !has_other && failed);
	end(&f);
	/* In the table's order, and keys that only begin like the one that is expected. */
	begin(&f, "{\"name\":\"a\",\"count\" :4,\"meanest\":8,\"me\\u0061n\":1,\"max\":2}");
	assert_true(json_members(&f.j, members, COUNT_OF(members)) && json_end(&f.j));
	assert_true(str_eq(name, STR("a")) && str_eq(number, STR("2")) && count == 4 && mean == 1);
	end(&f);
	begin(&f, "{\"count\": \"many\"}");
	assert_false(json_members(&f.j, members, COUNT_OF(members)));
	end(&f);
	begin(&f, "[]");
	assert_false(json_members(&f.j, members, COUNT_OF(members)));
	assert_true(f.j.failed);
	end(&f);
}

/* Strings and words of Python's repr(), which are no JSON. */
static void reads_what_python_writes(void **state)
{
	static const char text[] = "{'a': b'x\\'y\\x41', u\"b\": [None, True, False], 'n': 7}";
	struct fixture f;
	struct str s;
	uint64_t n = 0;

	(void)state;
	begin(&f, text);
	f.j.python = true;
	assert_true(json_open(&f.j, '{'));
	assert_true(json_key(&f.j, &s));
	assert_str(s, "a");
	assert_int_equal(json_peek(&f.j), '"');
	assert_true(json_string(&f.j, &s));
	assert_str(s, "x'yA");
	assert_true(json_key(&f.j, &s) && json_skip(&f.j));
	assert_true(json_key(&f.j, &s) && json_u64(&f.j, &n));
	assert_int_equal(n, 7);
	assert_false(json_key(&f.j, &s));
	assert_false(f.j.failed);
	end(&f);
	begin(&f, text); /* not asked for it */
	assert_true(json_open(&f.j, '{'));
	assert_false(json_key(&f.j, &s));
	assert_true(f.j.failed);
	end(&f);
	for (size_t n_bytes = 0; n_bytes < sizeof(text) - 1; n_bytes++) {
		begin_n(&f, text, n_bytes);
		f.j.python = true;
		assert_false(json_skip(&f.j));
		end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_python_writes),
		cmocka_unit_test(members_and_items_come_in_order),
		cmocka_unit_test(escapes_are_decoded),
		cmocka_unit_test(surrogates_pair_up_or_are_replaced),
		cmocka_unit_test(integers_plain_and_in_strings),
		cmocka_unit_test(a_text_is_found_where_it_stands),
		cmocka_unit_test(values_that_may_be_of_another_kind),
		cmocka_unit_test(errors_are_where_they_are),
		cmocka_unit_test(errors_within_strings),
		cmocka_unit_test(numbers_that_json_does_not_know),
		cmocka_unit_test(integers_out_of_range_or_not_whole),
		cmocka_unit_test(loops_over_nothing_end_at_once),
		cmocka_unit_test(each_item_is_read_once),
		cmocka_unit_test(members_are_kept_by_name),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(every_prefix_is_refused),
		cmocka_unit_test(skipping_ends_exactly_after_the_value),
		cmocka_unit_test(damaged_documents_end_in_one_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
