/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hostile names: what each place must never see, and that nothing gets lost. */
#include "tests/unit/unit.h"

#include <locale.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"

typedef void checker(struct str from, struct out *o);

/* --- inputs ------------------------------------------------------------------------ */

static void on_one(checker *check, struct str from, struct out *o)
{
	check(from, o);
	out_reset(o);
}

/* Every input of one and two bytes. */
static void on_short(checker *check, struct out *o)
{
	char bytes[2];

	on_one(check, (struct str){ bytes, 0 }, o);
	for (int a = 0; a < 256; a++) {
		bytes[0] = (char)a;
		on_one(check, (struct str){ bytes, 1 }, o);
		for (int b = 0; b < 256; b++) {
			bytes[1] = (char)b;
			on_one(check, (struct str){ bytes, 2 }, o);
		}
	}
}

/* Every byte at every place of a name that is plain otherwise. */
static void on_one_odd_byte(checker *check, struct out *o)
{
	char bytes[20];

	for (size_t place = 0; place < sizeof(bytes); place++) {
		for (int byte = 0; byte < 256; byte++) {
			memset(bytes, 'n', sizeof(bytes));
			bytes[place] = (char)byte;
			on_one(check, (struct str){ bytes, sizeof(bytes) }, o);
		}
	}
}

/* Bytes, ASCII that some place may act upon, and whole code points. */
static size_t random_name(struct rng *r, char *bytes, size_t room)
{
	static const char special[] = "|&<>\"'\\,;\n\r\t=@`*_[](){}#!~\x1b\x7f";
	struct out *o = out_to_memory();
	unsigned n = rng_below(r, 12);
	size_t len;

	for (unsigned i = 0; i < n; i++) {
		unsigned kind = rng_below(r, 4);

		if (kind == 0)
			out_char(o, (char)rng_below(r, 256));
		else if (kind == 1)
			out_char(o, special[rng_below(r, sizeof(special))]);
		else
			out_code_point(o, rng_below(r, kind == 2 ? 0x3000 : 0x110000));
	}
	len = out_memory(o).n < room ? out_memory(o).n : room;
	memcpy(bytes, out_memory(o).p, len);
	out_free(o);
	return len;
}

static void on_everything(checker *check)
{
	struct rng r = rng_start(12);
	struct out *o = out_to_memory();
	char bytes[64];

	on_short(check, o);
	on_one_odd_byte(check, o);
	for (int i = 0; i < 20000; i++) {
		struct str name = { bytes, random_name(&r, bytes, sizeof(bytes)) };

		on_one(check, name, o);
	}
	out_free(o);
}

/* --- UTF-8 --------------------------------------------------------------------------- */

/* Every code point goes out and in; surrogates do not come in. */
static void utf8_goes_out_and_in(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	for (uint32_t code = 0; code < 0x110000; code++) {
		bool surrogate = code >= 0xd800 && code < 0xe000;
		uint32_t back = 0;
		size_t n = 0;

		out_code_point(o, code);
		assert_int_equal(utf8_decode(out_memory(o), &back, &n), !surrogate);
		assert_true(surrogate || (back == code && n == out_memory(o).n));
		out_reset(o);
	}
	out_free(o);
}

static void utf8_that_is_none_is_refused(void **state)
{
	static const char *const text[] = {
		"\x80",
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xff",
		"\xc3",
		"\xe2\x82",
		"\xc3(",
		"\xed\xa0\x80",
	};
	uint32_t code;
	size_t n;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(text); i++)
		assert_false(utf8_decode(str_from(text[i]), &code, &n));
	assert_false(utf8_decode(STR(""), &code, &n));
}

/* --- the terminal --------------------------------------------------------------------- */

