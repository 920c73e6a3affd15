/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/plot.h"

#include <math.h>

#include "base/out.h"
#include "tui/plot_axes.h"

enum { WIDEST_COLUMN = 8, EIGHTHS = 8 };

size_t plot_columns(const struct canvas *c, enum plot_mode mode)
{
	unsigned cols = mode == PLOT_SIDE_BY_SIDE ? c->cols / 2 : c->cols;

	return cols > PLOT_GUTTER ? cols - PLOT_GUTTER : 0;
}

/* --- bars --------------------------------------------------------------------------- */

/* Returns the height of a value in eighths of a row; at least one unless the value is 0. */
static unsigned height_of(const struct frame *f, double v)
{
	double part = frame_part(f, v) * f->rows * EIGHTHS;

	if (!(v > 0))
		return 0;
	return part < 1 ? 1 : (unsigned)lround(part);
}

static void bar_cell(const struct frame *f, unsigned row, unsigned col, enum face face,
		     uint32_t code)
{
	canvas_fill(f->canvas, f->top + row, f->left + col, 1, face, code);
}

/* Draws a solid bar; its height is exact to an eighth of a row. */
static void solid_bar(const struct frame *f, unsigned col, unsigned n, enum face face, double v)
{
	unsigned height = height_of(f, v);

	for (unsigned row = 0; row < f->rows; row++) {
		unsigned above = (f->rows - 1 - row) * EIGHTHS;
		unsigned fill = height <= above ? 0 : height - above;

		if (fill == 0)
			continue;
		for (unsigned i = 0; i < n; i++)
			bar_cell(f, row, col + i, face,
				 f->canvas->glyphs->rising[fill > EIGHTHS ? EIGHTHS : fill]);
	}
}

/* Draws a cell of two overlaid bars, given which of them reach into its row. */
static void shared_cell(const struct frame *f, unsigned row, unsigned col, bool before, bool after)
{
	const struct glyphs *g = f->canvas->glyphs;

	if (before && after)
		bar_cell(f, row, col, FACE_BOTH, g->both);
	else if (after)
		bar_cell(f, row, col, FACE_AFTER, g->only_after);
	else if (before)
		bar_cell(f, row, col, FACE_BEFORE, g->only_before);
}

/* Draws bars lower than half a row as a line at the bottom; false for higher ones. */
static bool flat_bar(const struct frame *f, unsigned col, unsigned n, unsigned before,
		     unsigned after)
{
	unsigned higher = before > after ? before : after;

	if (higher == 0 || higher >= EIGHTHS / 2)
		return higher == 0;
	for (unsigned i = 0; i < n; i++)
		bar_cell(f, f->rows - 1, col + i,
			 before > 0 && after > 0 ? FACE_BOTH
			 : after > 0		 ? FACE_AFTER
						 : FACE_BEFORE,
			 f->canvas->glyphs->rising[higher]);
	return true;
}

/* Draws both bars overlaid; the glyph shows which of them reach into a row. */
static void shared_bar(const struct frame *f, unsigned col, unsigned n,
		       const struct chart_column *k)
{
	unsigned before = height_of(f, k->value[SIDE_BEFORE]),
		 after = height_of(f, k->value[SIDE_AFTER]);

	if (flat_bar(f, col, n, before, after))
		return;
	for (unsigned row = 0; row < f->rows; row++) {
		unsigned middle = (f->rows - 1 - row) * EIGHTHS + EIGHTHS / 2;
		bool lowest = row + 1 == f->rows;

		for (unsigned i = 0; i < n; i++)
			shared_cell(f, row, col + i, before >= middle || (lowest && before > 0),
				    after >= middle || (lowest && after > 0));
	}
}

/* Draws the range from the lowest to the highest of the repeated runs. */
static void draw_band(const struct frame *f, unsigned col, enum face face,
		      const struct chart_column *k, enum side side)
{
	unsigned low = height_of(f, k->min[side]) / EIGHTHS,
		 high = (height_of(f, k->max[side]) + EIGHTHS - 1) / EIGHTHS;

	if (!(k->max[side] > k->min[side]))
		return;
	for (unsigned at = low; at < high && at < f->rows; at++)
		bar_cell(f, f->rows - 1 - at, col, face, f->canvas->glyphs->band);
}

/* Draws the ranges of the runs to the right of a bar, before first. */
static void draw_bands(const struct frame *f, unsigned col, const struct chart_column *k)
{
	for (int side = 0; side < N_SIDES; side++) {
		if (f->chart->banded[side])
			draw_band(f, col++, side == SIDE_AFTER ? FACE_AFTER : FACE_BEFORE, k,
				  (enum side)side);
	}
}

