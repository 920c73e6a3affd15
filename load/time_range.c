/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/time_range.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "profile/amount.h"

/* Parses "90", "1.5s", "250ms"; an empty text gives `missing`. */
static bool parse_time(struct str s, double missing, double *ret)
{
	struct amount a;

	if (s.n == 0) {
		*ret = missing;
		return true;
	}
	if (!amount_parse(s, &a))
		return false;
	*ret = amount_in(a, UNIT_S, 0);
	return *ret >= 0;
}

static bool parse_range(struct str s, struct time_range *ret)
{
	struct str from, to;

	return str_cut(s, ':', &from, &to) && from.n + to.n > 0 &&
	       parse_time(from, 0, &ret->from) && parse_time(to, HUGE_VAL, &ret->to) &&
	       ret->from < ret->to && (ret->from > 0 || ret->to < HUGE_VAL);
}

bool operand_names_part(const char *operand, char **ret_path, struct time_range *ret)
{
	const char *at = strrchr(operand, '@');

	if (at == NULL || at == operand || !parse_range(str_from(at + 1), ret) ||
	    access(operand, F_OK) == 0)
		return false;
	*ret_path = xmemdup(operand, (size_t)(at - operand));
	return true;
}

double time_range_step(struct time_range range)
{
	static const double nanosecond = 1e-9;
	double a = rint(range.from / nanosecond), b = rint(range.to / nanosecond), rest;

	if (isinf(b)) /* the rest of the run */
		return range.from;
	for (; b > 0; b = rest) { /* Euclid's algorithm */
		rest = fmod(a, b);
		a = b;
	}
	return a * nanosecond;
}
