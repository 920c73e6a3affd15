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
	/* Apart, as no float holds all digits of both. */
	ret->billionths = (decimal_int)whole * SCALE + llroundl((long double)(v - whole) * SCALE);
	return true;
}

static bool add_digit(decimal_int *v, char digit)
{
	return !__builtin_mul_overflow(*v, 10, v) &&
	       !__builtin_add_overflow(*v, (decimal_int)(digit - '0'), v);
}

bool decimal_parse(struct str s, struct decimal *ret)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	int after_point = -1; /* digits behind the point, -1 before it */
	decimal_int v = 0;
	size_t digits = 0;

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
	return (double)((long double)d.billionths / SCALE);
}

void decimal_print(struct out *o, struct decimal d)
{
	char digits[48];
	size_t n = sizeof(digits);
	decimal_int v = d.billionths;
	bool negative = v < 0, fraction = false;
	int place = 0;

	do {
		int digit = (int)(v % 10);

		if (place == FRACTION_DIGITS && fraction)
			digits[--n] = '.';
		if (digit != 0 || fraction || place >= FRACTION_DIGITS) {
			digits[--n] = (char)('0' + (digit < 0 ? -digit : digit));
			fraction |= place < FRACTION_DIGITS;
		}
		v /= 10;
		place++;
	} while (v != 0 || place <= FRACTION_DIGITS);
	if (negative)
		digits[--n] = '-';
	out_bytes(o, (struct str){ digits + n, sizeof(digits) - n });
}
