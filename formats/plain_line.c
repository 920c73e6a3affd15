/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/plain_line.h"

#include <string.h>

bool plain_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A comment's text is what follows its mark. */
bool plain_comment(struct str s, struct str *ret_text)
{
	size_t n = 0;

	while (n < s.n && (s.p[n] == '#' || s.p[n] == ';'))
		n++;
	if (n == 0 && str_has_prefix(s, STR("//")))
		n = 2;
	*ret_text = str_trim(str_skip(s, n));
	return n > 0;
}

static const struct str header_names[] = {
	[HEADER_UNIT] = { "unit", 4 },		 [HEADER_HZ] = { "hz", 2 },
	[HEADER_MHZ] = { "cpu mhz", 7 },	 [HEADER_RESOLUTION] = { "resolution", 10 },
	[HEADER_NUMBERING] = { "numbering", 9 },
};

bool plain_header(struct str s, enum plain_header_key *ret, struct str *ret_value)
{
	struct str key, value;

	if (!str_cut(s, ':', &key, &value) && !str_cut(s, '=', &key, &value))
		return false;
	key = str_trim(key);
	for (size_t i = 0; i < COUNT_OF(header_names); i++) {
		if (!str_eq_nocase(key, header_names[i]))
			continue;
		*ret = (enum plain_header_key)i;
		*ret_value = str_trim(value);
		return true;
	}
	return false;
}

enum numbering plain_collector(struct str word)
{
	if (str_eq_nocase(word, STR("osprof")))
		return NUMBERING_OSPROF;
	return str_eq_nocase(word, STR("fsprof")) ? NUMBERING_FSPROF : NUMBERING_UNKNOWN;
}

/* The collector that a comment or a heading names; *ret_word: where. */
enum numbering plain_collector_in(struct str s, bool first_word, struct str *ret_word)
{
	size_t from = 0;

	for (size_t i = 0; i <= s.n; i++) {
		enum numbering what;

		if (i < s.n && (is_letter(s.p[i]) || plain_digit(s.p[i]) || s.p[i] == '_'))
			continue;
		*ret_word = (struct str){ s.p + from, i - from };
		what = plain_collector(*ret_word);
		if (what != NUMBERING_UNKNOWN || first_word)
			return what;
		from = i + 1;
	}
	return NUMBERING_UNKNOWN;
}

enum plain_field_kind plain_field(struct str word)
{
	if (str_eq(word, STR("total")))
		return FIELD_TOTAL;
	if (str_eq(word, STR("count")) || str_eq(word, STR("ops")) || str_eq(word, STR("checksum")))
		return FIELD_COUNT;
	return FIELD_NONE;
}

/* Takes the next field of a row; empty between two commas and behind the last.
 * False at the end. */
bool plain_token(struct cursor *c, struct str *ret)
{
	const char *p = c->in->bytes.p;
	bool comma;
	size_t from, at;

	scan_blanks(c);
	comma = scan_char(c, ',');
	if (comma)
		scan_blanks(c);
	from = c->at;
	for (at = from; at < c->end && !is_gap(p[at]) && p[at] != ','; at++)
		;
	*ret = (struct str){ p + from, at - from };
	c->at = at;
	return at > from || comma;
}

/* "7:1817", "7=1817", "total:12" */
bool plain_pair(struct str s, struct str *ret_left, struct str *ret_right)
{
	size_t sign = s.n; /* a colon goes before it */
	size_t n = 0;

	for (; n < s.n && s.p[n] != ':'; n++) {
		if (s.p[n] == '=' && sign == s.n)
			sign = n;
	}
	n = n < s.n ? n : sign;
	if (n == s.n)
		return false;
	*ret_left = (struct str){ s.p, n };
	*ret_right = str_skip(s, n + 1);
	return true;
}

/* Takes the name that a line begins with, and the colon behind it. */
bool plain_name(struct cursor *c, struct str *ret)
{
	struct str s = cursor_rest(c);
	const char *close = s.n > 1 && s.p[0] == '"' ? memchr(s.p + 1, '"', s.n - 1) : NULL;
	int depth = 0;
	size_t n = 0;

	if (close != NULL) {
		*ret = (struct str){ s.p + 1, (size_t)(close - s.p) - 1 };
		n = ret->n + 2;
	} else {
		for (; n < s.n && s.p[n] != ' ' && s.p[n] != '\t'; n++) {
			depth += s.p[n] == '<' || s.p[n] == '(' || s.p[n] == '[';
			depth -= s.p[n] == '>' || s.p[n] == ')' || s.p[n] == ']';
			if (s.p[n] == ',' && depth <= 0)
				break;
		}
		*ret = (struct str){ s.p, n };
		if (n > 1 && s.p[n - 1] == ':')
			ret->n--;
	}
	c->at += n;
	scan_blanks(c);
	if (str_eq(cursor_rest(c), STR(":")) || str_has_prefix(cursor_rest(c), STR(": ")))
		c->at++;
	scan_blanks(c);
	if (close != NULL)
		return true;
	return ret->n > 0 && !plain_digit(s.p[0]) && memchr("\",:=+-", s.p[0], 6) == NULL;
}

/* "7 1817", "7:1817", "7, 1817" */
bool plain_bucket(struct cursor *c, struct str *ret_bucket, struct str *ret_count)
{
	size_t from = c->at;

	while (!cursor_done(c) && plain_digit(c->in->bytes.p[c->at]))
		c->at++;
	*ret_bucket = (struct str){ c->in->bytes.p + from, c->at - from };
	scan_blanks(c);
	if (!scan_char(c, ':') && !scan_char(c, ',') && !scan_char(c, '=') &&
	    (c->at == from + ret_bucket->n))
		return false;
	return plain_token(c, ret_count) && ret_count->n > 0;
}

/* "total 31000000", "ops: 12"; not "total 0 0 0 ...", an operation of that name. */
bool plain_field_line(struct cursor c, enum plain_field_kind *ret, struct str *ret_value)
{
	struct str word, left, right;

	if (!plain_token(&c, &word))
		return false;
	if (plain_pair(word, &left, &right)) {
		*ret_value = right;
		*ret = plain_field(left);
		if (right.n > 0)
			return cursor_done(&c) && *ret != FIELD_NONE;
	} else {
		*ret = plain_field(word);
		scan_blanks(&c);
		if (scan_char(&c, ':') || scan_char(&c, '='))
			scan_blanks(&c);
	}
	return *ret != FIELD_NONE && plain_token(&c, ret_value) && cursor_done(&c);
}
