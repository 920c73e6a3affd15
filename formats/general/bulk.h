/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts many latencies fast, in small tables in front of an accumulator; at the end the operation
 * table gets the sums.
 *
 * Only the plain case is counted here: a name whose bytes were met before, and a latency that is a
 * whole number of bulk units (10^-digits of the unit of latencies) below 2^64.  Everything else
 * goes to the accumulator directly, and the result is the same.
 */
#ifndef FORMATS_GENERAL_BULK_H
#define FORMATS_GENERAL_BULK_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/word.h"
#include "profile/accumulator/accumulator.h"

enum {
	BULK_WORDS = 2,
	BULK_INLINE = 16, /* bytes of a name compared as words */
	BULK_GROUP = 4,	  /* table entries compared at once */
	BULK_PROBES = 4,  /* groups in which a name may be */
	BULK_LINE = 64,	  /* bytes of a cache line */
	BULK_KNOWN = UINT16_MAX,
	BULK_FEW = 1024, /* with at most so many names, all slots are in a cache */
	BULK_LATEST_BITS = 13,
	BULK_LATEST = 1 << BULK_LATEST_BITS, /* cells, each with the slot met last */
};

/* The cell of a name is given by the upper bits of its first word times FIRST plus its second word
 * times SECOND. */
#define BULK_CELL_FIRST	 UINT64_C(0x9e3779b97f4a7c15)
#define BULK_CELL_SECOND UINT64_C(0xd6e8feb86659fd93)

__extension__ typedef unsigned __int128 bulk_product;

/* An entry has the number of a name's slot plus 1 in its lower bits, and in the others as many of
 * the upper bits of the hash as fit; 0: free, and so are the entries after it. */
typedef uint32_t bulk_group __attribute__((vector_size(BULK_GROUP * sizeof(uint32_t))));

/* A bulk_group as 64-bit words, to test whether any entry matched. */
typedef uint64_t bulk_halves __attribute__((vector_size(sizeof(bulk_group))));

struct bulk_slot;
struct met;
struct tally;

/* One latency of one name. */
struct bulk_item {
	/* The first bytes of the name, zero-padded; of a name longer than BULK_INLINE, its first 8
	 * and its last 8 bytes. */
	uint64_t word[BULK_WORDS];
	struct str name;  /* as they stand in the file */
	uint64_t latency; /* in bulk units */
	uint32_t hash, step, number;
	struct bulk_slot *slot; /* the slot of this number, which may be the name's; NULL: none */
};

/* The counts of one name.  When many names alternate, the cost depends on how much memory their
 * slots take: a slot has only the first word of its name, and at one bucket an octave it is one
 * cache line.  Counts that no longer fit go to the accumulator, as does a latency too far from the
 * others. */
struct bulk_slot {
	uint64_t sum;
	uint64_t first_word;
	uint64_t min, max;
	uint16_t n_name;
	/* The step of count[0].  BULK_KNOWN: other threads have met this name, first at byte `sum`
	 * of the file, but this one has not. */
	uint16_t base;
	uint8_t count[]; /* `window` counts */
};

/* What is known of a name besides its slot. */
struct bulk_name;

/* Bucket edges in bulk units: step i holds edge[i-1] <= v < edge[i]. */
struct bulk_steps {
	uint64_t *edge;
	size_t n;	     /* number of steps */
	int first;	     /* the bucket of step 0 */
	uint32_t octave[64]; /* the step of 2^i */
	size_t half;	     /* a power of two; an octave has at most 2 * half - 1 edges */
};

/* The counting tables of one thread.  What does not fit goes to `accumulator`, the rest to its
 * operation table in the end. */
struct bulk {
	struct accumulator *accumulator;
	struct bulk_steps steps;
	unsigned digits;
	uint64_t limit;	       /* latencies that are counted here are below it; the accumulator
				* judges those above */
	char *slots;	       /* `stride` bytes each, whole cache lines */
	uint64_t *second_word; /* of each slot's name */
	bool second_words;     /* some of them are not 0 */
	size_t window;	       /* number of steps that a slot counts */
	size_t stride, n, cap;
	struct bulk_name *names;
	struct met *met; /* names that the other threads do not know yet */
	size_t n_met, cap_met;
	size_t n_known;	   /* how many of the names met by others are known here */
	bulk_group *table; /* indexed by the lower bits of a hash; entries of a group differ in the
			      upper bits */
	size_t mask;
	bulk_group number_bits; /* a mask of the bits with slot numbers */
	uint16_t *latest;	/* by cell: the number of the slot met last */
	struct tally *flushed;	/* room for one tally per step */
};

/* Returns counting tables for an accumulator that belongs to an operation table; bulk_free() frees
 * them.  NULL where they would not be faster (many buckets an octave), or where a tap has to see
 * each sample. */
struct bulk *bulk_new(struct accumulator *s);
void bulk_free(struct bulk *b); /* NULL is fine */

/* Sets the name, even one after which no bytes are readable. */
void bulk_set_any_name(struct bulk_item *item, struct str name);
/* Learns the item's name from `sample`, the first one with it here, and counts that.  False when
 * the sample is left to the accumulator. */
