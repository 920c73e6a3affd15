/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cursor over bytes.  Every scan_* function either consumes what it found and
 * returns true, or consumes nothing and returns false.  Numbers do not depend on the
 * locale.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <limits.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/input/input.h"

enum { SHORT_DIGITS = 19 }; /* any number of so many digits fits 64 bits */

/* Returns where the digits from p[at] end, at most `end`, and appends them to *v, which is
 * meaningless after more than SHORT_DIGITS. */
static inline size_t digits_end(const char *p, size_t at, size_t end, uint64_t *v)
{
	for (unsigned digit; at < end && (digit = (unsigned char)p[at] - (unsigned)'0') <= 9; at++)
		*v = *v * 10 + digit;
	return at;
}

/* How reading a number ended. */
enum number { NUMBER_OK, NUMBER_NONE, NUMBER_TOO_LARGE };

/* Converts any number of digits. */
MUST_CHECK enum number number_of_digits(struct str digits, uint64_t *ret);

/* The bytes of an input that are not consumed yet: offsets [at, end). */
struct cursor {
	struct input *in;
	size_t at, end;
};

/* Returns a cursor at the first byte of the input. */
struct cursor cursor_on(struct input *in);
/* The same for a text without an input, valid in the enclosing block; messages cannot point to
 * it. */
#define CURSOR_OVER(text) cursor_on(&(struct input){ .bytes = (text) })
/* Returns a cursor over a part of the input's own bytes. */
struct cursor cursor_at(struct input *in, struct str part);

/* Whether all bytes are consumed. */
static inline bool cursor_done(const struct cursor *c)
{
	return c->at >= c->end;
}

/* Whether the end, a blank or a tab follows. */
static inline bool cursor_at_word_end(const struct cursor *c)
{
	return cursor_done(c) || is_gap(c->in->bytes.p[c->at]);
}

/* Returns the bytes not consumed yet. */
static inline struct str cursor_rest(const struct cursor *c)
{
	return str_skip((struct str){ c->in->bytes.p, c->end }, c->at);
}

/* Consumes the next line; *ret_line excludes its newline and a CR before it. */
MUST_CHECK static inline bool scan_line(struct cursor *c, struct cursor *ret_line)
{
	const char *text = c->in->bytes.p, *newline;

	if (cursor_done(c))
		return false;
	newline = (const char *)memchr(text + c->at, '\n', c->end - c->at);
	*ret_line = *c;
	ret_line->end = newline != NULL ? (size_t)(newline - text) : c->end;
	c->at = newline != NULL ? ret_line->end + 1 : c->end;
	if (ret_line->end > ret_line->at && c->in->bytes.p[ret_line->end - 1] == '\r')
		ret_line->end--;
	return true;
}

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

/* Consumes blanks, and then a word up to the next blank. */
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

/* Consumes digits, whatever follows them. */
MUST_CHECK static inline bool scan_u64(struct cursor *c, uint64_t *ret)
{
	uint64_t v = 0;
	const char *p = c->in->bytes.p;
	size_t at = digits_end(p, c->at, c->end, &v), n = at - c->at;

	if (n == 0 ||
	    (n > SHORT_DIGITS && number_of_digits((struct str){ p + c->at, n }, &v) != NUMBER_OK))
		return false;
	c->at = at;
	*ret = v;
	return true;
}

/* The fast path for numbers: consumes a word of few digits and the blank after it.  Otherwise
 * returns false and consumes only blanks. */
MUST_CHECK static inline bool scan_short_u64(struct cursor *c, uint64_t *ret)
{
	const char *p = c->in->bytes.p;
	size_t at, end = c->end;
	uint64_t v = 0;

	if (c->at + 1 < end && p[c->at] == '0' && is_gap(p[c->at + 1])) { /* most counts */
		c->at += 2;
		*ret = 0;
		return true;
	}
	scan_blanks(c);
	at = digits_end(p, c->at, end, &v);
	if (at == c->at || at - c->at > SHORT_DIGITS || (at < end && !is_gap(p[at])))
		return false;
	c->at = at < end ? at + 1 : at;
	*ret = v;
	return true;
}

/* The same for a number that may have a point. */
MUST_CHECK bool scan_short_f64(struct cursor *c, double *ret);

/* Consumes this character, if it comes next. */
MUST_CHECK static inline bool scan_char(struct cursor *c, char wanted)
{
	if (cursor_done(c) || c->in->bytes.p[c->at] != wanted)
		return false;
	c->at++;
	return true;
}

/* Consumes digits, with an optional minus before them. */
MUST_CHECK static inline bool scan_int(struct cursor *c, int *ret)
{
	struct cursor w = *c;
	bool negative = scan_char(&w, '-');
	uint64_t v;

	if (!scan_u64(&w, &v) || v > (uint64_t)INT_MAX)
		return false;
	*ret = negative ? -(int)v : (int)v;
	*c = w;
	return true;
}

/* Consumes this text, if it comes next. */
MUST_CHECK static inline bool scan_literal(struct cursor *c, struct str literal)
{
	if (!str_has_prefix(cursor_rest(c), literal))
		return false;
	c->at += literal.n;
	return true;
}

/* Consumes everything up to and including the first occurrence of the text. */
MUST_CHECK bool scan_past(struct cursor *c, struct str text);

/* Converts all of s. */
MUST_CHECK static inline enum number number_u64(struct str s, uint64_t *ret)
{
	uint64_t v = 0;

	if (s.n == 0 || digits_end(s.p, 0, s.n, &v) < s.n)
		return NUMBER_NONE;
	if (s.n > SHORT_DIGITS)
		return number_of_digits(s, ret);
	*ret = v;
	return NUMBER_OK;
}
/* Converts all of s, correctly rounded. */
MUST_CHECK enum number number_f64(struct str s, double *ret);

#endif
