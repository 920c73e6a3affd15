/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/str.h"

#include <string.h>

#include "base/platform.h"

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

/* Searches eight positions at once for two bytes of `part`: the first, and the middle one, since
 * many parts have a blank at both ends.  `last`: where the last eight positions begin; they may
 * overlap those before. */
static const char *find_by_two(struct str s, struct str part, size_t last)
{
	const size_t apart = part.n / 2;
	const uint64_t first = word_each((unsigned char)part.p[0]);
	const uint64_t second = word_each((unsigned char)part.p[apart]);

	for (size_t i = 0;; i = i + WORD_BYTES < last ? i + WORD_BYTES : last) {
		const char *p = s.p + i;
		uint64_t other = (word_load(p) ^ first) | (word_load(p + apart) ^ second);

		for (uint64_t found = word_zeros(other); found != 0; found &= found - 1) {
			const char *at = p + word_first(found);

			if (memcmp(at, part.p, part.n) == 0)
				return at;
		}
		if (i == last)
			return NULL;
	}
}

size_t str_find(struct str s, struct str part)
{
	enum { SHORT_PART = 32 }; /* longer parts could take quadratic time */
	const size_t min = part.n + WORD_BYTES - 1;
	const char *at;

	if (s.n == 0)
		return s.n;
	if (part.n == 1)
		at = memchr(s.p, part.p[0], s.n);
	else if (part.n > 1 && part.n <= SHORT_PART && s.n >= min)
		at = find_by_two(s, part, s.n - min);
	else
		at = memmem(s.p, s.n, part.p, part.n);
	return at != NULL ? (size_t)(at - s.p) : s.n;
}

size_t str_find_last(struct str s, struct str part)
{
	size_t starts = s.n >= part.n ? s.n - part.n + 1 : 0;
	const char *at;

	if (part.n == 0)
		return s.n;
	while (starts > 0 && (at = platform_last_byte(s.p, part.p[0], starts)) != NULL) {
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
