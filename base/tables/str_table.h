/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table that numbers strings in the order in which they are added, from 0.
 *
 * For lookups with every line of a file.  The caller keeps the data of each string in an
 * array, by number.
 */
#ifndef BASE_TABLES_STR_TABLE_H
#define BASE_TABLES_STR_TABLE_H

#include "base/tables/hash_index.h"

struct arena;

/* All zero is an empty table. */
struct str_table {
	struct str *key; /* by number; in the arena given to str_table_add() */
	size_t n;

	/* Private. */
	struct hash_index hash_index;
	size_t cap;
};

/* Frees the table; it may be used again, empty. */
void str_table_release(struct str_table *t);

/* Returns the number of a string; adds a copy in the arena if it is new. */
size_t str_table_add(struct str_table *t, struct str key, struct arena *a, bool *ret_new);

#endif
