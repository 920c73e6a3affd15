/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table from 64-bit keys to numbers, for lookups with every event of a trace. */
#ifndef BASE_TABLES_NUMBER_MAP_H
#define BASE_TABLES_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An entry of the table, which uses open addressing. */
struct number_map_slot {
	uint64_t key; /* the key + 1; 0: free */
	uint64_t number;
};

/* All zero is an empty map.  UINT64_MAX cannot be a key. */
struct number_map {
	struct number_map_slot *slot;
	size_t n, mask;
};

/* Frees the map; it may be used again, empty. */
void number_map_release(struct number_map *m);
/* Returns the number of a key, adding 0 if the key is new; valid until the next call. */
uint64_t *number_map_at(struct number_map *m, uint64_t key, bool *ret_new);

/* A hash that depends on every bit of v. */
static inline uint64_t number_map_mix(uint64_t v)
{
	v ^= v >> 32;
	v *= UINT64_C(0xd6e8feb86659fd93);
	v ^= v >> 32;
	v *= UINT64_C(0xd6e8feb86659fd93);
	return v ^ v >> 32;
}

/* Returns the number of a key, or NULL. */
static inline const uint64_t *number_map_find(const struct number_map *m, uint64_t key)
{
	if (m->n == 0)
		return NULL;
	for (size_t i = number_map_mix(key) & m->mask; m->slot[i].key != 0; i = (i + 1) & m->mask) {
		if (m->slot[i].key == key + 1)
			return &m->slot[i].number;
	}
	return NULL;
}

#endif
