/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/call_fold.h"

#include <stdlib.h>

#include "base/xalloc.h"

void fold_release(struct call_fold *f)
{
	free(f->slot);
	free(f->value);
	free(f->pause);
	free(f->segment);
	free(f->at);
}

void fold_begin(struct call_fold *f, const struct call_tree *t)
{
	f->n = 0;
	f->trace = STR("");
	f->n_values = f->n_pauses = f->n_segments = 0;
	(void)fold_slot_new(f, t, 0);
}

uint32_t fold_slot_new(struct call_fold *f, const struct call_tree *t, uint32_t node)
{
	size_t had = f->cap_at;
	uint32_t parent = node == 0 ? 0 : fold_slot(f, t, t->node[node].parent);

	if (node >= f->cap_at) {
		f->at = xgrow(f->at, &f->cap_at, (size_t)node + 1, sizeof(*f->at));
		for (size_t i = had; i < f->cap_at; i++)
			f->at[i] = 0;
	}
	f->slot = xgrow(f->slot, &f->cap, (size_t)f->n + 1, sizeof(*f->slot));
	f->slot[f->n] = (struct fold_slot){ .node = node, .parent = parent };
	f->at[node] = f->n;
	return f->n++;
}

/* Totals with all below, and for each parent the sum and the largest of its callees. */
static void add_up(struct call_fold *f)
{
	for (uint32_t i = f->n; i-- > 0;) {
		struct fold_slot *s = &f->slot[i], *parent = &f->slot[s->parent];

		s->total += s->own;
		if (i == 0)
			break;
		parent->total += s->total;
		parent->callees += s->largest;
		if (s->largest > parent->most)
			parent->most = s->largest;
	}
}

/* floor(log2 v); -1 of nothing. */
static int bin_of(int64_t v)
{
	return v > 0 ? 63 - __builtin_clzll((unsigned long long)v) : -1;
}

static int64_t self_of(const struct fold_slot *s)
{
	return s->largest > s->callees ? s->largest - s->callees : 0;
}

/* Among its siblings and its parent's own part it is as large as the largest (DARC, 3). */
static bool is_largest(const struct call_fold *f, uint32_t i)
{
	const struct fold_slot *parent = &f->slot[f->slot[i].parent];
	int64_t self = self_of(parent);

	return i > 0 &&
	       bin_of(f->slot[i].largest) == bin_of(self > parent->most ? self : parent->most);
}

static bool self_is_largest(const struct fold_slot *s)
{
	return bin_of(self_of(s)) >= bin_of(s->most);
}

static void add_slot(struct call_fold *f, struct call_tree *t, uint32_t i,
		     const struct fold_end *end)
{
	const struct fold_slot *s = &f->slot[i];
	struct call_cell *c = call_tree_cell(t, s->node, end->bucket);

	c->present++;
	c->calls += s->calls;
	c->own += s->own;
	c->total += s->total;
	c->squares += (double)s->total * (double)s->total;
	if (end->counts_max) {
		c->as_callee += is_largest(f, i);
		c->as_self += self_is_largest(s);
	}
	if (c->present == 1 || s->total > c->largest) {
		c->largest = s->total;
		c->start = end->start;
		c->latency = end->latency;
		c->thread = f->trace.n > 0 ? call_tree_name(t, f->trace) : end->thread;
	}
	if (s->total > 0)
		call_tree_count_y(t, c, call_y_bucket(s->total), 1);
}

void fold_end(struct call_fold *f, struct call_tree *t, const struct fold_end *end)
{
	f->slot[0].largest = end->latency;
	add_up(f);
	for (uint32_t i = 0; i < f->n; i++)
		add_slot(f, t, i, end);
	for (size_t i = 0; i < f->n_values; i++)
		call_tree_count_value(t, f->value[i].key, f->value[i].value, end->bucket, 1);
}
