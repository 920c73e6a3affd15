/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strings and their numbers: 0 for the first that was added, 1 for the second, ...
 *
 * For what is looked up with every line of a file.  What belongs to a string is kept by
 * the caller, in an array by number.
 */
#ifndef BASE_STR_TABLE_H
#define BASE_STR_TABLE_H

#include "base/hash_index.h"

struct arena;

/* All zero is an empty table. */
struct str_table {
	struct str *key; /* by number; in the arena of whoever added it */
	size_t n;

	/* Its own. */
	struct hash_index hash_index;
	size_t cap;
};

void str_table_release(struct str_table *t);

/* The number of this string, which is added, with a copy in the arena, if it is new. */
size_t str_table_add(struct str_table *t, struct str key, struct arena *a, bool *ret_new);

#endif
