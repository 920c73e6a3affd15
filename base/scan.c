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

/* Leading digits of s; *ret_n of them were there even when they do not fit. */
static enum number leading_u64(struct str s, uint64_t *ret, size_t *ret_n)
{
	size_t n = 0, few = s.n < SHORT_DIGITS ? s.n : SHORT_DIGITS;
	bool fits = true;
	uint64_t v = 0;

	for (; n < few && is_digit(s.p[n]); n++)
		v = v * 10 + (uint64_t)(s.p[n] - '0');
	for (; n >= SHORT_DIGITS && n < s.n && is_digit(s.p[n]); n++) {
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

bool scan_u64_long(struct cursor *c, uint64_t *ret)
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

enum number number_u64_long(struct str s, uint64_t *ret)
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

__extension__ typedef unsigned __int128 wide;

static int bits_in(uint64_t v)
{
	return 64 - __builtin_clzll(v);
}

static const uint64_t power[SHORT_DIGITS + 1] = { 1,
						  10,
						  100,
						  1000,
						  10000,
						  100000,
						  1000000,
						  10000000,
						  100000000,
						  1000000000,
						  10000000000,
						  100000000000,
						  1000000000000,
						  10000000000000,
						  100000000000000,
						  1000000000000000,
						  10000000000000000,
						  100000000000000000,
						  1000000000000000000,
						  10000000000000000000U };

/* v, which is not 0, through 10^digits, rounded once as strtod() would. */
static double shifted(uint64_t v, unsigned digits)
{
	enum { EXACT_BITS = 53, SPARE_BITS = 3 };
	int up = EXACT_BITS + SPARE_BITS + bits_in(power[digits]) - bits_in(v);
	wide scaled, rest;

	/* The quotient of two numbers that a double holds is itself rounded once. */
	if (v >> EXACT_BITS == 0)
		return (double)v / (double)power[digits];
	up = up > 0 ? up : 0;
	scaled = (wide)v << up;
	rest = scaled % power[digits];
	/* That there is a rest says to which side one goes that seems to lie half-way. */
	return ldexp((double)((uint64_t)(scaled / power[digits]) | (rest != 0)), -up);
}

/* v times ten to the power of `exponent`; false when that takes more than 64 bits. */
static bool scale(uint64_t v, int exponent, double *ret)
{
	if (exponent > SHORT_DIGITS || exponent < -SHORT_DIGITS)
		return false;
	if (exponent >= 0 && __builtin_mul_overflow(v, power[exponent], &v))
		return false;
	*ret = exponent >= 0 || v == 0 ? (double)v : shifted(v, (unsigned)-exponent);
	return true;
}

/* "e-05" at s.p[*n]; false for one that is not whole, or long. */
static bool take_exponent(struct str s, size_t *n, int *exponent)
{
	size_t at = *n, from;
	bool negative;
	int v = 0;

	if (at == s.n || (s.p[at] | 0x20) != 'e')
		return true;
	at++;
	negative = at < s.n && s.p[at] == '-';
	at += at < s.n && (s.p[at] == '-' || s.p[at] == '+');
	for (from = at; at < s.n && is_digit(s.p[at]) && at - from < 3; at++)
		v = v * 10 + (s.p[at] - '0');
	if (at == from || (at < s.n && is_digit(s.p[at])))
		return false;
	*exponent += negative ? -v : v;
	*n = at;
	return true;
}

/* A number that digits of 64 bits and a shift of the point make: nearly all there are. */
static bool leading_plain_f64(struct str s, double *ret, size_t *ret_n)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	size_t n = negative, digits;
	int exponent = 0;
	uint64_t v = 0;
	double size;

	for (; n < s.n && is_digit(s.p[n]); n++)
		v = v * 10 + (uint64_t)(s.p[n] - '0');
	digits = n - negative;
	if (n < s.n && s.p[n] == '.') {
		size_t point = n++;

		for (; n < s.n && is_digit(s.p[n]); n++)
			v = v * 10 + (uint64_t)(s.p[n] - '0');
		digits += n - point - 1;
		exponent = digits <= SHORT_DIGITS ? -(int)(n - point - 1) : 0;
	}
	if (digits == 0 || digits > SHORT_DIGITS || !take_exponent(s, &n, &exponent) ||
	    !scale(v, exponent, &size))
		return false;
	*ret = negative ? -size : size;
	*ret_n = n;
	return true;
}

static enum number leading_f64(struct str s, double *ret, size_t *ret_n)
{
	char text[LONGEST_NUMBER + 1];
	size_t n;
	double v;

	if (leading_plain_f64(s, ret, ret_n))
		return NUMBER_OK;
	n = *ret_n = float_length(s);
	if (n == 0 || n > LONGEST_NUMBER)
		return NUMBER_NONE;
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
