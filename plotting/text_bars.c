/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars in characters.  They are exact to an eighth of a cell; where two share a bucket, the
 * character of a cell says which of them reach into it, as in the browser.
 */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "plotting/text_panel.h"

enum {
	EIGHTHS = 8,
	UPPER_HALF = 0x2580,
	UPPER_EIGHTH = 0x2594,
	LEFT_BLOCK = 0x2590, /* minus n: the left n eighths of a cell */
};

/* Shows a cell of a bar; two that share it have a character of their own. */
static void own_cell(struct text_panel *t, unsigned row, unsigned col, enum colour colour)
{
	const struct glyphs *g = t->area.glyphs;
	size_t at = (size_t)row * t->area.cols + col;
	bool shared = t->owner[at] != 0 && t->owner[at] != colour + 1U &&
		      text_count(t->p, SHAPE_BARS) == 2;

	canvas_code(&t->area, row, col, shared ? FACE_BOTH : text_face(colour),
		    shared ? g->both : text_fill(g, colour));
	t->owner[at] = (uint8_t)(colour + 1);
}

/* Whether bars of two series stand in the same bucket. */
static bool shares_buckets(const struct panel *p)
{
	const struct series *last = NULL;

	for (size_t k = 0; k < p->n_series; k++) {
		const struct series *s = &p->series[k];

		for (size_t i = 0; s->shape == SHAPE_BARS && i < s->n_rows && last != NULL; i++) {
			for (size_t m = 0; m < last->n_rows; m++) {
				if (last->cell[3 * m] == s->cell[3 * i])
					return true;
			}
		}
		last = s->shape == SHAPE_BARS && s->n_rows > 0 ? s : last;
	}
	return false;
}

/* Returns the character of a cell that a bar fills to `n` eighths, from its top if it hangs. */
static uint32_t eighths_code(const struct glyphs *g, int n, bool hangs)
{
	if (!hangs || n >= EIGHTHS - 2)
		return g->rising[n];
	if (!g->unicode)
		return '\'';
	return n > 2 ? UPPER_HALF : UPPER_EIGHTH;
}

/* Draws rows of a bar from `base` to `top`, in eighths of rows from the bottom. */
static void draw_bar(struct text_panel *t, const struct series *s, struct stretch columns, int base,
		     int top, bool alone)
{
	int from = top < base ? top : base, to = top < base ? base : top;

	for (unsigned k = 0; k < t->area.rows; k++) {
		int low = (int)k * EIGHTHS, min = from > low ? from : low,
		    max = to < low + EIGHTHS ? to : low + EIGHTHS;
		bool first = base >= low && base < low + EIGHTHS;

		for (unsigned col = columns.from; col < columns.to && max > min; col++) {
			unsigned row = t->area.rows - 1 - k;

			if (alone)
				canvas_code(&t->area, row, col, text_face(s->colour),
					    eighths_code(t->area.glyphs, max - min, top < base));
			else if (max - min >= EIGHTHS / 2 || (first && top > base))
				own_cell(t, row, col, s->colour);
		}
	}
}

/* Returns the cells of a bar.  Two series share the width of a bucket; more stand side by side.
 * To the right there is room for the ranges of repeated runs, and a blank. */
static struct stretch bar_columns(const struct text_panel *t, const struct series *s,
				  const double *row)
{
	bool whole = text_count(t->p, SHAPE_BARS) < 3;
	const struct axis *x = &t->p->x;
	struct stretch c = text_columns(t, x, text_between(x, row[0], row[1], whole ? 0 : s->from),
					text_between(x, row[0], row[1], whole ? 1 : s->to));
	unsigned ranges = (unsigned)text_count(t->p, SHAPE_BAND), width = c.to - c.from;

	if (whole && width > ranges)
		c.to -= ranges + (width > ranges + 2);
	return c;
}

static int eighths_at(const struct text_panel *t, const struct axis *y, double v)
{
	double part = text_part(y, v);

	return isnan(part) ? 0 : (int)lround(part * t->area.rows * EIGHTHS);
}

