/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/measure.h"

#include "profile/unit.h"

bool measure_scan(struct cursor *c, struct decimal *ret_ns, struct str *ret_number)
{
	struct cursor at = *c;
	struct decimal number;
	struct str digits, word;
	enum unit unit;

	if (!scan_word(&at, &digits) || !scan_word(&at, &word) || !unit_parse(word, &unit) ||
	    !unit_is_time(unit) || !decimal_parse(digits, &number) || number.billionths < 0 ||
	    !decimal_times(number, unit_nanoseconds(unit), ret_ns))
		return false;
	*ret_number = digits;
	*c = at;
	return true;
}