/* Bars are followed by their bands and a blank; narrow ones by bands alone, which keep them apart;
 * where there is room for nothing but a bar, there are no bands. */
static void draw_bars(const struct frame *f, const struct plot *p)
{
	const struct chart *c = f->chart;
	bool both = c->has[SIDE_BEFORE] && c->has[SIDE_AFTER];
	unsigned bands = p->band ? c->banded[SIDE_BEFORE] + c->banded[SIDE_AFTER] : 0, bar;

	bands = f->width > bands ? bands : 0;
	bar = f->width - bands;
	bar -= bar > (bands > 0 ? 3 : 2);
	for (size_t k = 0; k < c->n; k++) {
		const struct chart_column *at = &c->column[k];
		unsigned col = (unsigned)k * f->width;

		if (both)
			shared_bar(f, col, bar, at);
		else
			solid_bar(f, col, bar, c->has[SIDE_AFTER] ? FACE_AFTER : FACE_BEFORE,
				  at->value[c->has[SIDE_AFTER] ? SIDE_AFTER : SIDE_BEFORE]);
		if (bands > 0)
			draw_bands(f, col + bar, at);
	}
}

/* --- the difference ------------------------------------------------------------------ */

/* Draws a bar up from the middle when there are more after, down when there are fewer. */
static void difference_bar(const struct frame *f, unsigned col, unsigned n, double v)
{
	const struct glyphs *g = f->canvas->glyphs;
	unsigned middle = f->rows / 2, max = v > 0 ? middle : f->rows - middle - 1;
	unsigned height = (unsigned)lround(fabs(frame_part(f, v)) * max);

	height = height > 0 || v == 0 ? height : 1;
	for (unsigned i = 1; i <= height && i <= max; i++) {
		for (unsigned k = 0; k < n; k++)
			bar_cell(f, v > 0 ? middle - i : middle + i, col + k,
				 v > 0 ? FACE_AFTER : FACE_BEFORE,
				 v > 0 ? g->only_after : g->only_before);
	}
}

static void draw_difference(const struct frame *f)
{
	unsigned bar = f->width > 2 ? f->width - 1 : f->width;

	canvas_fill(f->canvas, f->top + f->rows / 2, f->left, (unsigned)f->chart->n * f->width,
		    FACE_DIM, f->canvas->glyphs->horizontal);
	for (size_t k = 0; k < f->chart->n; k++) {
		const struct chart_column *at = &f->chart->column[k];
		double v = at->value[SIDE_AFTER] - at->value[SIDE_BEFORE];

		if (v != 0)
			difference_bar(f, (unsigned)k * f->width, bar, v);
	}
}

/* --- curves --------------------------------------------------------------------------- */

/* The part of a curve in one column: it rises to a row at its left edge. */
struct curve_step {
	bool there;
	unsigned from, to;
};

static bool step_covers(const struct curve_step *s, unsigned row, bool at_edge)
{
	return s->there && (row == s->to || (at_edge && row > s->to && row <= s->from));
}

static void draw_steps(const struct frame *f, unsigned col, const struct curve_step s[N_SIDES])
{
	const struct glyphs *g = f->canvas->glyphs;

	for (unsigned row = 0; row < f->rows; row++) {
		for (unsigned i = 0; i < f->width; i++) {
			bool before = step_covers(&s[SIDE_BEFORE], row, i == 0),
			     after = step_covers(&s[SIDE_AFTER], row, i == 0);

			if (before && after)
				bar_cell(f, row, col + i, FACE_BOTH, g->both);
			else if (after)
				bar_cell(f, row, col + i, FACE_AFTER, g->more[1]);
			else if (before)
				bar_cell(f, row, col + i, FACE_BEFORE, g->less[2]);
		}
	}
}

static void draw_curves(const struct frame *f)
{
	const struct chart *c = f->chart;
	double sum[N_SIDES] = { 0 }, all[N_SIDES] = { 0 };
	struct curve_step step[N_SIDES];

	for (size_t k = 0; k < c->n; k++) {
		all[SIDE_BEFORE] += c->column[k].value[SIDE_BEFORE];
		all[SIDE_AFTER] += c->column[k].value[SIDE_AFTER];
	}
	for (int side = 0; side < N_SIDES; side++)
		step[side] = (struct curve_step){ .there = c->has[side] && all[side] > 0,
						  .to = f->rows - 1 };
	for (size_t k = 0; k < c->n; k++) {
		for (int side = 0; side < N_SIDES; side++) {
			struct curve_step *s = &step[side];

			sum[side] += c->column[k].value[side];
			s->from = s->to;
			if (s->there)
				s->to = (unsigned)lround((1 - sum[side] / all[side]) *
							 (f->rows - 1));
		}
		draw_steps(f, (unsigned)k * f->width, step);
	}
}

