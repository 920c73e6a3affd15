/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours in characters, and the cells of a panel that values lie in. */
#include <math.h>

#include "plotting/text_panel.h"

enum face text_face(enum colour colour)
{
	static const enum face faces[N_COLOURS] = {
		[COLOUR_FIRST] = FACE_BEFORE,	   [COLOUR_SECOND] = FACE_AFTER,
		[COLOUR_THIRD] = FACE_HEAT + 3,	   [COLOUR_FOURTH] = FACE_NOTICE,
		[COLOUR_FIFTH] = FACE_HEAT + 2,	   [COLOUR_SIXTH] = FACE_LESS,
		[COLOUR_FIRST_PALE] = FACE_BEFORE, [COLOUR_SECOND_PALE] = FACE_AFTER,
		[COLOUR_WORSE] = FACE_WORSE,	   [COLOUR_BETTER] = FACE_BETTER,
		[COLOUR_DIM] = FACE_DIM,	   [COLOUR_GAP] = FACE_DIM,
	};

	return faces[colour];
}

uint32_t text_fill(const struct glyphs *g, enum colour colour)
{
	static const uint32_t blocks[N_COLOURS] = {
		[COLOUR_FIRST] = 0x2591,    [COLOUR_SECOND] = 0x2588,	 [COLOUR_THIRD] = 0x2593,
		[COLOUR_FOURTH] = 0x259a,   [COLOUR_FIFTH] = 0x25a4,	 [COLOUR_SIXTH] = 0x25a5,
		[COLOUR_FIRST_PALE] = 0xb7, [COLOUR_SECOND_PALE] = 0xb7, [COLOUR_WORSE] = 0x2588,
		[COLOUR_BETTER] = 0x2592,   [COLOUR_DIM] = 0xb7,	 [COLOUR_GAP] = '/',
	};
	static const char letters[] = "o#=x+-..#o:/";

	return g->unicode ? blocks[colour] : (uint32_t)letters[colour];
}

double text_part(const struct axis *x, double at)
{
	double part = axis_across(x, at);

	return isnan(part) ? NAN : fmin(fmax(part, 0), 1);
}

const struct axis *text_x(const struct text_panel *t, const struct series *s)
{
	return s->right && s->shape == SHAPE_LEVELS ? &t->p->above : &t->p->x;
}

const struct axis *text_y(const struct text_panel *t, const struct series *s)
{
	return s->right && s->shape != SHAPE_LEVELS ? &t->p->right : &t->p->y;
}

/* Returns the point at a part of the way from low to high on an axis. */
double text_between(const struct axis *x, double low, double high, double part)
{
	return x->logarithmic && low > 0 ? low * pow(high / low, part) : low + (high - low) * part;
}

/* Returns the cells of n that lie between two parts of an axis: at least one, none if NAN. */
struct stretch text_cells(double low, double high, unsigned n)
{
	double a = fmin(low, high) * n, b = fmax(low, high) * n;
	struct stretch s = { 0, 0 };

	if (isnan(low) || isnan(high) || n == 0)
		return s;
	s.from = (unsigned)floor(a + 0.5);
	s.to = (unsigned)floor(b + 0.5);
	if (s.to <= s.from) {
		s.from = (unsigned)floor((a + b) / 2);
		s.from = s.from < n ? s.from : n - 1;
		s.to = s.from + 1;
	}
	return s;
}

struct stretch text_columns(const struct text_panel *t, const struct axis *x, double low,
			    double high)
{
	return text_cells(text_part(x, low), text_part(x, high), t->area.cols);
}

/* Rows count from the top. */
struct stretch text_rows(const struct text_panel *t, const struct axis *y, double low, double high)
{
	return text_cells(1 - text_part(y, low), 1 - text_part(y, high), t->area.rows);
}

unsigned text_index(double part, unsigned n)
{
	unsigned at = (unsigned)(part * n);

	return at < n ? at : n > 0 ? n - 1 : 0;
}

size_t text_count(const struct panel *p, enum shape shape)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_series; i++)
		n += p->series[i].shape == shape && p->series[i].n_rows > 0;
	return n;
}

void text_fill_box(struct text_panel *t, struct stretch columns, struct stretch rows,
		   enum face face, uint32_t code)
{
	for (unsigned row = rows.from; row < rows.to; row++)
		canvas_fill(&t->area, row, columns.from, columns.to - columns.from, face, code);
}
