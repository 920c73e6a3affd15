/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many latencies, fast: counted in small tables in front of an accumulator; the operation table
 * gets the sums in the end.
 *
 * What is counted here is what is plain: a name whose bytes were met before, and a
 * latency that is a whole number of bulk units (10^-digits of the unit of latencies)
 * below 2^64.  All else goes to the accumulator directly, and the result is the same.
 */
#ifndef FORMATS_GENERAL_BULK_H
#define FORMATS_GENERAL_BULK_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/word.h"
#include "profile/accumulator.h"

enum {
	BULK_WORDS = 2,
	BULK_INLINE = 16, /* bytes of a name that are compared as words */
	BULK_GROUP = 4,	  /* names that are looked for at once */
	BULK_PROBES = 4,  /* groups a name may be in */
	BULK_LINE = 64,	  /* bytes of a cache's line */
	BULK_KNOWN = UINT16_MAX,
	BULK_FEW = 1024, /* names: all slots are in a cache */
	BULK_LATEST_BITS = 13,
	BULK_LATEST = 1 << BULK_LATEST_BITS, /* cells that keep which of these few was met last */
};

/* The cell of a name: the upper bits of its first word times the one and its second times the
 * other. */
#define BULK_CELL_FIRST	 UINT64_C(0x9e3779b97f4a7c15)
#define BULK_CELL_SECOND UINT64_C(0xd6e8feb86659fd93)

__extension__ typedef unsigned __int128 bulk_product;

/* Of each name the number of its slot and 1, and in the bits above as much of the upper bits
 * of its hash as there is room; 0: free, and so are those after it. */
typedef uint32_t bulk_group __attribute__((vector_size(BULK_GROUP * sizeof(uint32_t))));

/* The bytes of a bulk_group as 64-bit words: whether any name matched is asked of these. */
typedef uint64_t bulk_halves __attribute__((vector_size(sizeof(bulk_group))));

struct bulk_slot;
struct met;
struct tally;

/* One latency of one name. */
struct bulk_item {
	/* Of the name: its first bytes, with zeros after; of more than BULK_INLINE bytes, the
	 * first 8 and the last 8. */
	uint64_t word[BULK_WORDS];
	struct str name;  /* its raw bytes, as they stand in the file */
	uint64_t latency; /* in bulk units */
	uint32_t hash, step, number;
	struct bulk_slot *slot; /* that may be its, and its number above; NULL: none */
};

/* One name: how its latencies are spread.  Many of them are in turn, and what that costs
 * goes by how much memory they take together: of a name only the first word is here, and
 * where there is one bucket an octave a slot is a line of a cache.  What no longer fits goes
 * to the accumulator, and so does what lies too far from the name's other latencies. */
struct bulk_slot {
	uint64_t sum;
	uint64_t first_word;
	uint64_t least, most;
	uint16_t n_name;
	/* The step of the first count.  BULK_KNOWN: another thread has met this name, first at
	 * byte `sum` of the file; this thread has not. */
	uint16_t base;
	uint8_t count[]; /* `window` of them */
};

/* What is known of a name and is not in its slot. */
struct bulk_name;

/* The edges of buckets in bulk units: step i holds edge[i-1] <= v < edge[i]. */
struct bulk_steps {
	uint64_t *edge;
	size_t n;	     /* steps */
	int first;	     /* the bucket of step 0 */
	uint32_t octave[64]; /* the step of 2^i */
	size_t half;	     /* edges in an octave: at most 2 * half - 1; a power of two */
};

/* The fast counting tables of one thread; what they hold goes to `accumulator` in the end. */
struct bulk {
	struct accumulator *accumulator;
	struct bulk_steps steps;
	unsigned digits;
	char *slots;	       /* of `stride` bytes each, whole lines of a cache */
	uint64_t *second_word; /* of each slot's name */
	bool second_words;     /* some are not 0 */
	size_t window;	       /* steps that a slot counts */
	size_t stride, n, cap;
	struct bulk_name *names;
	struct met *met; /* names that the other threads do not know yet */
	size_t n_met, cap_met;
	size_t n_known;	   /* of the names that they have met */
	bulk_group *table; /* by the lower bits of a hash; no two in a group share the upper ones */
	size_t mask;
	bulk_group number_bits; /* ones where numbers are */
	uint16_t *latest;	/* by the cell: the number of the slot that was met last */
	struct tally *flushed;	/* room for as many as there are steps */
};

