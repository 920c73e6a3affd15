/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words.h"

#include "base/out.h"
#include "tui/pane.h"

/* Rows that the heading takes and that a picture needs at least. */
enum { HEADING_ROWS = 2, PICTURE_ROWS = 6 };

/* Writes the whole text, however many rows the canvas has; returns the row after it. */
static unsigned write_words(struct canvas *c, const struct tui *t, const struct item *i)
{
	struct out *o = out_to_memory();
	unsigned row;

	pane_story(o, t, i);
	row = canvas_lines(c, 0, 0, FACE_PLAIN, out_memory(o));
	if (i->annotation != NULL && i->annotation->note.n > 0) {
		canvas_text(c, row, 0, FACE_KEY, STR("note:"));
		row = canvas_paragraph(c, row, 6, FACE_PLAIN, i->annotation->note);
	}
	out_free(o);
	return row;
}

static unsigned n_rows(const struct tui *t, const struct item *i, unsigned cols)
{
	struct canvas none = { .cols = cols, .glyphs = t->glyphs };

	return write_words(&none, t, i);
}

unsigned words_rows(const struct tui *t, const struct item *i, unsigned rows, unsigned cols)
{
	unsigned max = t->words.focused ? rows * 2 / 3 : rows / 3, n = n_rows(t, i, cols);

	n = n < max ? n : max;
	return rows < HEADING_ROWS + n + PICTURE_ROWS ? 0 : n;
}

void words_fit(struct tui *t, const struct item *i, unsigned rows, unsigned cols)
{
	struct viewport *p = &t->words.viewport;

	p->n = i != NULL ? n_rows(t, i, cols) : 0;
	p->rows = rows;
	if (t->words.of != i || p->n <= rows)
		p->top = 0;
	else if (p->top + rows > p->n)
		p->top = p->n - rows;
	t->words.of = i;
}

void words_draw(struct canvas *c, const struct tui *t, const struct item *i)
{
	const struct viewport *p = &t->words.viewport;
	struct canvas whole;

	if (c->rows == 0)
		return;
	canvas_init(&whole, (unsigned)p->top + c->rows, c->cols, c->glyphs);
	(void)write_words(&whole, t, i);
	canvas_copy(c, &whole, (unsigned)p->top);
	canvas_release(&whole);
	if (p->n > p->top + c->rows) {
		struct out *o = out_to_memory();

		out_printf(o, " %s", c->glyphs->ellipsis);
		if (!t->words.focused)
			out_text(o, " Tab");
		canvas_right(c, c->rows - 1, c->cols, FACE_KEY, out_memory(o));
		out_free(o);
	}
}
