/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/layers/layers.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rank/pair.h"
#include "base/arena.h"
#include "base/tables/str_table.h"
#include "base/xalloc.h"

static void index_below(struct arena *a, struct layered *l)
{
	size_t n = l->profile->n_ops, at = 0;

	l->first = arena_make(a, size_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		l->first[i] = at;
		while (at < l->nested.n_below && l->nested.below[at].upper == &l->profile->op[i])
			at++;
	}
	l->first[n] = at;
}

static void add_up_layers(struct arena *a, struct layered *l)
{
	const struct profile *p = l->profile;
	struct str_table names = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];
		struct layer_sum *sum;
		bool is_new;
		size_t at;

		if (op->unit != p->unit)
			continue;
		at = str_table_add(&names, op->layer, a, &is_new);
		if (is_new) {
			l->layer = arena_grow(a, l->layer, &cap, at + 1, sizeof(*l->layer));
			l->layer[l->n_layers++] = (struct layer_sum){ .name = op->layer };
		}
		sum = &l->layer[at];
		sum->calls += (double)operation_count(op);
		sum->own += l->nested.own[i];
		sum->inclusive += l->nested.own[i];
		for (size_t k = l->first[i]; k < l->first[i + 1]; k++) {
			if (!str_eq(l->nested.below[k].layer, op->layer))
				sum->inclusive += l->nested.below[k].total;
		}
	}
	str_table_release(&names);
}

bool layers_of(struct arena *a, const struct profile *p, struct diag *diag, struct layered *ret)
{
	struct layered l = { .profile = p, .nested = nested_of(a, p, p->source, diag) };
	bool any = l.nested.n_below > 0;

	for (size_t i = 0; i < p->n_ops && !any; i++)
		any = l.nested.known[i] != OWN_TOTAL;
	index_below(a, &l);
	add_up_layers(a, &l);
	*ret = l;
	return any;
}

/* --- two sides ---------------------------------------------------------------------------- */

static size_t number_of(const struct layered *l, const struct operation *op)
{
	return (size_t)(op - l->profile->op);
}

static struct str part_name(const struct layered *l, const struct below *b)
{
	return l->n_layers > 1 || b->lower == NULL ? b->layer : b->lower->name;
}

static void add_parts(const struct layer_side *side, const struct operation *op, bool after,
		      struct layer_part *part, size_t *n)
{
	const struct layered *l = side->layered;
	size_t i, end;

	if (op == NULL)
		return;
	end = l->first[number_of(l, op) + 1];
	for (i = l->first[number_of(l, op)]; i < end; i++) {
		const struct below *b = &l->nested.below[i];
		double total = b->total * side->scale / side->n_runs;

		part[(*n)++] = (struct layer_part){ .name = part_name(l, b),
						    .before = after ? 0 : total,
						    .after = after ? total : 0 };
	}
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct layer_part *)a)->name, ((const struct layer_part *)b)->name);
}

static int by_change(const void *pa, const void *pb)
{
	const struct layer_part *a = pa, *b = pb;
	double x = fabs(a->after - a->before), y = fabs(b->after - b->before);

	return x != y ? (x < y) - (x > y) : by_name(pa, pb);
}

static void find_parts(struct arena *a, const struct layer_side *before,
		       const struct layer_side *after, struct layer_change *c)
{
	const struct layered *lb = before->layered, *la = after->layered;
	size_t room = 0, n = 0, kept = 0;

	if (c->before != NULL)
		room += lb->first[number_of(lb, c->before) + 1] -
			lb->first[number_of(lb, c->before)];
	if (c->after != NULL)
		room += la->first[number_of(la, c->after) + 1] - la->first[number_of(la, c->after)];
	c->part = arena_make(a, struct layer_part, room);
	add_parts(before, c->before, false, c->part, &n);
	add_parts(after, c->after, true, c->part, &n);
	if (n > 1)
		qsort(c->part, n, sizeof(*c->part), by_name);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && str_eq(c->part[kept - 1].name, c->part[i].name)) {
			c->part[kept - 1].before += c->part[i].before;
			c->part[kept - 1].after += c->part[i].after;
		} else {
			c->part[kept++] = c->part[i];
		}
	}
	c->n_parts = kept;
	if (kept > 1)
		qsort(c->part, kept, sizeof(*c->part), by_change);
}

static void find_totals(const struct layer_side *side, const struct operation *op, double *calls,
			double *total, double *own)
{
	const struct layered *l = side->layered;

	if (op == NULL)
		return;
	*calls = (double)operation_count(op) / side->n_runs;
	*total = operation_inclusive(op) * side->scale / side->n_runs;
	*own = l->nested.own[number_of(l, op)] * side->scale / side->n_runs;
}

static int by_own_change(const void *pa, const void *pb)
{
	const struct layer_change *a = pa, *b = pb;
	double x = fabs(a->own_after - a->own_before), y = fabs(b->own_after - b->own_before);

	if (x != y)
		return (x < y) - (x > y);
	x = fabs(a->total_after - a->total_before);
	y = fabs(b->total_after - b->total_before);
	if (x != y)
		return (x < y) - (x > y);
	return operation_cmp_key(a->after != NULL ? a->after : a->before,
				 b->after != NULL ? b->after : b->before);
}

struct layer_change *layers_compare(struct arena *a, const struct layer_side *before,
				    const struct layer_side *after, size_t *ret_n)
{
	const struct profile *pb = before->layered->profile, *pa = after->layered->profile;
	struct operation_pair *pair = pair_operations(a, pb, pa, ret_n);
	struct layer_change *v;
	size_t n = 0;

	*ret_n = pair_renamed(pair, *ret_n, NULL, 0);
	v = arena_make(a, struct layer_change, *ret_n);
	for (size_t i = 0; i < *ret_n; i++) {
		struct layer_change c = { .before = pair[i].before, .after = pair[i].after };
		const struct operation *op = c.before != NULL ? c.before : c.after;

		if (op->unit != (c.before != NULL ? pb : pa)->unit)
			continue;
		find_totals(before, c.before, &c.calls_before, &c.total_before, &c.own_before);
		find_totals(after, c.after, &c.calls_after, &c.total_after, &c.own_after);
		find_parts(a, before, after, &c);
		v[n++] = c;
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_own_change);
	*ret_n = n;
	return v;
}