static bool reorders(uint32_t code)
{
	return code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Valid UTF-8 without controls of either set, and its width what wcwidth() says. */
static void check_terminal(struct str from, struct out *o)
{
	size_t width = 0;
	struct str s;

	escape_terminal(o, from);
	for (s = out_memory(o); s.n > 0;) {
		uint32_t code;
		size_t n;
		int columns;

		assert_true(utf8_decode(s, &code, &n));
		assert_false(code < 0x20 || (code >= 0x7f && code < 0xa0) || reorders(code));
		columns = wcwidth((wchar_t)code);
		width += columns < 0 ? 1 : (size_t)columns;
		s = str_skip(s, n);
	}
	assert_int_equal(escape_terminal_width(from), width);
}

static void terminals_get_no_controls(void **state)
{
	(void)state;
	on_everything(check_terminal);
}

static void terminal_escapes_by_hand(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	escape_terminal(o, STR("read \xe2\x82\xac"));
	assert_out(o, "read \xe2\x82\xac");
	escape_terminal(o, STR("\x1b[31m\n"));
	assert_out(o, "\\x1b[31m\\x0a");
	escape_terminal(o, STR("a\xffz"));
	assert_out(o, "a\\xffz");
	escape_terminal(o, STR("\xc2\x9b")); /* CSI of the C1 set */
	assert_out(o, "\\u{9b}");
	escape_terminal(o, STR("\xe2\x80\xae"
			       "exe.txt")); /* right-to-left override */
	assert_out(o, "\\u{202e}exe.txt");
	out_free(o);
}

/* --- JSON ------------------------------------------------------------------------------- */

/* What JSON should hold: the same text, U+FFFD for every invalid byte. */
static void replace_invalid(struct str s, struct out *o)
{
	while (s.n > 0) {
		uint32_t code = 0xfffd;
		size_t n = 1;

		if (!utf8_decode(s, &code, &n)) {
			code = 0xfffd;
			n = 1;
		}
		out_code_point(o, code);
		s = str_skip(s, n);
	}
}

static void check_json(struct str from, struct out *o)
{
	struct out *expected = out_to_memory();
	struct arena *strings = arena_new();
	struct diag diag = { 0 };
	struct input in;
	struct json j;
	struct str back;

	escape_json(o, from);
	replace_invalid(from, expected);
	input_borrow(&in, "test", out_memory(o).p, out_memory(o).n);
	json_start(&j, cursor_on(&in), strings, &diag);
	assert_true(json_string(&j, &back));
	assert_true(cursor_done(&j.c));
	assert_true(str_eq(back, out_memory(expected)));
	arena_free(strings);
	out_free(expected);
}

static void json_reads_back_the_same(void **state)
{
	(void)state;
	on_everything(check_json);
}

/* --- CSV ---------------------------------------------------------------------------------- */

/* A field by RFC 4180: bare without comma, quote or line end, or in quotes with
 * every quote inside doubled.  False when it is neither or something follows. */
static bool csv_field(struct str s, struct out *ret)
{
	if (s.n == 0 || s.p[0] != '"') {
		for (size_t i = 0; i < s.n; i++) {
			if (strchr(",\"\r\n", s.p[i]) != NULL)
				return false;
		}
		out_bytes(ret, s);
		return true;
	}
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == '"' && i + 1 == s.n)
			return true;
		if (s.p[i] == '"' && s.p[++i] != '"')
			return false;
		out_char(ret, s.p[i]);
	}
	return false;
}

/* It is one field, and holds what a terminal would show. */
static void check_csv(struct str from, struct out *o)
{
	struct out *back = out_to_memory(), *shown = out_to_memory();

	escape_csv(o, from);
	escape_terminal(shown, from);
	assert_true(csv_field(out_memory(o), back));
	assert_true(str_eq(out_memory(back), out_memory(shown)));
	assert_null(memchr(out_memory(o).p, '\n', out_memory(o).n));
	out_free(back);
	out_free(shown);
}

static void csv_is_one_field_of_one_line(void **state)
{
	(void)state;
	on_everything(check_csv);
}

static void csv_by_hand(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	escape_csv(o, STR("read"));
	assert_out(o, "read");
	escape_csv(o, STR(""));
	assert_out(o, "\"\"");
	escape_csv(o, STR("a\"b,c"));
	assert_out(o, "\"a\"\"b,c\"");
	escape_csv(o, STR("a\nb"));
	assert_out(o, "a\\x0ab");
	escape_csv(o, STR(" a"));
	assert_out(o, "\" a\"");
	out_free(o);
}

/* --- XML ------------------------------------------------------------------------------------ */

static bool xml_char(uint32_t code)
{
	return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xd800) ||
	       (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
}

