/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/quoted.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/scan.h"
#include "base/utf8.h"

static int hex_value(char c)
{
	const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes one character of a quoted name and advances *at; -1: an invalid escape. */
static int unescape_char(struct str s, size_t *at)
{
	char c = s.p[(*at)++];

	if (c != '\\')
		return (unsigned char)c;
	if (*at >= s.n)
		return -1;
	c = s.p[(*at)++];
	if (c == '\\' || c == '"')
		return c;
	if (c == 'n')
		return '\n';
	if (c != 'x' || s.n - *at < 2 || hex_value(s.p[*at]) < 0 || hex_value(s.p[*at + 1]) < 0)
		return -1;
	*at += 2;
	return hex_value(s.p[*at - 2]) * 16 + hex_value(s.p[*at - 1]);
}

/* Decodes the text between the quotes. */
static bool decode_quoted(struct arena *a, struct str s, struct str *ret)
{
	char *text = arena_alloc(a, s.n, 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n;) {
		int c = s.p[i] == '"' ? -1 : unescape_char(s, &i);

		if (c < 0)
			return false;
		text[n++] = (char)c;
	}
	*ret = (struct str){ text, n };
	return true;
}

bool quoted_parse(struct arena *a, struct str s, struct str *ret)
{
	if (s.p[0] != '"') {
		*ret = s;
		return true;
	}
	return s.n >= 2 && s.p[s.n - 1] == '"' &&
	       decode_quoted(a, (struct str){ s.p + 1, s.n - 2 }, ret);
}

bool quoted_scan(struct arena *a, struct cursor *c, struct str *ret)
{
	struct str rest = cursor_rest(c);
	size_t end = 1;

	if (rest.n == 0 || rest.p[0] != '"')
		return false;
	while (end < rest.n && rest.p[end] != '"')
		end += rest.p[end] == '\\' ? 2 : 1;
	if (end >= rest.n || !decode_quoted(a, (struct str){ rest.p + 1, end - 1 }, ret))
		return false;
	c->at += end + 1;
	return true;
}

static bool is_plain(struct str s)
{
	if (s.n == 0 || s.p[0] == ' ' || s.p[0] == '"' || s.p[s.n - 1] == ' ')
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	}
	for (uint32_t code; s.n > 0;) {
		size_t n;

		if (!utf8_decode(s, &code, &n) || (code >= 0x80 && code < 0xa0))
			return false;
		s = str_skip(s, n);
	}
	return true;
}

void quoted_write(struct out *o, struct str s)
{
	if (is_plain(s))
		out_bytes(o, s);
	else
		quoted_write_always(o, s);
}

void quoted_write_always(struct out *o, struct str s)
{
	bool ascii_only = false;

	for (size_t i = 0; i < s.n; i++)
		ascii_only |= (unsigned char)s.p[i] >= 0x80;
	out_char(o, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '"' || c == '\\')
			out_printf(o, "\\%c", c);
		else if (c < 0x20 || c == 0x7f || (ascii_only && c >= 0x80))
			out_printf(o, "\\x%02x", c);
		else
			out_char(o, (char)c);
	}
	out_char(o, '"');
}
