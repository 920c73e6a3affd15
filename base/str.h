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

struct str {
	const char *p;
	size_t n;
};

/* For printf: "%.*s", STR_ARG(s). */
#define STR_ARG(s)   (int)(s).n, (s).p
#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })

struct str str_from(const char *z);
struct str str_trim(struct str s); /* without blanks, tabs and CR at both ends */
bool str_eq(struct str a, struct str b);
bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
int str_cmp(struct str a, struct str b);	/* by bytes, as memcmp() */
bool str_has_prefix(struct str s, struct str prefix);
bool str_has_suffix(struct str s, struct str suffix);
bool str_begins_with_digit(struct str s);
bool str_contains(struct str s, struct str part);
/* Where `part` begins in s, at first or at last; s.n when it is not there. */
size_t str_find(struct str s, struct str part);
size_t str_find_last(struct str s, struct str part);
struct str str_skip(struct str s, size_t n); /* all but the first n bytes */

/* Splits at the first `sep`; false, with both untouched, when there is none. */
bool str_cut(struct str s, char sep, struct str *ret_head, struct str *ret_tail);

#endif
