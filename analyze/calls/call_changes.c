/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "analyze/calls/calls.h"
#include "base/arena.h"
#include "base/tables/hash.h"

/* A change in the hash table.  The key is the length of the first name, then both names. */
struct named_change {
	struct str key;
	size_t at; /* index in to->v */
	UT_hash_handle hh;
};

struct matching {
	struct arena *a;
	struct call_changes *to;
	struct named_change *table;
};

static struct call_change *change_of(struct matching *m, struct str operation, struct str what)
{
	struct str key =
		arena_printf(m->a, "%zu %.*s%.*s", operation.n, STR_ARG(operation), STR_ARG(what));
	struct named_change *known;

	HASH_FIND(hh, m->table, key.p, key.n, known);
	if (known == NULL) {
		known = arena_make(m->a, struct named_change, 1);
		*known = (struct named_change){ .key = key, .at = m->to->n };
		HASH_ADD_KEYPTR(hh, m->table, known->key.p, known->key.n, known);
		m->to->v[m->to->n++] = (struct call_change){ .operation = operation, .what = what };
	}
	return &m->to->v[known->at];
}

/* Adds calls and time of a whole side, divided by its number of runs. */
static void add_calls(struct matching *m, const struct calls *c, uint32_t operation,
		      struct str what, size_t calls, double time, bool after)
{
	struct call_change *change = change_of(m, c->operations.v[operation], what);
	double n = (double)calls / (double)c->n_runs, t = time / (double)c->n_runs;

	*(after ? &change->calls_after : &change->calls_before) += n;
	*(after ? &change->time_after : &change->time_before) += t;
	*(after ? &m->to->time_after : &m->to->time_before) += t;
}

static int by_change(const void *a, const void *b)
{
	const struct call_change *x = a, *y = b;
	double dx = fabs(x->time_after - x->time_before);
	double dy = fabs(y->time_after - y->time_before);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	if (!str_eq(x->operation, y->operation))
		return str_cmp(x->operation, y->operation);
	return str_cmp(x->what, y->what);
}

static struct call_changes begin_changes(struct arena *a, size_t max)
{
	return (struct call_changes){ .v = arena_make(a, struct call_change, max + 1) };
}

static void finish_changes(struct matching *m)
{
	HASH_CLEAR(hh, m->table);
	qsort(m->to->v, m->to->n, sizeof(*m->to->v), by_change);
}

static void add_sites(struct matching *m, const struct calls_side *s, bool after)
{
	for (size_t i = 0; i < s->sites.n; i++) {
		const struct site_cost *v = &s->sites.v[i];

		add_calls(m, s->calls, v->operation, s->calls->sites.v[v->site], v->calls, v->total,
			  after);
	}
}

struct call_changes site_changes_of(struct arena *a, const struct calls_side *before,
				    const struct calls_side *after)
{
	struct call_changes all = begin_changes(a, before->sites.n + after->sites.n);
	struct matching m = { .a = a, .to = &all };

	add_sites(&m, before, false);
	add_sites(&m, after, true);
	finish_changes(&m);
	return all;
}

static size_t count_cells(const struct blocking *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->column[i].n;
	return n;
}

static void add_cells(struct matching *m, const struct calls_side *s, bool after)
{
	for (size_t i = 0; i < s->blocking.n; i++) {
		const struct blocking_column *column = &s->blocking.column[i];

		for (size_t k = 0; k < column->n; k++)
			add_calls(m, s->calls, column->cell[k].operation,
				  s->calls->resources.v[column->resource], column->cell[k].calls,
				  column->cell[k].time, after);
	}
}

struct call_changes blocking_changes_of(struct arena *a, const struct calls_side *before,
					const struct calls_side *after)
{
	struct call_changes all =
		begin_changes(a, count_cells(&before->blocking) + count_cells(&after->blocking));
	struct matching m = { .a = a, .to = &all };

	add_cells(&m, before, false);
	add_cells(&m, after, true);
	finish_changes(&m);
	return all;
}
