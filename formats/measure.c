/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/measure.h"

#include <math.h>

#include "profile/unit.h"

uint64_t measure_nanoseconds(struct str unit_word)
{
	static const struct {
		struct str name;
		uint64_t seconds;
	} longer[] = { { STR_INIT("second"), 1 },
		       { STR_INIT("m"), 60 },
		       { STR_INIT("h"), 60 * 60 },
		       { STR_INIT("d"), 24 * 60 * 60 },
		       { STR_INIT("w"), 7 * 24 * 60 * 60 } };
	enum unit unit;

	for (size_t i = 0; i < COUNT_OF(longer); i++) {
		if (str_eq(unit_word, longer[i].name))
			return longer[i].seconds * unit_nanoseconds(UNIT_S);
	}
	return unit_parse(unit_word, &unit) ? unit_nanoseconds(unit) : 0;
}

bool measure_take(struct str *rest, struct str *ret_number, uint64_t *ret_ns_of_unit)
{
	struct str s = *rest;
	size_t digits = 0, n;
	uint64_t ns;

	while (digits < s.n && (is_digit(s.p[digits]) || s.p[digits] == '.'))
		digits++;
	for (n = digits; n < s.n && !is_digit(s.p[n]);)
		n++;
	ns = measure_nanoseconds((struct str){ s.p + digits, n - digits });
	if (digits == 0 || ns == 0)
		return false;
	*ret_number = (struct str){ s.p, digits };
	*ret_ns_of_unit = ns;
	*rest = str_skip(s, n);
	return true;
}

bool measure_scan(struct cursor *c, struct decimal *ret_ns, struct str *ret_number)
{
	struct cursor at = *c;
	struct decimal number;
	struct str digits, word;
	uint64_t ns;

	if (!scan_word(&at, &digits) || !scan_word(&at, &word))
		return false;
	ns = measure_nanoseconds(word);
	if (ns == 0 || !decimal_parse(digits, &number) || number.billionths < 0 ||
	    !decimal_times(number, ns, ret_ns))
		return false;
	*ret_number = digits;
	*c = at;
	return true;
}

bool measure_seconds(struct str text, double *ret)
{
	struct str rest = str_trim(text);
	double sum = 0;

	while (rest.n > 0) {
		size_t digits = 0, n;
		uint64_t ns;
		double v;

		while (digits < rest.n && (is_digit(rest.p[digits]) || rest.p[digits] == '.'))
			digits++;
		for (n = digits; n < rest.n && !is_digit(rest.p[n]);)
			n++;
		ns = measure_nanoseconds(str_trim((struct str){ rest.p + digits, n - digits }));
		if (ns == 0 || number_f64((struct str){ rest.p, digits }, &v) != NUMBER_OK)
			return false;
		sum += v * ((double)ns / 1e9);
		rest = str_skip(rest, n);
	}
	if (!(sum > 0) || !isfinite(sum))
		return false;
	*ret = sum;
	return true;
}
