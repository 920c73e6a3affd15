/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One operation over time: maps of intervals and buckets, for both sides or for their difference
 * (profile sampling, FSprof section 3.3).
 */

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "tui/pane.h"
#include "tui/timeline_map.h"

enum { ROWS_OF_BOTH = 14, ROWS_OF_INTERVAL = 18, MAX_FOLDED = 10 };

/* Returns the time of the operation under the cursor of the list; n is 0 when there is none. */
static struct time_grid grid_of(const struct tui *t)
{
	const struct item *i = tui_item(t);

	return i != NULL ? time_grid_of(t, i) : (struct time_grid){ .n = 0 };
}

/* --- what is under the cursor -------------------------------------------------------- */

static void say_side(struct out *o, const struct interval *at, const char *side)
{
	if (at == NULL) {
		out_printf(o, "  %s: no calls", side);
		return;
	}
	out_printf(o, "  %s: ", side);
	quantity_count(o, (double)at->hist.count);
	out_text(o, at->hist.count == 1 ? " call" : " calls");
}

static void say_interval(struct out *o, const struct tui *t, const struct item *i,
			 const struct time_grid *g, size_t k)
{
	const struct interval *before = time_grid_interval(g, SIDE_BEFORE, i->before, k),
			      *after = time_grid_interval(g, SIDE_AFTER, i->after, k);
	enum side side = after != NULL && before == NULL ? SIDE_AFTER : SIDE_BEFORE;
	const struct interval *there = side == SIDE_AFTER ? after : before;
	double at = there != NULL ? there->start : g->start[side] + (double)k * g->step[side];

	out_printf(o, "interval %zu of %zu", k + 1, g->n);
	if (g->words[side].kind != TIME_NUMBER) {
		out_text(o, ", from ");
		time_print(o, g->words[side], at);
		out_text(o, " to ");
		time_print(o, g->words[side], there != NULL ? there->end : at + g->step[side]);
	}
	say_side(o, before, study_compares(t->study) ? "before" : "there");
	if (study_compares(t->study))
		say_side(o, after, "after");
}

/* Draws the histograms of the interval under the cursor. */
static void draw_interval(const struct view *v, const struct tui *t, struct canvas *c,
			  const struct item *i, const struct time_grid *g)
{
	const struct interval *before = time_grid_interval(g, SIDE_BEFORE, i->before, v->column),
			      *after = time_grid_interval(g, SIDE_AFTER, i->after, v->column);
	const struct histogram *slice[N_SIDES] = { before != NULL ? &before->hist : NULL,
						   after != NULL ? &after->hist : NULL };
	struct arena *a = arena_new();
	struct pane p = pane_of(a, t, i, slice, t->zoom, c);
	struct canvas plot = canvas_part(c, 0, 0, c->rows - 1, c->cols);

	p.plot.cursor = PLOT_NO_CURSOR;
	if (p.chart.n > 0) {
		pane_plot(&plot, &p);
		plot_legend(c, c->rows - 1, &p.chart, &p.plot);
	} else {
		canvas_text(c, c->rows / 2, 2, FACE_DIM, STR("no call in this interval"));
	}
	arena_free(a);
}

/* Returns the number of intervals per column. */
static size_t fold_of(const struct view *v)
{
	return (size_t)1 << (v->viewport.top < MAX_FOLDED ? v->viewport.top : MAX_FOLDED);
}

/* --- the maps -------------------------------------------------------------------------- */

