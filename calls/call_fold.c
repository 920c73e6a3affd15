/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/call_fold.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* Slots that are kept for the next call; with more, all are dropped, so that memory grows with the
 * paths of one call. */
enum { FOLD_KEPT = 1 << 16 };

void fold_release(struct call_fold *f)
{
	free(f->slot);
	free(f->counted);
	free(f->value);
	free(f->pause);
	free(f->segment);
	free(f->at);
}

void fold_begin(struct call_fold *f, const struct call_tree *t)
{
	f->trace = STR("");
	f->n_counted = 0;
	f->n_values = f->n_pauses = f->n_segments = 0;
	if (f->n > FOLD_KEPT || f->call == UINT32_MAX)
		f->n = f->call = 0;
	f->call++;
	if (f->n == 0)
		(void)fold_slot_new(f, t, 0);
	fold_count_below(f, 0);
}

uint32_t fold_slot_new(struct call_fold *f, const struct call_tree *t, uint32_t node)
{
	/* Node 0 is its own parent. */
	uint32_t parent = node == 0 ? 0 : fold_slot(f, t, t->node[node].parent);
	size_t had = f->cap_at;

	if (node >= f->cap_at) {
		f->at = xgrow(f->at, &f->cap_at, (size_t)node + 1, sizeof(*f->at));
		for (size_t i = had; i < f->cap_at; i++)
			f->at[i] = 0;
	}
	f->slot = xgrow(f->slot, &f->cap, (size_t)f->n + 1, sizeof(*f->slot));
	f->slot[f->n] = (struct fold_slot){ .node = node,
					    .parent = parent,
					    .name = t->node[node].name,
					    .depth = t->node[node].depth };
	for (size_t i = 0; i < FOLD_BELOW; i++)
		f->slot[f->n].below_what[i] = UINT64_MAX;
	f->counted = xgrow(f->counted, &f->cap_counted, (size_t)f->n + 1, sizeof(*f->counted));
	f->at[node] = f->n;
	return f->n++;
}

void fold_forget(struct call_fold *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		for (size_t k = 0; k < FOLD_BELOW; k++)
			f->slot[i].below_what[k] = UINT64_MAX;
	}
}

void fold_count_callers(struct call_fold *f, uint32_t at)
{
	/* Slot 0 is its own caller. */
	if (f->slot[at].parent != at)
		fold_count_in(f, f->slot[at].parent);
}

/* Computes totals, and for each parent the sum and the largest of its callees. */
static void add_up(struct call_fold *f)
{
	struct fold_slot *slot = f->slot;

	for (uint32_t i = f->n_counted; i-- > 1;) {
		struct fold_slot *s = &slot[f->counted[i]], *parent = &slot[s->parent];
		int64_t total = s->total + s->own, largest = s->largest;

		s->total = total;
		parent->total += total;
		parent->callees += largest;
		parent->max = largest > parent->max ? largest : parent->max;
	}
	slot[0].total += slot[0].own;
}

/* Whether floor(log2) of both is the same; 0 is the same only as 0. */
static inline bool is_same_bin(uint64_t a, uint64_t b)
{
	return (a ^ b) <= (a & b);
}

/* Whether floor(log2(a)) >= floor(log2(b)). */
static inline bool is_bin_or_above(uint64_t a, uint64_t b)
{
	return (b & ~a) <= a;
}

/* Counts a node that is in the same log2 bin as the largest of its caller's own part and callees
 * (DARC, 3).  Callers must come before their callees. */
static inline void count_largest(struct fold_slot *s, const struct fold_slot *parent,
				 struct call_cell *c)
{
	int64_t self = s->largest > s->callees ? s->largest - s->callees : 0;

	c->as_self += is_bin_or_above((uint64_t)self, (uint64_t)s->max);
	s->max = self > s->max ? self : s->max;
	if (parent != NULL)
		c->as_callee += is_same_bin((uint64_t)s->largest, (uint64_t)parent->max);
}

/* parent: NULL for slot 0. */
static inline void add_slot(struct call_fold *f, struct call_tree *t, struct fold_slot *s,
			    const struct fold_slot *parent, struct call_cell *c,
			    const struct fold_end *end)
{
	int64_t total = s->total;
	double squared = (double)total;

	c->present++;
	c->calls += s->calls;
	c->own += s->own;
	c->total += total;
	c->squares += squared * squared;
	if (end->counts_max)
		count_largest(s, parent, c);
	if (total > c->largest || c->present == 1) {
		c->largest = total;
		c->start = end->start;
		c->latency = end->latency;
		c->thread = f->trace.n > 0 ? call_tree_name(t, f->trace) : end->thread;
	}
	if (total > 0)
		call_tree_count_y(t, c, call_y_bucket(total), 1);
}

void fold_end(struct call_fold *f, struct call_tree *t, const struct fold_end *end)
{
	const struct fold_end e = *end;
	struct fold_slot *slot = f->slot;
	const uint32_t *counted = f->counted, n = f->n_counted, *near;

	slot[0].largest = e.latency;
	add_up(f);
	add_slot(f, t, slot, NULL, call_tree_cell(t, 0, e.bucket), &e);
	near = t->near[e.bucket];
	for (uint32_t i = 1; i < n; i++) {
		struct fold_slot *s = &slot[counted[i]];
		uint32_t cell = s->node < CALL_TREE_NEAR ? near[s->node] : 0;

		add_slot(f, t, s, &slot[s->parent],
			 cell > 0 ? &t->cell[cell - 1] : call_tree_cell_new(t, s->node, e.bucket),
			 &e);
	}
	for (size_t i = 0; i < f->n_values; i++)
		call_tree_count_value(t, f->value[i].key, f->value[i].value, end->bucket, 1);
}
