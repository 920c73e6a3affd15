/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/uftrace_time.h"

static const struct {
	const char *name;
	uint64_t whole, part; /* ns of one before the point, of one in the digits behind it */
} units[] = {
	{ "us", 1000, 1 },
	{ "ms", 1000000, 1000 },
	{ "s", 1000000000, 1000000 },
	{ "m", UINT64_C(60000000000), 1000000000 },
	{ "h", UINT64_C(3600000000000), UINT64_C(60000000000) },
};

enum { MOST = 1000000 }; /* before the point: a century of hours */

bool scan_uftrace_time(struct cursor *c, uint64_t *ret_ns)
{
	struct cursor at = *c;
	struct str number, unit, whole, part;
	uint64_t w, p;

	if (!scan_word(&at, &number) || !scan_word(&at, &unit) ||
	    !str_cut(number, '.', &whole, &part) || part.n != 3 ||
	    number_u64(whole, &w) != NUMBER_OK || number_u64(part, &p) != NUMBER_OK || w > MOST)
		return false;
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (!str_eq(unit, str_from(units[i].name)))
			continue;
		*ret_ns = w * units[i].whole + p * units[i].part;
		*c = at;
		return true;
	}
	return false;
}
