/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/screen.h"

#include <string.h>

#include "base/out.h"
#include "report/parts.h"
#include "tui/menu.h"

/* Minimum rows for showing a title, and hints. */
enum { ROWS_FOR_TITLE = 3, ROWS_FOR_HINTS = 5 };
/* Minimum columns for showing other parts next to a status on the first line. */
enum { COLS_FOR_MORE = 60 };

struct area screen_area(unsigned rows)
{
	unsigned title = rows >= ROWS_FOR_TITLE, hints = rows >= ROWS_FOR_HINTS;

	return (struct area){ title, rows - title - hints };
}

/* --- the first line --------------------------------------------------------------------- */

static void say_runs(struct out *o, const struct tui *t)
{
	const struct browsed *s = &t->study->browsed;

	out_bytes(o, str_from(s->before.path));
	say_more_paths(o, s->before.n_more);
	if (!study_compares(t->study))
		return;
	out_printf(o, " %s ", t->glyphs->arrow);
	out_bytes(o, str_from(s->after.path));
	say_more_paths(o, s->after.n_more);
}

static void say_position(struct out *o, const struct tui *t, const struct view *v)
{
	const struct list *l = &t->list;

	if (v->cls->of_run) {
		out_printf(o, "%zu of %zu", v->viewport.n > 0 ? v->viewport.cursor + 1 : 0,
			   v->viewport.n);
		return;
	}
	out_printf(o, "%zu of %zu", l->n > 0 ? l->viewport.cursor + 1 : 0, l->n);
	if (l->filter.text != NULL || l->only_reported) {
		out_printf(o, "; filter: %s%s%s", l->only_reported ? "reported" : "",
			   l->only_reported && l->filter.text != NULL ? ", " : "",
			   l->filter.text != NULL ? l->filter.text : "");
		out_printf(o, " (of %zu)", l->study->n);
	}
}

/* Prints the first parts of the status that fit into `width` columns.  A part that does not fit
 * is replaced by its short form; prints nothing when the first one does not fit. */
static void say_status(struct out *o, const struct tui *t, size_t width)
{
	struct str between = t->glyphs->unicode ? STR(" · ") : STR(", ");
	struct str part, brief, rest = str_from(t->status);
	size_t used = 0;

	while (str_cut(rest, '\n', &part, &rest)) {
		bool has_brief = str_cut(part, '\t', &part, &brief);

		used += used > 0 ? text_width(between) : 0;
		if (has_brief && used + text_width(part) > width)
			part = brief;
		used += text_width(part);
		if (used > width)
			return;
		if (out_memory(o).n > 0)
			out_bytes(o, between);
		out_bytes(o, part);
	}
}

/* Draws the status of a watched run where the names of runs are shown otherwise. */
static void draw_status(const struct tui *t, struct canvas *c, const struct view *v, unsigned end)
{
	unsigned title = (unsigned)strlen(v->cls->title) + 2;
	unsigned col = 1, room = end > col + 1 ? end - col - 1 : 0;
	struct out *o = out_to_memory();

	if (c->cols >= COLS_FOR_MORE)
		say_status(o, t, room > title ? room - title : 0);
	if (out_memory(o).n > 0) {
		col = canvas_text(c, 0, col, FACE_TITLE, str_from(v->cls->title));
		col = canvas_text(c, 0, col, FACE_TITLE, STR(": "));
	} else {
		say_status(o, t, room);
	}
	(void)canvas_text(c, 0, col, FACE_TITLE, out_memory(o));
	out_free(o);
}

/* Draws the status at the right, leaving half of the line to a name, or 12 columns when the
 * screen is narrow; returns where the rest of the line ends. */
static unsigned draw_status_right(const struct tui *t, struct canvas *c, unsigned end)
{
	struct out *o = out_to_memory();

	say_status(o, t, c->cols >= COLS_FOR_MORE || end < 24 ? end / 2 : end - 12);
	if (out_memory(o).n > 0) {
		canvas_right(c, 0, end - 1, FACE_TITLE, out_memory(o));
		end -= (unsigned)text_width(out_memory(o)) + 2;
	}
	out_free(o);
	return end;
}

static void draw_title(const struct tui *t, struct canvas *c, const struct view *v)
{
	const struct item *i = tui_item(t);
	struct out *o = out_to_memory();
	unsigned col, end = c->cols;

	canvas_fill(c, 0, 0, c->cols, FACE_TITLE, ' ');
	say_position(o, t, v);
	if (text_width(out_memory(o)) + 24 < c->cols &&
	    (t->status[0] == '\0' || c->cols >= COLS_FOR_MORE)) {
		canvas_right(c, 0, c->cols - 1, FACE_TITLE, out_memory(o));
		end = c->cols - 1 - (unsigned)text_width(out_memory(o));
	}
	if (t->status[0] != '\0' && (!v->cls->of_operation || i == NULL)) {
		draw_status(t, c, v, end);
		out_free(o);
		return;
	}
	if (t->status[0] != '\0')
		end = draw_status_right(t, c, end);
	col = canvas_text(c, 0, 1, FACE_TITLE, str_from(v->cls->title));
	col = canvas_text(c, 0, col, FACE_TITLE, STR(": "));
	if (v->cls->of_operation && i != NULL) {
		canvas_name(c, 0, col, FACE_TITLE, end > col + 1 ? end - col - 1 : 0,
			    item_operation(i)->name);
	} else {
		out_reset(o);
		say_runs(o, t);
		canvas_name(c, 0, col, FACE_TITLE, end > col + 1 ? end - col - 1 : 0,
			    out_memory(o));
	}
	out_free(o);
}

