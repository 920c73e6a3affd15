/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tables/hash_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/xalloc.h"

enum { FIRST_PLACES = 64 }; /* a power of two */

__extension__ typedef unsigned __int128 product;

/* Combines both halves of a product, so that each bit depends on all lower bits of the factors. */
static uint64_t mix_halves(uint64_t a, uint64_t b)
{
	product p = (product)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* Returns the last bytes, at most a word of them; the word may overlap earlier ones. */
static uint64_t last_word(struct str s)
{
	uint64_t word = 0;

	if (s.n >= WORD_BYTES)
		return word_load(s.p + s.n - WORD_BYTES);
	if (s.n > 0)
		memcpy(&word, s.p, s.n);
	return word;
}

uint32_t hash_index_hash(const struct hash_index *t, struct str s, uint64_t salt)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), other = UINT64_C(0xd6e8feb86659fd93);
	uint64_t h = t->seed ^ s.n ^ salt * other, last = last_word(s);

	for (; s.n > WORD_BYTES; s = str_skip(s, WORD_BYTES))
		h = mix_halves(h ^ word_load(s.p), odd);
	h = mix_halves(h ^ last, other);
	return (uint32_t)(h >> HASH_INDEX_NUMBER_BITS);
}

void hash_index_release(struct hash_index *t)
{
	free(t->slot);
	*t = (struct hash_index){ .slot = NULL };
}

static size_t next_free(const struct hash_index *t, uint64_t hash)
{
	size_t at = hash & t->mask;

	while (t->slot[at] != 0)
		at = (at + 1) & t->mask;
	return at;
}

/* Rehashes by the stored hash of 32 bits, which suffices for up to 2^32 slots. */
static void grow_table(struct hash_index *t)
{
	size_t before = t->slot != NULL ? t->mask + 1 : 0;
	size_t size = before > 0 ? 2 * before : FIRST_PLACES;
	uint64_t *slot = t->slot;

	t->slot = xzeroed(size, sizeof(*t->slot));
	t->mask = size - 1;
	for (size_t i = 0; i < before; i++) {
		if (slot[i] != 0)
			t->slot[next_free(t, slot[i] >> HASH_INDEX_NUMBER_BITS)] = slot[i];
	}
	free(slot);
}

/* Keeps half of the slots free. */
void hash_index_reserve(struct hash_index *t, size_t n)
{
	if (n >= UINT32_MAX / 2)
		xalloc_die();
	if (t->slot == NULL) /* names of a hostile file must not collide on purpose */
		t->seed = platform_random();
	while (t->slot == NULL || 2 * n > t->mask)
		grow_table(t);
}
