/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series of a panel in characters: looks, positions, lines, areas and points.
 *
 * Lines are dots of braille characters, eight a cell; the second is dashed, so that they differ
 * without colours.
 */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "plotting/text_panel.h"

enum {
	DOTS_ACROSS = 2, /* of a braille character */
	DOTS_DOWN = 4,
	MAX_STEPS = 10000, /* of a line between two points, most of which lie outside */
	BRAILLE = 0x2800,
};

/* --- looks ------------------------------------------------------------------------------------ */

static uint32_t point_code(const struct glyphs *g, const struct series *s)
{
	static const uint32_t drawn[][2] = { [POINT_DOT] = { 0x2022, 0x25aa },
					     [POINT_CROSS] = { 0xd7, 0xd7 },
					     [POINT_RING] = { 0x25cb, 0x25a1 } };
	static const char typed[][2] = { [POINT_DOT] = { '.', '*' },
					 [POINT_CROSS] = { 'x', 'x' },
					 [POINT_RING] = { 'o', '0' } };
	bool second = s->colour != COLOUR_FIRST;

	return g->unicode ? drawn[s->point][second] : (uint32_t)typed[s->point][second];
}

static uint32_t area_code(const struct glyphs *g)
{
	return g->unicode ? 0x2591 : '.';
}

/* Intervals that stand out have filled points. */
static uint32_t interval_code(const struct glyphs *g, enum colour colour)
{
	if (!g->unicode)
		return colour == COLOUR_DIM ? 'o' : '*';
	return colour == COLOUR_DIM ? 0x25cb : 0x25cf;
}

static uint32_t line_letter(enum colour colour)
{
	static const char letters[] = "*o+x#=";

	return (uint32_t)letters[(size_t)colour % (sizeof(letters) - 1)];
}

/* Whether a line has a dot at this step. */
static bool has_dot(enum colour colour, size_t step)
{
	return colour == COLOUR_FIRST || (int)colour >= (int)N_RUN_COLOURS ? true
	       : colour == COLOUR_SECOND				   ? step % 8 < 5
									   : step % 3 == 0;
}

/* --- positions ------------------------------------------------------------------------------ */

/* --- lines, areas and points ------------------------------------------------------------------- */

static void set_dot(struct text_panel *t, enum colour colour, double x, double y)
{
	static const uint8_t bits[DOTS_DOWN][DOTS_ACROSS] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 }
	};
	int across = (int)floor(x), down = (int)floor(y);
	enum face face = text_face(colour);
	size_t at;

	if (across < 0 || down < 0 || across >= (int)t->area.cols * DOTS_ACROSS ||
	    down >= (int)t->area.rows * DOTS_DOWN)
		return;
	at = (size_t)(down / DOTS_DOWN) * t->area.cols + (size_t)(across / DOTS_ACROSS);
	if (!t->area.glyphs->unicode) {
		canvas_code(&t->area, (unsigned)down / DOTS_DOWN, (unsigned)across / DOTS_ACROSS,
			    face, line_letter(colour));
		return;
	}
	t->face[at] = t->dots[at] != 0 && t->face[at] != face ? FACE_BOTH : (uint8_t)face;
	t->dots[at] |= bits[down % DOTS_DOWN][across % DOTS_ACROSS];
}

/* A position in dots from the left and from the top. */
struct dot {
	double x, y;
};

/* The last row and column belong to the ends of the axes. */
static struct dot dot_at(const struct text_panel *t, const struct series *s, double x, double y)
{
	double across = axis_across(text_x(t, s), x), up = axis_across(text_y(t, s), y);

	return (struct dot){ across * (t->area.cols * DOTS_ACROSS - 1),
			     (1 - up) * (t->area.rows * DOTS_DOWN - 1) };
}

