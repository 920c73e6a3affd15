/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over per-call records: what calls waited for (DeBox, table 4), and the cost of each call
 * site (section 5.5). */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

enum { MAX_ROWS = 24, MAX_RESOURCES = 10, MAX_LETTERS = 14 };

static const double min_share = 0.001; /* minimum share of all calls' time for a bar */

static const struct scale ns = { .unit = UNIT_NS };

/* --- resources that calls wait for ------------------------------------------------------- */

/* An operation that blocked, with its total time blocked. */
struct waiter {
	uint32_t operation;
	double time;
};

static int by_time(const void *a, const void *b)
{
	const struct waiter *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->operation < y->operation ? -1 : x->operation > y->operation;
}

/* Returns the operations that blocked in the first `columns` columns, by decreasing time. */
static struct waiter *waiters_of(struct arena *a, const struct calls *c, const struct blocking *b,
				 size_t columns, size_t *ret_n)
{
	struct waiter *v = arena_make(a, struct waiter, c->operations.n);
	bool *blocks = arena_make(a, bool, c->operations.n);
	size_t n = 0;

	for (size_t i = 0; i < columns; i++) {
		for (size_t k = 0; k < b->column[i].n; k++) {
			const struct blocking_cell *cell = &b->column[i].cell[k];

			v[cell->operation].time += cell->time;
			blocks[cell->operation] = true;
		}
	}
	for (size_t i = 0; i < c->operations.n; i++) {
		v[i].operation = (uint32_t)i;
		if (blocks[i])
			v[n++] = v[i];
	}
	qsort(v, n, sizeof(*v), by_time);
	*ret_n = n < MAX_ROWS ? n : MAX_ROWS;
	return v;
}

static double time_shade(double time)
{
	return log10(1 + time);
}

static void add_words(struct panel *p, double at, double height, struct str words)
{
	p->mark[p->n_marks++] = (struct mark){ .shape = MARK_WORDS,
					       .colour = COLOUR_DIM,
					       .at = at,
					       .height = height,
					       .words = words };
}

/* Adds a cell with its number of calls and their time. */
static void add_cell(struct arena *a, struct panel *p, const struct blocking_cell *cell,
		     size_t column, size_t row)
{
	double x = (double)column, y = (double)row;

	series_add(&p->series[0],
		   (double[]){ x - 0.47, x + 0.43, y - 0.46, y + 0.376, time_shade(cell->time) });
	add_words(p, x - 0.45, y - 0.18,
		  arena_printf(a, "%zu call%s", cell->calls, cell->calls == 1 ? "" : "s"));
	add_words(p, x - 0.45, y + 0.2, words_of_ns(a, cell->time));
}

static size_t row_of(const struct waiter *w, size_t n, uint32_t operation)
{
	size_t row = 0;

	while (row < n && w[row].operation != operation)
		row++;
	return row;
}

static struct axis resources_axis(struct arena *a, const struct calls *c, const struct blocking *b,
				  size_t columns)
{
	struct str name[MAX_RESOURCES];
	struct axis x;

	for (size_t i = 0; i < columns; i++) {
		struct str resource = c->resources.v[b->column[i].resource];

		name[i] = resource.n > 0 ? words_cut(a, resource, MAX_LETTERS) : STR("(unknown)");
	}
	x = axis_of_names(a, name, columns);
	x.from = -0.5;
	x.to = (double)columns - 0.5;
	x.label = STR("waited for");
	return x;
}

static struct panel blocking_panel(struct arena *a, const struct calls *c, const struct blocking *b,
				   size_t columns, double *ret_min, double *ret_max)
{
	struct panel p = { .name = STR("") };
	size_t rows;
	struct waiter *waiter = waiters_of(a, c, b, columns, &rows);
	struct str name[MAX_ROWS];

	for (size_t i = 0; i < rows; i++)
		name[i] = call_operation_name(a, c, waiter[i].operation);
	p.x = resources_axis(a, c, b, columns);
	p.y = axis_of_names(a, name, rows);
	p.y.label = STR("call");
	p.series = arena_make(a, struct series, 1);
	p.series[p.n_series++] =
		series_of(a, "blocking", SHAPE_CELLS, COLOUR_FIRST, columns * rows + 1);
	p.series[0].columns = "low high top foot log10(1+ns)";
	p.mark = arena_make(a, struct mark, 2 * columns * rows + 1);
	*ret_min = HUGE_VAL;
	*ret_max = 0;
	for (size_t i = 0; i < columns; i++) {
		for (size_t k = 0; k < b->column[i].n; k++) {
			const struct blocking_cell *cell = &b->column[i].cell[k];
			size_t row = row_of(waiter, rows, cell->operation);

			if (row == rows)
				continue;
			add_cell(a, &p, cell, i, row);
			*ret_min = fmin(*ret_min, time_shade(cell->time));
			*ret_max = fmax(*ret_max, time_shade(cell->time));
		}
	}
	return p;
}

