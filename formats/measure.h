/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number and its unit, as tools print them for people. */
#ifndef FORMATS_MEASURE_H
#define FORMATS_MEASURE_H

#include "base/attr.h"
#include "base/decimal.h"
#include "base/scan.h"

/* How many ns a unit of time has, up to weeks (w); 0 where it is none. */
uint64_t measure_nanoseconds(struct str unit_word);
/* Takes "185.17us" off the beginning of *rest: digits, perhaps with a point among them, and
 * up to the next digit the unit.  False, with nothing taken, where there is none. */
MUST_CHECK bool measure_take(struct str *rest, struct str *ret_number, uint64_t *ret_ns_of_unit);
/* "185.17 us", two words, as ns; *ret_number is the first.  False when they are no
 * time from zero on, or too long a one. */
MUST_CHECK bool measure_scan(struct cursor *c, struct decimal *ret_ns, struct str *ret_number);

/* "1m30s", "2.10s", "3 seconds", all of it, in seconds; false when it is no time above zero. */
MUST_CHECK bool measure_seconds(struct str text, double *ret);

#endif
