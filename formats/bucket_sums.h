/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts by number of bucket, in any order and several of one bucket: added up.
 *
 * Takes memory by the buckets there are, not by the counts: those of one bucket are put
 * together whenever the room is full.
 */
#ifndef FORMATS_BUCKET_SUMS_H
#define FORMATS_BUCKET_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* How many calls lie in one bucket. */
struct bucket_sum {
	int index;
	uint64_t count;
};

/* All zero is none. */
struct bucket_sums {
	struct bucket_sum *at;
	size_t n, cap;
	bool mixed; /* what was added last does not ascend */
};

/* False when a sum passes 2^64-1. */
MUST_CHECK bool bucket_sums_make_room(struct bucket_sums *s);
MUST_CHECK static inline bool bucket_sums_add(struct bucket_sums *s, int index, uint64_t count)
{
	if (s->n == s->cap && !bucket_sums_make_room(s))
		return false;
	s->mixed |= s->n > 0 && index <= s->at[s->n - 1].index;
	s->at[s->n++] = (struct bucket_sum){ index, count };
	return true;
}

/* Into order, each bucket once.  False when a sum passes 2^64-1. */
MUST_CHECK bool bucket_sums_settle(struct bucket_sums *s);
/* Of settled ones: what is more in *later than in `earlier`.  False, with nothing changed,
 * where a bucket has less. */
MUST_CHECK bool bucket_sums_take_away(struct bucket_sums *later, const struct bucket_sums *earlier);
void bucket_sums_copy(struct bucket_sums *to, const struct bucket_sums *from);
static inline void bucket_sums_clear(struct bucket_sums *s) /* keeps the room */
{
	s->n = 0;
	s->mixed = false;
}
/* Frees the sums. */
void bucket_sums_release(struct bucket_sums *s);

#endif
