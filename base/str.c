/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/str.h"

#include <string.h>

struct str str_from(const char *z)
{
	return (struct str){ z, strlen(z) };
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

bool str_contains(struct str s, struct str part)
{
	return part.n == 0 || str_find(s, part) < s.n;
}

size_t str_find(struct str s, struct str part)
{
	const char *at = s.n == 0      ? NULL
			 : part.n == 1 ? memchr(s.p, part.p[0], s.n)
				       : memmem(s.p, s.n, part.p, part.n);

	return at != NULL ? (size_t)(at - s.p) : s.n;
}

size_t str_find_last(struct str s, struct str part)
{
	size_t starts = s.n >= part.n ? s.n - part.n + 1 : 0;
	const char *at;

	if (part.n == 0)
		return s.n;
	while (starts > 0 && (at = memrchr(s.p, part.p[0], starts)) != NULL) {
		if (memcmp(at, part.p, part.n) == 0)
			return (size_t)(at - s.p);
		starts = (size_t)(at - s.p);
	}
	return s.n;
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
