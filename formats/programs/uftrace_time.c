/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_time.h"

static const struct {
	const char *name;
	uint64_t whole, part; /* ns: a unit before the point, and in the digits after it */
} units[] = {
	{ "us", 1000, 1 },
	{ "ms", 1000000, 1000 },
	{ "s", 1000000000, 1000000 },
	{ "m", UINT64_C(60000000000), 1000000000 },
	{ "h", UINT64_C(3600000000000), UINT64_C(60000000000) },
};

enum { MAX = 1000000 }; /* maximum before the point: more than a century, in hours */

static bool scan_unit(struct cursor *c, uint64_t *ret_whole, uint64_t *ret_part)
{
	struct str unit;

	if (!scan_word(c, &unit))
		return false;
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (str_eq(unit, str_from(units[i].name))) {
			*ret_whole = units[i].whole;
			*ret_part = units[i].part;
			return true;
		}
	}
	return false;
}

bool scan_uftrace_time(struct cursor *c, uint64_t *ret_ns)
{
	struct cursor at = *c;
	uint64_t whole, part, of_whole, of_part;
	size_t point;

	scan_blanks(&at);
	if (!scan_u64(&at, &whole) || whole > MAX || !scan_char(&at, '.'))
		return false;
	point = at.at;
	if (!scan_u64(&at, &part) || at.at - point != 3 || cursor_done(&at) ||
	    !is_gap(at.in->bytes.p[at.at]) || !scan_unit(&at, &of_whole, &of_part))
		return false;
	*ret_ns = whole * of_whole + part * of_part;
	*c = at;
	return true;
}
