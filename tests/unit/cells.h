/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms made by hand, bucket by bucket, in room that need not be an arena. */
#ifndef TESTS_CELLS_H
#define TESTS_CELLS_H

#include <assert.h>

#include "profile/histogram.h"

enum { CELLS = 2000 };

struct cells {
	struct bucket bucket[CELLS];
	struct edges edges[CELLS];
};

static inline struct histogram histogram_in(struct cells *room, const struct bucket_scheme *s)
{
	return (struct histogram){ .scheme = s, .bucket = room->bucket };
}

/* After the last one; of a histogram_in(). */
static inline void put_bucket(struct histogram *h, int index, uint64_t count)
{
	struct cells *room = (struct cells *)h->bucket;

	assert(h->n < CELLS);
	room->edges[h->n] = edges_at(h->scheme, index);
	h->bucket[h->n] = (struct bucket){ &room->edges[h->n], count };
	h->n++;
	h->count += count;
}

#endif
