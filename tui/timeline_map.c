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
	double highest; /* maximum over all cells, visible or not, of both sides */
	bool any;	/* some cell holds calls */
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

/* Spreads an interval over the columns that it overlaps, in proportion to time. */
static void spread_interval(struct grid *g, const struct timeline_map *m, enum side side,
			    const struct interval *v, double scale, double sign)
{
	double length = m->time->step[side] * (double)m->fold;
	double from = (v->start - m->time->start[side]) / length;
	double to = (v->end - m->time->start[side]) / length;

	for (size_t col = (size_t)fmax(from, 0); col < g->cols && (double)col < to; col++) {
		double common = fmin(to, (double)col + 1) - fmax(from, (double)col);

		add_interval(g, col, &v->hist, scale, sign * common / (to - from));
	}
}

static void add_side(struct grid *g, const struct timeline_map *m, enum side side,
		     const struct operation *op, double scale, double sign)
{
	for (size_t k = 0; op != NULL && k < op->n_intervals; k++) {
		const struct interval *v = &op->interval[k];

		if (m->time->spread[side])
			spread_interval(g, m, side, v, scale, sign);
		else
			add_interval(g, time_grid_step(m->time, side, v) / m->fold, &v->hist, scale,
				     sign);
	}
}

static struct grid grid_of(struct arena *a, const struct chart *chart, const struct item *i,
			   const struct timeline_map *m)
{
	struct grid g = { .chart = chart,
			  .rows = chart->n,
			  .cols = (m->time->n + m->fold - 1) / m->fold };
	double scale = item_scale_after(i);

	g.calls = arena_make(a, double, g.rows *g.cols + 1);
	if (m->kind != MAP_AFTER)
		add_side(&g, m, SIDE_BEFORE, i->before, 1, m->kind == MAP_DIFFERENCE ? -1 : 1);
	if (m->kind != MAP_BEFORE)
		add_side(&g, m, SIDE_AFTER, i->after, scale, 1);
	for (size_t k = 0; k < g.rows * g.cols; k++)
		g.highest = fmax(g.highest, fabs(g.calls[k]));
	g.any = g.highest > 0;
	return g;
}

