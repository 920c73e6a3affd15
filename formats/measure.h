/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number and its unit, as tools print them for people. */
#ifndef FORMATS_MEASURE_H
#define FORMATS_MEASURE_H

#include "base/attr.h"
#include "base/decimal.h"
#include "base/scan.h"

/* Returns how many ns a unit of time has, up to weeks (w); 0 when it is not a unit of time. */
uint64_t measure_nanoseconds(struct str unit_word);
/* Takes "185.17us" off the beginning of *rest: digits, perhaps with a point, then the unit up to
 * the next digit.  False, with nothing taken, when there is none. */
MUST_CHECK bool measure_take(struct str *rest, struct str *ret_number, uint64_t *ret_ns_of_unit);
/* Parses two words, "185.17 us", as ns; *ret_number is the first word.  False when they are not a
 * time, are negative or do not fit. */
MUST_CHECK bool measure_scan(struct cursor *c, struct decimal *ret_ns, struct str *ret_number);

/* Parses all of "1m30s", "2.10s" or "3 seconds" as seconds; false when it is not a time above
 * zero. */
MUST_CHECK bool measure_seconds(struct str text, double *ret);

#endif