/* Counts for an accumulator that belongs to an operation table; bulk_free() frees it.  NULL where
 * small tables would not make it faster (many buckets an octave, a doubling of latency), or where
 * each sample is to be seen. */
struct bulk *bulk_new(struct accumulator *s);
void bulk_free(struct bulk *b); /* NULL is fine */

/* Any name, also one after which nothing may be read. */
void bulk_name(struct bulk_item *item, struct str name);
/* Counts the first sample of a name, that of the item, and then the name is known.  False
 * when it was left to the accumulator. */
MUST_CHECK bool bulk_learn(struct bulk *b, struct bulk_item *item, const struct sample *sample);
/* The name of the item's slot is met at byte `offset`.  False when it was met before, or when
 * this may be its first sample of all, which is to be learned. */
MUST_CHECK bool bulk_meet(struct bulk *b, const struct bulk_item *item, uint64_t offset);
/* All that was counted goes to the operation table. */
void bulk_flush(struct bulk *b);
/* What was counted of one name goes to the accumulator. */
MUST_CHECK bool bulk_flush_slot(struct bulk *b, struct bulk_slot *slot);
/* Latencies of this name are of this interval from here on. */
MUST_CHECK bool bulk_turn(struct bulk *b, struct bulk_slot *slot, long interval);
/* The slot counts other steps, this one among them.  False when those of the name are too far
 * apart, or a total no longer fits. */
MUST_CHECK bool bulk_move(struct bulk *b, struct bulk_slot *slot, size_t step);
/* See bulk_in_group(), of those groups where a name is that finds its own full. */
uint32_t bulk_in_next_groups(const struct bulk *b, uint32_t hash);
/* The middle of a long name is the same. */
bool bulk_same_rest(const struct bulk *b, const struct bulk_slot *slot, struct str name);

/* The i-th place of the table. */
static inline struct bulk_slot *bulk_at(const struct bulk *b, size_t i)
{
	return (struct bulk_slot *)(void *)(b->slots + i * b->stride);
}

/* The number of the bucket that v lies in. */
static inline size_t bulk_step(const struct bulk_steps *s, uint64_t v)
{
	size_t i = s->octave[63 - __builtin_clzll(v | 1)];

	if (s->half == 1) /* as of one bucket an octave */
		return i + (v >= s->edge[i]);
	for (size_t half = s->half; half > 0; half >>= 1)
		i += v >= s->edge[i + half - 1] ? half : 0;
	return i;
}

/* Of the name BULK_INLINE bytes are readable, whatever stands after it. */
static inline void bulk_set_name(struct bulk_item *item, struct str name)
{
	size_t in_first = name.n < WORD_BYTES ? name.n : WORD_BYTES;
	size_t after = name.n - in_first;
	size_t in_second = after < WORD_BYTES ? after : WORD_BYTES;

	item->word[0] = word_load(name.p) & word_ones(in_first);
	item->word[1] = word_load(name.p + WORD_BYTES + after - in_second) & word_ones(in_second);
	item->name = name;
}

#ifdef __SSE2__
/* Of BULK_INLINE bytes that begin at p the first n, which are fewer, are the name. */
static inline void bulk_set_first(struct bulk_item *item, const char *p, __m128i bytes, size_t n)
{
	static const unsigned char ones[2 * BULK_INLINE] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
	};

	bytes = _mm_and_si128(bytes, _mm_loadu_si128((const void *)(ones + BULK_INLINE - n)));
	item->word[0] = (uint64_t)_mm_cvtsi128_si64(bytes);
	item->word[1] = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(bytes, bytes));
	item->name = (struct str){ p, n };
}
#endif

/* The name that begins at p and ends before the first c.  False, with nothing set, where none of
 * BULK_INLINE bytes, which are readable, is c.  Names of one file differ in length: nothing
 * branches on that. */
static inline bool bulk_set_short_name(struct bulk_item *item, const char *p, char c)
{
#ifdef __SSE2__
	__m128i bytes = _mm_loadu_si128((const void *)p);
	unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));

	if (found == 0)
		return false;
	bulk_set_first(item, p, bytes, (unsigned)__builtin_ctz(found));
	return true;
#else
	for (unsigned n = 0; n < BULK_INLINE; n += WORD_BYTES) {
		uint64_t found = word_zeros(word_load(p + n) ^ word_each((unsigned char)c));

		if (found == 0)
			continue;
		bulk_set_name(item, (struct str){ p, n + word_first(found) });
		return true;
	}
	return false;
#endif
}

