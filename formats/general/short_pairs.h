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
};

/* Rows that were read, as columns. */
struct short_pairs {
	size_t n;
	uint32_t end[PAIRS_MOST];	/* of each row: the byte after it */
	uint32_t separator[PAIRS_MOST]; /* its position */
	uint64_t n_name[PAIRS_MOST];	/* bytes; see struct bulk_item of these three */
	uint64_t word[BULK_WORDS][PAIRS_MOST];
	uint64_t latency[PAIRS_MOST];

	/* See short_pairs_find(). */
	uint64_t found; /* a bit for each row */
	struct bulk_slot *slot[PAIRS_MOST];
};

/* This processor can; otherwise short_pairs_read() must not be called. */
bool short_pairs_work(void);
/* The rows from p on, as long as they are short pairs and lie in whole blocks before `end`, after
 * which PLAIN_REACH bytes are readable.  `scale`: of a whole number to bulk units. */
void short_pairs_read(struct short_pairs *pairs, char separator, uint64_t scale, const char *p,
		      const char *end);
/* The slots of their names, where these were met last in their cells, as nearly all were. */
void short_pairs_find(struct short_pairs *pairs, const struct bulk *b);

/* The i-th of them. */
static inline struct bulk_item short_pairs_item(const struct short_pairs *pairs, size_t i)
{
	return (struct bulk_item){
		.word = { pairs->word[0][i], pairs->word[1][i] },
		.name.n = pairs->n_name[i],
		.latency = pairs->latency[i],
	};
}

#endif
