/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/decimal.h"

#include <math.h>

#include "base/out.h"

enum { SCALE = 1000000000, FRACTION_DIGITS = 9 };

struct decimal decimal_from_u64(uint64_t v)
{
	return (struct decimal){ (decimal_int)v * SCALE };
}

struct decimal decimal_from_i64(int64_t v)
{
	return (struct decimal){ (decimal_int)v * SCALE };
}

bool decimal_from_f64(double v, struct decimal *ret)
{
	double whole = trunc(v);

	if (!isfinite(v) || fabs(v) > 1e29)
		return false;
	/* Separately, since no float holds all digits of both parts. */
	ret->billionths = (decimal_int)whole * SCALE + llroundl((long double)(v - whole) * SCALE);
	return true;
}

static bool add_digit(decimal_int *v, char digit)
{
	return !__builtin_mul_overflow(*v, 10, v) &&
	       !__builtin_add_overflow(*v, (decimal_int)(digit - '0'), v);
}

/* The fast path for nearly every number: digits and a point, few enough for 64 bits. */
static bool short_decimal(struct str s, struct decimal *ret)
{
	enum { MAX = 19 }; /* characters: a point and 18 digits */
	static const uint32_t scale[] = { SCALE, 100000000, 10000000, 1000000, 100000,
					  10000, 1000,	    100,      10,      1 };
	size_t point = s.n;
	uint64_t v = 0;

	if (s.n == 0 || s.n > MAX)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		unsigned digit = (unsigned)(s.p[i] - '0');

		if (digit <= 9)
			v = v * 10 + digit;
		else if (s.p[i] == '.' && point == s.n && s.n > 1)
			point = i + 1;
		else
			return false;
	}
	if (s.n - point > FRACTION_DIGITS)
		return false;
	ret->billionths = (decimal_int)v * scale[s.n - point];
	return true;
}

bool decimal_parse(struct str s, struct decimal *ret)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	int after_point = -1; /* digits seen after the point; -1 before it */
	decimal_int v = 0;
	size_t digits = 0;

	if (short_decimal(s, ret))
		return true;
	for (size_t i = negative ? 1 : 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '.' && after_point < 0) {
			after_point = 0;
			continue;
		}
		if (c < '0' || c > '9')
			return false;
		digits++;
		if (after_point >= 0 && ++after_point > FRACTION_DIGITS) {
			if (c != '0')
				return false;
			continue;
		}
		if (!add_digit(&v, c))
			return false;
	}
	if (digits == 0)
		return false;
	for (int i = after_point < 0 ? 0 : after_point; i < FRACTION_DIGITS; i++) {
		if (!add_digit(&v, '0'))
			return false;
	}
	ret->billionths = negative ? -v : v;
	return true;
}

/* A parsed number: v times ten to the power of `exponent`. */
struct digits {
	decimal_int v; /* not negative */
	int exponent;
	size_t n;
};

/* Drops digits that no longer fit: they are below a billionth, or the number is too large anyway.
 */
static size_t take_digits(struct str s, size_t at, bool fraction, struct digits *d)
{
	for (; at < s.n && s.p[at] >= '0' && s.p[at] <= '9'; at++, d->n++) {
		decimal_int longer = d->v;

		if (add_digit(&longer, s.p[at])) {
			d->v = longer;
			d->exponent -= fraction;
		} else {
			d->exponent += !fraction;
		}
	}
	return at;
}

/* The "e-05" at s.p[at]; false when something else is there. */
static bool take_exponent(struct str s, size_t at, struct digits *d)
{
	enum { ENOUGH = 100000 };
	bool negative;
	int v = 0;

	if (at == s.n)
		return true;
	if (s.p[at] != 'e' && s.p[at] != 'E')
		return false;
	at++;
	negative = at < s.n && s.p[at] == '-';
	if (negative || (at < s.n && s.p[at] == '+'))
		at++;
	if (at == s.n)
		return false;
	for (; at < s.n; at++) {
		if (s.p[at] < '0' || s.p[at] > '9')
			return false;
		v = v < ENOUGH ? v * 10 + (s.p[at] - '0') : v;
	}
	/* Added, since the digits of a long text may have moved the point the other way. */
	d->exponent += negative ? -v : v;
	return true;
}

/* Converts d to billionths; false when that is too large. */
static bool scale_digits(const struct digits *d, decimal_int *ret)
{
	decimal_int v = d->v, divisor = 1, rest;
	int exponent = d->exponent + FRACTION_DIGITS;

	for (; exponent > 0 && v != 0; exponent--) {
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	}
	for (; exponent < 0; exponent++) {
		if (__builtin_mul_overflow(divisor, 10, &divisor)) {
			*ret = 0; /* the divisor is more than ten times any v */
			return true;
		}
	}
	rest = v % divisor;
	*ret = v / divisor + (rest >= divisor - rest && rest > 0);
	return true;
}

enum number number_decimal(struct str s, struct decimal *ret)
{
	struct digits d = { 0 };
	bool negative = s.n > 0 && s.p[0] == '-';
	decimal_int v;
	size_t at;

	if (short_decimal(s, ret))
		return NUMBER_OK;
	at = take_digits(s, negative || (s.n > 0 && s.p[0] == '+') ? 1 : 0, false, &d);
	if (at < s.n && s.p[at] == '.')
		at = take_digits(s, at + 1, true, &d);
	if (d.n == 0 || !take_exponent(s, at, &d))
		return NUMBER_NONE;
	if (!scale_digits(&d, &v))
		return NUMBER_TOO_LARGE;
	ret->billionths = negative ? -v : v;
	return NUMBER_OK;
}

bool decimal_add(struct decimal a, struct decimal b, struct decimal *ret)
{
	return !__builtin_add_overflow(a.billionths, b.billionths, &ret->billionths);
}

bool decimal_times(struct decimal a, uint64_t n, struct decimal *ret)
{
	return !__builtin_mul_overflow(a.billionths, (decimal_int)n, &ret->billionths);
}

bool decimal_eq(struct decimal a, struct decimal b)
{
	return a.billionths == b.billionths;
}

double decimal_f64(struct decimal d)
{
	int64_t billionths = (int64_t)d.billionths;

	if (billionths == d.billionths) /* nearly always: a single conversion */
		return (double)((long double)billionths / SCALE);
	return (double)((long double)d.billionths / SCALE);
}

void decimal_print(struct out *o, struct decimal d)
{
	char digits[48];
	size_t n = sizeof(digits);
	decimal_int v = d.billionths;
	bool negative = v < 0, fraction = false;
	int digit_at = 0;

	do {
		int digit = (int)(v % 10);

		if (digit_at == FRACTION_DIGITS && fraction)
			digits[--n] = '.';
		if (digit != 0 || fraction || digit_at >= FRACTION_DIGITS) {
			digits[--n] = (char)('0' + (digit < 0 ? -digit : digit));
			fraction |= digit_at < FRACTION_DIGITS;
		}
		v /= 10;
		digit_at++;
	} while (v != 0 || digit_at <= FRACTION_DIGITS);
	if (negative)
		digits[--n] = '-';
	out_bytes(o, (struct str){ digits + n, sizeof(digits) - n });
}
