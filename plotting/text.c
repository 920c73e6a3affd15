/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure in characters: panels below each other, or side by side where the figure has columns of
 * its own or there is room; names, axes, keys and scales around them.
 */
#include "plotting/text.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "plotting/text_panel.h"

enum {
	DEFAULT_WIDTH = 79,
	MIN_PANEL_WIDTH = 34, /* of panels side by side, with their labels */
	USUAL_ROWS = 12,      /* of a panel; of one of several */
	ROWS_OF_SEVERAL = 8,
	MIN_ROWS = 3,
	MAX_NAME = 26,	   /* letters of a name on an axis */
	ROWS_OF_WORDS = 3, /* of a named row whose cells hold several lines */
};

/* Where the parts of a panel are, in cells. */
struct place {
	unsigned row, col, width; /* of the whole panel */
	unsigned gutter, right;	  /* left and right of the area */
	unsigned above, rows;	  /* rows before the area, and of it */
};

/* The figure that is being drawn. */
struct text_page {
	const struct figure *f;
	const struct look *look;
	const struct glyphs *glyphs;
	size_t across, down;
	unsigned width;
};

/* --- sizes ------------------------------------------------------------------------------------- */

static bool has_ticks(const struct axis *x)
{
	return x->n_ticks > 0;
}

/* Whether the panel shows the names of its rows: not if the one to its left does. */
static bool has_labels(const struct text_page *t, const struct axis *y, size_t i)
{
	return has_ticks(y) && (!y->unlabelled || i % t->across == 0);
}

static unsigned widest_label(const struct axis *y)
{
	size_t max = 0;

	for (size_t i = 0; i < y->n_ticks; i++) {
		size_t width = escape_terminal_width(y->tick[i].label);

		max = width > max ? width : max;
	}
	return (unsigned)(max < MAX_NAME ? max : MAX_NAME);
}

static unsigned entry_width(const struct series *s)
{
	return (unsigned)escape_terminal_width(s->title) + (s->shape == SHAPE_LINE ? 4 : 2) + 2;
}

static bool has_key(const struct text_page *t, size_t i)
{
	const struct panel *p = &t->f->panel[i];

	return p->has_key && (i == 0 || p->own_key);
}

static bool is_entry(const struct series *s)
{
	return s->n_rows > 0 && s->title.n > 0;
}

static unsigned key_width(const struct text_page *t, size_t i)
{
	const struct panel *p = &t->f->panel[i];
	unsigned n = 0;

	for (size_t k = 0; k < p->n_series && has_key(t, i); k++)
		n += is_entry(&p->series[k]) ? entry_width(&p->series[k]) : 0;
	return n;
}

/* Rows of the key above the name, where it does not fit beside it. */
static unsigned key_rows(const struct text_page *t, size_t i, unsigned width)
{
	const struct panel *p = &t->f->panel[i];
	unsigned name = (unsigned)escape_terminal_width(p->name), at = 0, rows = 1;

	if (key_width(t, i) == 0 || name + 2 + key_width(t, i) <= width)
		return 0;
	for (size_t k = 0; k < p->n_series; k++) {
		unsigned n = is_entry(&p->series[k]) ? entry_width(&p->series[k]) : 0;

		if (at > 0 && at + n > width) {
			rows++;
			at = 0;
		}
		at += n;
	}
	return rows;
}

static bool has_y_label(const struct text_page *t, size_t i)
{
	const struct axis *y = &t->f->panel[i].y;

	return y->label.n > 0 && (!y->unlabelled || i % t->across == 0);
}

static bool has_strip(const struct text_page *t, size_t i)
{
	return t->f->panel[i].name.n > 0 || key_width(t, i) > 0;
}

static unsigned rows_above(const struct text_page *t, size_t i, unsigned width)
{
	const struct panel *p = &t->f->panel[i];

	return key_rows(t, i, width) + has_strip(t, i) + has_y_label(t, i) +
	       (has_ticks(&p->above) ? 1U + (p->above.label.n > 0) : 0);
}

static unsigned rows_below(const struct panel *p)
{
	return has_ticks(&p->x) ? 2U + (p->x.label.n > 0) : 1;
}

static bool has_scale(const struct text_page *t, size_t i)
{
	const struct panel *p = &t->f->panel[i];

	if (p->color == NULL || p->blank)
		return false;
	for (size_t k = i + 1; k < t->f->n_panels; k++) {
		if (t->f->panel[k].color == p->color)
			return false;
	}
	return true;
}

