/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/timeline_map.h"

#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"

/* Calls in cells: rows from the lowest latency up, one column for every `fold` intervals. */
struct grid {
	const struct chart *chart;
	double *calls; /* rows x cols; a difference is after minus before */
	size_t rows, cols;
	double highest; /* maximum over all cells, visible or not */
};

static void add_interval(struct grid *g, size_t col, const struct histogram *h, double scale,
			 double sign)
{
	for (size_t k = 0; k < h->n; k++) {
		double position =
			bucket_position(h->scheme, h->bucket[k].edges->index) + log2(scale);
		double at = floor((position - g->chart->from) / g->chart->step + 1e-9);

		if (at >= 0 && at < (double)g->rows)
			g->calls[(size_t)at * g->cols + col] += sign * (double)h->bucket[k].count;
	}
}

static void add_side(struct grid *g, const struct operation *op, double scale, double sign,
		     size_t fold)
{
	for (size_t k = 0; op != NULL && k < op->n_intervals; k++)
		add_interval(g, k / fold, &op->interval[k].hist, scale, sign);
}

static size_t larger(const struct item *i)
{
	size_t before = i->before != NULL ? i->before->n_intervals : 0,
	       after = i->after != NULL ? i->after->n_intervals : 0;

	return before > after ? before : after;
}

static struct grid grid_of(struct arena *a, const struct chart *chart, const struct item *i,
			   const struct timeline_map *m)
{
	struct grid g = { .chart = chart,
			  .rows = chart->n,
			  .cols = (larger(i) + m->fold - 1) / m->fold };
	double scale = item_scale_after(i);

	g.calls = arena_make(a, double, g.rows *g.cols + 1);
	if (m->kind != MAP_AFTER)
		add_side(&g, i->before, 1, m->kind == MAP_DIFFERENCE ? -1 : 1, m->fold);
	if (m->kind != MAP_BEFORE)
		add_side(&g, i->after, scale, 1, m->fold);
	for (size_t k = 0; k < g.rows * g.cols; k++)
		g.highest = fmax(g.highest, fabs(g.calls[k]));
	return g;
}

/* Returns a logarithmic shade: 0 for no calls, `levels` for the highest cell. */
static unsigned level_of(double calls, double highest, unsigned levels)
{
	unsigned level;

	if (calls == 0) /* `highest` may be 0, too */
		return 0;
	level = 1 + (unsigned)(log1p(fabs(calls)) / log1p(highest) * levels);
	return level > levels ? levels : level;
}

static void draw_cell(struct canvas *c, unsigned row, unsigned col, double calls,
		      const struct grid *g, bool difference, unsigned wide)
{
	const struct glyphs *glyphs = c->glyphs;
	unsigned level = level_of(calls, g->highest, difference ? N_DIFFERENCE : N_HEAT);

	if (level == 0)
		return;
	if (!difference)
		canvas_fill(c, row, col, wide, (enum face)(FACE_HEAT + level - 1),
			    glyphs->heat[level]);
	else if (calls < 0)
		canvas_fill(c, row, col, wide, (enum face)(FACE_LESS + level - 1),
			    glyphs->less[level - 1]);
	else
		canvas_fill(c, row, col, wide, (enum face)(FACE_MORE + level - 1),
			    glyphs->more[level - 1]);
}

static void label_row(struct canvas *c, unsigned row, const struct chart *chart, size_t k)
{
	struct out *o = out_to_memory();

	quantity_latency(o, exp2(chart->from + (double)k * chart->step), chart->scale);
	canvas_right(c, row, TIMELINE_GUTTER - 1, FACE_DIM, out_memory(o));
	out_free(o);
}

enum { WIDEST = 8 };

/* Returns the width of a cell: cells are wider when there are few intervals. */
static unsigned width_of(const struct canvas *c, const struct grid *g)
{
	size_t room = c->cols > TIMELINE_GUTTER ? c->cols - TIMELINE_GUTTER : 0;
	size_t wide = g->cols > 0 ? room / g->cols : 1;

	return wide > WIDEST ? WIDEST : wide > 0 ? (unsigned)wide : 1;
}

/* Draws the cells, the lowest latency at the bottom. */
static void draw_cells(struct canvas *c, const struct grid *g, const struct timeline_map *m,
		       unsigned height)
{
	unsigned seen = c->cols > TIMELINE_GUTTER ? c->cols - TIMELINE_GUTTER : 0;
	unsigned wide = width_of(c, g);
	size_t first = m->from / m->fold, every = height > 1 ? 1 : 2;

	for (size_t k = 0; k < g->rows; k++) {
		unsigned bottom = (unsigned)((g->rows - k) * height) - 1;

		if (k % every == 0)
			label_row(c, bottom + 1, g->chart, k);
		for (unsigned h = 0; h < height; h++) {
			canvas_fill(c, bottom + 1 - h, TIMELINE_GUTTER - 1, 1, FACE_DIM,
				    c->glyphs->vertical);
			for (unsigned col = 0; col * wide < seen && first + col < g->cols; col++)
				draw_cell(c, bottom + 1 - h, TIMELINE_GUTTER + col * wide,
					  g->calls[k * g->cols + first + col], g,
					  m->kind == MAP_DIFFERENCE, wide);
		}
	}
}

