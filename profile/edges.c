/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/edges.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

enum {
	FIRST_BITS = 8,
	MAX_BITS = 16,
	BLOCK = 64, /* edges that are allocated at once */
};

struct edges edges_at(const struct bucket_scheme *s, int index)
{
	return (struct edges){ bucket_low(s, index), bucket_high(s, index), index };
}

const struct edges *edges_make(struct arena *a, const struct bucket_scheme *s, int index)
{
	struct edges *made = arena_make(a, struct edges, 1);

	*made = edges_at(s, index);
	return made;
}

static void start_table(struct edges_pool *p, unsigned bits)
{
	p->bits = bits;
	p->mask = (UINT32_C(1) << bits) - 1;
	p->met = xcalloc((size_t)p->mask + 1, sizeof(*p->met));
}

void edges_pool_start(struct edges_pool *p, struct arena *a)
{
	*p = (struct edges_pool){ .arena = a };
	start_table(p, FIRST_BITS);
}

void edges_pool_release(struct edges_pool *p)
{
	free(p->met);
}

/* Doubles the cache when twice as many edges were made as it has slots: most of these were
 * replaced.  The entries are dropped; edges needed again are made again. */
static void widen_cache(struct edges_pool *p)
{
	if (p->bits == MAX_BITS || p->n_made < (size_t)2 << p->bits)
		return;
	free(p->met);
	start_table(p, p->bits + 1);
}

static struct edges *make_edges(struct edges_pool *p, struct edges edges)
{
	if (p->n_room == 0) {
		p->n_room = BLOCK;
		p->room = arena_room(p->arena, BLOCK, sizeof(*p->room));
	}
	p->n_made++;
	p->n_room--;
	*p->room = edges;
	return p->room++;
}

static const struct edges *add_numbered(struct edges_pool *p, const struct bucket_scheme *s,
					struct edges edges)
{
	struct edges *made = make_edges(p, edges);

	widen_cache(p);
	*edges_numbered_slot(p, s, edges.index) = (struct met_edges){ s, made };
	return made;
}

const struct edges *edges_of_number(struct edges_pool *p, const struct bucket_scheme *s, int index)
{
	const struct edges *met = edges_numbered(p, s, index);
	struct edges edges = { .index = index };

	if (met != NULL)
		return met;
	if (!bucket_bounds(s, index, &edges.low, &edges.high))
		return NULL;
	return add_numbered(p, s, edges);
}

const struct edges *edges_like(struct edges_pool *p, const struct bucket_scheme *s,
			       const struct edges *edges)
{
	const struct edges *met = edges_numbered(p, s, edges->index);

	if (met != NULL && met->low == edges->low && met->high == edges->high)
		return met;
	return add_numbered(p, s, *edges);
}

struct edges *edges_add_printed(struct edges_pool *p, const void *by, double low, double high)
{
	struct edges *made = make_edges(p, (struct edges){ .low = low, .high = high });

	widen_cache(p);
	*edges_printed_slot(p, by, low, high) = (struct met_edges){ by, made };
	return made;
}