/* Undoes the entities the test knows; anything else that begins with & is an error. */
static size_t xml_entity(struct str s, uint32_t *ret)
{
	static const struct {
		const char *text;
		uint32_t code;
	} entity[] = { { "&amp;", '&' },  { "&lt;", '<' },   { "&gt;", '>' }, { "&quot;", '"' },
		       { "&#39;", '\'' }, { "&#10;", '\n' }, { "&#9;", '\t' } };

	for (size_t i = 0; i < COUNT_OF(entity); i++) {
		if (str_has_prefix(s, str_from(entity[i].text))) {
			*ret = entity[i].code;
			return strlen(entity[i].text);
		}
	}
	fail_msg("a raw &");
	return 0;
}

static void check_xml(struct str from, struct out *o)
{
	struct str s;

	escape_xml(o, from);
	for (s = out_memory(o); s.n > 0;) {
		uint32_t code, meant = 0xfffd;
		size_t n, taken = 1;

		assert_true(utf8_decode(s, &code, &n) && xml_char(code));
		assert_null(strchr("<>\"'\n\t\r", code < 0x80 ? (int)code : 'x'));
		if (code == '&')
			n = xml_entity(s, &code);
		if (!utf8_decode(from, &meant, &taken)) {
			meant = 0xfffd;
			taken = 1;
		}
		assert_true(code == meant ||
			    (code == 0xfffd && (!xml_char(meant) || meant == '\r')));
		s = str_skip(s, n);
		from = str_skip(from, taken);
	}
	assert_int_equal(from.n, 0);
}

static void xml_holds_only_what_xml_can(void **state)
{
	(void)state;
	on_everything(check_xml);
}

/* --- Markdown ---------------------------------------------------------------------------- */

/* Neither a cell's end nor a line's, no tag, no entity but ours, no control. */
static void check_markdown(struct str from, struct out *o)
{
	struct str s;

	escape_markdown(o, from);
	for (s = out_memory(o); s.n > 0;) {
		uint32_t code;
		size_t n;

		assert_true(utf8_decode(s, &code, &n));
		assert_false(code < 0x20 || (code >= 0x7f && code < 0xa0) || reorders(code));
		if (code == '\\') { /* the next one is taken as it is */
			assert_true(s.n > 1 && s.p[1] > 0x20);
			n = 2;
		} else if (code == '&') {
			assert_true(str_has_prefix(s, STR("&lt;")) ||
				    str_has_prefix(s, STR("&amp;")));
		} else {
			assert_null(strchr("|<>`*_[]", code < 0x80 ? (int)code : 'x'));
		}
		s = str_skip(s, n);
	}
}

static void markdown_stays_in_its_cell(void **state)
{
	(void)state;
	on_everything(check_markdown);
}

static void markdown_by_hand(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	escape_markdown(o, STR("a|b"));
	assert_out(o, "a\\|b");
	escape_markdown(o, STR("a\nb"));
	assert_out(o, "a\\\\x0ab");
	escape_markdown(o, STR("<b>*x*&"));
	assert_out(o, "&lt;b\\>\\*x\\*&amp;");
	out_free(o);
}

/* --- annotations of a workflow --------------------------------------------------------------- */

/* The runner turns %25, %0D and %0A into their characters again, and in titles %3A and %2C. */
static void workflow_by_hand(void **state)
{
	struct out *o = out_to_memory();
	(void)state;

	escape_workflow_title(o, STR("a: 5 %, b\n"));
	assert_out(o, "a%3A 5 %25%2C b\\x0a");
	escape_workflow_message(o, STR("5 %: a,\n::error::b\r\033[1m"));
	assert_out(o, "5 %25: a,%0A::error::b\\x0d\\x1b[1m");
	escape_workflow_message(o, STR("\n"));
	assert_out(o, "%0A");
	out_free(o);
}

/* --- gnuplot --------------------------------------------------------------------------------- */

/* What a literal in single quotes means to gnuplot 5.4: no escapes; '' is a quote, but
 * only after something else. The bytes that it takes; 0 when it is none. */
static size_t gnuplot_literal(struct str s, struct out *ret)
{
	for (size_t i = 1; i < s.n; i++) {
		bool quote = s.p[i] == '\'';

		if (quote && (i + 1 == s.n || s.p[i + 1] != '\''))
			return i + 1;
		if (quote && (i == 1 || s.p[i - 1] == '\''))
			return 0;
		out_char(ret, s.p[i]);
		i += quote;
	}
	return 0;
}

