/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/scan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"

enum { LONGEST_NUMBER = 400 }; /* 1e308 written out, and some */

struct cursor cursor_on(struct input *in)
{
	return (struct cursor){ in, 0, in->bytes.n };
}

struct cursor cursor_at(struct input *in, struct str part)
{
	size_t at = (size_t)(part.p - in->bytes.p);

	return (struct cursor){ in, at, at + part.n };
}

bool scan_line(struct cursor *c, struct cursor *ret_line)
{
	struct str rest = cursor_rest(c);
	const char *newline;

	if (rest.n == 0)
		return false;
	newline = memchr(rest.p, '\n', rest.n);
	*ret_line = *c;
	ret_line->end = newline != NULL ? c->at + (size_t)(newline - rest.p) : c->end;
	c->at = newline != NULL ? ret_line->end + 1 : c->end;
	if (ret_line->end > ret_line->at && c->in->bytes.p[ret_line->end - 1] == '\r')
		ret_line->end--;
	return true;
}

bool scan_word(struct cursor *c, struct str *ret)
{
	const char *p = c->in->bytes.p;
	size_t end = c->end, from = c->at, at;

	while (from < end && (p[from] == ' ' || p[from] == '\t'))
		from++;
	for (at = from; at < end && p[at] != ' ' && p[at] != '\t'; at++)
		;
	if (at == from)
		return false;
	*ret = (struct str){ p + from, at - from };
	c->at = at;
	return true;
}

enum { ALWAYS_FIT = 19 }; /* digits that 64 bits hold, whichever they are */

/* Leading digits of s; *ret_n of them were there even when they do not fit. */
static enum number leading_u64(struct str s, uint64_t *ret, size_t *ret_n)
{
	size_t n = 0, few = s.n < ALWAYS_FIT ? s.n : ALWAYS_FIT;
	bool fits = true;
	uint64_t v = 0;

	for (; n < few && is_digit(s.p[n]); n++)
		v = v * 10 + (uint64_t)(s.p[n] - '0');
	for (; n >= ALWAYS_FIT && n < s.n && is_digit(s.p[n]); n++) {
		uint64_t digit = (uint64_t)(s.p[n] - '0');

		fits = fits && v <= (UINT64_MAX - digit) / 10;
		v = v * 10 + digit;
	}
	*ret_n = n;
	if (n == 0)
		return NUMBER_NONE;
	if (!fits)
		return NUMBER_TOO_LARGE;
	*ret = v;
	return NUMBER_OK;
}

bool scan_u64(struct cursor *c, uint64_t *ret)
{
	size_t n;

	if (leading_u64(cursor_rest(c), ret, &n) != NUMBER_OK)
		return false;
	c->at += n;
	return true;
}

bool scan_int(struct cursor *c, int *ret)
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

enum number number_u64(struct str s, uint64_t *ret)
{
	uint64_t v = 0;
	size_t n;
	enum number what = leading_u64(s, &v, &n);

	if (n != s.n)
		return NUMBER_NONE;
	if (what == NUMBER_OK)
		*ret = v;
	return what;
}

/* How many bytes of s look like a decimal number. */
static size_t float_length(struct str s)
{
	size_t n = 0, digits = 0, mark;

	if (n < s.n && (s.p[n] == '-' || s.p[n] == '+'))
		n++;
	if (str_has_prefix(str_skip(s, n), STR("inf")))
		return n + 3;
	for (; n < s.n && is_digit(s.p[n]); n++)
		digits++;
	if (n < s.n && s.p[n] == '.') {
		for (n++; n < s.n && is_digit(s.p[n]); n++)
			digits++;
	}
	if (digits == 0)
		return 0;
	mark = n;
	if (n < s.n && (s.p[n] == 'e' || s.p[n] == 'E')) {
		n++;
		if (n < s.n && (s.p[n] == '-' || s.p[n] == '+'))
			n++;
		if (n >= s.n || !is_digit(s.p[n]))
			return mark;
		while (n < s.n && is_digit(s.p[n]))
			n++;
	}
	return n;
}

/* Up to 15 digits, and so many behind the point that 10^k is exact: then the quotient
 * of two exact numbers is rounded once, as strtod() would.  False for all others. */
static bool short_f64(struct str s, double *ret)
{
	enum { EXACT_DIGITS = 15 };
	static const double power[] = { 1e0, 1e1, 1e2,	1e3,  1e4,  1e5,  1e6,	1e7,
					1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	bool negative = s.n > 0 && s.p[0] == '-';
	size_t i = negative, behind = 0, digits = 0;
	bool point = false;
	uint64_t v = 0;

	for (; i < s.n && digits <= EXACT_DIGITS; i++) {
		if (s.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(s.p[i]))
			return false;
		v = v * 10 + (uint64_t)(s.p[i] - '0');
		digits++;
		behind += point;
	}
	if (i < s.n || digits == 0 || digits > EXACT_DIGITS)
		return false;
	*ret = (double)v / power[behind];
	*ret = negative ? -*ret : *ret;
	return true;
}

static enum number leading_f64(struct str s, double *ret, size_t *ret_n)
{
	char text[LONGEST_NUMBER + 1];
	size_t n = float_length(s), whole;
	uint64_t integer;
	double v;

	*ret_n = n;
	if (n == 0 || n > LONGEST_NUMBER)
		return NUMBER_NONE;
	if (leading_u64(s, &integer, &whole) == NUMBER_OK && whole == n) {
		*ret = (double)integer;
		return NUMBER_OK;
	}
	if (short_f64((struct str){ s.p, n }, ret))
		return NUMBER_OK;
	memcpy(text, s.p, n);
	text[n] = '\0';
	v = strtod_l(text, NULL, c_locale());
	if (isinf(v) && memchr(text, 'n', n) == NULL)
		return NUMBER_TOO_LARGE;
	*ret = v;
	return NUMBER_OK;
}

bool scan_f64(struct cursor *c, double *ret)
{
	size_t n;

	if (leading_f64(cursor_rest(c), ret, &n) != NUMBER_OK)
		return false;
	c->at += n;
	return true;
}

enum number number_f64(struct str s, double *ret)
{
	double v;
	size_t n;
	enum number what = leading_f64(s, &v, &n);

	if (n != s.n || n == 0)
		return NUMBER_NONE;
	if (what == NUMBER_OK)
		*ret = v;
	return what;
}
