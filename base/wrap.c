/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/wrap.h"

#include "base/utf8.h"

enum { HANGING = 2 }; /* columns */

/* Returns the bytes of the next character or SGR sequence. */
static size_t next_length(struct str s, size_t *ret_width)
{
	uint32_t code;
	size_t n = 2;

	if (str_has_prefix(s, STR("\x1b["))) {
		while (n < s.n && s.p[n] < '@')
			n++;
		*ret_width = 0;
		return n < s.n ? n + 1 : n;
	}
	if (!utf8_decode(s, &code, &n)) {
		*ret_width = 1;
		return 1;
	}
	*ret_width = utf8_width(code);
	return n;
}

/* Returns the number of bytes before the next blank. */
static size_t word_length(struct str s, size_t *ret_width)
{
	size_t n = 0, width;

	for (*ret_width = 0; n < s.n && s.p[n] != ' '; *ret_width += width)
		n += next_length(str_skip(s, n), &width);
	return n;
}

static void put_blanks(size_t n, wrap_put *put, void *ctx)
{
	static const char blanks[] = "                ";
	const size_t max = sizeof(blanks) - 1;

	for (; n > max; n -= max)
		put(ctx, (struct str){ blanks, max });
	put(ctx, (struct str){ blanks, n });
}

/* Returns how far the rest of a broken line is indented: to where its text begins after a gap, as in
 * lists of options, or by two more than the line; not at all where that leaves little room. */
static size_t hanging_indent(struct str line, size_t columns)
{
	const size_t blanks = run_length(' ', line.p, line.n);
	size_t column = blanks, width;

	for (struct str rest = str_skip(line, blanks); rest.n > 0;) {
		size_t gap;

		rest = str_skip(rest, word_length(rest, &width));
		gap = run_length(' ', rest.p, rest.n);
		column += width + gap;
		if (column > columns / 2)
			break;
		if (gap > 1 && gap < rest.n)
			return column;
		rest = str_skip(rest, gap);
	}
	return blanks + HANGING <= columns / 2 ? blanks + HANGING : 0;
}

static void wrap_line(struct str line, size_t columns, wrap_put *put, void *ctx)
{
	const size_t blanks = run_length(' ', line.p, line.n);
	const size_t indent = hanging_indent(line, columns);
	size_t filled = 0, width;

	for (struct str rest = line, word; rest.n > 0; rest = str_skip(rest, word.n)) {
		size_t gap = run_length(' ', rest.p, rest.n);

		rest = str_skip(rest, gap);
		word = (struct str){ rest.p, word_length(rest, &width) };
		if (word.p > line.p + blanks && filled + gap + width > columns) {
			put(ctx, STR("\n"));
			filled = 0;
			gap = word.n > 0 ? indent : 0;
		}
		put_blanks(gap, put, ctx);
		put(ctx, word);
		filled += gap + width;
	}
}

void wrap_lines(struct str text, size_t columns, wrap_put *put, void *ctx)
{
	while (text.n > 0) {
		const char *newline = memchr(text.p, '\n', text.n);
		size_t n = newline != NULL ? (size_t)(newline - text.p) : text.n;

		if (n <= columns)
			put(ctx, (struct str){ text.p, n });
		else
			wrap_line((struct str){ text.p, n }, columns, put, ctx);
		if (newline != NULL)
			put(ctx, STR("\n"));
		text = str_skip(text, n + (newline != NULL));
	}
}
