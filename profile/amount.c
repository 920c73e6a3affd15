/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/amount.h"

#include <math.h>
#include <string.h>

#include "base/scan.h"

bool amount_parse(struct str s, struct amount *ret)
{
	struct amount a = { NAN, UNIT_UNKNOWN };
	size_t digits = 0;

	while (digits < s.n && strchr("0123456789.+-eE", s.p[digits]) != NULL)
		digits++;
	if (s.n > 0 &&
	    (number_f64((struct str){ s.p, digits }, &a.value) != NUMBER_OK || !isfinite(a.value)))
		return false;
	if (digits < s.n && !unit_parse(str_trim(str_skip(s, digits)), &a.unit))
		return false;
	*ret = a;
	return true;
}

double amount_in(struct amount a, enum unit unit, double hz)
{
	double scale;

	if (a.unit == UNIT_UNKNOWN)
		return a.value;
	return unit_scale(a.unit, hz, unit, hz, &scale) ? a.value * scale : NAN;
}
