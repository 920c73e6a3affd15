/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/escape.h"

#include <string.h>

#include "base/out.h"
#include "base/utf8.h"
#include "base/word.h"

static const uint32_t replacement = 0xfffd;

/* Whether a code point controls a terminal, or reorders the text around it. */
static bool is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
	       (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
	       (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff);
}

/* Returns the length of the printable ASCII prefix: all of most names. */
static size_t printable_ascii(struct str s)
{
	size_t n = 0;

	for (; s.n - n >= WORD_BYTES; n += WORD_BYTES) {
		const uint64_t word = word_load(s.p + n);
		/* The top bit of the first byte that is not, and perhaps of later ones. */
		const uint64_t other =
			(word | (word - word_each(0x20)) | (word + word_each(1))) & word_each(0x80);

		if (other != 0)
			return n + word_first(other);
	}
	while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x7f)
		n++;
	return n;
}

void escape_terminal(struct out *o, struct str s)
{
	size_t plain = printable_ascii(s);

	out_bytes(o, (struct str){ s.p, plain });
	s = str_skip(s, plain);
	while (s.n > 0) {
		uint32_t code;
		size_t n;

		if (!utf8_decode(s, &code, &n)) {
			n = 1;
			out_printf(o, "\\x%02x", (unsigned char)s.p[0]);
		} else if (is_unsafe(code)) {
			out_printf(o, code < 0x80 ? "\\x%02x" : "\\u{%x}", code);
		} else {
			out_bytes(o, (struct str){ s.p, n });
		}
		s = str_skip(s, n);
	}
}

static size_t unsafe_width(uint32_t code)
{
	size_t digits = code > 0xffff ? 5 : code > 0xfff ? 4 : code > 0xff ? 3 : 2;

	return code < 0x80 ? strlen("\\xHH") : strlen("\\u{}") + digits;
}

size_t escape_terminal_width(struct str s)
{
	size_t width = printable_ascii(s);

	s = str_skip(s, width);
	while (s.n > 0) {
		uint32_t code;
		size_t n;

		if (!utf8_decode(s, &code, &n)) {
			n = 1;
			width += strlen("\\xHH");
		} else if (is_unsafe(code)) {
			width += unsafe_width(code);
		} else {
			width += utf8_width(code);
		}
		s = str_skip(s, n);
	}
	return width;
}

/* The same, but excluding double quotes and backslashes. */
static size_t plain_in_quotes(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x7f && s.p[n] != '"' && s.p[n] != '\\')
		n++;
	return n;
}

/* Writes s in double quotes; special() writes the characters that the format must escape besides
 * quotes, backslashes and newlines, and returns false for all others. */
static void escape_quoted(struct out *o, struct str s, bool (*special)(struct out *, uint32_t))
{
	out_char(o, '"');
	while (s.n > 0) {
		uint32_t code;
		size_t n = plain_in_quotes(s);

		if (n > 0) {
			out_bytes(o, (struct str){ s.p, n });
		} else if (!utf8_decode(s, &code, &n)) {
			n = 1;
			out_code_point(o, replacement);
		} else if (code == '"' || code == '\\') {
			out_char(o, '\\');
			out_char(o, (char)code);
		} else if (code == '\n') {
			out_text(o, "\\n");
		} else if (!special(o, code)) {
			out_bytes(o, (struct str){ s.p, n });
		}
		s = str_skip(s, n);
	}
	out_char(o, '"');
}

static bool special_to_json(struct out *o, uint32_t code)
{
	if (code == '\t')
		out_text(o, "\\t");
	else if (code < 0x10000 && is_unsafe(code))
		out_printf(o, "\\u%04x", code);
	else
		return false;
	return true;
}

void escape_json(struct out *o, struct str s)
{
	escape_quoted(o, s, special_to_json);
}

static bool special_to_label(struct out *o, uint32_t code)
{
	if (is_unsafe(code))
		out_code_point(o, replacement);
	return is_unsafe(code);
}

void escape_label(struct out *o, struct str s)
{
	escape_quoted(o, s, special_to_label);
}

static bool is_special_to_csv(char c)
{
	return c == ',' || c == ';' || c == '"' || c == '\'' || c == '\0';
}

void escape_csv(struct out *o, struct str s)
{
	bool quote =
		s.n == 0 || s.p[0] == ' ' || s.p[s.n - 1] == ' ' || strchr("=+-@", s.p[0]) != NULL;

	for (size_t i = 0; i < s.n && !quote; i++)
		quote = is_special_to_csv(s.p[i]);
	if (quote)
		out_char(o, '"');
	while (s.n > 0) {
		struct str plain = { s.p, 0 };

		while (plain.n < s.n && s.p[plain.n] != '"')
			plain.n++;
		escape_terminal(o, plain);
		if (plain.n < s.n)
			out_text(o, "\"\"");
		s = str_skip(s, plain.n + 1);
	}
	if (quote)
		out_char(o, '"');
}

