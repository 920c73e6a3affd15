/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Borrowed byte ranges.
 *
 * A str never owns its bytes and need not be NUL-terminated.  To keep one longer than
 * the buffer it points into, copy it with arena_str().
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
/* A constant initializer, for static variables. */
#define STR_INIT(literal)                                                                          \
	{                                                                                          \
		"" literal, sizeof(literal) - 1                                                    \
	}

bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
int str_cmp(struct str a, struct str b);	/* compares bytes, as memcmp() */
bool str_contains(struct str s, struct str part);
/* Return the offset of the first or last occurrence of `part`; s.n: there is none. */
size_t str_find(struct str s, struct str part);
size_t str_find_last(struct str s, struct str part);
/* Counts a byte, with SIMD instructions. */
size_t str_count(struct str s, char c);
/* Counts three bytes in one pass. */
struct str_counts {
	size_t of[3];
};
struct str_counts str_count_three(struct str s, const char c[3]);

/* Splits at the first `sep`; without one returns false and leaves both alone. */
bool str_cut(struct str s, char sep, struct str *ret_head, struct str *ret_tail);

/* --- inline, since called for every line ------------------------------------------ */

/* Borrows a NUL-terminated string. */
static inline struct str str_from(const char *z)
{
	return (struct str){ z, strlen(z) };
}

/* Whether the bytes are equal. */
static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Returns all but the first n bytes. */
static inline struct str str_skip(struct str s, size_t n)
{
	size_t skipped = n < s.n ? n : s.n;

	/* Adding even 0 to NULL is undefined. */
	return skipped > 0 ? (struct str){ s.p + skipped, s.n - skipped } : s;
}

/* Whether s begins with `prefix`. */
static inline bool str_has_prefix(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

/* Whether s ends with `suffix`. */
static inline bool str_has_suffix(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq(str_skip(s, s.n - suffix.n), suffix);
}

/* Whether c is an ASCII digit, in any locale. */
static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether c is an ASCII letter, in any locale. */
static inline bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Whether the first byte is an ASCII digit. */
static inline bool str_begins_with_digit(struct str s)
{
	return s.n > 0 && is_digit(s.p[0]);
}

/* Returns how many of the n bytes at p are c before the first other byte.  Tests eight at once, for
 * runs of blanks and for bars. */
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

/* Whether c is a blank or a tab; for most bytes this takes one comparison. */
static inline bool is_gap(char c)
{
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\t');
}

/* Whether c is white space within a line. */
static inline bool is_margin(char c)
{
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\r');
}

/* Removes blanks, tabs and CRs at both ends. */
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
