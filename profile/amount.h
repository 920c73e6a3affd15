/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number on the command line, and perhaps a unit after it: "1500", "4ms". */
#ifndef PROFILE_AMOUNT_H
#define PROFILE_AMOUNT_H

#include "base/attr.h"
#include "profile/unit.h"

/* A number from the command line with the unit that was typed after it. */
struct amount {
	double value;	/* NAN: not given */
	enum unit unit; /* UNIT_UNKNOWN: that of the run */
};

/* False when s is none. An empty s is one that was not given. */
MUST_CHECK bool amount_parse(struct str s, struct amount *ret);

/* Its value in a unit that has as many seconds as unit_seconds() says; NAN where there
 * is no such number: cycles without a rate, or a unit that is not known. */
double amount_in(struct amount a, enum unit unit, double hz);

#endif