static void draw_title(struct canvas *c, const struct tui *t, const struct grid *g,
		       const struct timeline_map *m)
{
	static const char *const titles[] = { "", "before", "after", "after minus before" };
	const struct glyphs *glyphs = c->glyphs;
	unsigned col =
		canvas_text(c, 0, 0, FACE_STRONG,
			    study_compares(t->study) ? str_from(titles[m->kind]) : STR("calls"));

	if (m->fold > 1)
		col = canvas_printf(c, 0, col, FACE_DIM, ", %zu intervals in a column", m->fold);
	col += 2;
	if (m->kind == MAP_DIFFERENCE) {
		col = canvas_code(c, 0, col, FACE_LESS + 2, glyphs->less[2]);
		col = canvas_text(c, 0, col, FACE_DIM, STR(" fewer after  "));
		col = canvas_code(c, 0, col, FACE_MORE + 2, glyphs->more[2]);
		canvas_text(c, 0, col, FACE_DIM, STR(" more after"));
		return;
	}
	if (g->highest == 0) {
		canvas_text(c, 0, col, FACE_DIM, STR("no call in any interval"));
		return;
	}
	for (unsigned level = 1; level <= N_HEAT; level++)
		col = canvas_code(c, 0, col, (enum face)(FACE_HEAT + level - 1),
				  glyphs->heat[level]);
	if (g->highest > 1)
		canvas_printf(c, 0, col, FACE_DIM, " 1 to %.0f calls", g->highest);
	else
		canvas_text(c, 0, col, FACE_DIM, STR(" 1 call"));
}

/* --- the axis of time ------------------------------------------------------------------ */

enum { LABEL_ROOM = 10, LABELLED_ROWS = 8 };

/* Returns the smallest of 1, 2, 5, 10, 20, ... columns that leaves room for each label. */
static size_t columns_of_label(unsigned wide)
{
	static const size_t next[] = { 1, 2, 5 };
	size_t decade = 1;

	for (;; decade *= 10) {
		for (size_t k = 0; k < sizeof(next) / sizeof(*next); k++) {
			if (decade * next[k] * wide >= LABEL_ROOM)
				return decade * next[k];
		}
	}
}

/* Prints the time at which interval k begins, or its number. */
static void say_start(struct out *o, const struct study *study, const struct item *i, size_t k)
{
	bool before = i->before != NULL && k < i->before->n_intervals;
	const struct run *run = before ? &study->browsed.before : &study->browsed.after;
	const struct operation *op = before ? i->before : i->after;

	if (run->profile->untimed)
		out_printf(o, "%zu", k + 1);
	else
		out_printf(o, "%.4g s", op->interval[k].start);
}

static void label_axis(struct canvas *c, const struct tui *t, const struct item *i,
		       const struct timeline_map *m, unsigned row, unsigned wide)
{
	size_t n = larger(i), every = columns_of_label(wide), first = m->from / m->fold;
	struct out *o = out_to_memory();

	for (size_t k = (first + every - 1) / every * every; k * m->fold < n; k += every) {
		size_t col = TIMELINE_GUTTER + (k - first) * wide;

		if (col >= c->cols)
			break;
		canvas_fill(c, row, (unsigned)col, 1, FACE_DIM, c->glyphs->tick);
		out_reset(o);
		say_start(o, t->study, i, k * m->fold);
		if (col + out_memory(o).n <= c->cols)
			canvas_text(c, row + 1, (unsigned)col, FACE_DIM, out_memory(o));
	}
	out_free(o);
}

static void draw_axis(struct canvas *c, unsigned row)
{
	canvas_fill(c, row, TIMELINE_GUTTER - 1, 1, FACE_DIM, c->glyphs->corner);
	canvas_fill(c, row, TIMELINE_GUTTER, c->cols, FACE_DIM, c->glyphs->horizontal);
}

static void mark_cursor(struct canvas *c, const struct timeline_map *m, unsigned row, unsigned wide)
{
	canvas_fill(c, row, TIMELINE_GUTTER + (unsigned)m->cursor * wide, wide, FACE_KEY,
		    c->glyphs->cursor);
}

void timeline_map_draw(struct canvas *c, const struct tui *t, const struct item *i,
		       const struct timeline_map *m)
{
	struct arena *a = arena_new();
	bool labelled = c->rows >= LABELLED_ROWS;
	unsigned around = labelled ? 3 : 2; /* title, axis, labels */
	unsigned room = c->rows > around ? c->rows - around : 0, height, axis, wide;
	struct chart chart = chart_of(a, t->study, i, NULL, WEIGH_CALLS, (struct zoom){ 0 }, room);
	struct grid g;

	if (chart.n > 0 && room > 0) {
		g = grid_of(a, &chart, i, m);
		height = room / (unsigned)chart.n;
		height = height > 3 ? 3 : height;
		draw_title(c, t, &g, m);
		draw_cells(c, &g, m, height);
		axis = (unsigned)chart.n * height + 1;
		wide = width_of(c, &g);
		draw_axis(c, axis);
		if (labelled)
			label_axis(c, t, i, m, axis, wide);
		mark_cursor(c, m, axis, wide);
	}
	arena_free(a);
}
