/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"

void json_start(struct json *j, struct cursor c, struct arena *strings, struct diag *diag)
{
	*j = (struct json){ .c = c, .strings = strings, .diag = diag };
}

static void fail_json(struct json *j, enum diag_code code, const char *what)
{
	if (j->failed)
		return;
	j->failed = true;
	if (cursor_done(&j->c))
		diag_at(j->diag, DIAG_INPUT_TRUNCATED, j->c.in, j->c.at, 1, "%s", what);
	else
		diag_at(j->diag, code, j->c.in, j->c.at, 1, "%s", what);
}

bool json_unexpected(struct json *j, const char *expected)
{
	fail_json(j, DIAG_JSON_BAD, expected);
	return false;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct str json_without_space(struct str s)
{
	while (s.n > 0 && is_space(s.p[0]))
		s = str_skip(s, 1);
	return s;
}

static void skip_space(struct json *j)
{
	const char *p = j->c.in->bytes.p;
	size_t at = j->c.at, end = j->c.end;

	while (at < end && is_space(p[at])) {
		at++;
		at += run_length(' ', p + at, end - at); /* a line is indented */
	}
	j->c.at = at;
}

size_t json_begin(struct json *j)
{
	skip_space(j);
	return j->c.at;
}

/* Returns the quote of the Python string that begins here; NUL: there is none. */
static char python_quote(const struct json *j)
{
	const char *p = j->c.in->bytes.p;
	size_t at = j->c.at + (p[j->c.at] == 'b' || p[j->c.at] == 'u');

	return at < j->c.end && (p[at] == '\'' || p[at] == '"') ? p[at] : '\0';
}

char json_peek_after_space(struct json *j)
{
	skip_space(j);
	if (j->failed || cursor_done(&j->c))
		return '\0';
	return j->python && python_quote(j) != '\0' ? '"' : j->c.in->bytes.p[j->c.at];
}

static bool begin_brackets(struct json *j, char bracket)
{
	if (json_peek(j) != bracket)
		return json_unexpected(j,
				       bracket == '{' ? "expected an object" : "expected an array");
	if (++j->depth > JSON_DEPTH)
		return json_unexpected(j, "nested too deeply");
	j->c.at++;
	j->fresh = true;
	return true;
}

bool json_open(struct json *j, char bracket)
{
	return begin_brackets(j, bracket);
}

void json_object(struct json *j)
{
	begin_brackets(j, '{');
}

void json_array(struct json *j)
{
	begin_brackets(j, '[');
}

/* Consumes a separator or the closing bracket; true when another element follows. */
static bool another_element(struct json *j, char closing)
{
	char c = json_peek(j);

	if (j->failed)
		return false;
	if (c == closing) {
		j->c.at++;
		j->depth--;
		j->fresh = false;
		return false;
	}
	if (j->fresh) {
		j->fresh = false;
		return true;
	}
	if (c != ',') {
		json_unexpected(j, closing == '}' ? "expected , or }" : "expected , or ]");
		return false;
	}
	j->c.at++;
	return true;
}

bool json_key_any(struct json *j)
{
	return another_element(j, '}');
}

bool json_key_name(struct json *j, struct str *ret)
{
	if (!json_string(j, ret))
		return false;
	if (json_peek(j) != ':')
		return json_unexpected(j, "expected :");
	j->c.at++;
	return true;
}

bool json_key(struct json *j, struct str *ret)
{
	return json_key_follows(j) && json_key_name(j, ret);
}

bool json_item_any(struct json *j)
{
	return another_element(j, ']');
}

static bool scan_hex(struct cursor *c, size_t n, uint32_t *ret)
{
	uint32_t v = 0;

	if (c->end - c->at < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char digit = c->in->bytes.p[c->at + i];

		if (digit >= '0' && digit <= '9')
			v = v << 4 | (uint32_t)(digit - '0');
		else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f')
			v = v << 4 | (uint32_t)((digit | 0x20) - 'a' + 10);
		else
			return false;
	}
	c->at += n;
	*ret = v;
	return true;
}

/* Decodes what follows "\u": one code point, also from a surrogate pair. */
static bool decode_unicode(struct json *j, struct out *to)
{
	uint32_t code, low;
	struct cursor ahead;

	if (!scan_hex(&j->c, 4, &code))
		return json_unexpected(j, "expected four hexadecimal digits");
	ahead = j->c;
	if (code >= 0xd800 && code < 0xdc00 && scan_literal(&ahead, STR("\\u")) &&
	    scan_hex(&ahead, 4, &low) && low >= 0xdc00 && low < 0xe000) {
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		j->c = ahead;
	}
	out_code_point(to, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
	return true;
}

/* Decodes "\\x1f" and "\\'". */
static bool decode_python(struct json *j, struct out *to)
{
	uint32_t byte = '\'';

	j->c.at++;
	if (j->c.in->bytes.p[j->c.at - 1] == 'x' && !scan_hex(&j->c, 2, &byte))
		return json_unexpected(j, "expected two hexadecimal digits");
	out_char(to, (char)byte);
	return true;
}

static bool decode_escape(struct json *j, struct out *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *which;
	char c;

	if (cursor_done(&j->c))
		return json_unexpected(j, "string not closed");
	c = j->c.in->bytes.p[j->c.at];
	if (c == 'u') {
		j->c.at++;
		return decode_unicode(j, to);
	}
	if (j->python && (c == 'x' || c == '\''))
		return decode_python(j, to);
	which = c != '\0' ? strchr(from, c) : NULL;
	if (which == NULL)
		return json_unexpected(j, "unknown escape");
	out_char(to, into[which - from]);
	j->c.at++;
	return true;
}

/* The slow path: decodes escapes, from the first byte after the quote. */
static bool decode_string(struct json *j, char quote, struct out *to)
{
	while (!cursor_done(&j->c)) {
		char c = j->c.in->bytes.p[j->c.at];

		if (c == quote) {
			j->c.at++;
			return true;
		}
		if ((unsigned char)c < 0x20)
			return json_unexpected(j, "control character in a string");
		j->c.at++;
		if (c != '\\')
			out_char(to, c);
		else if (!decode_escape(j, to))
			return false;
	}
	return json_unexpected(j, "string not closed");
}

/* Reads a string with an escape or an error, from the first byte after the quote. */
static bool read_decoded(struct json *j, char quote, struct str *ret)
{
	struct out *decoded = out_to_memory();
	bool done = decode_string(j, quote, decoded);

	if (done)
		*ret = arena_str(j->strings, out_memory(decoded));
	out_free(decoded);
	return done;
}

/* Returns how many of the n bytes at p come before a quote, backslash or control character; tests
 * eight at once. */
static size_t plain_length(const char *p, size_t n, char quote)
{
	const uint64_t quotes = word_each((unsigned char)quote), escapes = word_each('\\');
	const uint64_t blanks = word_each(' ');
	size_t i = 0;

	for (; n - i >= WORD_BYTES; i += WORD_BYTES) {
		uint64_t word = word_load(p + i);
		uint64_t controls = (word - blanks) & ~word & word_each(0x80);
		uint64_t other = word_zeros(word ^ quotes) | word_zeros(word ^ escapes) | controls;

		if (other != 0)
			return i + word_first(other);
	}
	while (i < n && p[i] != quote && p[i] != '\\' && (unsigned char)p[i] >= ' ')
		i++;
	return i;
}

bool json_string(struct json *j, struct str *ret)
{
	const char *p = j->c.in->bytes.p;
	size_t from, at, end = j->c.end;
	char quote = '"';

	if (json_peek(j) != '"')
		return json_unexpected(j, "expected a string");
	if (j->python) {
		quote = python_quote(j);
		j->c.at += p[j->c.at] != quote;
	}
	from = j->c.at + 1;
	at = from + plain_length(p + from, end - from, quote);
	if (at == end || p[at] != quote) {
		j->c.at = from;
		return read_decoded(j, quote, ret);
	}
	*ret = (struct str){ p + from, at - from };
	j->c.at = at + 1;
	return true;
}

static size_t digits_at(const struct json *j, size_t at)
{
	size_t from = at;

	while (at < j->c.end && is_digit(j->c.in->bytes.p[at]))
		at++;
	return at - from;
}

bool json_number(struct json *j, struct str *ret)
{
	const char *p = j->c.in->bytes.p;
	char first = json_peek(j);
	size_t from = j->c.at, at = from, n;

	if (first != '-' && !is_digit(first))
		return json_unexpected(j, "expected a number");
	at += first == '-';
	n = digits_at(j, at);
	if (n == 0 || (n > 1 && p[at] == '0'))
		return json_unexpected(j, "not a number");
	at += n;
	if (at < j->c.end && p[at] == '.') {
		n = digits_at(j, ++at);
		if (n == 0)
			return json_unexpected(j, "no digit after the point");
		at += n;
	}
	if (at < j->c.end && (p[at] == 'e' || p[at] == 'E')) {
		at++;
		at += at < j->c.end && (p[at] == '+' || p[at] == '-');
		n = digits_at(j, at);
		if (n == 0)
			return json_unexpected(j, "no digit in the exponent");
		at += n;
	}
	*ret = (struct str){ p + from, at - from };
	j->c.at = at;
	return true;
}

bool json_text(struct json *j, struct str *ret)
{
	return json_peek(j) == '"' ? json_string(j, ret) : json_number(j, ret);
}

bool json_text_or_skip(struct json *j, struct str *ret)
{
	char c = json_peek(j);

	return c == '"' || c == '-' || is_digit(c) ? json_text(j, ret) : json_skip(j);
}

bool json_text_in_place(struct json *j, struct str *ret)
{
	size_t from = json_begin(j);
	bool quoted = json_peek(j) == '"';
	struct str text;

	if (!json_text(j, &text))
		return false;
	text = json_since(j, from);
	*ret = quoted ? (struct str){ text.p + 1, text.n - 2 } : text;
	return true;
}

/* Reads the digits of an integer, quoted or not, without its sign. */
static bool integer_text(struct json *j, struct str *ret, bool *ret_negative)
{
	if (!json_text(j, ret))
		return false;
	*ret_negative = ret->n > 0 && ret->p[0] == '-';
	if (*ret_negative)
		*ret = str_skip(*ret, 1);
	return true;
}

bool json_f64(struct json *j, double *ret)
{
	struct cursor before;
	struct str text;

	(void)json_peek(j);
	before = j->c;
	if (!json_number(j, &text))
		return false;
	if (number_f64(text, ret) == NUMBER_OK)
		return true;
	j->c = before;
	fail_json(j, DIAG_NUMBER_RANGE, "beyond 1.8e308");
	return false;
}

bool json_f64_or_null(struct json *j, double *ret)
{
	return json_peek(j) == 'n' ? json_skip(j) : json_f64(j, ret);
}

/* A quoted integer such as "1795183448700000000", a time that a double would round. */
static bool quoted_u64(struct json *j, uint64_t *ret)
{
	struct cursor c = j->c;
	uint64_t v;

	if (!scan_char(&c, '"') || !scan_u64(&c, &v) || !scan_char(&c, '"'))
		return false;
	j->c = c;
	*ret = v;
	return true;
}

bool json_u64_any(struct json *j, uint64_t *ret)
{
	struct cursor before;
	struct str text;
	bool negative;
	enum number what;

	if (json_peek(j) == '"' && quoted_u64(j, ret))
		return true;
	before = j->c;
	if (!integer_text(j, &text, &negative))
		return false;
	what = negative ? NUMBER_NONE : number_u64(text, ret);
	if (what == NUMBER_OK)
		return true;
	j->c = before;
	fail_json(j, what == NUMBER_NONE ? DIAG_NUMBER_BAD : DIAG_COUNT_OVERFLOW,
		  what == NUMBER_NONE ? "expected a whole number, not negative"
				      : "more than 2^64-1");
	return false;
}

bool json_i64(struct json *j, int64_t *ret)
{
	struct cursor before;
	struct str text;
	bool negative;
	uint64_t v;
	enum number what;

	(void)json_peek(j);
	before = j->c;
	if (!integer_text(j, &text, &negative))
		return false;
	what = number_u64(text, &v);
	if (what == NUMBER_OK && v <= (uint64_t)INT64_MAX + negative) {
		*ret = negative ? (int64_t)(0 - v) : (int64_t)v;
		return true;
	}
	j->c = before;
	fail_json(j, what == NUMBER_NONE ? DIAG_NUMBER_BAD : DIAG_NUMBER_RANGE,
		  what == NUMBER_NONE ? "expected a whole number" : "does not fit 64 bits");
	return false;
}

static bool skip_word(struct json *j)
{
	static const struct str json[] = { STR_INIT("true"), STR_INIT("false"), STR_INIT("null") };
	static const struct str python[] = { STR_INIT("True"), STR_INIT("False"),
					     STR_INIT("None") };
	const struct str *words = j->python ? python : json;

	for (size_t i = 0; i < COUNT_OF(json) && !j->failed; i++) {
		if (scan_literal(&j->c, words[i]))
			return true;
	}
	return json_unexpected(j, "expected a value");
}

bool json_skip(struct json *j)
{
	struct str ignored;
	char c = json_peek(j);

	if (c == '"')
		return json_string(j, &ignored);
	if (c == '-' || is_digit(c))
		return json_number(j, &ignored);
	if (c == '{') {
		if (!json_open(j, '{'))
			return false;
		while (json_key(j, &ignored)) {
			if (!json_skip(j))
				return false;
		}
		return !j->failed;
	}
	if (c == '[') {
		if (!json_open(j, '['))
			return false;
		while (json_item(j)) {
			if (!json_skip(j))
				return false;
		}
		return !j->failed;
	}
	return skip_word(j);
}

bool json_each(struct json *j, bool (*item)(void *ctx), void *ctx)
{
	for (json_array(j); json_item(j);) {
		if (!item(ctx))
			return false;
	}
	return !j->failed;
}

bool json_end(struct json *j)
{
	return !j->failed && (json_peek(j) == '\0' || json_unexpected(j, "the end"));
}
