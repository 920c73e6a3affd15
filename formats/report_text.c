/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/report_text.h"

#include <string.h>

#include "base/attr.h"

size_t report_bar(struct str s)
{
	static const struct str bars[] = { STR_INIT("\xe2\x94\x82"), STR_INIT("\xe2\x95\x91"),
					   STR_INIT("\xe2\x94\x83") };

	if (s.n == 0 || s.p[0] != bars[0].p[0]) /* as of nearly every byte */
		return 0;
	for (size_t i = 0; i < COUNT_OF(bars); i++) {
		if (str_has_prefix(s, bars[i]))
			return bars[i].n;
	}
	return 0;
}

size_t report_columns(struct str s)
{
	size_t columns = 0;

	for (size_t i = 0; i < s.n; i++)
		columns += ((unsigned char)s.p[i] & 0xc0) != 0x80 && s.p[i] != '\r';
	return columns;
}

size_t report_widest(struct str bytes, size_t longest)
{
	struct str rest = bytes, line;
	size_t widest = 0, columns;

	while (rest.n > 0) {
		const char *end = memchr(rest.p, '\n', rest.n);

		line = (struct str){ rest.p, end != NULL ? (size_t)(end - rest.p) : rest.n };
		columns = line.n <= longest ? report_columns(line) : 0;
		widest = columns > widest ? columns : widest;
		rest = str_skip(rest, line.n + (end != NULL));
	}
	return widest;
}