void escape_xml(struct out *o, struct str s)
{
	while (s.n > 0) {
		uint32_t code;
		size_t n;

		if (!utf8_decode(s, &code, &n)) {
			n = 1;
			code = replacement;
		}
		if (code == '&')
			out_text(o, "&amp;");
		else if (code == '<')
			out_text(o, "&lt;");
		else if (code == '>')
			out_text(o, "&gt;");
		else if (code == '"')
			out_text(o, "&quot;");
		else if (code == '\'')
			out_text(o, "&#39;");
		else if (code == '\n' || code == '\t')
			out_printf(o, "&#%u;", code);
		else
			out_code_point(o, code < 0x20 || code == 0xfffe || code == 0xffff
						  ? replacement
						  : code);
		s = str_skip(s, n);
	}
}

void escape_html(struct out *o, struct str s)
{
	struct out *visible = out_to_memory();

	escape_terminal(visible, s);
	escape_xml(o, out_memory(visible));
	out_free(visible);
}

void escape_markdown(struct out *o, struct str s)
{
	while (s.n > 0) {
		uint32_t code;
		size_t n;

		if (!utf8_decode(s, &code, &n)) {
			n = 1;
			out_code_point(o, replacement);
		} else if (code == '<') {
			out_text(o, "&lt;");
		} else if (code == '&') {
			out_text(o, "&amp;");
		} else if (is_unsafe(code)) {
			out_printf(o, "\\\\x%02x", code);
		} else {
			if (code < 0x80 && strchr("\\`*_{}[]()#+!|~>@", (char)code) != NULL)
				out_char(o, '\\');
			out_bytes(o, (struct str){ s.p, n });
		}
		s = str_skip(s, n);
	}
}

/* gnuplot 5.4 and 6.0 misparse a doubled quote that begins a string or follows another one. */
static bool quotes_can_be_doubled(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'' && (i == 0 || s.p[i - 1] == '\''))
			return false;
	}
	return true;
}

static size_t run_of(struct str s, bool quotes)
{
	size_t n = 0;

	while (n < s.n && (s.p[n] == '\'') == quotes)
		n++;
	return n;
}

/* Uses single quotes, between which gnuplot interprets neither escapes nor commands. Where they
 * cannot hold the text, runs of quotes are concatenated from double-quoted strings. */
void escape_gnuplot(struct out *o, struct str s)
{
	struct out *visible = out_to_memory();
	struct str text;
	bool doubled;

	escape_terminal(visible, s);
	text = out_memory(visible);
	doubled = quotes_can_be_doubled(text);
	if (doubled)
		out_char(o, '\'');
	for (size_t i = 0; doubled && i < text.n; i++) {
		out_char(o, text.p[i]);
		if (text.p[i] == '\'')
			out_char(o, '\'');
	}
	if (doubled)
		out_char(o, '\'');
	for (size_t n; !doubled && text.n > 0; text = str_skip(text, n)) {
		bool quotes = text.p[0] == '\'';

		n = run_of(text, quotes);
		out_text(o, quotes ? "\"" : "'");
		out_bytes(o, (struct str){ text.p, n });
		out_text(o, quotes ? "\"" : "'");
		out_text(o, n < text.n ? "." : "");
	}
	out_free(visible);
}

static void latex_char(struct out *o, char c)
{
	if (c == '\\')
		out_text(o, "\\textbackslash{}");
	else if (c == '~')
		out_text(o, "\\textasciitilde{}");
	else if (c == '^')
		out_text(o, "\\textasciicircum{}");
	else if (strchr("`'\"-<>|", c) != NULL) /* ligatures, and active in some languages */
		out_printf(o, "{\\char%d}", c);
	else if (strchr("{}#$%&_", c) != NULL)
		out_printf(o, "\\%c", c);
	else
		out_char(o, c);
}

void escape_latex(struct out *o, struct str s)
{
	struct out *visible = out_to_memory();
	struct str text;

	escape_terminal(visible, s);
	text = out_memory(visible);
	for (size_t i = 0; i < text.n; i++)
		latex_char(o, text.p[i]);
	out_free(visible);
}

/* Writes a string in which some characters are replaced by % and their number. */
static void escape_percent(struct out *o, struct str s, const char *special)
{
	for (size_t i = 0; i < s.n; i++) {
		if (strchr(special, s.p[i]) != NULL)
			out_printf(o, "%%%02X", (unsigned char)s.p[i]);
		else
			out_char(o, s.p[i]);
	}
}

void escape_workflow_title(struct out *o, struct str s)
{
	struct out *safe = out_to_memory();

	escape_terminal(safe, s);
	escape_percent(o, out_memory(safe), "%:,");
	out_free(safe);
}

void escape_workflow_message(struct out *o, struct str s)
{
	struct out *safe = out_to_memory();

	for (const char *end; (end = s.n > 0 ? memchr(s.p, '\n', s.n) : NULL) != NULL;) {
		size_t n = (size_t)(end - s.p);

		escape_terminal(safe, (struct str){ s.p, n });
		out_char(safe, '\n');
		s = str_skip(s, n + 1);
	}
	escape_terminal(safe, s);
	escape_percent(o, out_memory(safe), "%\n");
	out_free(safe);
}
