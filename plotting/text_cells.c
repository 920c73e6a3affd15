/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of maps, and marks, in characters. */
#include <math.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/utf8.h"
#include "plotting/text_panel.h"

enum { MINUS = 0x2212, ELLIPSIS = 0x2026 };

/* --- cells ------------------------------------------------------------------------------------- */

/* Returns the level of a value on a scale, from 1 on; -levels to levels on one that diverges. */
static int level_of(const struct color_scale *scale, double value)
{
	double part = (value - scale->from) / (scale->to - scale->from);

	if (scale->diverging)
		return (int)lround(fmin(fmax(value / scale->to, -1), 1) * N_DIFFERENCE);
	return 1 + (int)fmin(fmax(part, 0) * N_HEAT, N_HEAT - 1);
}

unsigned text_cell(struct canvas *c, unsigned row, unsigned col, const struct color_scale *scale,
		   double value)
{
	const struct glyphs *g = c->glyphs;
	int level = level_of(scale, value);

	if (!scale->diverging)
		return canvas_code(c, row, col, (enum face)(FACE_HEAT + level - 1), g->heat[level]);
	if (level == 0)
		return canvas_code(c, row, col, FACE_DIM, g->unicode ? 0xb7 : '.');
	if (level < 0)
		return canvas_code(c, row, col, (enum face)(FACE_LESS - level - 1),
				   g->less[-level - 1]);
	return canvas_code(c, row, col, (enum face)(FACE_MORE + level - 1), g->more[level - 1]);
}

/* Of the values that share a cell of the screen, the farthest from 0 or the highest is shown. */
static void draw_cell(struct text_panel *t, const struct series *s, struct stretch columns,
		      struct stretch rows, double value)
{
	bool diverging = t->p->color->diverging;

	if (s->apart && columns.to > columns.from + 1)
		columns.to--;
	for (unsigned row = rows.from; row < rows.to && row < t->area.rows; row++) {
		for (unsigned col = columns.from; col < columns.to && col < t->area.cols; col++) {
			double *shown = &t->depth[(size_t)row * t->area.cols + col];

			if (!isnan(*shown) &&
			    (diverging ? fabs(*shown) >= fabs(value) : *shown >= value))
				continue;
			*shown = value;
			text_cell(&t->area, row, col, t->p->color, value);
		}
	}
}

void text_map(struct text_panel *t, const struct series *s)
{
	const struct axis *x = &t->p->x, *y = &t->p->y;

	for (size_t i = 0; i < s->n_rows && t->p->color != NULL; i++) {
		const double *row = &s->cell[shape_columns(s->shape) * i];

		if (s->shape == SHAPE_CELLS)
			draw_cell(t, s, text_columns(t, x, row[0], row[1]),
				  text_rows(t, y, row[2], row[3]), row[4]);
		else
			draw_cell(t, s,
				  text_columns(t, x, row[0] - s->from / 2, row[0] + s->from / 2),
				  text_rows(t, y, row[1] - s->to / 2, row[1] + s->to / 2), row[2]);
	}
}

/* --- marks ------------------------------------------------------------------------------------- */

/* Writes the characters that figures themselves use as ASCII, if the terminal has nothing else. */
static void write_words(struct out *o, const struct glyphs *g, struct str words)
{
	uint32_t code;
	size_t n;

	for (; words.n > 0; words = str_skip(words, n)) {
		if (!utf8_decode(words, &code, &n)) {
			out_char(o, words.p[0]);
			n = 1;
		} else if (!g->unicode && (code == MINUS || code == ELLIPSIS)) {
			out_text(o, code == MINUS ? "-" : g->ellipsis);
		} else {
			out_bytes(o, (struct str){ words.p, n });
		}
	}
}

