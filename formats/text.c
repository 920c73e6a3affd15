/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/text.h"

#include <string.h>

#include "base/scan.h"

struct str text_expanded_name(struct str path)
{
	if (str_has_suffix(path, STR(".gz")) || str_has_suffix(path, STR(".xz")))
		path.n -= 3;
	else if (str_has_suffix(path, STR(".zst")))
		path.n -= 4;
	return path;
}

struct str text_whole_lines(struct str s)
{
	size_t newline = str_find_last(s, STR("\n"));

	if (newline < s.n)
		s.n = newline + 1;
	return s;
}

struct str text_last_word(struct str *s)
{
	size_t at = str_find_last(*s, STR(" "));
	struct str word = at < s->n ? str_skip(*s, at + 1) : *s;

	*s = at < s->n ? str_trim((struct str){ s->p, at }) : (struct str){ s->p, 0 };
	return word;
}

size_t text_clock(struct str s, double *ret_seconds)
{
	enum { WHOLE = sizeof("13:19:35") - 1 };
	unsigned part[3];
	double unit = 0.1;
	size_t n = WHOLE;

	if (s.n < WHOLE || s.p[2] != ':' || s.p[5] != ':')
		return 0;
	for (size_t i = 0; i < 3; i++) {
		if (!is_digit(s.p[3 * i]) || !is_digit(s.p[3 * i + 1]))
			return 0;
		part[i] = (unsigned)(s.p[3 * i] - '0') * 10 + (unsigned)(s.p[3 * i + 1] - '0');
	}
	if (part[0] > 23 || part[1] > 59 || part[2] > 60)
		return 0;
	*ret_seconds = part[0] * 3600 + part[1] * 60 + part[2];
	if (s.n > WHOLE && s.p[WHOLE] == '.') {
		for (n++; n < s.n && is_digit(s.p[n]); n++, unit /= 10)
			*ret_seconds += unit * (s.p[n] - '0');
	}
	return n;
}

bool text_value(struct str line, struct str label, struct str *ret)
{
	if (!str_has_prefix(line, label))
		return false;
	*ret = str_trim(str_skip(line, label.n));
	return true;
}

bool text_number_after(struct str s, struct str label, struct str *ret)
{
	size_t at = str_find(s, label), n = 0;
	struct str rest = str_trim(str_skip(s, at + label.n));

	if (at == s.n)
		return false;
	while (n < rest.n && (is_digit(rest.p[n]) || rest.p[n] == '.'))
		n++;
	*ret = (struct str){ rest.p, n };
	return true;
}

bool text_has(struct str text, bool (*is_one)(struct str line))
{
	struct str line;

	while (text_line(&text, &line)) {
		if (is_one(line))
			return true;
	}
	return false;
}

bool text_is_words(struct str line, const char *words)
{
	struct input a = { .bytes = line }, b = { .bytes = str_from(words) };
	struct cursor have = cursor_on(&a), want = cursor_on(&b);
	struct str word, wanted;

	if (line.n > 0 && !is_gap(line.p[0]) && line.p[0] != words[0])
		return false; /* most lines */
	while (scan_word(&want, &wanted)) {
		if (!scan_word(&have, &word) || !str_eq(word, wanted))
			return false;
	}
	return !scan_word(&have, &word);
}
