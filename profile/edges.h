/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edges of buckets, known once: there are very many buckets, and most lie where others do,
 * in other histograms.
 */
#ifndef PROFILE_EDGES_H
#define PROFILE_EDGES_H

#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "profile/bucket.h"

struct arena;

/* The edges of one bucket, in the unit of its profile. */
struct edges {
	double low, high; /* low <= v < high; +-HUGE_VAL where open */
	int index;	  /* the bucket's number in its scheme */
};

/* Of a bucket that exists. */
struct edges edges_at(const struct bucket_scheme *s, int index);
/* The same, in the arena. */
const struct edges *edges_make(struct arena *a, const struct bucket_scheme *s, int index);

/* --- sharing them ---------------------------------------------------------------------- */

/* Edges that were met, at the place that their number, or what was printed, tells. */
struct met_edges {
	const void *by; /* the scheme that numbers them, or whose print they are; NULL: none yet */
	struct edges *edges;
};

/* Edges in one arena, for buckets to share.  Now and then some are there twice: what was met
 * is forgotten when others come to its place. */
struct edges_pool {
	struct arena *arena;
	const struct bucket_scheme *scheme; /* of the histogram copied last; NULL: none */
	struct met_edges *met;		    /* 1 << bits of them */
	unsigned bits;
	uint32_t mask; /* of as many bits */
	size_t n_made;
	struct edges *room;
	size_t n_room;
};

/* An empty pool whose edges lie in the arena. */
void edges_pool_start(struct edges_pool *p, struct arena *a);
void edges_pool_release(struct edges_pool *p); /* the edges stay */

/* The place of a number: neighbours are side by side. */
static inline struct met_edges *edges_numbered_slot(const struct edges_pool *p,
						    const struct bucket_scheme *s, int index)
{
	return &p->met[((uint32_t)index + (uint32_t)((uintptr_t)s >> 4) * 79) & p->mask];
}

/* Where edges that were printed like this are looked for. */
static inline struct met_edges *edges_printed_slot(const struct edges_pool *p, const void *by,
						   double low, double high)
{
	uint64_t l, h;

	memcpy(&l, &low, sizeof(l));
	memcpy(&h, &high, sizeof(h));
	/* Round edges differ in their highest bits only, which the product has in its own. */
	return &p->met[(l * 3 + h + (uintptr_t)by) * UINT64_C(0x9e3779b97f4a7c15) >>
		       (64 - p->bits)];
}

/* Those of a bucket's number; NULL where they were not met. */
static inline const struct edges *edges_numbered(const struct edges_pool *p,
						 const struct bucket_scheme *s, int index)
{
	const struct met_edges *m = edges_numbered_slot(p, s, index);

	return m->by == s && m->edges->index == index ? m->edges : NULL;
}

/* The same, and new ones where they were not; NULL where the scheme has no such bucket. */
const struct edges *edges_of_number(struct edges_pool *p, const struct bucket_scheme *s, int index);
/* Those of a bucket that has edges elsewhere. */
const struct edges *edges_like(struct edges_pool *p, const struct bucket_scheme *s,
			       const struct edges *edges);

/* Those that `by` printed; NULL where they were not met.  They have no number yet. */
static inline struct edges *edges_printed(const struct edges_pool *p, const void *by, double low,
					  double high)
{
	const struct met_edges *m = edges_printed_slot(p, by, low, high);

	return m->by == by && m->edges->low == low && m->edges->high == high ? m->edges : NULL;
}

/* Adds edges that were printed like this, and returns them. */
struct edges *edges_add_printed(struct edges_pool *p, const void *by, double low, double high);

#endif
