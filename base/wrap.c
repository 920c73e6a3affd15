/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/wrap.h"

#include "base/escape.h"
#include "base/out.h"

/* How many bytes the next character is, or the sequence that colours what follows. */
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

/* How many bytes come before the next blank. */
static size_t word_length(struct str s, size_t *ret_width)
{
	size_t n = 0, width;

	for (*ret_width = 0; n < s.n && s.p[n] != ' '; *ret_width += width)
		n += next_length(str_skip(s, n), &width);
	return n;
}

static void wrap_line(struct out *to, struct str line, size_t columns)
{
	const size_t blanks = run_length(' ', line.p, line.n);
	const size_t indent = blanks <= columns / 2 ? blanks : 0;
	size_t filled = 0, width;

	for (struct str rest = line, word; rest.n > 0; rest = str_skip(rest, word.n)) {
		size_t gap = run_length(' ', rest.p, rest.n);

		rest = str_skip(rest, gap);
		word = (struct str){ rest.p, word_length(rest, &width) };
		if (word.p > line.p + blanks && filled + gap + width > columns) {
			out_char(to, '\n');
			filled = 0;
			gap = indent;
		}
		out_repeat(to, ' ', gap);
		out_bytes(to, word);
		filled += gap + width;
	}
}

void wrap_lines(struct out *to, struct str text, size_t columns)
{
	while (text.n > 0) {
		const char *newline = memchr(text.p, '\n', text.n);
		size_t n = newline != NULL ? (size_t)(newline - text.p) : text.n;

		if (n <= columns)
			out_bytes(to, (struct str){ text.p, n });
		else
			wrap_line(to, (struct str){ text.p, n }, columns);
		if (newline != NULL)
			out_char(to, '\n');
		text = str_skip(text, n + (newline != NULL));
	}
}
