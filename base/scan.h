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
	return (struct str){ c->in->bytes.p + c->at, c->end - c->at };
}

/* Takes the next line, without its newline and without a CR before it. */
MUST_CHECK bool scan_line(struct cursor *c, struct cursor *ret_line);
MUST_CHECK bool scan_word(struct cursor *c,
			  struct str *ret); /* up to a blank; skips blanks first */
MUST_CHECK bool scan_u64(struct cursor *c, uint64_t *ret);
MUST_CHECK bool scan_int(struct cursor *c, int *ret);
MUST_CHECK bool scan_f64(struct cursor *c, double *ret); /* also inf, -inf */

static inline void scan_blanks(struct cursor *c) /* blanks and tabs */
{
	const char *p = c->in->bytes.p;
	size_t at = c->at;

	while (at < c->end && (p[at] == ' ' || p[at] == '\t'))
		at++;
	c->at = at;
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

/* The whole of s as a number. */
MUST_CHECK enum number number_u64(struct str s, uint64_t *ret);
MUST_CHECK enum number number_f64(struct str s, double *ret);

#endif