static void draw_maps(const struct view *v, const struct tui *t, struct canvas *c,
		      const struct item *i, const struct time_grid *g)
{
	struct timeline_map map = { .time = g, .from = v->left, .fold = fold_of(v) };
	bool both = study_compares(t->study) && v->mode == MAP_BOTH && c->rows >= ROWS_OF_BOTH;
	struct canvas upper = canvas_part(c, 0, 0, both ? c->rows / 2 : c->rows, c->cols);
	struct canvas lower = canvas_part(c, c->rows / 2, 0, c->rows - c->rows / 2, c->cols);

	map.cursor = (v->column - v->left) / map.fold;
	map.kind = !study_compares(t->study) || both || v->mode == MAP_BOTH
			   ? MAP_BEFORE
			   : (enum map_kind)v->mode;
	if (!study_compares(t->study))
		map.kind = MAP_BEFORE;
	timeline_map_draw(&upper, t, i, &map);
	if (!both)
		return;
	map.kind = MAP_AFTER;
	timeline_map_draw(&lower, t, i, &map);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct item *i = tui_item(t);
	unsigned rows = c->rows > 1 ? c->rows - 1 : c->rows, below = 0;
	struct time_grid g = grid_of(t);
	struct canvas maps, interval;
	struct out *o;

	if (i == NULL)
		return;
	if (g.n == 0) {
		canvas_paragraph(
			c, 0, 1, FACE_DIM,
			STR("This operation was not measured over time. Intervals come from "
			    "captures that print every so often, or from individual samples "
			    "with a time (--interval)."));
		return;
	}
	if (v->opened && rows >= ROWS_OF_INTERVAL)
		below = rows / 2;
	maps = canvas_part(c, 0, 0, rows - below, c->cols);
	interval = canvas_part(c, rows - below + 1, 0, below, c->cols);
	draw_maps(v, t, &maps, i, &g);
	o = out_to_memory();
	say_interval(o, t, i, &g, v->column);
	canvas_text(c, rows - below, 0, FACE_STRONG, out_memory(o));
	out_free(o);
	if (below > 0)
		draw_interval(v, t, &interval, i, &g);
}

/* --- moving ---------------------------------------------------------------------------- */

/* Keeps the cursor on a visible interval. */
static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	size_t n = grid_of(t).n, fold = fold_of(v);
	size_t seen = cols > TIMELINE_GUTTER ? (cols - TIMELINE_GUTTER) * fold : fold;

	(void)rows;
	if (v->column >= n)
		v->column = n > 0 ? n - 1 : 0;
	if (v->column < v->left)
		v->left = v->column;
	if (v->column >= v->left + seen)
		v->left = v->column - seen + 1;
	v->left -= v->left % fold;
	while (v->column >= v->left + seen)
		v->left += fold;
}

static bool move_column(struct view *v, enum action a, size_t page)
{
	size_t fold = fold_of(v);

	switch (a) {
	case ACT_LEFT:
		v->column -= v->column < fold ? v->column : fold;
		return true;
	case ACT_RIGHT:
		v->column += fold;
		return true;
	case ACT_PAGE_UP:
		v->column -= v->column < page * fold ? v->column : page * fold;
		return true;
	case ACT_PAGE_DOWN:
		v->column += page * fold;
		return true;
	case ACT_FIRST:
		v->column = 0;
		return true;
	case ACT_LAST:
		v->column = SIZE_MAX / 2;
		return true;
	default:
		return false;
	}
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	switch (a) {
	case ACT_SIDE_BY_SIDE:
		v->mode = MAP_BOTH;
		return true;
	case ACT_OVERLAY:
		v->mode = v->mode == MAP_BEFORE ? MAP_AFTER : MAP_BEFORE;
		return true;
	case ACT_DIFFERENCE:
		v->mode = MAP_DIFFERENCE;
		return true;
	case ACT_ZOOM_OUT:
		v->viewport.top += v->viewport.top < MAX_FOLDED;
		return true;
	case ACT_ZOOM_IN:
		v->viewport.top -= v->viewport.top > 0;
		return true;
	case ACT_OPEN:
		v->opened = !v->opened;
		return true;
	case ACT_DOWN:
	case ACT_UP:
		viewport_act(&t->list.viewport, a);
		return true;
	default:
		return move_column(v, a, t->cols > TIMELINE_GUTTER ? t->cols - TIMELINE_GUTTER : 1);
	}
}

static const enum action hints[] = { ACT_OPEN,	   ACT_SIDE_BY_SIDE,   ACT_OVERLAY, ACT_DIFFERENCE,
				     ACT_ZOOM_OUT, ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_timeline = {
	.name = "timeline",
	.title = "timeline",
	.opens = ACT_VIEW_TIMELINE,
	.of_operation = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