/* The same shade means as many calls on both sides. */
static struct grid grid_on_shared_scale(struct arena *a, const struct chart *chart,
					const struct item *i, const struct timeline_map *m)
{
	struct grid g = grid_of(a, chart, i, m);
	struct timeline_map other = *m;

	if (m->kind == MAP_BEFORE || m->kind == MAP_AFTER) {
		other.kind = m->kind == MAP_BEFORE ? MAP_AFTER : MAP_BEFORE;
		g.highest = fmax(g.highest, grid_of(a, chart, i, &other).highest);
	}
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

/* The visible columns of cells. */
struct across {
	size_t first, n;
	unsigned room; /* characters for all of them; cells are wider when there are few */
};

static struct across across_of(const struct canvas *c, const struct grid *g,
			       const struct timeline_map *m)
{
	struct across x = { .first = m->from / m->fold,
			    .room = c->cols > TIMELINE_GUTTER ? c->cols - TIMELINE_GUTTER : 0 };

	x.n = g->cols > x.first ? g->cols - x.first : 0;
	x.n = x.n < x.room ? x.n : x.room;
	if (x.room > x.n * WIDEST)
		x.room = (unsigned)x.n * WIDEST;
	return x;
}

/* Returns where visible column k begins on the canvas. */
static unsigned left_of(const struct across *x, size_t k)
{
	return TIMELINE_GUTTER + (unsigned)(x->n > 0 ? k * x->room / x->n : 0);
}

/* Draws the cells, the lowest latency at the bottom. */
static void draw_cells(struct canvas *c, const struct grid *g, const struct timeline_map *m,
		       unsigned height)
{
	struct across x = across_of(c, g, m);
	size_t every = height > 1 ? 1 : 2;

	for (size_t k = 0; k < g->rows; k++) {
		unsigned bottom = (unsigned)((g->rows - k) * height) - 1;

		if (k % every == 0)
			label_row(c, bottom + 1, g->chart, k);
		for (unsigned h = 0; h < height; h++) {
			canvas_fill(c, bottom + 1 - h, TIMELINE_GUTTER - 1, 1, FACE_DIM,
				    c->glyphs->vertical);
			for (size_t col = 0; col < x.n; col++)
				draw_cell(c, bottom + 1 - h, left_of(&x, col),
					  g->calls[k * g->cols + x.first + col], g,
					  m->kind == MAP_DIFFERENCE,
					  left_of(&x, col + 1) - left_of(&x, col));
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
	if (!g->any) {
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

enum { LABEL_ROOM = 12, LABELLED_ROWS = 8 };

/* The side whose times the axis has: the one that is shown, or that has intervals. */
static enum side timed_side(const struct timeline_map *m, const struct item *i)
{
	bool before = i->before != NULL && i->before->n_intervals > 0;

	return m->kind == MAP_AFTER || !before ? SIDE_AFTER : SIDE_BEFORE;
}

/* Labels round times. */
static void label_axis(struct canvas *c, const struct item *i, const struct grid *g,
		       const struct timeline_map *m, unsigned row)
{
	const struct time_grid *time = m->time;
	enum side side = timed_side(m, i);
	struct across x = across_of(c, g, m);
	double column = time->step[side] * (double)m->fold; /* length of a column */
	double from = time->start[side] + (double)x.first * column;
	double step = time_step(time->words[side].kind, (double)x.n * column, x.room / LABEL_ROOM);
	struct out *o = out_to_memory();

	for (double at = ceil(from / step - 1e-9) * step; x.n > 0; at += step) {
		size_t k = (size_t)round((at - from) / column);
		unsigned col = left_of(&x, k);

		if (k >= x.n)
			break;
		canvas_fill(c, row, col, 1, FACE_DIM, c->glyphs->tick);
		out_reset(o);
		time_print_tick(o, time->words[side].kind, at, step);
		if (col + out_memory(o).n <= c->cols)
			canvas_text(c, row + 1, col, FACE_DIM, out_memory(o));
	}
	out_free(o);
}

static void draw_axis(struct canvas *c, unsigned row)
{
	canvas_fill(c, row, TIMELINE_GUTTER - 1, 1, FACE_DIM, c->glyphs->corner);
	canvas_fill(c, row, TIMELINE_GUTTER, c->cols, FACE_DIM, c->glyphs->horizontal);
}

static void mark_cursor(struct canvas *c, const struct grid *g, const struct timeline_map *m,
			unsigned row)
{
	struct across x = across_of(c, g, m);
	unsigned left = left_of(&x, m->cursor);

	canvas_fill(c, row, left, left_of(&x, m->cursor + 1) - left, FACE_KEY, c->glyphs->cursor);
}

void timeline_map_draw(struct canvas *c, const struct tui *t, const struct item *i,
		       const struct timeline_map *m)
{
	struct arena *a = arena_new();
	bool labelled = c->rows >= LABELLED_ROWS;
	unsigned around = labelled ? 3 : 2; /* title, axis, labels */
	unsigned room = c->rows > around ? c->rows - around : 0, height, axis;
	struct chart chart = chart_of(a, t->study, i, NULL, WEIGH_CALLS, (struct zoom){ 0 }, room);
	struct grid g;

	if (chart.n > 0 && room > 0) {
		g = grid_on_shared_scale(a, &chart, i, m);
		height = room / (unsigned)chart.n;
		height = height > 3 ? 3 : height;
		draw_title(c, t, &g, m);
		draw_cells(c, &g, m, height);
		axis = (unsigned)chart.n * height + 1;
		draw_axis(c, axis);
		if (labelled)
			label_axis(c, i, &g, m, axis);
		mark_cursor(c, &g, m, axis);
	}
	arena_free(a);
}
