/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/str.h"

#include <string.h>

struct str str_from(const char *z)
{
	return (struct str){ z, strlen(z) };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct str str_trim(struct str s)
{
	while (s.n > 0 && is_blank(s.p[0]))
		s = str_skip(s, 1);
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool str_eq_nocase(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	}
	return true;
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

	if (order != 0)
		return order;
	return (a.n > b.n) - (a.n < b.n);
}

bool str_has_prefix(struct str s, struct str prefix)
{
	return s.n >= prefix.n && str_eq((struct str){ s.p, prefix.n }, prefix);
}

bool str_has_suffix(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq(str_skip(s, s.n - suffix.n), suffix);
}

bool str_begins_with_digit(struct str s)
{
	return s.n > 0 && s.p[0] >= '0' && s.p[0] <= '9';
}

bool str_contains(struct str s, struct str part)
{
	return part.n == 0 || str_find(s, part) < s.n;
}

size_t str_find(struct str s, struct str part)
{
	const char *at = s.n > 0 ? memmem(s.p, s.n, part.p, part.n) : NULL;

	return at != NULL ? (size_t)(at - s.p) : s.n;
}

size_t str_find_last(struct str s, struct str part)
{
	for (size_t i = s.n >= part.n ? s.n - part.n + 1 : 0; i-- > 0;) {
		if (memcmp(s.p + i, part.p, part.n) == 0)
			return i;
	}
	return s.n;
}

struct str str_skip(struct str s, size_t n)
{
	size_t skipped = n < s.n ? n : s.n;

	/* Nothing may be added to NULL, not even nothing. */
	return skipped > 0 ? (struct str){ s.p + skipped, s.n - skipped } : s;
}

bool str_cut(struct str s, char sep, struct str *ret_head, struct str *ret_tail)
{
	const char *at = s.n > 0 ? memchr(s.p, sep, s.n) : NULL;

	if (at == NULL)
		return false;
	*ret_head = (struct str){ s.p, (size_t)(at - s.p) };
	*ret_tail = str_skip(s, ret_head->n + 1);
	return true;
}
