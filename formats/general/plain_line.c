/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/plain_line.h"

#include <limits.h>
#include <string.h>

/* --- comments, headers, headings ----------------------------------------------- */

bool plain_comment(struct str s, struct str *ret_text)
{
	size_t n = 0;

	while (n < s.n && (s.p[n] == '#' || s.p[n] == ';'))
		n++;
	if (n == 0 && str_has_prefix(s, STR("//")))
		n = 2;
	*ret_text = n > 0 ? str_trim(str_skip(s, n)) : s;
	return n > 0;
}

/* Returns the only header that begins with this letter. */
static struct str header_by(char letter, enum plain_header_key *ret)
{
	switch (letter | 0x20) {
	case 'u':
		*ret = HEADER_UNIT;
		return STR("unit");
	case 'h':
		*ret = HEADER_HZ;
		return STR("hz");
	case 'c':
		*ret = HEADER_MHZ;
		return STR("cpu mhz");
	case 'r':
		*ret = HEADER_RESOLUTION;
		return STR("resolution");
	case 'n':
		*ret = HEADER_NUMBERING;
		return STR("numbering");
	default:
		return STR("");
	}
}

bool plain_header(struct str s, enum plain_header_key *ret, struct str *ret_value)
{
	struct str name, rest;
	enum plain_header_key key;

	name = s.n > 0 ? header_by(s.p[0], &key) : STR("");
	if (name.n == 0 || s.n <= name.n || !str_eq_nocase((struct str){ s.p, name.n }, name))
		return false;
	rest = str_trim(str_skip(s, name.n));
	/* A colon takes precedence over an equals sign, wherever it is. */
	if (rest.n == 0 || (rest.p[0] != ':' && (rest.p[0] != '=' || str_contains(rest, STR(":")))))
		return false;
	*ret = key;
	*ret_value = str_trim(str_skip(rest, 1));
	return true;
}

enum numbering plain_collector(struct str word)
{
	if (str_eq_nocase(word, STR("osprof")))
		return NUMBERING_OSPROF;
	return str_eq_nocase(word, STR("fsprof")) ? NUMBERING_FSPROF : NUMBERING_UNKNOWN;
}

/* Returns how many letters and digits s begins with. */
static size_t word_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && (is_letter(s.p[n]) || is_digit(s.p[n]) || s.p[n] == '_'))
		n++;
	return n;
}

enum numbering plain_collector_in(struct str s, struct str *ret_word)
{
	for (;; s = str_skip(s, 1)) {
		enum numbering what;

		*ret_word = (struct str){ s.p, word_length(s) };
		what = plain_collector(*ret_word);
		s = str_skip(s, ret_word->n);
		if (what != NUMBERING_UNKNOWN || s.n == 0)
			return what;
	}
}

bool plain_heading(struct str s)
{
	return plain_collector((struct str){ s.p, word_length(s) }) != NUMBERING_UNKNOWN;
}

/* --- rows ------------------------------------------------------------------------ */

bool plain_bucket(struct cursor *c, struct plain_item *ret)
{
	struct plain_item item = { .is_pair = true }, count;
	size_t from = c->at;

	item.is_read = scan_u64(c, &item.bucket);
	while (!cursor_done(c) && is_digit(c->in->bytes.p[c->at])) /* too large a number */
		c->at++;
	item.left = (struct str){ c->in->bytes.p + from, c->at - from };
	scan_blanks(c);
	if (!scan_char(c, ':') && !scan_char(c, ',') && !scan_char(c, '=') &&
	    c->at == from + item.left.n)
		return false;
	if (!plain_next(c, &count) || count.text.n == 0)
		return false;
	item.right = count.text;
	item.is_read = item.is_read && count.is_read && !count.is_pair;
	item.count = count.count;
	*ret = item;
	return true;
}

/* What a byte in a name means; 0: nothing special. */
enum { ENDS_NAME = 1, ENDS_OUTSIDE, OPENS, CLOSES };

static const unsigned char in_name[UCHAR_MAX + 1] = {
	[' '] = ENDS_NAME, ['\t'] = ENDS_NAME, [','] = ENDS_OUTSIDE, ['<'] = OPENS,  ['('] = OPENS,
	['['] = OPENS,	   ['>'] = CLOSES,     [')'] = CLOSES,	     [']'] = CLOSES,
};

/* Returns the length up to a blank, or a comma outside brackets. */
static size_t name_length(struct str s)
{
	int depth = 0;
	size_t n;

	for (n = 0; n < s.n; n++) {
		unsigned char what = in_name[(unsigned char)s.p[n]];

		if (what == 0)
			continue;
		if (what == ENDS_NAME || (what == ENDS_OUTSIDE && depth <= 0))
			break;
		depth += (what == OPENS) - (what == CLOSES);
	}
	return n;
}

bool plain_name(struct cursor *c, struct str *ret)
{
	struct str s = cursor_rest(c), rest;
	const char *close = s.n > 1 && s.p[0] == '"' ? memchr(s.p + 1, '"', s.n - 1) : NULL;
	size_t n;

	if (close != NULL) {
		*ret = (struct str){ s.p + 1, (size_t)(close - s.p) - 1 };
		n = ret->n + 2;
	} else {
		n = name_length(s);
		*ret = (struct str){ s.p, n > 1 && s.p[n - 1] == ':' ? n - 1 : n };
	}
	c->at += n;
	scan_blanks(c);
	rest = cursor_rest(c);
	if (rest.n > 0 && rest.p[0] == ':' && (rest.n == 1 || rest.p[1] == ' '))
		c->at++;
	scan_blanks(c);
	if (close != NULL)
		return true;
	return ret->n > 0 && !is_digit(s.p[0]) && memchr("\",:=+-", s.p[0], 6) == NULL;
}

/* A quick test of the first byte, perhaps after a comma, which rejects most lines. */
static bool may_be_field(const struct cursor *c)
{
	char first = cursor_done(c) ? '\0' : c->in->bytes.p[c->at];

	return first == 't' || first == 'c' || first == 'o' || first == ',';
}

bool plain_field_line(struct cursor c, enum plain_field *ret, struct str *ret_value)
{
	struct plain_item item;

	if (!may_be_field(&c) || !plain_next(&c, &item))
		return false;
	*ret = plain_field_of(&item);
	if (*ret == FIELD_NONE)
		return false;
	if (item.is_pair && item.right.n > 0) {
		*ret_value = item.right;
		return cursor_done(&c);
	}
	if (!item.is_pair) {
		scan_blanks(&c);
		if (scan_char(&c, ':') || scan_char(&c, '='))
			scan_blanks(&c);
	}
	if (!plain_next(&c, &item))
		return false;
	*ret_value = item.text;
	return cursor_done(&c);
}
