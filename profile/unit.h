/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of latency and conversions between them. */
#ifndef PROFILE_UNIT_H
#define PROFILE_UNIT_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

/* What one unit of latency is. */
enum unit {
	UNIT_UNKNOWN, /* the file does not say */
	UNIT_PLAIN,   /* numbers that are not times: a value profile */
	UNIT_CYCLES,
	UNIT_NS,
	UNIT_US,
	UNIT_MS,
	UNIT_S,
};

MUST_CHECK bool unit_parse(struct str s, enum unit *ret); /* "ns", "usecs", "cycles", "plain" ... */
const char *unit_name(enum unit u);			  /* "ns"; "unknown" */
bool unit_is_time(enum unit u);				  /* ns to s; cycles are not */
uint64_t unit_nanoseconds(enum unit u); /* in one unit of time; 0 for other units */

/* Returns the least value that is no latency: about 290 years, the upper half of what 64 bits of
 * nanoseconds hold.  A difference of two readings of a clock that is negative, but printed or
 * counted as unsigned, is above it in every unit of time, and so is the bucket of a power of two
 * that holds it.  HUGE_VAL for numbers that are not times. */
double unit_impossible_from(enum unit u);

/* The unit that a name like "read_us" or "nsecs" ends in; UNIT_UNKNOWN otherwise. */
enum unit unit_in_name(struct str name);

/* Stores the seconds in one unit; hz (cycles a second, 0 when unknown) is used for
 * cycles only.  False when that is not known. */
MUST_CHECK bool unit_seconds(enum unit u, double hz, double *ret);

/* Stores the factor that converts values from one unit to another: 1 if the units
 * are the same, even unknown.  False when there is no such factor, because one is
 * unknown, plain, or cycles without a rate. */
MUST_CHECK bool unit_scale(enum unit from, double from_hz, enum unit to, double to_hz, double *ret);

#endif