static inline void bulk_set_hash(struct bulk_item *item)
{
	bulk_product product = (bulk_product)(item->word[0] ^ UINT64_C(0x9e3779b97f4a7c15)) *
			       (item->word[1] ^ UINT64_C(0xd6e8feb86659fd93));

	item->hash = (uint32_t)(product >> 64) ^ (uint32_t)product;
}

/* The number and 1 of the one in this group whose hash agrees; 0: none does. */
static inline uint32_t bulk_in_group(bulk_group g, uint32_t hash, bulk_group number_bits)
{
	bulk_group agree = (bulk_group)(((g ^ hash) & ~number_bits) == 0);
	bulk_halves halves = (bulk_halves)(g & agree & number_bits);
	uint64_t both = halves[0] | halves[1];

	return (uint32_t)(both | both >> 32);
}

/* The slot that may be the item's, and its number.  Mostly without a branch that depends on the
 * name: where names are many it would be guessed wrong. */
static inline void bulk_find_slot(const struct bulk *b, struct bulk_item *item)
{
	uint32_t found = bulk_in_group(b->table[item->hash & b->mask], item->hash, b->number_bits);

	if (found == 0)
		found = bulk_in_next_groups(b, item->hash);
	item->number = found - 1;
	item->slot = found > 0 ? bulk_at(b, item->number) : NULL;
}

/* Where names are many, an item is taken in three steps, so that those of many items can go on at
 * once and none waits for memory: its place in the table is asked for, then its slot, then it is
 * counted. */

/* Has the place of an item fetched into the cache. */
static inline void bulk_ask_place(const struct bulk *b, struct bulk_item *item)
{
	bulk_set_hash(item);
	__builtin_prefetch(&b->table[item->hash & b->mask]);
}

static inline void bulk_ask_slot(const struct bulk *b, struct bulk_item *item)
{
	bulk_find_slot(b, item);
	if (item->slot == NULL)
		return;
	item->step = (uint32_t)bulk_step(&b->steps, item->latency);
	__builtin_prefetch(item->slot, 1);
	__builtin_prefetch(&b->second_word[item->number]);
	if (b->stride > BULK_LINE)
		__builtin_prefetch(&item->slot->count[item->step], 1);
}

/* The item's slot, which is none of NULL, is that of its name. */
static inline bool bulk_is_its(const struct bulk *b, const struct bulk_item *item)
{
	const struct bulk_slot *slot = item->slot;
	uint64_t other = (slot->first_word ^ item->word[0]) | (slot->n_name ^ item->name.n) |
			 (b->second_word[item->number] ^ item->word[1]);

	return other == 0 && (item->name.n <= BULK_INLINE || bulk_same_rest(b, slot, item->name));
}

/* The item's slot is that of its name; otherwise the name is to be learned. */
static inline bool bulk_knows(const struct bulk *b, const struct bulk_item *item)
{
	return item->slot != NULL && bulk_is_its(b, item);
}

static inline size_t bulk_cell(const struct bulk_item *item)
{
	return (item->word[0] * BULK_CELL_FIRST + item->word[1] * BULK_CELL_SECOND) >>
	       (64 - BULK_LATEST_BITS);
}

/* The slot of an item's name, of which few are known, but one at least; false: the name is to be
 * learned. */
static inline bool bulk_finds(struct bulk *b, struct bulk_item *item)
{
	uint16_t *latest = &b->latest[bulk_cell(item)];

	item->number = *latest;
	item->slot = bulk_at(b, item->number);
	if (bulk_is_its(b, item))
		return true;
	bulk_set_hash(item);
	bulk_find_slot(b, item);
	if (!bulk_knows(b, item))
		return false;
	*latest = (uint16_t)item->number;
	return true;
}

/* False when it is to be read the usual way: it is far from the others, or a total no longer
 * fits. */
MUST_CHECK static inline bool bulk_count(struct bulk *b, const struct bulk_item *item)
{
	struct bulk_slot *slot = item->slot;
	size_t at = (size_t)item->step - slot->base;
	uint64_t sum;

	if (at >= b->window) {
		if (!bulk_move(b, slot, item->step))
			return false;
		at = (size_t)item->step - slot->base;
	}
	if (__builtin_add_overflow(slot->sum, item->latency, &sum) ||
	    slot->count[at] == UINT8_MAX) {
		if (!bulk_flush_slot(b, slot))
			return false;
		sum = item->latency;
	}
	slot->sum = sum;
	if (item->latency < slot->least)
		slot->least = item->latency;
	if (item->latency > slot->most)
		slot->most = item->latency;
	slot->count[at]++;
	return true;
}

#endif
