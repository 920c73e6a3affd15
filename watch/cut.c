/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/cut.h"

#include <string.h>

size_t cut_lines(struct str s, size_t lines)
{
	size_t at = 0;

	for (; lines > 0 && at < s.n; lines--) {
		const char *newline = memchr(s.p + at, '\n', s.n - at);

		at = newline != NULL ? (size_t)(newline - s.p) + 1 : s.n;
	}
	return at;
}

static bool has_line(struct str s, struct str line)
{
	while (s.n > 0) {
		size_t end = cut_lines(s, 1);

		if (str_eq((struct str){ s.p, end }, line))
			return true;
		s = str_skip(s, end);
	}
	return false;
}

size_t cut_lines_like(char *text, size_t n, struct str like, size_t *lines)
{
	size_t left = 0;

	for (size_t at = 0; at < n;) {
		struct str line = { text + at, n - at };

		line.n = cut_lines(line, 1);
		at += line.n;
		if (has_line(like, line)) {
			++*lines;
			continue;
		}
		memmove(text + left, line.p, line.n);
		left += line.n;
	}
	return left;
}

static bool ends_blank(struct str s)
{
	return s.n >= 2 && s.p[s.n - 1] == '\n' && s.p[s.n - 2] == '\n';
}

/* Returns the end of the JSON value that begins at `at`: after its last bracket, or where the next
 * value begins in the first column, as no line within a value does.  s.n: it has not ended. */
static size_t json_value_end(struct str s, size_t at)
{
	bool quoted = false;
	size_t depth = 0;

	for (size_t i = at; i < s.n; i++) {
		char c = s.p[i];

		if (i > at && c == '{' && s.p[i - 1] == '\n')
			return i;
		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']') && --depth == 0)
			return i + 1;
	}
	return s.n;
}

/* *ret_any: a line of s begins a JSON value. */
static size_t cut_after_json(struct str s, bool *ret_any)
{
	size_t good = 0;

	*ret_any = false;
	while (good < s.n) {
		size_t end = good;
		const char *newline;

		if (s.p[good] == '{') {
			*ret_any = true;
			end = json_value_end(s, good);
			if (end < s.n && s.p[end - 1] == '\n')
				return good > 0 ? good : end; /* interrupted: cut it off alone */
		}
		newline = end < s.n ? memchr(s.p + end, '\n', s.n - end) : NULL;
		if (newline == NULL)
			return good;
		good = (size_t)(newline - s.p) + 1;
	}
	return good;
}

static bool is_digit_at(struct str s, size_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* Whether the first lines of both are the same but for numbers. */
static bool same_title(struct str a, struct str b)
{
	size_t i = 0, k = 0;

	for (; i < a.n && k < b.n; i++, k++) {
		if (is_digit_at(a, i) != is_digit_at(b, k) ||
		    (!is_digit_at(a, i) && a.p[i] != b.p[k]))
			return false;
		if (a.p[i] == '\n')
			return true;
		while (is_digit_at(a, i) && is_digit_at(a, i + 1))
			i++;
		while (is_digit_at(b, k) && is_digit_at(b, k + 1))
			k++;
	}
	return false;
}

/* Returns where the last paragraph begins with the title of the first one, or of the second, as the
 * first may be a message of the collector; 0: none does. */
static size_t last_repeated_title(struct str s)
{
	enum { TITLES = 2 };
	struct str title[TITLES];
	size_t n = 0, cut = 0;

	for (size_t at = 0; at < s.n;) {
		struct str rest = str_skip(s, at);
		size_t blank = str_find(rest, STR("\n\n"));

		if ((n > 0 && same_title(rest, title[0])) || (n > 1 && same_title(rest, title[1])))
			cut = at;
		else if (n < TITLES)
			title[n++] = rest;
		if (blank == rest.n)
			break;
		at += blank + 2;
		while (at < s.n && s.p[at] == '\n')
			at++;
	}
	return cut;
}

static size_t cut_after_text(struct print_ending *ending, struct str s, enum text_end end)
{
	size_t blank = str_find_last(s, STR("\n\n"));
	bool over = end == TEXT_IS_OVER;

	if (over && ends_blank(s))
		ending->blank = true;
	else if (over && !ending->blank)
		ending->other = true;
	if (over && (ending->other || ends_blank(s)))
		return s.n;
	if (end == TEXT_GOES_ON && (ending->other || !ending->blank))
		return last_repeated_title(s);
	return blank < s.n ? blank + 2 : 0;
}

size_t cut_snapshots(struct print_ending *ending, struct str s, enum text_end end)
{
	bool json;
	size_t values = cut_after_json(s, &json);

	return json ? values : cut_after_text(ending, s, end);
}
