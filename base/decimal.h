/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact decimal numbers: 128-bit counts of billionths.
 *
 * They hold a collector's totals, so that merging profiles gives the same bits in
 * any order.  The range is +-1.7e29; decimal_parse() refuses more than nine digits
 * after the point.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdint.h>

#include "base/attr.h"
#include "base/scan.h"
#include "base/str.h"

struct out;

__extension__ typedef __int128 decimal_int;

/* An exact sum or number in units of 1e-9. */
struct decimal {
	decimal_int billionths;
};

/* Converts exactly. */
struct decimal decimal_from_u64(uint64_t v);
/* Converts exactly. */
struct decimal decimal_from_i64(int64_t v);
/* Rounds to the nearest; false when v is not finite or too large. */
MUST_CHECK bool decimal_from_f64(double v, struct decimal *ret);
/* Parses "-12" or "0.741"; exponents ("1e3") are refused.  False when s is not a
 * number or does not fit. */
MUST_CHECK bool decimal_parse(struct str s, struct decimal *ret);
/* Parses all of s, also "+1", ".5" and "1.2e-05".  Rounds to a billionth, halves away
 * from zero. */
MUST_CHECK enum number number_decimal(struct str s, struct decimal *ret);
MUST_CHECK bool decimal_add(struct decimal a, struct decimal b, struct decimal *ret);
MUST_CHECK bool decimal_times(struct decimal a, uint64_t n, struct decimal *ret);
bool decimal_eq(struct decimal a, struct decimal b);
double decimal_f64(struct decimal d);
void decimal_print(struct out *o, struct decimal d); /* no trailing zeros, no exponent */

#endif
