/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bpf/bpf_map.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/tables/hash.h"
#include "formats/bpf/bpftrace_maps.h"
#include "formats/format.h"

enum {
	N_BUCKETS = 66, /* bpftrace's: negative, zero, 64 powers of two */
	WORD = 8,
	SLOT_KEY = 4,
	TASK_NAME = 16,
};

struct group {
	struct str name;
	uint64_t count[N_BUCKETS];
	struct str where;
	UT_hash_handle hh;
};

struct bpf_map {
	struct input *in;
	struct arena *arena;
	struct diag *diag;
	struct group *groups;
	size_t key_size; /* of the first element */
};

struct bpf_map *bpf_map_new(struct input *in, struct arena *arena, struct diag *diag)
{
	struct bpf_map *m = arena_make(arena, struct bpf_map, 1);

	*m = (struct bpf_map){ .in = in, .arena = arena, .diag = diag };
	return m;
}

void bpf_map_free(struct bpf_map *m)
{
	if (m != NULL)
		HASH_CLEAR(hh, m->groups);
}

static bool hex_digit(char c, unsigned *ret)
{
	if (is_digit(c))
		*ret = (unsigned)(c - '0');
	else if (c >= 'a' && c <= 'f')
		*ret = (unsigned)(c - 'a') + 10;
	else
		return false;
	return true;
}

bool bpf_bytes_add(struct bpf_bytes *b, struct str digits)
{
	unsigned high, low;

	if (digits.n != 2 || !hex_digit(digits.p[0], &high) || !hex_digit(digits.p[1], &low))
		return false;
	if (b->n == b->cap)
		b->p = xgrow(b->p, &b->cap, b->n + 1, 1);
	b->p[b->n++] = (unsigned char)(high << 4 | low);
	return true;
}

void bpf_bytes_release(struct bpf_bytes *b)
{
	free(b->p);
}

static uint64_t little_endian(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* --- keys ---------------------------------------------------------------------- */

/* Returns the length of a string of at least two characters, padded with NUL; 0 if it is none. */
static size_t text_length(const unsigned char *p, size_t n)
{
	size_t length = 0;

	while (length < n && p[length] >= ' ' && p[length] < 0x7f)
		length++;
	for (size_t i = length; i < n; i++) {
		if (p[i] != 0)
			return 0;
	}
	return length >= 2 && length < n ? length : 0;
}

/* Names a key: the task's name, where there is room for one; else numbers of 64 bits, and the
 * rest. */
static struct str key_name(struct arena *a, const unsigned char *p, size_t n)
{
	struct str name = STR("");

	while (n > 0) {
		size_t size = n >= TASK_NAME ? TASK_NAME : 0;
		size_t length = size > 0 ? text_length(p, size) : 0;
		const char *comma = name.n > 0 ? "," : "";

		if (length > 0) {
			name = arena_printf(a, "%.*s%s%.*s", STR_ARG(name), comma, (int)length,
					    (const char *)p);
		} else {
			size = n < WORD ? n : WORD;
			name = arena_printf(a, "%.*s%s%lld", STR_ARG(name), comma,
					    (long long)little_endian(p, size));
		}
		p += size;
		n -= size;
	}
	return name;
}

static struct group *find_group(struct bpf_map *m, const unsigned char *key, size_t n,
				struct str where)
{
	struct group *g;

	HASH_FIND(hh, m->groups, key, n, g);
	if (g == NULL) {
		struct str raw = arena_str(m->arena, (struct str){ (const char *)key, n });

		g = arena_make(m->arena, struct group, 1);
		g->name = key_name(m->arena, key, n);
		g->where = where;
		HASH_ADD_KEYPTR(hh, m->groups, raw.p, raw.n, g);
	}
	return g;
}

/* Returns bpftrace's number of the bucket; false when it cannot be one. */
static bool find_bucket(const struct bpf_bytes *key, size_t *ret)
{
	uint64_t number;

	if (key->n == SLOT_KEY) {
		number = little_endian(key->p, SLOT_KEY);
		*ret = number == 0 ? 2 : (size_t)number + 1;
		return number < N_BUCKETS - 1;
	}
	if (key->n < WORD)
		return false;
	number = little_endian(key->p + key->n - WORD, WORD);
	*ret = (size_t)number;
	return number < N_BUCKETS;
}

bool bpf_map_add(struct bpf_map *m, const struct bpf_bytes *key, const struct bpf_bytes *values,
		 struct str where)
{
	struct group *g;
	size_t bucket;

	if (m->key_size == 0)
		m->key_size = key->n;
	if (key->n != m->key_size)
		return format_fail(m->in, m->diag, DIAG_LINE_UNEXPECTED, where,
				   "a key of %zu bytes after one of %zu", key->n, m->key_size);
	if (values->n == 0 || values->n % WORD != 0)
		return format_fail(m->in, m->diag, DIAG_NUMBER_BAD, where,
				   "expected counts of 8 bytes, not %zu bytes", values->n);
	if (!find_bucket(key, &bucket))
		return format_fail(m->in, m->diag, DIAG_BUCKET_BOUNDS, where,
				   "the key does not end with the number of a power of two: no map "
				   "of hist()");
	g = find_group(m, key->p, key->n > WORD ? key->n - WORD : 0, where);
	for (size_t i = 0; i < values->n; i += WORD) {
		uint64_t count = little_endian(values->p + i, WORD);

		if (__builtin_add_overflow(g->count[bucket], count, &g->count[bucket]))
			return format_fail(m->in, m->diag, DIAG_COUNT_OVERFLOW, where,
					   "the sum of the processors passes 2^64-1");
	}
	return true;
}

/* --- pushing --------------------------------------------------------------------- */

static void bpf_map_push_rows(struct maps *maps, const struct group *g, bool slots)
{
	for (int i = 0; i < N_BUCKETS; i++) {
		double low = i == 0 ? -HUGE_VAL : i == 1 ? 0 : ldexp(1, i - 2);
		double high = i == 0 ? 0 : ldexp(1, i < 2 ? 0 : i - 1);

		if (slots && i == 2)
			low = 0; /* zeros are counted as ones */
		if (g->count[i] > 0)
			maps_row(maps, low, high, g->count[i], g->where);
	}
}

bool bpf_map_push(struct bpf_map *m, struct builder *to)
{
	struct maps *maps = maps_new(m->in, m->arena, m->diag);
	bool ok;

	if (m->key_size == SLOT_KEY)
		maps_top_is_closed(maps);
	for (const struct group *g = m->groups; g != NULL; g = g->hh.next) {
		struct map_entry e = { .map = maps_find(maps, STR("latency")),
				       .key = g->name,
				       .keyed = g->name.n > 0,
				       .where = g->where };

		maps_histogram(maps, &e);
		bpf_map_push_rows(maps, g, m->key_size == SLOT_KEY);
	}
	ok = maps_push(maps, to);
	maps_free(maps);
	return ok;
}
