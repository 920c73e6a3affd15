/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of counts by bucket number, added in any order and any number of times.
 *
 * Memory depends on the number of buckets, not of counts added: equal buckets are merged whenever
 * the array is full.
 */
#ifndef FORMATS_BUCKET_SUMS_H
#define FORMATS_BUCKET_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* The number of calls in one bucket. */
struct bucket_sum {
	int index;
	uint64_t count;
};

/* Zero it before use. */
struct bucket_sums {
	struct bucket_sum *at;
	size_t n, cap;
	bool mixed; /* not in ascending order, or a bucket occurs twice */
};

/* These return false when a sum exceeds 2^64-1. */
MUST_CHECK bool bucket_sums_make_room(struct bucket_sums *s);
MUST_CHECK static inline bool bucket_sums_add(struct bucket_sums *s, int index, uint64_t count)
{
	if (s->n == s->cap && !bucket_sums_make_room(s))
		return false;
	s->mixed |= s->n > 0 && index <= s->at[s->n - 1].index;
	s->at[s->n++] = (struct bucket_sum){ index, count };
	return true;
}

/* Sorts the sums and merges equal buckets.  False when a sum exceeds 2^64-1. */
MUST_CHECK bool bucket_sums_settle(struct bucket_sums *s);
/* Subtracts `earlier` from *later; both must be settled.  False, with nothing changed, where a
 * bucket of *later has fewer. */
MUST_CHECK bool bucket_sums_subtract(struct bucket_sums *later, const struct bucket_sums *earlier);
void bucket_sums_copy(struct bucket_sums *to, const struct bucket_sums *from);
static inline void bucket_sums_clear(struct bucket_sums *s) /* keeps the memory */
{
	s->n = 0;
	s->mixed = false;
}
void bucket_sums_release(struct bucket_sums *s);

#endif
