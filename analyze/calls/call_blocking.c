/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "analyze/calls/call_groups.h"
#include "base/arena.h"

static int by_calls(size_t a, size_t b, double time_a, double time_b)
{
	if (a != b)
		return a > b ? -1 : 1;
	return time_a > time_b ? -1 : time_a < time_b;
}

static int cell_by_calls(const void *a, const void *b)
{
	const struct blocking_cell *x = a, *y = b;
	int order = by_calls(x->calls, y->calls, x->time, y->time);

	if (order != 0)
		return order;
	return x->operation < y->operation ? -1 : x->operation > y->operation;
}

static int column_by_calls(const void *a, const void *b)
{
	const struct blocking_column *x = a, *y = b;
	int order = by_calls(x->calls, y->calls, x->time, y->time);

	if (order != 0)
		return order;
	return x->resource < y->resource ? -1 : x->resource > y->resource;
}

static uint64_t key_cell(const struct call *c)
{
	return (uint64_t)c->resource << 32 | c->operation;
}

static struct blocking_cell cell_of(const struct calls *c, const uint32_t *call, size_t n)
{
	struct blocking_cell cell = { .operation = c->v[call[0]].operation };

	for (size_t i = 0; i < n; i++) {
		const struct call *one = &c->v[call[i]];

		if (!call_blocked(one))
			continue;
		cell.calls++;
		cell.time += (double)one->blocked;
	}
	return cell;
}

/* Makes a column for each resource number, with room for its cells. */
static struct blocking_column *columns_of(struct arena *a, const struct calls *c,
					  const struct call_groups *g)
{
	struct blocking_column *column = arena_make(a, struct blocking_column, c->resources.n);
	struct blocking_cell *room = arena_make(a, struct blocking_cell, g->n + 1);

	for (size_t i = 0; i < g->n; i++)
		column[g->key[i] >> 32].n++;
	for (size_t r = 0; r < c->resources.n; r++) {
		column[r].resource = (uint32_t)r;
		column[r].cell = room;
		room += column[r].n;
		column[r].n = 0;
	}
	return column;
}

struct blocking blocking_of(struct arena *a, const struct calls *c)
{
	struct call_groups g = call_groups_of(c, key_cell);
	struct blocking b = { .column = columns_of(a, c, &g) };

	for (size_t i = 0; i < g.n; i++) {
		struct blocking_column *column = &b.column[g.key[i] >> 32];
		struct blocking_cell cell =
			cell_of(c, g.call + g.first[i], g.first[i + 1] - g.first[i]);

		if (cell.calls == 0)
			continue;
		column->cell[column->n++] = cell;
		column->calls += cell.calls;
		column->time += cell.time;
	}
	call_groups_release(&g);
	for (size_t r = 0; r < c->resources.n; r++) {
		struct blocking_column *column = &b.column[r];

		qsort(column->cell, column->n, sizeof(*column->cell), cell_by_calls);
		if (column->calls > 0)
			b.column[b.n++] = *column;
	}
	qsort(b.column, b.n, sizeof(*b.column), column_by_calls);
	return b;
}
