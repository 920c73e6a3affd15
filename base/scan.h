/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cursor over bytes.  Every scan_* either consumes what it found and returns
 * true, or consumes nothing and returns false.  Numbers read the same in every
 * locale.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdint.h>

#include "base/attr.h"
#include "base/input.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

enum { SHORT_DIGITS = 19 }; /* that 64 bits hold, whichever they are */

struct cursor {
	struct input *in;
	size_t at, end;
};

struct cursor cursor_on(struct input *in);
/* A cursor over a part of the input's own bytes. */
struct cursor cursor_at(struct input *in, struct str part);

static inline bool cursor_done(const struct cursor *c)
{
	return c->at >= c->end;
}

static inline struct str cursor_rest(const struct cursor *c)
{
	return str_skip((struct str){ c->in->bytes.p, c->end }, c->at);
}

/* Takes the next line, without its newline and without a CR before it. */
MUST_CHECK static inline bool scan_line(struct cursor *c, struct cursor *ret_line)
{
	struct str rest = cursor_rest(c);
	const char *newline;

	if (rest.n == 0)
		return false;
	newline = (const char *)memchr(rest.p, '\n', rest.n);
	*ret_line = *c;
	ret_line->end = newline != NULL ? c->at + (size_t)(newline - rest.p) : c->end;
	c->at = newline != NULL ? ret_line->end + 1 : c->end;
	if (ret_line->end > ret_line->at && c->in->bytes.p[ret_line->end - 1] == '\r')
		ret_line->end--;
	return true;
}

MUST_CHECK bool scan_u64_long(struct cursor *c, uint64_t *ret);
MUST_CHECK bool scan_int(struct cursor *c, int *ret);
MUST_CHECK bool scan_f64(struct cursor *c, double *ret); /* also inf, -inf */

static inline void scan_blanks(struct cursor *c) /* blanks and tabs */
{
	const char *p = c->in->bytes.p;
	size_t at = c->at, end = c->end;

	while (at < end && is_gap(p[at])) {
		at++;
		if (at < end && p[at] == ' ')
			at += run_length(' ', p + at, end - at);
	}
	c->at = at;
}

/* Up to a blank; skips blanks first. */
MUST_CHECK static inline bool scan_word(struct cursor *c, struct str *ret)
{
	const char *p = c->in->bytes.p;
	struct cursor w = *c;
	size_t at;

	scan_blanks(&w);
	for (at = w.at; at < w.end && !is_gap(p[at]); at++)
		;
	if (at == w.at)
		return false;
	*ret = (struct str){ p + w.at, at - w.at };
	c->at = at;
	return true;
}

/* Digits, whatever follows them. */
MUST_CHECK static inline bool scan_u64(struct cursor *c, uint64_t *ret)
{
	const char *p = c->in->bytes.p;
	size_t at = c->at, end = c->end;
	uint64_t v = 0;

	if (end > at + SHORT_DIGITS)
		end = at + SHORT_DIGITS;
	for (; at < end && is_digit(p[at]); at++)
		v = v * 10 + (uint64_t)(p[at] - '0');
	if (at == c->at)
		return false;
	if (at == end && at < c->end && is_digit(p[at]))
		return scan_u64_long(c, ret);
	c->at = at;
	*ret = v;
	return true;
}

/* The next word where it is a number of few digits, which nearly all are, and the blank behind
 * it; false, with nothing consumed but blanks, of any other. */
MUST_CHECK static inline bool scan_short_u64(struct cursor *c, uint64_t *ret)
{
	const char *p = c->in->bytes.p;
	size_t from, at, end = c->end;
	uint64_t v = 0;

	if (c->at + 1 < end && p[c->at] == '0' && is_gap(p[c->at + 1])) { /* most counts */
		c->at += 2;
		*ret = 0;
		return true;
	}
	scan_blanks(c);
	from = at = c->at;
	if (end - from > SHORT_DIGITS)
		end = from + SHORT_DIGITS;
	for (; at < end && is_digit(p[at]); at++)
		v = v * 10 + (uint64_t)(p[at] - '0');
	if (at == from || (at < c->end && !is_gap(p[at])))
		return false;
	c->at = at < c->end ? at + 1 : at;
	*ret = v;
	return true;
}

MUST_CHECK static inline bool scan_char(struct cursor *c, char wanted)
{
	if (cursor_done(c) || c->in->bytes.p[c->at] != wanted)
		return false;
	c->at++;
	return true;
}

MUST_CHECK static inline bool scan_literal(struct cursor *c, struct str literal)
{
	if (!str_has_prefix(cursor_rest(c), literal))
		return false;
	c->at += literal.n;
	return true;
}

enum number { NUMBER_OK, NUMBER_NONE, NUMBER_TOO_LARGE };

MUST_CHECK enum number number_u64_long(struct str s, uint64_t *ret);

/* The whole of s as a number. */
MUST_CHECK static inline enum number number_u64(struct str s, uint64_t *ret)
{
	uint64_t v = 0;

	if (s.n == 0 || s.n > SHORT_DIGITS)
		return number_u64_long(s, ret);
	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return NUMBER_NONE;
		v = v * 10 + (uint64_t)(s.p[i] - '0');
	}
	*ret = v;
	return NUMBER_OK;
}
MUST_CHECK enum number number_f64(struct str s, double *ret);

#endif