static size_t draw_segment(struct text_panel *t, enum colour colour, struct dot a, struct dot b,
			   size_t step)
{
	double n = fmin(ceil(fmax(fabs(b.x - a.x), fabs(b.y - a.y))), MAX_STEPS);

	for (double i = 0; i <= n; i++, step++) {
		double part = n > 0 ? i / n : 0;

		if (has_dot(colour, step))
			set_dot(t, colour, a.x + (b.x - a.x) * part + 0.5,
				a.y + (b.y - a.y) * part + 0.5);
	}
	return step;
}

/* What a logarithmic axis cannot show lies below its end. */
static struct dot bounded_dot(const struct text_panel *t, struct dot d)
{
	double below = t->area.rows * DOTS_DOWN + 1.0, right = t->area.cols * DOTS_ACROSS + 1.0;

	return (struct dot){ fmin(fmax(d.x, -right), 2 * right),
			     fmin(fmax(d.y, -below), 2 * below) };
}

static void draw_line(struct text_panel *t, const struct series *s)
{
	struct dot last = { NAN, NAN };
	size_t step = 0;

	for (size_t i = 0; i < s->n_rows; i++) {
		struct dot at = dot_at(t, s, s->cell[2 * i], s->cell[2 * i + 1]);

		if (isnan(at.x) || isnan(at.y)) {
			last.x = NAN;
			continue;
		}
		at = bounded_dot(t, at);
		step = draw_segment(t, s->colour, isnan(last.x) ? at : last, at, step);
		last = at;
	}
}

/* Fills the column between the ends of an area there. */
static void fill_column(struct text_panel *t, const struct series *s, unsigned col, double min,
			double max)
{
	struct stretch r =
		text_cells(1 - fmin(fmax(min, 0), 1), 1 - fmin(fmax(max, 0), 1), t->area.rows);

	if (max - min > 0.5 / t->area.rows)
		text_fill_box(t, (struct stretch){ col, col + 1 }, r, text_face(s->colour),
			      area_code(t->area.glyphs));
}

static void draw_area(struct text_panel *t, const struct series *s)
{
	for (size_t i = 1; i < s->n_rows; i++) {
		const double *a = &s->cell[3 * (i - 1)], *b = &s->cell[3 * i];
		double from = axis_across(&t->p->x, a[0]) * t->area.cols,
		       to = axis_across(&t->p->x, b[0]) * t->area.cols;

		for (unsigned col = 0; col < t->area.cols && to > from; col++) {
			double part = (col + 0.5 - from) / (to - from);

			if (part < 0 || part > 1 || isnan(a[1] + b[1] + a[2] + b[2]))
				continue;
			fill_column(
				t, s, col,
				axis_across(&t->p->y, text_between(&t->p->y, a[1], b[1], part)),
				axis_across(&t->p->y, text_between(&t->p->y, a[2], b[2], part)));
		}
	}
}

static bool is_within(double part)
{
	return part > -1e-9 && part < 1 + 1e-9;
}

static void draw_points(struct text_panel *t, const struct series *s)
{
	for (size_t i = 0; i < s->n_rows; i++) {
		double x = axis_across(text_x(t, s), s->cell[2 * i]),
		       y = axis_across(text_y(t, s), s->cell[2 * i + 1]);

		if (is_within(x) && is_within(y))
			canvas_code(&t->area, text_index(1 - fmin(y, 1), t->area.rows),
				    text_index(x, t->area.cols), text_face(s->colour),
				    point_code(t->area.glyphs, s));
	}
}

static void draw_intervals(struct text_panel *t, const struct series *s)
{
	const struct glyphs *g = t->area.glyphs;
	enum face face = text_face(s->colour);

	for (size_t i = 0; i < s->n_rows; i++) {
		const double *row = &s->cell[4 * i];
		struct stretch c = text_columns(t, &t->p->x, row[1], row[2]);
		double y = text_part(&t->p->y, row[3]), x = text_part(&t->p->x, row[0]);

		if (isnan(y) || isnan(x))
			continue;
		if (c.to > c.from + 1)
			text_fill_box(t, c,
				      (struct stretch){ text_index(1 - y, t->area.rows),
							text_index(1 - y, t->area.rows) + 1 },
				      face, g->horizontal);
		canvas_code(&t->area, text_index(1 - y, t->area.rows), text_index(x, t->area.cols),
			    face, interval_code(g, s->colour));
	}
}