unsigned text_words(struct canvas *c, unsigned row, unsigned col, enum face face, struct str words,
		    size_t width)
{
	struct arena *a = arena_new();
	struct out *text = out_to_memory(), *escaped = out_to_memory();
	struct str shown = words;

	for (size_t n = words.n; n > 1 && escape_terminal_width(shown) > width; n--)
		shown = words_cut(a, words, n - 1);
	if (escape_terminal_width(shown) <= width) {
		write_words(text, c->glyphs, shown);
		escape_terminal(escaped, out_memory(text));
		col = canvas_text(c, row, col, face, out_memory(escaped));
	}
	out_free(text);
	out_free(escaped);
	arena_free(a);
	return col;
}

static void mark_peak(struct text_panel *t, const struct mark *m)
{
	const struct glyphs *g = t->area.glyphs;
	struct stretch c = text_columns(t, &t->p->x, m->low, m->high);
	unsigned row = (unsigned)m->height,
		 at = text_index(text_part(&t->p->x, m->at), t->area.cols),
		 words = (unsigned)escape_terminal_width(m->words) + 2;
	enum face face = text_face(m->colour);

	text_fill_box(t, c, (struct stretch){ row, row + 1 }, face, g->horizontal);
	canvas_code(&t->area, row, c.from, face, g->left_end);
	canvas_code(&t->area, row, c.to - 1, face, g->right_end);
	canvas_code(&t->area, row, at, face, g->unicode ? 0x25be : 'v');
	if (at + words < c.to || at + words < t->area.cols)
		canvas_printf(&t->area, row, at + 1, face, " %.*s ", STR_ARG(m->words));
	else if (at > words)
		canvas_printf(&t->area, row, at - words, face, " %.*s ", STR_ARG(m->words));
}

/* Data lie over the line; that of a map is everywhere. */
static void mark_break(struct text_panel *t, const struct mark *m)
{
	unsigned col = text_index(text_part(&t->p->x, m->at), t->area.cols);
	bool over = text_count(t->p, SHAPE_CELLS) > 0;

	for (unsigned row = 0; row < t->area.rows; row++) {
		if (over || canvas_is_blank(&t->area, row, col))
			canvas_code(&t->area, row, col, text_face(m->colour), t->area.glyphs->band);
	}
	if (m->words.n > 0)
		text_words(&t->area, 0, col + 1, FACE_DIM, m->words, t->area.cols - col - 1);
}

/* Returns the columns from `col` to the end of the cell that the words lie on. */
static unsigned room_for_words(const struct text_panel *t, const struct mark *m, unsigned col)
{
	unsigned room = t->area.cols - col;

	for (size_t k = 0; k < t->p->n_series; k++) {
		const struct series *s = &t->p->series[k];

		for (size_t i = 0; s->shape == SHAPE_CELLS && i < s->n_rows; i++) {
			const double *row = &s->cell[MAX_COLUMNS * i];
			struct stretch c = text_columns(t, &t->p->x, row[0], row[1]);

			if (m->at >= row[0] && m->at < row[1] &&
			    (m->height - row[2]) * (m->height - row[3]) <= 0 && c.to > col)
				room = c.to - col - (c.to > col + 1);
		}
	}
	return room;
}

static void mark_words(struct text_panel *t, const struct mark *m)
{
	double x = text_part(&t->p->x, m->at), y = text_part(&t->p->y, m->height);
	unsigned col;

	if (isnan(x) || isnan(y))
		return;
	col = text_index(x, t->area.cols) + (text_count(t->p, SHAPE_CELLS) == 0 ? 2 : 0);
	text_words(&t->area, text_index(1 - y, t->area.rows), col, FACE_STRONG, m->words,
		   room_for_words(t, m, col));
}

void text_mark(struct text_panel *t, const struct mark *m)
{
	switch (m->shape) {
	case MARK_PEAK:
		if (m->height < t->area.rows / 3)
			mark_peak(t, m);
		break;
	case MARK_BREAK:
		mark_break(t, m);
		break;
	case MARK_WORDS:
		mark_words(t, m);
		break;
	}
}
