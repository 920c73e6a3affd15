/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"

enum { LONGEST_NUMBER = 400 }; /* 1e308 without an exponent, and some */

struct cursor cursor_on(struct input *in)
{
	return (struct cursor){ in, 0, in->bytes.n };
}

struct cursor cursor_at(struct input *in, struct str part)
{
	size_t at = (size_t)(part.p - in->bytes.p);

	return (struct cursor){ in, at, at + part.n };
}

enum number number_of_digits(struct str digits, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < digits.n; i++) {
		uint64_t digit = (uint64_t)(digits.p[i] - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return NUMBER_TOO_LARGE;
		v = v * 10 + digit;
	}
	*ret = v;
	return NUMBER_OK;
}

/* Returns how many bytes of s form a decimal number. */
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

enum { MAX_FIVES = 27 }; /* the largest power of 5 in 64 bits */

static uint64_t power_of_five(unsigned n)
{
	return n <= SHORT_DIGITS ? power[n] >> n
				 : (power[SHORT_DIGITS] >> SHORT_DIGITS) *
					   (power[n - SHORT_DIGITS] >> (n - SHORT_DIGITS));
}

/* Returns 2^-n, which a double holds exactly. */
static double half_to_the(unsigned n)
{
	enum { BIAS = 1023, FRACTION_BITS = 52 };
	uint64_t bits = (uint64_t)(BIAS - n) << FRACTION_BITS;
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Returns v / 10^digits, for v > 0, rounded once as by strtod(). */
static double shifted_digits(uint64_t v, unsigned digits)
{
	enum { EXACT_BITS = 53, SPARE_BITS = 3 };
	uint64_t fives, quotient;
	wide scaled;
	int up;

	/* Both operands are exact doubles, so the division rounds only once. */
	if (v >> EXACT_BITS == 0 && digits <= SHORT_DIGITS)
		return (double)v / (double)power[digits];
	fives = power_of_five(digits);
	up = EXACT_BITS + SPARE_BITS + bits_in(fives) - bits_in(v);
	up = up > 0 ? up : 0;
	scaled = (wide)v << up;
	quotient = (uint64_t)(scaled / fives);
	/* A remainder sets the lowest bit, so that an apparent tie rounds to the right side. */
	return (double)(quotient | (scaled != (wide)quotient * fives)) *
	       half_to_the((unsigned)up + digits);
}

/* Computes v times ten to the power of `exponent`; false when that takes more than 64 bits. */
static bool scale_by_ten(uint64_t v, int exponent, double *ret)
{
	if (exponent > SHORT_DIGITS || exponent < -MAX_FIVES)
		return false;
	if (exponent >= 0 && __builtin_mul_overflow(v, power[exponent], &v))
		return false;
	*ret = exponent >= 0 || v == 0 ? (double)v : shifted_digits(v, (unsigned)-exponent);
	return true;
}

/* Parses "e-05" at s.p[*n]; false when it is incomplete or too long. */
static bool take_exponent(struct str s, size_t *n, int *exponent)
{
	enum { MAX_DIGITS = 3 };
	size_t at = *n + 1, after;
	bool negative = at < s.n && s.p[at] == '-';
	uint64_t v = 0;

	at += at < s.n && (s.p[at] == '-' || s.p[at] == '+');
	after = digits_end(s.p, at, s.n, &v);
	if (after == at || after - at > MAX_DIGITS)
		return false;
	*exponent += negative ? -(int)v : (int)v;
	*n = after;
	return true;
}

/* Returns the number of zeros before any other digit. */
static size_t leading_zeros(const char *p, size_t n)
{
	size_t zeros = 0;

	for (size_t at = 0; at < n && (p[at] == '0' || p[at] == '.'); at++)
		zeros += p[at] == '0';
	return zeros;
}

/* The fast path for nearly all numbers: digits that fit 64 bits, and a decimal exponent. */
static inline bool leading_plain_f64(struct str s, double *ret, size_t *ret_n)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	uint64_t v = 0;
	size_t n = digits_end(s.p, negative, s.n, &v), digits = n - negative, after = 0;
	int exponent;
	double size;

	if (n < s.n && s.p[n] == '.') {
		size_t point = n;

		n = digits_end(s.p, point + 1, s.n, &v);
		after = n - point - 1;
		digits += after;
	}
	if (digits > SHORT_DIGITS)
		digits -= leading_zeros(s.p + negative, n - negative);
	if (digits == 0 || digits > SHORT_DIGITS || after > LONGEST_NUMBER)
		return false;
	exponent = -(int)after;
	if ((n < s.n && (s.p[n] | 0x20) == 'e' && !take_exponent(s, &n, &exponent)) ||
	    !scale_by_ten(v, exponent, &size))
		return false;
	*ret = negative ? -size : size;
	*ret_n = n;
	return true;
}

/* The slow path: any number, by the C library. */
static enum number leading_any_f64(struct str s, double *ret, size_t *ret_n)
{
	char text[LONGEST_NUMBER + 1];
	size_t n = float_length(s);
	locale_t user;
	double v;

	*ret_n = n;
	if (n == 0 || n > LONGEST_NUMBER)
		return NUMBER_NONE;
	memcpy(text, s.p, n);
	text[n] = '\0';
	user = uselocale(c_locale());
	v = strtod(text, NULL);
	(void)uselocale(user);
	if (isinf(v) && memchr(text, 'n', n) == NULL)
		return NUMBER_TOO_LARGE;
	*ret = v;
	return NUMBER_OK;
}

static enum number leading_f64(struct str s, double *ret, size_t *ret_n)
{
	return leading_plain_f64(s, ret, ret_n) ? NUMBER_OK : leading_any_f64(s, ret, ret_n);
}

bool scan_short_f64(struct cursor *c, double *ret)
{
	enum { EXACT_DIGITS = 15 }; /* any number of so many digits is an exact double */
	const char *p = c->in->bytes.p;
	size_t at, point, end = c->end;
	uint64_t v = 0, divisor = 1;

	scan_blanks(c);
	at = point = digits_end(p, c->at, end, &v);
	if (at < end && p[at] == '.')
		at = digits_end(p, point + 1, end, &v);
	if (point == c->at || at - c->at > EXACT_DIGITS || (at < end && !is_gap(p[at])))
		return false;
	if (at > point)
		divisor = power[at - point - 1];
	c->at = at < end ? at + 1 : at;
	/* Both operands are exact doubles, so the division rounds only once. */
	*ret = (double)v / (double)divisor;
	return true;
}

bool scan_past(struct cursor *c, struct str text)
{
	struct str rest = cursor_rest(c);
	size_t at = str_find(rest, text);

	if (at == rest.n)
		return false;
	c->at += at + text.n;
	return true;
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