/* Literals joined by a point; in double quotes there is nothing but single ones. */
static bool gnuplot_means(struct str s, struct out *ret)
{
	while (s.n > 1) {
		size_t n = 1;

		if (s.p[0] == '\'') {
			n = gnuplot_literal(s, ret);
		} else if (s.p[0] == '"') {
			for (; n < s.n && s.p[n] == '\''; n++)
				out_char(ret, '\'');
			n = n < s.n && s.p[n] == '"' ? n + 1 : 0;
		}
		if (n == 0 || n == s.n)
			return n > 0;
		if (s.p[n] != '.')
			return false;
		s = str_skip(s, n + 1);
	}
	return false;
}

/* One expression on one line, that means what a terminal would show. */
static void check_gnuplot(struct str from, struct out *o)
{
	struct out *back = out_to_memory(), *shown = out_to_memory();

	escape_gnuplot(o, from);
	escape_terminal(shown, from);
	assert_true(gnuplot_means(out_memory(o), back));
	assert_true(str_eq(out_memory(back), out_memory(shown)));
	assert_null(memchr(out_memory(o).p, '\n', out_memory(o).n));
	out_free(back);
	out_free(shown);
}

static void gnuplot_gets_one_expression(void **state)
{
	(void)state;
	on_everything(check_gnuplot);
}

static void gnuplot_by_hand(void **state)
{
	struct out *o = out_to_memory();

	(void)state;
	escape_gnuplot(o, STR("it's `date`"));
	assert_out(o, "'it''s `date`'");
	escape_gnuplot(o, STR("a\nplot x"));
	assert_out(o, "'a\\x0aplot x'");
	escape_gnuplot(o, STR("\\'"));
	assert_out(o, "'\\'''");
	escape_gnuplot(o, STR("'a''b"));
	assert_out(o, "\"'\".'a'.\"''\".'b'");
	escape_gnuplot(o, STR(""));
	assert_out(o, "''");
	out_free(o);
}

/* --- LaTeX ------------------------------------------------------------------------------------ */

/* Every backslash begins one of ours, every brace belongs to it, nothing else is special. */
static void check_latex(struct str from, struct out *o)
{
	static const char *const ours[] = { "\\textbackslash{}",
					    "\\textasciitilde{}",
					    "\\textasciicircum{}",
					    "\\{",
					    "\\}",
					    "\\#",
					    "\\$",
					    "\\%",
					    "\\&",
					    "\\_" };
	static const char special[] = "{}#$%&_~^\n\r`'\"";
	struct str s;

	escape_latex(o, from);
	for (s = out_memory(o); s.n > 0;) {
		size_t n = 1;

		if (str_has_prefix(s, STR("{\\char"))) {
			n = 6;
			while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
				n++;
			assert_true(n > 6 && n < s.n && s.p[n++] == '}');
		} else if (s.p[0] == '\\') {
			for (size_t i = 0; i < COUNT_OF(ours); i++) {
				if (str_has_prefix(s, str_from(ours[i])))
					n = strlen(ours[i]);
			}
			assert_true(n > 1);
		} else {
			assert_null(memchr(special, s.p[0], sizeof(special) - 1));
		}
		s = str_skip(s, n);
	}
}

static void latex_gets_words_only(void **state)
{
	(void)state;
	on_everything(check_latex);
}

/* wcwidth() knows more than ASCII only where the locale does. */
static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") == NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_goes_out_and_in),
		cmocka_unit_test(utf8_that_is_none_is_refused),
		cmocka_unit_test(terminals_get_no_controls),
		cmocka_unit_test(terminal_escapes_by_hand),
		cmocka_unit_test(json_reads_back_the_same),
		cmocka_unit_test(csv_is_one_field_of_one_line),
		cmocka_unit_test(csv_by_hand),
		cmocka_unit_test(xml_holds_only_what_xml_can),
		cmocka_unit_test(markdown_stays_in_its_cell),
		cmocka_unit_test(markdown_by_hand),
		cmocka_unit_test(workflow_by_hand),
		cmocka_unit_test(gnuplot_gets_one_expression),
		cmocka_unit_test(gnuplot_by_hand),
		cmocka_unit_test(latex_gets_words_only),
	};

	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
