/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads short pairs (short_pair.h) eight at a time, on processors that have AVX-512 with VBMI2,
 * which turns the bits of 64 comparisons into positions at once.
 *
 * First finds the positions of all separators and newlines ahead; then reads what is between them,
 * without depending on the previous row.
 */
#ifndef FORMATS_GENERAL_SHORT_PAIRS_H
#define FORMATS_GENERAL_SHORT_PAIRS_H

#include "formats/general/short_pair.h"

enum {
	PAIRS_BLOCK = 64,    /* bytes compared at once */
	PAIRS_IN_BLOCK = 16, /* rows that end in a block, at most */
	PAIRS_ENOUGH = 48,   /* with so many rows no further block is begun */
	MAX_PAIRS = PAIRS_ENOUGH + PAIRS_IN_BLOCK,
	PAIRS_BITS = 32, /* more bits than a number of WORD_BYTES digits has */
};

/* The rows that were read, as columns. */
struct short_pairs {
	size_t n;
	uint32_t end[MAX_PAIRS];       /* position after each row */
	uint32_t separator[MAX_PAIRS]; /* position in each row */
	uint64_t n_name[MAX_PAIRS];    /* bytes; for this and the next see struct bulk_item */
	uint64_t word[BULK_WORDS][MAX_PAIRS];
	uint64_t latency[MAX_PAIRS];
	uint32_t step[MAX_PAIRS];
	struct bulk_slot *slot[MAX_PAIRS]; /* set by short_pairs_find() */

	/* Private. */
	struct bulk *bulk;
	char separator_byte;
	uint64_t scale;			/* bulk units in a whole number: at most 10^9 */
	bool by_bits;			/* the two arrays below give the step of any number */
	uint32_t step_of[PAIRS_BITS];	/* by the number's bit length: the step of the smallest such
					   number */
	uint32_t next_from[PAIRS_BITS]; /* the smallest number in the next step; UINT32_MAX: none */
};

/* Prepares for rows with this separator and with latencies of this scale (struct plain_number),
 * which b counts.  Borrows b; short_pairs_free() frees the result.  NULL when the processor lacks
 * the instructions. */
struct short_pairs *short_pairs_new(char separator, uint64_t scale, struct bulk *b);
void short_pairs_free(struct short_pairs *pairs); /* NULL is fine */

/* Reads the rows from p up to the first that is not a short pair, or that does not lie in whole
 * blocks before `end`.  PLAIN_REACH bytes after `end` must be readable. */
void short_pairs_read(struct short_pairs *pairs, const char *p, const char *end);
/* Sets `slot` of each row.  At least one and at most BULK_FEW names must be known.  Drops the first
 * row whose name must be learned, and all rows after it. */
void short_pairs_find(struct short_pairs *pairs);

/* Returns row i. */
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