void text_bars(struct text_panel *t, const struct series *s)
{
	const struct axis *y = text_y(t, s);
	int base = eighths_at(t, y, y->baseline);
	bool alone = !shares_buckets(t->p);

	for (size_t i = 0; i < s->n_rows; i++) {
		const double *row = &s->cell[3 * i];
		int top = y->logarithmic && !(row[2] > 0) ? base : eighths_at(t, y, row[2]);

		if (top == base && row[2] != y->baseline && !(y->logarithmic && !(row[2] > 0)))
			top += row[2] > y->baseline ? 1 : -1;
		draw_bar(t, s, bar_columns(t, s, row), base, top, alone);
	}
}

/* Returns how many series of ranges stand before this one. */
static unsigned ranges_before(const struct panel *p, const struct series *s)
{
	unsigned n = 0;

	for (const struct series *at = p->series; at < s; at++)
		n += at->shape == SHAPE_BAND && at->n_rows > 0;
	return n;
}

static void draw_range(struct text_panel *t, const struct series *s, const double *row)
{
	struct stretch c = text_columns(t, &t->p->x, row[0], row[1]);
	struct stretch r = text_rows(t, text_y(t, s), row[2], row[3]);
	unsigned ranges = (unsigned)text_count(t->p, SHAPE_BAND), width = c.to - c.from,
		 blank = width > ranges + 2;

	if (width <= ranges)
		return;
	for (unsigned at = r.from; at < r.to; at++)
		canvas_code(&t->area, at, c.to - ranges - blank + ranges_before(t->p, s),
			    text_face(s->colour), t->area.glyphs->band);
}

/* Ranges stand beside bars; else they are boxes. */
void text_band(struct text_panel *t, const struct series *s)
{
	bool beside = s->colour != COLOUR_GAP && text_count(t->p, SHAPE_BARS) > 0;

	for (size_t i = 0; i < s->n_rows; i++) {
		const double *row = &s->cell[4 * i];

		if (beside)
			draw_range(t, s, row);
		else
			text_fill_box(t, text_columns(t, &t->p->x, row[0], row[1]),
				      text_rows(t, text_y(t, s), row[2], row[3]),
				      text_face(s->colour), text_fill(t->area.glyphs, s->colour));
	}
}

/* Draws a horizontal bar between parts of the axis; alone, it ends at an eighth of a cell. */
static void draw_level(struct text_panel *t, const struct series *s, struct stretch rows,
		       double base, double end)
{
	struct stretch c = text_cells(base, end, t->area.cols);
	bool eighths = t->area.glyphs->unicode && text_count(t->p, SHAPE_LEVELS) == 1;
	double rest = fmax(base, end) * t->area.cols - floor(fmax(base, end) * t->area.cols);
	unsigned n = (unsigned)(rest * EIGHTHS);

	if (c.to <= c.from)
		return;
	if (eighths && end > base) {
		c.to = c.to > (unsigned)(end * t->area.cols) ? (unsigned)(end * t->area.cols)
							     : c.to;
		text_fill_box(t, (struct stretch){ c.to, c.to + 1 }, rows, text_face(s->colour),
			      n > 0	       ? LEFT_BLOCK - n
			      : c.to == c.from ? LEFT_BLOCK - 1
					       : ' ');
	}
	if (c.to > c.from)
		text_fill_box(t, c, rows, text_face(s->colour),
			      eighths ? t->area.glyphs->only_after
				      : text_fill(t->area.glyphs, s->colour));
}

/* Of the bars of a series that share a row, the longest is shown. */
void text_levels(struct text_panel *t, const struct series *s)
{
	const struct axis *x = text_x(t, s), *y = &t->p->y;
	double *longest = xcalloc(t->area.rows + 1, sizeof(*longest));

	for (size_t i = 0; i < s->n_rows; i++) {
		const double *row = &s->cell[3 * i];
		struct stretch rows = text_rows(t, y, text_between(y, row[1], row[2], s->from),
						text_between(y, row[1], row[2], s->to));
		double base = text_part(x, x->baseline), end = text_part(x, row[0]);

		if (row[0] == x->baseline || (x->logarithmic && !(row[0] > 0)) ||
		    rows.to <= rows.from || fabs(end - base) < longest[rows.from])
			continue;
		longest[rows.from] = fabs(end - base);
		draw_level(t, s, rows, base, end);
	}
	free(longest);
}
