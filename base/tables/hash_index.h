/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table from hashes to numbers, by open addressing: the core of a table of strings,
 * whose owner keeps the strings and compares them (as base/tables/str_table.h does).
 *
 * A slot takes eight bytes and includes the hash, so that growing touches no string and most
 * strings that differ are never compared:
 *
 *	uint32_t hash = hash_index_hash(t, s, 0);
 *	size_t at = hash_index_first(t, hash), number;
 *
 *	while (hash_index_next(t, &at, hash, &number)) {
 *		if (str_eq(mine[number], s))
 *			return number;
 *		at++;
 *	}
 *	hash_index_take(t, at, hash, n);	it is new, and gets number n
 */
#ifndef BASE_TABLES_HASH_INDEX_H
#define BASE_TABLES_HASH_INDEX_H

#include <stdint.h>

#include "base/str.h"

enum { HASH_INDEX_NUMBER_BITS = 32 };

/* All zero is an empty table. */
struct hash_index {
	uint64_t *slot; /* the hash in the upper half, the number + 1 in the lower; 0: free */
	size_t mask;
	uint64_t seed;
};

/* Frees the table; it may be used again, empty. */
void hash_index_release(struct hash_index *t);

/* Makes room for n + 1 numbers; must be called before anything else. */
void hash_index_reserve(struct hash_index *t, size_t n);
/* Hashes the string and `salt`. */
uint32_t hash_index_hash(const struct hash_index *t, struct str s, uint64_t salt);

/* Returns the slot where the search for a hash begins. */
static inline size_t hash_index_first(const struct hash_index *t, uint32_t hash)
{
	return hash & t->mask;
}

/* Prefetches the slot where the search for a hash begins. */
static inline void hash_index_prefetch(const struct hash_index *t, uint32_t hash)
{
	if (t->slot != NULL)
		__builtin_prefetch(&t->slot[hash_index_first(t, hash)]);
}

/* Finds the next number with this hash, from slot *at on.  When there is no other, returns false
 * and sets *at to a free slot. */
static inline bool hash_index_next(const struct hash_index *t, size_t *at, uint32_t hash,
				   size_t *ret_number)
{
	size_t i;

	for (i = *at & t->mask; t->slot[i] != 0; i = (i + 1) & t->mask) {
		if (t->slot[i] >> HASH_INDEX_NUMBER_BITS == hash) {
			*at = i;
			*ret_number = (uint32_t)t->slot[i] - 1;
			return true;
		}
	}
	*at = i;
	return false;
}

/* Puts a number into a free slot. */
static inline void hash_index_take(struct hash_index *t, size_t at, uint32_t hash, size_t number)
{
	t->slot[at] = (uint64_t)hash << HASH_INDEX_NUMBER_BITS | (uint32_t)(number + 1);
}

#endif