/* --- the last line ---------------------------------------------------------------------- */

static const enum action always[] = { ACT_VIEW_HELP, ACT_QUIT, ACT_NONE };

static unsigned draw_hint(const struct tui *t, struct canvas *c, unsigned col, const char *view,
			  enum action a)
{
	struct out *keys = out_to_memory();
	struct str first, rest;

	keymap_keys(&t->keys, view, a, keys);
	if (!str_cut(out_memory(keys), ' ', &first, &rest))
		first = out_memory(keys);
	if (first.n > 0 && col + first.n + strlen(action_name(a)) + 1 < c->cols) {
		col = canvas_text(c, c->rows - 1, col, FACE_KEY, first);
		col = canvas_text(c, c->rows - 1, col + 1, FACE_DIM, str_from(action_name(a))) + 2;
	}
	out_free(keys);
	return col;
}

static void draw_hints(const struct tui *t, struct canvas *c, const struct view *v)
{
	unsigned col = 1;

	for (const enum action *a = always; *a != ACT_NONE; a++)
		col = draw_hint(t, c, col, v->cls->name, *a);
	for (const enum action *a = v->cls->hints; *a != ACT_NONE; a++)
		col = draw_hint(t, c, col, v->cls->name, *a);
}

static enum face face_of_severity(enum severity s)
{
	return s == SEV_ERROR ? FACE_ERROR : s == SEV_WARNING ? FACE_WARNING : FACE_NOTICE;
}

static void draw_message(const struct tui *t, struct canvas *c)
{
	const struct message *m = &t->messages.v[t->messages.n - 1];
	struct str text = str_from(m->text), first, rest;
	unsigned row = c->rows - 1;

	if (str_cut(text, '\n', &first, &rest))
		text = first;
	canvas_fill(c, row, 0, c->cols, FACE_PLAIN, ' ');
	canvas_text(c, row, 1, face_of_severity(m->severity), text);
}

/* --- the view ------------------------------------------------------------------------- */

/* Finds the length of a document at this width, and adjusts scrolling. */
static void fit_document(struct tui *t, struct view *v, unsigned rows, unsigned cols)
{
	struct canvas none = { .cols = cols, .glyphs = t->glyphs };

	v->viewport.n = v->cls->write(v, t, &none);
	v->viewport.rows = rows;
	if (v->viewport.top + rows > v->viewport.n)
		v->viewport.top = v->viewport.n > rows ? v->viewport.n - rows : 0;
}

void tui_fit(struct tui *t, unsigned rows, unsigned cols)
{
	struct view *v = tui_view(t);
	unsigned inside = screen_area(rows).rows;

	t->rows = rows;
	t->cols = cols;
	if (rows == 0 || cols == 0)
		return;
	if (v->cls->fit != NULL)
		v->cls->fit(v, t, inside, cols);
	if (v->cls->write != NULL)
		fit_document(t, v, inside, cols);
	if (t->menu != NULL)
		menu_fit(t->menu, inside);
}

/* Draws the visible part of a document. */
static void draw_document(const struct tui *t, const struct view *v, struct canvas *c)
{
	struct canvas whole;

	canvas_init(&whole, (unsigned)v->viewport.top + c->rows, c->cols, c->glyphs);
	(void)v->cls->write(v, t, &whole);
	canvas_copy(c, &whole, (unsigned)v->viewport.top);
	canvas_release(&whole);
	if (v->viewport.n > v->viewport.top + c->rows && c->rows > 1)
		canvas_right(c, c->rows - 1, c->cols, FACE_DIM, STR(" more below "));
}

struct screen_position tui_draw(const struct tui *t, struct canvas *c)
{
	struct area area = screen_area(c->rows);
	struct canvas inside = canvas_part(c, area.row, 0, area.rows, c->cols);
	const struct view *v = &t->visited[t->at];
	struct screen_position screen_position = { 0 };

	canvas_clear(c);
	if (c->rows == 0 || c->cols == 0)
		return screen_position;
	if (v->cls->write != NULL)
		draw_document(t, v, &inside);
	else
		v->cls->draw(v, t, &inside);
	if (area.row > 0)
		draw_title(t, c, v);
	if (area.row + area.rows < c->rows)
		draw_hints(t, c, v);
	if (t->messages.fresh)
		draw_message(t, c);
	if (t->menu != NULL)
		menu_draw(t->menu, &inside);
	if (t->asked != ASK_NOTHING)
		screen_position =
			(struct screen_position){ c->rows - 1,
						  prompt_draw(&t->prompt, c, c->rows - 1), true };
	return screen_position;
}

void screen_click(struct tui *t, unsigned row, unsigned col)
{
	struct area area = screen_area(t->rows);
	const struct view_class *cls = tui_view(t)->cls;

	if (cls->click != NULL && row >= area.row && row < area.row + area.rows)
		cls->click(t, row - area.row, col);
}
