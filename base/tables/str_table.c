/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tables/str_table.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

void str_table_release(struct str_table *t)
{
	hash_index_release(&t->hash_index);
	free(t->key);
	*t = (struct str_table){ .key = NULL };
}

/* Finds the number of a string.  If it is new, returns false and sets *ret_at to a free slot. */
static bool find_key(const struct str_table *t, struct str key, uint32_t hash, size_t *ret,
		     size_t *ret_at)
{
	size_t number;

	*ret_at = hash_index_first(&t->hash_index, hash);
	while (hash_index_next(&t->hash_index, ret_at, hash, &number)) {
		if (str_eq(t->key[number], key)) {
			*ret = number;
			return true;
		}
		++*ret_at;
	}
	return false;
}

size_t str_table_add(struct str_table *t, struct str key, struct arena *a, bool *ret_new)
{
	size_t number, at;
	uint32_t hash;

	hash_index_reserve(&t->hash_index, t->n);
	hash = hash_index_hash(&t->hash_index, key, 0);
	*ret_new = !find_key(t, key, hash, &number, &at);
	if (!*ret_new)
		return number;
	t->key = xgrow(t->key, &t->cap, t->n + 1, sizeof(*t->key));
	t->key[t->n] = arena_str(a, key);
	hash_index_take(&t->hash_index, at, hash, t->n);
	return t->n++;
}