bool figure_blocking(struct arena *a, const struct call_subject *s, struct figure *ret)
{
	struct blocking b = blocking_of(a, s->calls);
	size_t columns = b.n < MAX_RESOURCES ? b.n : MAX_RESOURCES;
	struct color_scale *color;
	double min, max;

	if (b.n == 0)
		return false;
	*ret = (struct figure){ .n_panels = 1, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, 1);
	ret->panel[0] = blocking_panel(a, s->calls, &b, columns, &min, &max);
	ret->panel_height = 0.12 + 0.13 * (double)ret->panel[0].y.n_ticks;
	color = arena_make(a, struct color_scale, 1);
	*color = (struct color_scale){ .pale = true,
				       .from = min,
				       .to = fmax(max, min + 1),
				       .label = STR("time blocked"),
				       .tick = arena_make(a, struct tick, 1) };
	ret->panel[0].color = color;
	ret->caption = STR("What calls waited for: how many calls, and how long in all, which "
			   "the colour shows on a logarithmic scale.");
	return true;
}

/* --- call sites -------------------------------------------------------------------------- */

static void add_bar(struct series *s, double value, size_t row)
{
	if (value > 0)
		series_add(s, (double[]){ value, (double)row - 0.38, (double)row + 0.38 });
}

static struct panel sites_panel(struct arena *a, const struct call_subject *s,
				const struct site_costs *costs, size_t rows)
{
	struct panel p = { .has_key = true };
	struct measure measure = { ns, s->shown };
	struct str name[MAX_ROWS];

	p.series = arena_make(a, struct series, 3);
	/* Bars are drawn over each other, so that the longer ones stick out. */
	p.series[0] = series_of(a, "other", SHAPE_LEVELS, COLOUR_DIM, rows);
	p.series[1] = series_of(a, "blocked", SHAPE_LEVELS, COLOUR_SECOND, rows);
	p.series[2] = series_of(a, "processor", SHAPE_LEVELS, COLOUR_FIRST, rows);
	p.series[0].title = STR("other");
	p.series[1].title = STR("blocked");
	p.series[2].title = STR("processor");
	p.n_series = 3;
	p.mark = arena_make(a, struct mark, rows + 1);
	for (size_t i = 0; i < rows; i++) {
		const struct site_cost *v = &costs->v[i];

		add_bar(&p.series[0], v->total, i);
		add_bar(&p.series[1], v->blocked > 0 ? fmin(v->cpu + v->blocked, v->total) : 0, i);
		add_bar(&p.series[2], fmin(v->cpu, v->total), i);
		add_words(&p, v->total, (double)i,
			  arena_printf(a, "%.*s, %zu call%s", STR_ARG(words_of_ns(a, v->total)),
				       v->calls, v->calls == 1 ? "" : "s"));
		name[i] = call_site_name(a, s->calls, v->operation, v->site);
	}
	p.x = axis_of_quantity(a, STR("time in calls"), 0, costs->v[0].total, 0, &measure);
	p.x.to *= 1.35; /* room for the text */
	p.y = axis_of_names(a, name, rows);
	p.y.label = STR("call site");
	return p;
}

bool figure_sites(struct arena *a, const struct call_subject *s, struct figure *ret)
{
	struct site_costs costs = site_costs_of(a, s->calls);
	size_t rows = 0;

	while (rows < costs.n && rows < MAX_ROWS &&
	       (rows == 0 || costs.v[rows].total >= min_share * costs.total))
		rows++;
	if (rows == 0)
		return false;
	*ret = (struct figure){ .n_panels = 1, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, 1);
	ret->panel[0] = sites_panel(a, s, &costs, rows);
	ret->panel_height = 0.25 + 0.07 * (double)rows;
	ret->caption = STR("What each call site cost in all: the processor's time, time blocked, "
			   "and the rest.");
	return true;
}
