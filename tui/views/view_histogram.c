/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The histograms of one operation on the whole screen. */
#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "tui/pane.h"
#include "tui/quantiles.h"

enum { MODE_HISTOGRAM, MODE_QUANTILES };
enum { MAX_ZOOMED = 8, MAX_COARSE = 4 };
/* Minimum rows for each part. */
enum { ROWS_FOR_BUCKET = 7, ROWS_FOR_LEGEND = 9, ROWS_FOR_HEADING = 14 };

static void draw_legend(struct canvas *c, unsigned row, const struct pane *p, bool linear)
{
	struct out *o = out_to_memory();

	unsigned end = plot_legend(c, row, &p->chart, &p->plot);

	out_printf(o, "%s, %s%s", p->chart.weight == WEIGH_LATENCY ? "latency" : "calls",
		   linear ? "linear" : "logarithmic",
		   p->chart.banded[SIDE_BEFORE] || p->chart.banded[SIDE_AFTER] ? ", a run" : "");
	if (p->plot.mode != PLOT_CUMULATIVE && end + out_memory(o).n <= c->cols)
		canvas_right(c, row, c->cols, FACE_DIM, out_memory(o));
	out_free(o);
}

static void draw_chart(const struct tui *t, struct canvas *c, const struct item *i)
{
	struct arena *a = arena_new();
	struct pane p = pane_of(a, t, i, NULL, t->zoom, c);
	unsigned below = c->rows >= ROWS_FOR_LEGEND ? 2 : c->rows >= ROWS_FOR_BUCKET;
	struct canvas plot = canvas_part(c, 0, 0, c->rows - below, c->cols);
	struct out *o = out_to_memory();

	pane_plot(&plot, &p);
	if (below > 1)
		draw_legend(c, c->rows - 2, &p, t->plot.linear);
	if (below > 0 && p.chart.n > 0) {
		pane_bucket(o, t, &p.chart,
			    p.plot.cursor < p.chart.n ? p.plot.cursor : p.chart.n - 1);
		canvas_text(c, c->rows - 1, 0, FACE_PLAIN, out_memory(o));
	}
	out_free(o);
	arena_free(a);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct item *i = tui_item(t);
	struct canvas rest = *c;
	unsigned row;

	if (i == NULL)
		return;
	if (c->rows >= ROWS_FOR_HEADING) {
		row = pane_heading(c, t, i);
		rest = canvas_part(c, row, 0, c->rows - row, c->cols);
	}
	if (v->mode == MODE_QUANTILES)
		quantiles_draw(&rest, t, i);
	else
		draw_chart(t, &rest, i);
}

/* Returns the current number of columns, and the log2 of latency under the cursor. */
static size_t columns_now(const struct tui *t, double *ret_centre)
{
	const struct item *i = tui_item(t);
	struct canvas room = { .rows = t->rows, .cols = t->cols };
	struct arena *a = arena_new();
	struct chart c = { 0 };

	if (i != NULL)
		c = chart_of(a, t->study, i, NULL, t->weight, t->zoom,
			     plot_columns(&room, t->plot.mode));
	*ret_centre = c.from + ((double)t->plot.cursor + 0.5) * c.step;
	arena_free(a);
	return c.n;
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	double centre;
	size_t n;

	(void)v;
	(void)rows;
	(void)cols;
	n = columns_now(t, &centre);
	if (t->plot.cursor >= n)
		t->plot.cursor = n > 0 ? n - 1 : 0;
}

static bool zoom_chart(struct tui *t, int step)
{
	double centre;

	(void)columns_now(t, &centre);
	t->zoom.centre = centre;
	t->zoom.level += step;
	if (t->zoom.level > MAX_ZOOMED)
		t->zoom.level = MAX_ZOOMED;
	if (t->zoom.level < -MAX_COARSE)
		t->zoom.level = -MAX_COARSE;
	return true;
}

static bool show_mode(struct view *v, struct tui *t, enum plot_mode mode)
{
	v->mode = MODE_HISTOGRAM;
	t->plot.mode = mode;
	return true;
}

static bool move_cursor(struct tui *t, enum action a)
{
	size_t *at = &t->plot.cursor;

	switch (a) {
	case ACT_LEFT:
		*at -= *at > 0;
		return true;
	case ACT_RIGHT:
		++*at;
		return true;
	case ACT_FIRST:
		*at = 0;
		return true;
	case ACT_LAST:
		*at = PLOT_NO_CURSOR - 1;
		return true;
	default:
		return false;
	}
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	switch (a) {
	case ACT_OVERLAY:
		return show_mode(v, t, PLOT_OVERLAY);
	case ACT_SIDE_BY_SIDE:
		return show_mode(v, t, PLOT_SIDE_BY_SIDE);
	case ACT_DIFFERENCE:
		return show_mode(v, t, PLOT_DIFFERENCE);
	case ACT_CUMULATIVE:
		return show_mode(v, t, PLOT_CUMULATIVE);
	case ACT_SHIFT:
		v->mode = MODE_QUANTILES;
		return true;
	case ACT_LOGARITHMIC:
		t->plot.linear = !t->plot.linear;
		return true;
	case ACT_WEIGH:
		t->weight = t->weight == WEIGH_CALLS ? WEIGH_LATENCY : WEIGH_CALLS;
		return true;
	case ACT_BAND:
		t->plot.band = !t->plot.band;
		return true;
	case ACT_ZOOM_IN:
		return zoom_chart(t, 1);
	case ACT_ZOOM_OUT:
		return zoom_chart(t, -1);
	case ACT_OPEN:
		tui_open(t, &view_explain);
		return true;
	default:
		return move_cursor(t, a);
	}
}

static const enum action hints[] = { ACT_OVERLAY,    ACT_SIDE_BY_SIDE, ACT_DIFFERENCE,
				     ACT_CUMULATIVE, ACT_SHIFT,	       ACT_LOGARITHMIC,
				     ACT_WEIGH,	     ACT_ZOOM_IN,      ACT_NEXT_OPERATION,
				     ACT_NONE };

const struct view_class view_histogram = {
	.name = "histogram",
	.title = "histogram",
	.opens = ACT_VIEW_HISTOGRAM,
	.of_operation = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