MUST_CHECK bool bulk_learn(struct bulk *b, struct bulk_item *item, const struct sample *sample);
/* Starts counting in the item's slot, whose name only other threads have met so far.  False when
 * this thread counts it already, or when `offset` may be the name's first in the file: then learn
 * it. */
MUST_CHECK bool bulk_meet(struct bulk *b, const struct bulk_item *item, uint64_t offset);
/* Adds all counts to the operation table. */
void bulk_flush(struct bulk *b);
/* Adds the counts of one name to the accumulator. */
MUST_CHECK bool bulk_flush_slot(struct bulk *b, struct bulk_slot *slot);
/* Counts latencies of this name in this interval from now on. */
MUST_CHECK bool bulk_turn(struct bulk *b, struct bulk_slot *slot, long interval);
/* Notes when a latency, in bulk units, was measured. */
void bulk_see(struct bulk *b, struct decimal start, uint64_t latency);
/* Moves the slot's window so that it includes `step`.  False when the name's latencies are too far
 * apart, or a total does not fit. */
MUST_CHECK bool bulk_move(struct bulk *b, struct bulk_slot *slot, size_t step);
/* Does what bulk_in_group() does, in the groups used when a name's own group is full. */
uint32_t bulk_in_next_groups(const struct bulk *b, uint32_t hash);
/* Compares all bytes of a long name. */
bool bulk_same_rest(const struct bulk *b, const struct bulk_slot *slot, struct str name);

/* Returns slot i. */
static inline struct bulk_slot *bulk_at(const struct bulk *b, size_t i)
{
	return (struct bulk_slot *)(void *)(b->slots + i * b->stride);
}

/* Returns the step that v lies in. */
static inline size_t bulk_step(const struct bulk_steps *s, uint64_t v)
{
	size_t i = s->octave[63 - __builtin_clzll(v | 1)];

	if (s->half == 1) /* at one bucket an octave */
		return i + (v >= s->edge[i]);
	for (size_t half = s->half; half > 0; half >>= 1)
		i += v >= s->edge[i + half - 1] ? half : 0;
	return i;
}

/* Sets the name, at which BULK_INLINE bytes must be readable, whatever follows the name. */
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
/* Sets the name to the first n of the BULK_INLINE bytes at p; n is less than BULK_INLINE. */
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

/* Sets the name that begins at p and ends before the first c.  False, with nothing set, when none
 * of the BULK_INLINE bytes, which must be readable, is c.  Has no branch on the length, which
 * varies from name to name. */
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

/* Returns the slot number plus 1 of the entry whose hash bits match; 0: none. */
static inline uint32_t bulk_in_group(bulk_group g, uint32_t hash, bulk_group number_bits)
{
	bulk_group agree = (bulk_group)(((g ^ hash) & ~number_bits) == 0);
	bulk_halves halves = (bulk_halves)(g & agree & number_bits);
	uint64_t both = halves[0] | halves[1];

	return (uint32_t)(both | both >> 32);
}

/* Finds the slot that may be the item's, and its number.  Mostly without a branch that depends on
 * the name, which would often be mispredicted when there are many names. */
static inline void bulk_find_slot(const struct bulk *b, struct bulk_item *item)
{
	uint32_t found = bulk_in_group(b->table[item->hash & b->mask], item->hash, b->number_bits);

	if (found == 0)
		found = bulk_in_next_groups(b, item->hash);
	item->number = found - 1;
	item->slot = found > 0 ? bulk_at(b, item->number) : NULL;
}

/* With many names, an item is handled in three steps, interleaved with those of other items so that
 * none waits for memory: prefetch its table group, then its slot, then count it. */

/* Prefetches the item's table group. */
static inline void bulk_prefetch_group(const struct bulk *b, struct bulk_item *item)
{
	bulk_set_hash(item);
	__builtin_prefetch(&b->table[item->hash & b->mask]);
}

static inline void bulk_prefetch_slot(const struct bulk *b, struct bulk_item *item)
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

/* Returns whether the item's slot, which must not be NULL, has the item's name. */
static inline bool bulk_is_its(const struct bulk *b, const struct bulk_item *item)
{
	const struct bulk_slot *slot = item->slot;
	uint64_t other = (slot->first_word ^ item->word[0]) | (slot->n_name ^ item->name.n) |
			 (b->second_word[item->number] ^ item->word[1]);

	return other == 0 && (item->name.n <= BULK_INLINE || bulk_same_rest(b, slot, item->name));
}

/* Returns whether the item's slot is known; if not, the name has to be learned. */
static inline bool bulk_knows(const struct bulk *b, const struct bulk_item *item)
{
	return item->slot != NULL && bulk_is_its(b, item);
}

static inline size_t bulk_cell(const struct bulk_item *item)
{
	return (item->word[0] * BULK_CELL_FIRST + item->word[1] * BULK_CELL_SECOND) >>
	       (64 - BULK_LATEST_BITS);
}

/* Finds the slot of an item's name when at least one name and at most BULK_FEW are known.  False:
 * the name has to be learned. */
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

/* False when the item has to take the slow path: it is too far from the others, or a total does not
 * fit. */
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
	if (item->latency < slot->min)
		slot->min = item->latency;
	if (item->latency > slot->max)
		slot->max = item->latency;
	slot->count[at]++;
	return true;
}

#endif