/* --- all of them --------------------------------------------------------------------------- */

static void draw_series(struct text_panel *t, const struct series *s)
{
	switch (s->shape) {
	case SHAPE_BARS:
		text_bars(t, s);
		break;
	case SHAPE_BAND:
		text_band(t, s);
		break;
	case SHAPE_LEVELS:
		text_levels(t, s);
		break;
	case SHAPE_LINE:
		draw_line(t, s);
		break;
	case SHAPE_POINTS:
		draw_points(t, s);
		break;
	case SHAPE_AREA:
		draw_area(t, s);
		break;
	case SHAPE_INTERVALS:
		draw_intervals(t, s);
		break;
	case SHAPE_CELLS:
	case SHAPE_COLUMNS:
		text_map(t, s);
		break;
	}
}

static void show_dots(struct text_panel *t)
{
	for (size_t i = 0; i < (size_t)t->area.rows * t->area.cols; i++) {
		if (t->dots[i] != 0)
			canvas_code(&t->area, (unsigned)(i / t->area.cols),
				    (unsigned)(i % t->area.cols), (enum face)t->face[i],
				    BRAILLE + t->dots[i]);
	}
}

/* Solid, dashed or dotted. */
static unsigned line_sample(struct canvas *c, unsigned row, unsigned col, enum colour colour)
{
	static const uint32_t drawn[][3] = { { 0x2824, 0x2824, 0x2824 },
					     { 0x2824, ' ', 0x2824 },
					     { 0x2804, 0x2804, 0x2804 } };
	size_t look = (int)colour >= (int)N_RUN_COLOURS ? 0 : colour < 2 ? colour : 2;

	for (unsigned i = 0; i < 3; i++)
		col = canvas_code(c, row, col, text_face(colour),
				  c->glyphs->unicode ? drawn[look][i] : line_letter(colour));
	return col;
}

unsigned text_sample(struct canvas *c, unsigned row, unsigned col, const struct panel *p,
		     const struct series *s)
{
	enum face face = text_face(s->colour);
	const struct glyphs *g = c->glyphs;

	switch (s->shape) {
	case SHAPE_LINE:
		return line_sample(c, row, col, s->colour);
	case SHAPE_POINTS:
		return canvas_code(c, row, col, face, point_code(g, s));
	case SHAPE_INTERVALS:
		return canvas_code(c, row, col, face, interval_code(g, s->colour));
	case SHAPE_AREA:
		return canvas_code(c, row, col, face, area_code(g));
	case SHAPE_BARS:
	case SHAPE_BAND:
	case SHAPE_LEVELS:
	case SHAPE_CELLS:
	case SHAPE_COLUMNS:
		break;
	}
	return canvas_code(c, row, col, face,
			   text_count(p, s->shape) == 1 ? g->only_after : text_fill(g, s->colour));
}

void text_panel_draw(struct text_panel *t)
{
	size_t n = (size_t)t->area.rows * t->area.cols + 1;

	t->dots = xcalloc(n, sizeof(*t->dots));
	t->face = xcalloc(n, sizeof(*t->face));
	t->owner = xcalloc(n, sizeof(*t->owner));
	t->depth = xcalloc(n, sizeof(*t->depth));
	for (size_t i = 0; i < n; i++)
		t->depth[i] = NAN;
	for (size_t i = 0; i < t->p->n_series; i++)
		draw_series(t, &t->p->series[i]);
	show_dots(t);
	for (size_t i = 0; i < t->p->n_marks; i++)
		text_mark(t, &t->p->mark[i]);
	if (t->p->empty.n > 0)
		text_words(&t->area, t->area.rows / 2, 2, FACE_DIM, t->p->empty,
			   t->area.cols > 2 ? t->area.cols - 2 : 0);
	free(t->dots);
	free(t->face);
	free(t->owner);
	free(t->depth);
}