/* Returns how many bars stand below each other in a named row: as many as the highest bar fits. */
static unsigned bars_in_row(const struct panel *p)
{
	double row = p->y.n_ticks > 1 ? fabs(p->y.tick[1].at - p->y.tick[0].at) : 1, max = 0;

	for (size_t k = 0; k < p->n_series; k++) {
		const struct series *s = &p->series[k];

		for (size_t i = 0; s->shape == SHAPE_LEVELS && i < s->n_rows; i++)
			max = fmax(max,
				   (s->cell[3 * i + 2] - s->cell[3 * i + 1]) * (s->to - s->from));
	}
	return max > 0 && max < row ? (unsigned)(row / max + 1e-6) : 1;
}

/* Names need rows of their own; so do the levels of an icicle. */
static unsigned rows_needed(const struct panel *p)
{
	bool cells = p->n_series > 0 && p->series[0].shape == SHAPE_CELLS;

	if (p->y.named && cells)
		return (unsigned)p->y.n_ticks * ROWS_OF_WORDS;
	if (p->y.named)
		return (unsigned)p->y.n_ticks * bars_in_row(p);
	if (cells && p->series[0].apart && !has_ticks(&p->y))
		return (unsigned)fabs(p->y.to - p->y.from);
	return 0;
}

static double height_of_row(const struct figure *f, size_t down, size_t row)
{
	double max = 0;

	for (size_t i = 0; i < down && f->heights != NULL; i++)
		max = fmax(max, f->heights[i]);
	return f->heights != NULL ? f->heights[row] / max : 1;
}

static unsigned panel_rows(const struct text_page *t, size_t row, unsigned usual)
{
	double factor = t->f->panel_height > 0 ? t->f->panel_height : 1;
	unsigned rows = (unsigned)lround(usual * height_of_row(t->f, t->down, row) * factor);
	unsigned needed = 0;

	for (size_t i = row * t->across; i < (row + 1) * t->across && i < t->f->n_panels; i++) {
		unsigned n = rows_needed(&t->f->panel[i]);

		needed = n > needed ? n : needed;
	}
	rows = rows > MIN_ROWS ? rows : MIN_ROWS;
	if (needed > 0)
		return needed;
	return t->f->panel[row * t->across].color != NULL && rows < USUAL_ROWS &&
			       !(t->look->height > 0)
		       ? USUAL_ROWS
		       : rows;
}

/* --- axes -------------------------------------------------------------------------------------- */

static unsigned clamped_cell(double part, unsigned n)
{
	double at = fmin(fmax(part, 0), 1) * n;

	return at < n ? (unsigned)at : n > 0 ? n - 1 : 0;
}

/* Draws the labels of a vertical axis that ends before column `edge`, or begins after it. */
static void label_rows(const struct text_panel *t, struct canvas *c, unsigned top, unsigned edge,
		       const struct axis *y, bool left)
{
	bool *taken = xcalloc(t->area.rows + 1, sizeof(*taken));

	for (size_t i = 0; i < y->n_ticks; i++) {
		unsigned row = clamped_cell(1 - axis_across(y, y->tick[i].at), t->area.rows);
		size_t width = escape_terminal_width(y->tick[i].label);

		if (taken[row] || y->tick[i].label.n == 0)
			continue;
		taken[row] = true;
		width = width < MAX_NAME ? width : MAX_NAME;
		if (!y->named)
			canvas_code(c, top + row, edge, FACE_DIM,
				    left ? c->glyphs->side_tick : c->glyphs->left_end);
		text_words(c, top + row, left ? edge - (unsigned)width - 1 : edge + 2, FACE_DIM,
			   y->tick[i].label, width);
	}
	free(taken);
}

/* Draws the labels of a horizontal axis where they do not touch. */
static void label_columns(struct canvas *c, unsigned row, const struct place *at, unsigned cols,
			  const struct axis *x, unsigned line)
{
	unsigned end = 0;

	for (size_t i = 0; i < x->n_ticks; i++) {
		unsigned col = at->col + at->gutter +
			       clamped_cell(axis_across(x, x->tick[i].at), cols),
			 width = (unsigned)escape_terminal_width(x->tick[i].label),
			 from = col > width / 2 ? col - width / 2 : 0;

		canvas_code(c, line, col, FACE_DIM, c->glyphs->tick);
		if (from + width > at->col + at->width)
			from = at->col + at->width > width ? at->col + at->width - width : 0;
		if (width == 0 || (end > 0 && from < end + 1) || from < at->col)
			continue;
		end = text_words(c, row, from, FACE_DIM, x->tick[i].label, width);
	}
}

static void centre_words(struct canvas *c, unsigned row, const struct place *at, unsigned cols,
			 struct str words)
{
	size_t width = escape_terminal_width(words);

	width = width < at->width ? width : at->width;
	text_words(c, row, at->col + at->gutter + (width < cols ? (cols - (unsigned)width) / 2 : 0),
		   FACE_DIM, words, width);
}

