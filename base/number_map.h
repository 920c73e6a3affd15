/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers by 64-bit keys, for what is looked up with every event of a trace. */
#ifndef BASE_NUMBER_MAP_H
#define BASE_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One entry of the map's hash table, by open addressing. */
struct number_map_slot {
	uint64_t key; /* and 1; 0: free */
	uint64_t number;
};

/* All zero is an empty one.  UINT64_MAX is no key. */
struct number_map {
	struct number_map_slot *slot;
	size_t n, mask;
};

/* Frees the map; it may be used again, empty. */
void number_map_release(struct number_map *m);
/* Where the number of a key is kept, 0 when it is new; until the next call. */
uint64_t *number_map_at(struct number_map *m, uint64_t key, bool *ret_new);

/* A hash of a number in which every bit of it counts. */
static inline uint64_t number_map_mix(uint64_t v)
{
	v ^= v >> 32;
	v *= UINT64_C(0xd6e8feb86659fd93);
	v ^= v >> 32;
	v *= UINT64_C(0xd6e8feb86659fd93);
	return v ^ v >> 32;
}

/* NULL when it is not there. */
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
