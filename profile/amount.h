/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number on the command line with an optional unit: "1500", "4ms". */
#ifndef PROFILE_AMOUNT_H
#define PROFILE_AMOUNT_H

#include "base/attr.h"
#include "profile/unit.h"

/* A number with the unit typed after it. */
struct amount {
	double value;	/* NAN: not given */
	enum unit unit; /* UNIT_UNKNOWN: that of the run */
};

/* Parses an amount; false when s is not one. An empty s gives the value NAN. */
MUST_CHECK bool amount_parse(struct str s, struct amount *ret);

/* Converts an amount to `unit` by unit_seconds(); NAN when that is impossible: cycles without a
 * rate `hz`, or an unknown unit. */
double amount_in(struct amount a, enum unit unit, double hz);

#endif