static void draw_axes(struct text_panel *t, struct canvas *c, const struct place *at, bool labels)
{
	const struct panel *p = t->p;
	unsigned top = at->row + at->above, bottom = top + at->rows,
		 left = at->col + at->gutter - 1, cols = t->area.cols;

	for (unsigned row = top; row < bottom; row++)
		canvas_code(c, row, left, FACE_DIM, c->glyphs->vertical);
	canvas_code(c, bottom, left, FACE_DIM, c->glyphs->corner);
	canvas_fill(c, bottom, left + 1, cols, FACE_DIM, c->glyphs->horizontal);
	if (labels)
		label_rows(t, c, top, left, &p->y, true);
	if (at->right > 0)
		label_rows(t, c, top, left + 1 + cols, &p->right, false);
	label_columns(c, bottom + 1, at, cols, &p->x, bottom);
	if (has_ticks(&p->x))
		centre_words(c, bottom + 2, at, cols, p->x.label);
	if (has_ticks(&p->above)) {
		unsigned row = top - 1;

		label_columns(c, row, at, cols, &p->above, row);
		centre_words(c, row - (p->above.label.n > 0), at, cols, p->above.label);
		label_columns(c, row, at, cols, &p->above, row);
	}
}

/* --- words around a panel ------------------------------------------------------------------- */

static void draw_key(const struct text_page *t, struct canvas *c, size_t i, const struct place *at)
{
	const struct panel *p = &t->f->panel[i];
	bool beside = key_rows(t, i, at->width) == 0;
	unsigned row = at->row, from = at->col, end = at->col + at->width, col;

	if (key_width(t, i) == 0)
		return;
	if (beside)
		from = end > key_width(t, i) ? end - key_width(t, i) + 2 : 0;
	col = from;
	for (size_t k = 0; k < p->n_series; k++) {
		const struct series *s = &p->series[k];

		if (!is_entry(s))
			continue;
		if (col > from && col + entry_width(s) > end + 2) {
			row++;
			col = from;
		}
		col = text_sample(c, row, col, p, s);
		col = text_words(c, row, col + 1, FACE_PLAIN, s->title, end - col) + 2;
	}
}

static void draw_words(const struct text_page *t, struct canvas *c, size_t i,
		       const struct place *at)
{
	const struct panel *p = &t->f->panel[i];
	unsigned keys = key_rows(t, i, at->width), row = at->row + keys;
	unsigned room = at->width - (keys == 0 ? key_width(t, i) : 0);

	draw_key(t, c, i, at);
	if (p->name.n > 0)
		text_words(c, row, at->col, FACE_STRONG, p->name, room);
	row += has_strip(t, i);
	if (has_y_label(t, i))
		text_words(c, row, at->col, FACE_DIM, p->y.label, at->width);
	if (at->right > 0 && p->right.label.n > 0) {
		unsigned width = (unsigned)escape_terminal_width(p->right.label);

		text_words(c, row, width < at->width ? at->col + at->width - width : at->col,
			   FACE_DIM, p->right.label, at->width);
	}
}

static void draw_panel(const struct text_page *t, struct canvas *c, size_t i,
		       const struct place *at)
{
	const struct panel *p = &t->f->panel[i];
	unsigned sides = at->gutter + at->right;
	struct text_panel panel = { .p = p };

	if (p->blank || at->width <= sides)
		return;
	panel.area = canvas_part(c, at->row + at->above, at->col + at->gutter, at->rows,
				 at->width - sides);
	text_panel_draw(&panel);
	draw_axes(&panel, c, at, has_labels(t, &p->y, i));
	draw_words(t, c, i, at);
}

/* --- the page --------------------------------------------------------------------------------- */

/* Writes rows of a canvas, in colour if asked for. */
static void print_canvas(struct out *o, const struct canvas *c, const struct look *look)
{
	if (look->color)
		canvas_print(c, o);
	else
		canvas_dump(c, o);
}

static unsigned scale_words(struct canvas *c, unsigned col, const struct color_scale *scale)
{
	col = text_words(c, 0, col, FACE_DIM, scale->label, c->cols) + 1;
	for (size_t i = 0; i < scale->n_ticks; i++) {
		col = text_cell(c, 0, col + 1, scale, scale->tick[i].at);
		col = text_words(c, 0, col + 1, FACE_PLAIN, scale->tick[i].label, c->cols) + 1;
	}
	return col;
}

static void print_scales(const struct text_page *t, struct out *o, size_t row)
{
	for (size_t i = row * t->across; i < (row + 1) * t->across && i < t->f->n_panels; i++) {
		struct canvas line;

		if (!has_scale(t, i))
			continue;
		canvas_init(&line, 1, t->width, t->glyphs);
		scale_words(&line, 0, t->f->panel[i].color);
		print_canvas(o, &line, t->look);
		canvas_release(&line);
	}
}

