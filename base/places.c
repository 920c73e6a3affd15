/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/places.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/xalloc.h"

enum { FIRST_PLACES = 64 }; /* a power of two */

__extension__ typedef unsigned __int128 product;

/* Both halves of a product: each bit of it depends on all bits before. */
static uint64_t mixed(uint64_t a, uint64_t b)
{
	product p = (product)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* The last bytes, up to a word of them: a whole one begins among those before. */
static uint64_t last_word(struct str s)
{
	uint64_t word = 0;

	if (s.n >= WORD_BYTES)
		return word_load(s.p + s.n - WORD_BYTES);
	if (s.n > 0)
		memcpy(&word, s.p, s.n);
	return word;
}

/* Names out of a file are hostile: what they are hashed with differs from run to run. */
static uint64_t new_seed(void)
{
	uint64_t random = 0;
	const void *bytes = (const void *)getauxval(AT_RANDOM);

	if (bytes != NULL)
		memcpy(&random, bytes, sizeof(random));
	return random;
}

uint32_t places_hash(const struct places *t, struct str s, uint64_t salt)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), other = UINT64_C(0xd6e8feb86659fd93);
	uint64_t h = t->seed ^ s.n ^ salt * other, last = last_word(s);

	for (; s.n > WORD_BYTES; s = str_skip(s, WORD_BYTES))
		h = mixed(h ^ word_load(s.p), odd);
	h = mixed(h ^ last, other);
	return (uint32_t)(h >> PLACES_NUMBER_BITS);
}

void places_release(struct places *t)
{
	free(t->place);
	*t = (struct places){ .place = NULL };
}

static size_t next_free(const struct places *t, uint64_t hash)
{
	size_t at = hash & t->mask;

	while (t->place[at] != 0)
		at = (at + 1) & t->mask;
	return at;
}

/* A hash of 32 bits has to do for finding a place again, and does up to 2^32 places. */
static void grow(struct places *t)
{
	size_t before = t->place != NULL ? t->mask + 1 : 0;
	size_t size = before > 0 ? 2 * before : FIRST_PLACES;
	uint64_t *place = t->place;

	t->place = xzeroed(size, sizeof(*t->place));
	t->mask = size - 1;
	for (size_t i = 0; i < before; i++) {
		if (place[i] != 0)
			t->place[next_free(t, place[i] >> PLACES_NUMBER_BITS)] = place[i];
	}
	free(place);
}

/* Half of the places stay free. */
void places_reserve(struct places *t, size_t n)
{
	if (n >= UINT32_MAX / 2)
		xalloc_die();
	if (t->place == NULL)
		t->seed = new_seed();
	while (t->place == NULL || 2 * n > t->mask)
		grow(t);
}
