/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact decimal numbers: 128-bit counts of billionths.
 *
 * Totals of a collector are kept in them, so that adding profiles up gives the
 * same bits in whatever order it is done.  Range: +-1.7e29; finer digits than
 * nine after the point are not held and are refused by decimal_parse().
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

/* Exactly v. */
struct decimal decimal_from_u64(uint64_t v);
/* Exactly v. */
struct decimal decimal_from_i64(int64_t v);
/* The nearest; false when v is not finite or too large. */
MUST_CHECK bool decimal_from_f64(double v, struct decimal *ret);
/* "-12", "0.741", "1e3" is not one.  False when it is not one or does not fit. */
MUST_CHECK bool decimal_parse(struct str s, struct decimal *ret);
/* The whole of s as a number: also "+1", ".5" and "1.2e-05".  What is finer than a
 * billionth is rounded, half of one away from zero. */
MUST_CHECK enum number number_decimal(struct str s, struct decimal *ret);
MUST_CHECK bool decimal_add(struct decimal a, struct decimal b, struct decimal *ret);
MUST_CHECK bool decimal_times(struct decimal a, uint64_t n, struct decimal *ret);
bool decimal_eq(struct decimal a, struct decimal b);
double decimal_f64(struct decimal d);
void decimal_print(struct out *o, struct decimal d); /* no trailing zeros, no exponent */

#endif
