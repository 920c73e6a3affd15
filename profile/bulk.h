/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many latencies, fast: counted in small tables before a sampler, which gets the
 * sums of them in the end.
 *
 * What is counted here is what is plain: a name whose bytes were met before, and a
 * latency that is a whole number of bulk units (10^-digits of the unit of latencies)
 * below 2^64.  All else goes to the sampler directly, and the result is the same.
 */
#ifndef PROFILE_BULK_H
#define PROFILE_BULK_H

#include <stdint.h>
#include <string.h>

#include "profile/sampler.h"

enum {
	BULK_WORDS = 2,
	BULK_INLINE = 16, /* bytes of a name that are compared as words */
	BULK_PROBES = 16, /* more names than this do not share a place: hostile ones */
};

__extension__ typedef unsigned __int128 bulk_sum;

/* One name: how its latencies are spread. */
struct bulk_slot {
	bulk_sum sum;
	uint64_t word[BULK_WORDS];
	uint64_t least, most;
	uint32_t n_name;
	uint64_t count[]; /* by step */
};

/* What is known of a name beside. */
struct bulk_name;

/* The edges of buckets in bulk units: step i holds edge[i-1] <= v < edge[i]. */
struct bulk_steps {
	uint64_t *edge;
	size_t n;	     /* steps */
	int first;	     /* the bucket of step 0 */
	uint32_t octave[64]; /* the step of 2^i */
	unsigned within;     /* edges in an octave: at most 2^within - 1 */
};

struct bulk {
	struct sampler *sampler;
	struct bulk_steps steps;
	unsigned digits;
	char *slots; /* of `stride` bytes each, on cache lines */
	size_t stride, n, cap, most;
	uint32_t *table; /* a slot's number and 1; 0: free */
	size_t mask;
	struct bulk_name *names;
};

/* NULL where latencies of these options are not worth it: many buckets an octave. */
struct bulk *bulk_new(struct sampler *s);
void bulk_free(struct bulk *b); /* NULL is fine */

/* The name that the sampler was given last, as its raw bytes stand in the file. */
void bulk_learn(struct bulk *b, struct str raw, const uint64_t word[BULK_WORDS]);
/* All that was counted goes to the sampler.  False when a total no longer fits. */
MUST_CHECK bool bulk_flush(struct bulk *b);
/* Latencies of this name are of this interval from here on. */
MUST_CHECK bool bulk_turn(struct bulk *b, struct bulk_slot *slot, long interval);
/* The middle of a long name is the same. */
bool bulk_same_rest(const struct bulk *b, const struct bulk_slot *slot, struct str raw);

static inline uint64_t bulk_hash(const uint64_t word[BULK_WORDS], size_t n)
{
	uint64_t h = (word[0] ^ (word[1] * UINT64_C(0x9e3779b97f4a7c15)) ^ n) *
		     UINT64_C(0xd6e8feb86659fd93);

	h ^= h >> 32;
	return h * UINT64_C(0xd6e8feb86659fd93) >> 20;
}

static inline struct bulk_slot *bulk_at(const struct bulk *b, size_t i)
{
	return (struct bulk_slot *)(void *)(b->slots + i * b->stride);
}

/* The slot of a name; NULL when it is to be learned.  The words hold its first bytes,
 * with zeros behind; of more than BULK_INLINE bytes, the first 8 and the last 8. */
static inline struct bulk_slot *bulk_find(const struct bulk *b, struct str raw,
					  const uint64_t word[BULK_WORDS])
{
	size_t at = bulk_hash(word, raw.n) & b->mask;

	for (int probe = 0; probe < BULK_PROBES; probe++, at = (at + 1) & b->mask) {
		struct bulk_slot *slot;

		if (b->table[at] == 0)
			return NULL;
		slot = bulk_at(b, b->table[at] - 1);
		if (slot->word[0] == word[0] && slot->word[1] == word[1] && slot->n_name == raw.n &&
		    (raw.n <= BULK_INLINE || bulk_same_rest(b, slot, raw)))
			return slot;
	}
	return NULL;
}

static inline size_t bulk_step(const struct bulk_steps *s, uint64_t v)
{
	size_t i = s->octave[63 - __builtin_clzll(v | 1)];

	for (size_t half = (size_t)1 << s->within >> 1; half > 0; half >>= 1)
		i += v >= s->edge[i + half - 1] ? half : 0;
	return i;
}

static inline void bulk_count(const struct bulk *b, struct bulk_slot *slot, uint64_t v)
{
	slot->sum += v;
	slot->least = v < slot->least ? v : slot->least;
	slot->most = v > slot->most ? v : slot->most;
	slot->count[bulk_step(&b->steps, v)]++;
}

#endif