/* --- all of it ------------------------------------------------------------------------ */

static struct range range_of(const struct chart *c, const struct plot *p)
{
	struct range r = { HUGE_VAL, 0 };

	for (size_t k = 0; k < c->n; k++) {
		const struct chart_column *at = &c->column[k];

		for (int side = 0; side < N_SIDES; side++) {
			if (at->value[side] > 0)
				r.min = fmin(r.min, at->value[side]);
			r.max = fmax(r.max, at->value[side]);
			if (p->band && c->banded[side])
				r.max = fmax(r.max, at->max[side]);
		}
	}
	return r;
}

static void draw_one(struct canvas *c, const struct chart *chart, const struct plot *p)
{
	struct frame f;

	if (!frame_make(&f, c, chart, p, range_of(chart, p)))
		return;
	f.width = f.width > WIDEST_COLUMN ? WIDEST_COLUMN : f.width;
	frame_draw(&f, p);
	switch (p->mode) {
	case PLOT_DIFFERENCE:
		draw_difference(&f);
		break;
	case PLOT_CUMULATIVE:
		draw_curves(&f);
		break;
	case PLOT_OVERLAY:
	case PLOT_SIDE_BY_SIDE:
		draw_bars(&f, p);
		break;
	}
}

/* Draws only one side of a chart. */
static void draw_side(struct canvas *c, const struct chart *chart, const struct plot *p,
		      enum side side)
{
	struct chart alone = *chart;
	struct plot plot = *p;

	alone.has[!side] = alone.banded[!side] = false;
	plot.peaks[!side] = NULL;
	draw_one(c, &alone, &plot);
}

void plot_draw(struct canvas *c, const struct chart *chart, const struct plot *p)
{
	unsigned half = c->cols / 2;
	struct canvas left = canvas_part(c, 0, 0, c->rows, half),
		      right = canvas_part(c, 0, half, c->rows, c->cols - half);

	if (chart->n == 0) {
		canvas_text(c, c->rows / 2, 2, FACE_DIM,
			    STR("no histogram: there are only totals"));
		return;
	}
	if (p->mode != PLOT_SIDE_BY_SIDE || !chart->has[SIDE_BEFORE] || !chart->has[SIDE_AFTER]) {
		draw_one(c, chart, p);
		return;
	}
	draw_side(&left, chart, p, SIDE_BEFORE);
	draw_side(&right, chart, p, SIDE_AFTER);
}

/* Draws a glyph and its meaning. */
static unsigned explain_glyph(struct canvas *c, unsigned row, unsigned col, enum face face,
			      uint32_t code, const char *text)
{
	col = canvas_code(c, row, col, face, code);
	return canvas_printf(c, row, col, face, " %s  ", text);
}

static unsigned explain_sides(struct canvas *c, unsigned row, const struct plot *p)
{
	const struct glyphs *g = c->glyphs;
	bool curve = p->mode == PLOT_CUMULATIVE, difference = p->mode == PLOT_DIFFERENCE;
	unsigned col = PLOT_GUTTER;

	col = explain_glyph(c, row, col, FACE_BEFORE, curve ? g->less[2] : g->only_before,
			    difference ? "fewer after" : "before");
	col = explain_glyph(c, row, col, FACE_AFTER, curve ? g->more[1] : g->only_after,
			    difference ? "more after" : "after");
	return difference ? col : explain_glyph(c, row, col, FACE_BOTH, g->both, "both");
}

unsigned plot_legend(struct canvas *c, unsigned row, const struct chart *chart,
		     const struct plot *p)
{
	bool two = chart->has[SIDE_BEFORE] && chart->has[SIDE_AFTER];
	bool bars = p->mode == PLOT_OVERLAY || p->mode == PLOT_SIDE_BY_SIDE;
	unsigned col = PLOT_GUTTER;

	if (two && p->mode == PLOT_SIDE_BY_SIDE) {
		canvas_text(c, row, col, FACE_BEFORE, STR("before"));
		col = canvas_text(c, row, c->cols / 2 + PLOT_GUTTER, FACE_AFTER, STR("after")) + 2;
	} else if (two) {
		col = explain_sides(c, row, p);
	}
	if (bars && p->band && (chart->banded[SIDE_BEFORE] || chart->banded[SIDE_AFTER]))
		col = explain_glyph(c, row, col, FACE_DIM, c->glyphs->band,
				    "lowest to highest run");
	return col;
}
