/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/menu.h"

static unsigned width_of(const struct menu *m)
{
	size_t width = text_width(str_from(m->title));

	for (size_t i = 0; i < m->n; i++) {
		size_t w = text_width(str_from(m->line[i].text));

		width = w > width ? w : width;
	}
	return (unsigned)width + 4;
}

/* Draws a frame around the box, with the title in its upper edge. */
static void draw_frame(const struct menu *m, struct canvas *box)
{
	const struct glyphs *g = box->glyphs;

	canvas_clear(box);
	for (unsigned row = 0; row < box->rows; row++) {
		canvas_fill(box, row, 0, 1, FACE_DIM, g->vertical);
		canvas_fill(box, row, box->cols - 1, 1, FACE_DIM, g->vertical);
	}
	canvas_fill(box, 0, 0, box->cols, FACE_DIM, g->horizontal);
	canvas_fill(box, box->rows - 1, 0, box->cols, FACE_DIM, g->horizontal);
	canvas_text(box, 0, 2, FACE_STRONG, str_from(m->title));
}

/* Returns the height including the frame. */
static unsigned height_of(const struct menu *m, unsigned rows)
{
	return m->n + 2 < rows ? (unsigned)m->n + 2 : rows;
}

void menu_fit(struct menu *m, unsigned rows)
{
	unsigned height = height_of(m, rows);

	viewport_resize(&m->viewport, m->n, height > 2 ? height - 2 : 0);
}

void menu_draw(const struct menu *m, struct canvas *c)
{
	unsigned rows = height_of(m, c->rows), cols = width_of(m);
	struct canvas box, inside;

	cols = cols < c->cols ? cols : c->cols;
	if (rows < 3 || cols < 5)
		return;
	box = canvas_part(c, (c->rows - rows) / 2, (c->cols - cols) / 2, rows, cols);
	draw_frame(m, &box);
	inside = canvas_part(&box, 1, 1, rows - 2, cols - 2);
	for (unsigned row = 0; row < inside.rows && m->viewport.top + row < m->n; row++) {
		canvas_text(&inside, row, 1, FACE_PLAIN,
			    str_from(m->line[m->viewport.top + row].text));
		if (m->viewport.top + row == m->viewport.cursor)
			canvas_select(&inside, row);
	}
}
