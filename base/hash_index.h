/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places of numbers by a hash: what a table of strings is made of, for whoever keeps the
 * strings himself and compares them (base/str_table.h does).
 *
 * A place takes eight bytes, the hash among them, so that growing touches no string and
 * most of those that differ are not looked at:
 *
 *	uint32_t hash = places_hash(t, s, 0);
 *	size_t at = places_first(t, hash), number;
 *
 *	while (places_next(t, &at, hash, &number)) {
 *		if (str_eq(mine[number], s))
 *			return number;
 *		at++;
 *	}
 *	places_take(t, at, hash, n);	it is new, and will be number n
 */
#ifndef BASE_HASH_INDEX_H
#define BASE_HASH_INDEX_H

#include <stdint.h>

#include "base/str.h"

enum { HASH_INDEX_NUMBER_BITS = 32 };

/* All zero is an empty one. */
struct hash_index {
	uint64_t *slot; /* a hash, and a number and 1; 0: free */
	size_t mask;
	uint64_t seed;
};

/* Frees the table; it may be used again, empty. */
void hash_index_release(struct hash_index *t);

/* Makes room for one more than n numbers; before anything else. */
void hash_index_reserve(struct hash_index *t, size_t n);
/* `salt` is part of what is hashed. */
uint32_t hash_index_hash(const struct hash_index *t, struct str s, uint64_t salt);

/* The place where a hash is looked for first. */
static inline size_t hash_index_first(const struct hash_index *t, uint32_t hash)
{
	return hash & t->mask;
}

/* Asks for what hash_index_first() will be looked at: memory is slow, and may come meanwhile. */
static inline void hash_index_prefetch(const struct hash_index *t, uint32_t hash)
{
	if (t->slot != NULL)
		__builtin_prefetch(&t->slot[hash_index_first(t, hash)]);
}

/* The first number with this hash from *at on; false, with a free place in *at, when there
 * is no other. */
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

/* Puts a number into an empty place. */
static inline void hash_index_take(struct hash_index *t, size_t at, uint32_t hash, size_t number)
{
	t->slot[at] = (uint64_t)hash << HASH_INDEX_NUMBER_BITS | (uint32_t)(number + 1);
}

#endif
