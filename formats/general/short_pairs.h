/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that are short pairs (short_pair.h), eight at a time: on processors that have AVX-512 with
 * VBMI2, which turns the bits of 64 comparisons into positions at once.
 *
 * First the positions of all separators and newlines ahead are found; then what lies between them
 * is read, with nothing that depends on the row before.
 */
#ifndef FORMATS_GENERAL_SHORT_PAIRS_H
#define FORMATS_GENERAL_SHORT_PAIRS_H

#include "formats/general/short_pair.h"

enum {
	PAIRS_BLOCK = 64,    /* bytes that are compared at once */
	PAIRS_IN_BLOCK = 16, /* rows that end there, at most */
	PAIRS_ENOUGH = 48,   /* rows: no further block is begun */
	PAIRS_MOST = PAIRS_ENOUGH + PAIRS_IN_BLOCK,
	PAIRS_BITS = 32, /* more than a number of WORD_BYTES digits has */
};

/* Rows that were read, as columns. */
struct short_pairs {
	size_t n;
	uint32_t end[PAIRS_MOST];	/* of each row: the byte after it */
	uint32_t separator[PAIRS_MOST]; /* its position */
	uint64_t n_name[PAIRS_MOST];	/* bytes; see struct bulk_item of these and the next */
	uint64_t word[BULK_WORDS][PAIRS_MOST];
	uint64_t latency[PAIRS_MOST];
	uint32_t step[PAIRS_MOST];
	struct bulk_slot *slot[PAIRS_MOST]; /* see short_pairs_find() */

	/* Its own. */
	struct bulk *bulk;
	char separator_byte;
	uint64_t scale;			/* bulk units in a whole number: 10^9 at most */
	bool by_bits;			/* the two arrays below give the step of any number */
	uint32_t step_of[PAIRS_BITS];	/* by the number's bits: the step of the smallest */
	uint32_t next_from[PAIRS_BITS]; /* the smallest in the step after; UINT32_MAX: none */
};

/* For rows with this separator, and latencies of this scale (struct plain_number), which b counts.
 * Borrows b; short_pairs_free() frees it.  NULL where the processor lacks the instructions. */
struct short_pairs *short_pairs_new(char separator, uint64_t scale, struct bulk *b);
void short_pairs_free(struct short_pairs *pairs); /* NULL is fine */

/* Reads the rows from p up to the first that is no short pair, or that does not lie in whole blocks
 * before `end`.  PLAIN_REACH bytes after `end` must be readable. */
void short_pairs_read(struct short_pairs *pairs, const char *p, const char *end);
/* Sets `slot` of each row.  Needs a name that is known, and at most BULK_FEW.  Drops the first row
 * whose name must be learned, and all after it. */
void short_pairs_find(struct short_pairs *pairs);

/* The i-th of them. */
static inline struct bulk_item short_pairs_item(const struct short_pairs *pairs, size_t i)
{
	return (struct bulk_item){
		.word = { pairs->word[0][i], pairs->word[1][i] },
		.name.n = pairs->n_name[i],
		.latency = pairs->latency[i],
		.step = pairs->step[i],
		.slot = pairs->slot[i],
	};
}

#endif
