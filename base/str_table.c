/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/str_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/arena.h"
#include "base/xalloc.h"

enum {
	FIRST_PLACES = 64, /* a power of two */
	NUMBER_BITS = 32,
};

__extension__ typedef unsigned __int128 product;

/* Both halves of a product: each bit of it depends on all bits before. */
static uint64_t mixed(uint64_t a, uint64_t b)
{
	product p = (product)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static uint64_t word_at(const char *p, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, p, n);
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

static uint64_t hash_of(const struct str_table *t, struct str s)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), other = UINT64_C(0xd6e8feb86659fd93);
	uint64_t h = t->seed ^ s.n;

	for (; s.n > sizeof(h); s = str_skip(s, sizeof(h)))
		h = mixed(h ^ word_at(s.p, sizeof(h)), odd);
	return mixed(h ^ (s.n > 0 ? word_at(s.p, s.n) : 0), other);
}

void str_table_release(struct str_table *t)
{
	free(t->place);
	free(t->key);
	*t = (struct str_table){ .key = NULL };
}

static size_t next_free(const struct str_table *t, uint64_t hash)
{
	size_t at = hash & t->mask;

	while (t->place[at] != 0)
		at = (at + 1) & t->mask;
	return at;
}

static size_t number_at(const struct str_table *t, size_t at)
{
	return (uint32_t)t->place[at] - 1;
}

/* Half of the places stay free.  The upper half of a hash is kept: it has to do for
 * finding the place again, and does up to 2^32 places. */
static void grow(struct str_table *t)
{
	size_t before = t->place != NULL ? t->mask + 1 : 0;
	size_t size = before > 0 ? 2 * before : FIRST_PLACES;
	uint64_t *place = t->place;

	t->place = xzeroed(size, sizeof(*t->place));
	t->mask = size - 1;
	for (size_t i = 0; i < before; i++) {
		if (place[i] != 0)
			t->place[next_free(t, place[i] >> NUMBER_BITS)] = place[i];
	}
	free(place);
}

/* The place of this string; a free one when it is not there. */
static size_t place_of(const struct str_table *t, struct str key, uint64_t hash)
{
	size_t at;

	for (at = hash & t->mask; t->place[at] != 0; at = (at + 1) & t->mask) {
		if (t->place[at] >> NUMBER_BITS == hash && str_eq(t->key[number_at(t, at)], key))
			break;
	}
	return at;
}

bool str_table_find(const struct str_table *t, struct str key, size_t *ret)
{
	size_t at;

	if (t->n == 0)
		return false;
	at = place_of(t, key, hash_of(t, key) >> NUMBER_BITS);
	if (t->place[at] == 0)
		return false;
	*ret = number_at(t, at);
	return true;
}

size_t str_table_add(struct str_table *t, struct str key, struct arena *a, bool *ret_new)
{
	uint64_t hash;
	size_t at;

	if (t->place == NULL)
		t->seed = new_seed();
	if (t->place == NULL || 2 * t->n > t->mask)
		grow(t);
	hash = hash_of(t, key) >> NUMBER_BITS;
	at = place_of(t, key, hash);
	*ret_new = t->place[at] == 0;
	if (!*ret_new)
		return number_at(t, at);
	if (t->n == UINT32_MAX / 2)
		xalloc_die();
	t->key = xgrow(t->key, &t->cap, t->n + 1, sizeof(*t->key));
	t->key[t->n] = arena_str(a, key);
	t->place[at] = hash << NUMBER_BITS | ++t->n;
	return t->n - 1;
}