/* Returns the place of column k of a row of panels. */
static struct place place_of(const struct text_page *t, size_t row, size_t k, unsigned rows)
{
	const struct figure *f = t->f;
	size_t i = row * t->across + k;
	const struct panel *p = &f->panel[i];
	double all = 0, before = 0, own = 1;
	struct place at = { .rows = rows };

	for (size_t c = 0; c < t->across; c++) {
		double w = f->widths != NULL && t->across == f->n_across ? f->widths[c] : 1;

		all += w;
		before += c < k ? w : 0;
		own = c == k ? w : own;
	}
	at.col = (unsigned)(before / all * t->width) + (k > 0);
	at.width = (unsigned)((before + own) / all * t->width) - at.col;
	at.gutter = 1 + (has_labels(t, &p->y, i) ? widest_label(&p->y) + 1 : 0);
	at.right = has_ticks(&p->right) ? widest_label(&p->right) + 2 : 0;
	return at;
}

/* Panels of a column have the same gutter, so that their axes are comparable. */
static void align_gutters(const struct text_page *t, size_t k, struct place *at)
{
	for (size_t row = 0; row < t->down; row++) {
		size_t i = row * t->across + k;

		if (i < t->f->n_panels && !t->f->panel[i].blank) {
			struct place other = place_of(t, row, k, 0);

			at->gutter = other.gutter > at->gutter ? other.gutter : at->gutter;
			at->right = other.right > at->right ? other.right : at->right;
		}
	}
}

static void print_row(const struct text_page *t, struct out *o, size_t row, unsigned usual)
{
	unsigned rows = panel_rows(t, row, usual), above = 0, below = 0;
	struct canvas c;

	for (size_t pass = 0; pass < 2; pass++) {
		if (pass == 1)
			canvas_init(&c, above + rows + below, t->width, t->glyphs);
		for (size_t k = 0; k < t->across && row * t->across + k < t->f->n_panels; k++) {
			size_t i = row * t->across + k;
			struct place at = place_of(t, row, k, rows);
			unsigned need = rows_above(t, i, at.width);

			if (t->f->panel[i].blank)
				continue;
			align_gutters(t, k, &at);
			above = need > above ? need : above;
			need = rows_below(&t->f->panel[i]);
			below = need > below ? need : below;
			at.above = above;
			at.row = pass == 1 ? 0 : at.row;
			if (pass == 1)
				draw_panel(t, &c, i, &at);
		}
	}
	print_canvas(o, &c, t->look);
	canvas_release(&c);
	print_scales(t, o, row);
}

static void print_words(const struct text_page *t, struct out *o, struct str words, enum face face)
{
	struct out *text = out_to_memory();
	struct canvas c;
	unsigned rows;

	if (words.n == 0) {
		out_free(text);
		return;
	}
	escape_terminal(text, words);
	canvas_init(&c, 1 + (unsigned)words.n / 20, t->width, t->glyphs);
	rows = canvas_paragraph(&c, 0, 0, face, out_memory(text));
	c.rows = rows < c.rows ? rows : c.rows;
	print_canvas(o, &c, t->look);
	c.rows = 1;
	canvas_release(&c);
	out_free(text);
}

/* Returns the rows of a page besides those of the panels' areas. */
static unsigned rows_besides(const struct text_page *t)
{
	unsigned n = t->f->title.n > 0 ? 2 : 0;

	for (size_t i = 0; i < t->f->n_panels; i += t->across)
		n += rows_above(t, i, t->width) + rows_below(&t->f->panel[i]) + has_scale(t, i);
	return n + (t->f->note.n > 0 ? 1 + (unsigned)t->f->note.n / t->width : 0);
}

static unsigned usual_rows(const struct text_page *t)
{
	unsigned besides = rows_besides(t), height = (unsigned)t->look->height, rows;

	if (height == 0)
		return t->down > 1 ? ROWS_OF_SEVERAL : USUAL_ROWS;
	rows = height > besides ? (height - besides) / (unsigned)t->down : 0;
	return rows > MIN_ROWS ? rows : MIN_ROWS;
}

void figure_text(struct out *o, const struct figure *f, const struct look *look)
{
	struct text_page t = { .f = f,
			       .look = look,
			       .glyphs = look->ascii ? &glyphs_ascii : &glyphs_unicode,
			       .across = f->n_across > 0 ? f->n_across : 1,
			       .width = look->width > 0 ? (unsigned)look->width : DEFAULT_WIDTH };
	unsigned usual;

	if (f->widths == NULL && t.width / t.across < MIN_PANEL_WIDTH)
		t.across = 1;
	t.down = (f->n_panels + t.across - 1) / t.across;
	usual = usual_rows(&t);
	print_words(&t, o, f->title, FACE_STRONG);
	for (size_t row = 0; row < t.down; row++)
		print_row(&t, o, row, usual);
	print_words(&t, o, f->note, FACE_DIM);
}
