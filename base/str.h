/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Borrowed byte ranges.
 *
 * A str never owns and is never NUL-terminated; whoever keeps one longer than
 * the buffer it points into copies it with arena_str().
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/word.h"

/* A borrowed range of n bytes, which may hold NUL bytes. */
struct str {
	const char *p;
	size_t n;
};

/* For printf: "%.*s", STR_ARG(s). */
#define STR_ARG(s)   (int)(s).n, (s).p
#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })
/* The same in the initializer of what is static, which has to be constant. */
#define STR_INIT(literal)                                                                          \
	{                                                                                          \
		"" literal, sizeof(literal) - 1                                                    \
	}

bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
int str_cmp(struct str a, struct str b);	/* by bytes, as memcmp() */
bool str_contains(struct str s, struct str part);
/* Where `part` begins in s, at first or at last; s.n when it is not there. */
size_t str_find(struct str s, struct str part);
size_t str_find_last(struct str s, struct str part);
/* How often a byte is there, at the speed of memory. */
size_t str_count(struct str s, char c);
/* The same of three, found in one pass. */
struct str_counts {
	size_t of[3];
};
struct str_counts str_count_three(struct str s, const char c[3]);

/* Splits at the first `sep`; false, with both untouched, when there is none. */
bool str_cut(struct str s, char sep, struct str *ret_head, struct str *ret_tail);

/* --- asked of every line: inline ------------------------------------------------- */

/* A string that ends with NUL; borrowed. */
static inline struct str str_from(const char *z)
{
	return (struct str){ z, strlen(z) };
}

/* Whether two have the same bytes. */
static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* All but the first n bytes. */
static inline struct str str_skip(struct str s, size_t n)
{
	size_t skipped = n < s.n ? n : s.n;

	/* Nothing may be added to NULL, not even nothing. */
	return skipped > 0 ? (struct str){ s.p + skipped, s.n - skipped } : s;
}

/* Whether s begins with it. */
static inline bool str_has_prefix(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

/* Whether s ends with it. */
static inline bool str_has_suffix(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq(str_skip(s, s.n - suffix.n), suffix);
}

/* ASCII alone, whatever the locale. */
static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether c is a letter of ASCII, in any locale. */
static inline bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Whether the first byte is a digit of ASCII. */
static inline bool str_begins_with_digit(struct str s)
{
	return s.n > 0 && is_digit(s.p[0]);
}

/* How many of the n bytes at p are c before the first other one: eight at once, for blanks
 * between columns and for bars. */
static inline size_t run_length(char c, const char *p, size_t n)
{
	size_t i = 0;

	for (; n - i >= WORD_BYTES; i += WORD_BYTES) {
		uint64_t other = word_load(p + i) ^ word_each((unsigned char)c);

		if (other != 0)
			return i + word_first(other);
	}
	while (i < n && p[i] == c)
		i++;
	return i;
}

/* A blank or a tab; most of what is asked is detected by one comparison. */
static inline bool is_gap(char c)
{
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\t');
}

/* Whether c is white space within a line. */
static inline bool is_margin(char c)
{
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\r');
}

/* Without blanks, tabs and CR at both ends. */
static inline struct str str_trim(struct str s)
{
	size_t from = 0, to = s.n;

	while (from < to && is_margin(s.p[from])) {
		from++;
		if (from < to && s.p[from] == ' ')
			from += run_length(' ', s.p + from, to - from);
	}
	while (to > from && is_margin(s.p[to - 1]))
		to--;
	s.n = to;
	return str_skip(s, from);
}

#endif
