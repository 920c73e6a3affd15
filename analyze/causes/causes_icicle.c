/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/causes/causes_icicle.h"

#include "base/arena.h"

/* The plot in progress; from[node] is where its box begins, NAN when it has none. */
struct drawing_up {
	const struct causes *c;
	struct arena *a;
	bool against;
	double min; /* ns a call */
	uint32_t levels;
	uint32_t *level;
	double *from;
	struct icicle ret;
};

static double width_of(const struct drawing_up *d, uint32_t node)
{
	const struct cause_node *n = &d->c->node[node];

	return d->against ? cause_mean(&d->c->against, n->against.total)
			  : cause_mean(&d->c->chosen, n->chosen.total);
}

static void place_children(struct drawing_up *d, uint32_t node)
{
	uint32_t *child;
	size_t n = cause_children(d->c, d->a, node, &child);
	double at = d->from[node];

	for (size_t i = 0; i < n; i++) {
		d->from[child[i]] = at;
		d->level[child[i]] = d->level[node] + 1;
		at += width_of(d, child[i]);
	}
}

static void take_node(struct drawing_up *d, uint32_t node)
{
	struct icicle *to = &d->ret;
	double width = width_of(d, node), from = d->from[node];
	uint32_t level = d->level[node];

	if (width <= 0)
		return;
	if (isnan(from) || level >= d->levels || width < d->min) {
		to->left_out++;
		return;
	}
	to->v[to->n++] = (struct icicle_box){
		.node = node, .level = level, .from = from, .to = from + width
	};
	to->levels = level >= to->levels ? level + 1 : to->levels;
	to->max_added = fmax(to->max_added, fabs(d->c->node[node].added));
	place_children(d, node);
}

struct icicle causes_icicle(const struct causes *c, struct arena *a, bool against, double min,
			    uint32_t levels)
{
	struct drawing_up d = { .c = c, .a = a, .against = against, .levels = levels };

	d.ret.v = arena_make(a, struct icicle_box, c->n_nodes + 1);
	d.level = arena_make(a, uint32_t, c->n_nodes + 1);
	d.from = arena_make(a, double, c->n_nodes + 1);
	for (uint32_t i = 1; i < c->n_nodes; i++)
		d.from[i] = NAN; /* until its parent has a box */
	if (c->n_nodes > 0)
		d.min = min * width_of(&d, 0);
	/* A parent's number is below its child's. */
	for (uint32_t i = 0; i < c->n_nodes; i++)
		take_node(&d, i);
	return d.ret;
}
