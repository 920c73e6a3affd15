/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bucket edges, shared between histograms: there are very many buckets, and most have the same
 * edges as buckets of other histograms.
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

/* Returns the edges of a bucket that exists. */
struct edges edges_at(const struct bucket_scheme *s, int index);
/* The same, allocated in the arena. */
const struct edges *edges_make(struct arena *a, const struct bucket_scheme *s, int index);

/* --- sharing them ---------------------------------------------------------------------- */

/* An entry of the pool's cache, at the slot of the edges' number or of their printed values. */
struct met_edges {
	const void *by; /* the scheme that numbers them, or the layer that printed them; NULL: none
			 */
	struct edges *edges;
};

/* Edges in one arena, for buckets to share, and a direct-mapped cache to find them.  Some edges
 * may be there twice, as a new entry replaces the one in its slot. */
struct edges_pool {
	struct arena *arena;
	const struct bucket_scheme *scheme; /* of the histogram copied last; NULL: none */
	struct met_edges *met;		    /* the cache, 1 << bits entries */
	unsigned bits;
	uint32_t mask; /* (1 << bits) - 1 */
	size_t n_made;
	struct edges *room;
	size_t n_room;
};

/* Makes an empty pool whose edges lie in the arena. */
void edges_pool_start(struct edges_pool *p, struct arena *a);
void edges_pool_release(struct edges_pool *p); /* the edges stay */

/* Returns the slot of a number; neighbouring buckets have neighbouring slots. */
static inline struct met_edges *edges_numbered_slot(const struct edges_pool *p,
						    const struct bucket_scheme *s, int index)
{
	return &p->met[((uint32_t)index + (uint32_t)((uintptr_t)s >> 4) * 79) & p->mask];
}

/* Returns the slot of printed edges. */
static inline struct met_edges *edges_printed_slot(const struct edges_pool *p, const void *by,
						   double low, double high)
{
	uint64_t l, h;

	memcpy(&l, &low, sizeof(l));
	memcpy(&h, &high, sizeof(h));
	/* Round edges differ only in their highest bits; so do the products, whose highest bits
	 * are used. */
	return &p->met[(l * 3 + h + (uintptr_t)by) * UINT64_C(0x9e3779b97f4a7c15) >>
		       (64 - p->bits)];
}

/* Returns the edges of a bucket's number; NULL when they are not in the cache. */
static inline const struct edges *edges_numbered(const struct edges_pool *p,
						 const struct bucket_scheme *s, int index)
{
	const struct met_edges *m = edges_numbered_slot(p, s, index);

	return m->by == s && m->edges->index == index ? m->edges : NULL;
}

/* The same, but adds edges that are not in the cache; NULL when the scheme has no such bucket. */
const struct edges *edges_of_number(struct edges_pool *p, const struct bucket_scheme *s, int index);
/* Returns the pool's copy of edges from elsewhere, adding it if needed. */
const struct edges *edges_like(struct edges_pool *p, const struct bucket_scheme *s,
			       const struct edges *edges);

/* Returns edges that `by` printed, which have no number yet; NULL when they are not in the
 * cache. */
static inline struct edges *edges_printed(const struct edges_pool *p, const void *by, double low,
					  double high)
{
	const struct met_edges *m = edges_printed_slot(p, by, low, high);

	return m->by == by && m->edges->low == low && m->edges->high == high ? m->edges : NULL;
}

/* Adds printed edges, and returns them. */
struct edges *edges_add_printed(struct edges_pool *p, const void *by, double low, double high);

#endif
