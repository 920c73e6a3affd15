/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/report/report_text.h"

#include <string.h>

#include "base/attr.h"
#include "formats/typescript.h"

/* Returns the number of bytes of a line of a table at the beginning of s; 0: there is none. */
static size_t bar_bytes(struct str s)
{
	static const struct str bars[] = { STR_INIT("\xe2\x94\x82"), STR_INIT("\xe2\x95\x91"),
					   STR_INIT("\xe2\x94\x83") };

	for (size_t i = 0; i < COUNT_OF(bars); i++) {
		if (str_has_prefix(s, bars[i]))
			return bars[i].n;
	}
	return 0;
}

/* Returns how many bytes of Markdown's `**` are at the beginning of s, around a number. */
static size_t emphasis_bytes(struct str s, bool *within)
{
	if (!str_has_prefix(s, STR("**")) || (!*within && !str_begins_with_digit(str_skip(s, 2))))
		return 0;
	*within = !*within;
	return 2;
}

/* Returns how many bytes at the beginning of s are shown as they are: none of them begins a bar, a
 * colour, emphasis or the end of the line. */
static size_t plain_bytes(struct str s)
{
	static const bool is_special[256] = {
		[0xe2] = true, [0x1b] = true, ['*'] = true, ['\r'] = true, ['\n'] = true
	};
	size_t n = 0;

	while (n < s.n && !is_special[(unsigned char)s.p[n]])
		n++;
	return n;
}

size_t report_shown(char *to, struct str line)
{
	size_t n = 0, skipped;
	bool within = false;

	while (line.n > 0) {
		skipped = plain_bytes(line);
		if (skipped > 0) {
			memcpy(to + n, line.p, skipped);
			n += skipped;
		} else if ((skipped = bar_bytes(line)) > 0) {
			to[n++] = '|';
		} else if ((skipped = typescript_colour(line)) == 0 &&
			   (skipped = emphasis_bytes(line, &within)) == 0) {
			skipped = 1;
			if (line.p[0] != '\r' && line.p[0] != '\n')
				to[n++] = line.p[0];
		}
		line = str_skip(line, skipped);
	}
	return n;
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
