/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranking: the list, and below it or to its right the operation under the cursor. */
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "report/sparkline.h"
#include "tui/pane.h"
#include "tui/ranking_layout.h"
#include "tui/screen.h"
#include "tui/words.h"

/* --- rows --------------------------------------------------------------------------------- */

static void draw_sparkline(struct canvas *c, unsigned row, unsigned col, unsigned width,
			   enum face face, const struct operation *op, struct span_of_octaves span)
{
	struct style style = { .unicode = c->glyphs->unicode };
	struct canvas part = canvas_part(c, row, col, 1, width);
	struct out *o = out_to_memory();

	sparkline(o, &style, op != NULL ? &op->hist : NULL, span, width, NULL);
	canvas_text(&part, 0, 0, face, out_memory(o));
	out_free(o);
}

static void draw_sparklines(struct canvas *c, unsigned row, const struct fields *f,
			    const struct item *i, bool compares)
{
	const struct histogram *both[] = { i->before != NULL ? &i->before->hist : NULL,
					   i->after != NULL ? &i->after->hist : NULL };
	struct span_of_octaves span = sparkline_span(both, COUNT_OF(both));

	if (f->spark_width == 0)
		return;
	draw_sparkline(c, row, f->spark_col[SIDE_BEFORE], f->spark_width, FACE_BEFORE, i->before,
		       span);
	if (compares)
		draw_sparkline(c, row, f->spark_col[SIDE_AFTER], f->spark_width, FACE_AFTER,
			       i->after, span);
}

static enum face face_of_field(const struct item *i, const struct field *f)
{
	if (f->column != COLUMN_VERDICT || i->ranked == NULL)
		return FACE_PLAIN;
	if (annotation_expects(i->annotation, i->ranked->verdict))
		return FACE_DIM;
	return pane_verdict_face(i->ranked->verdict);
}

static void draw_field(struct canvas *c, unsigned row, const struct tui *t, const struct field *f,
		       const struct item *i)
{
	struct canvas part = canvas_part(c, row, f->col, 1, f->width);
	struct out *o = out_to_memory();

	column_print(o, t->study, f->column, i);
	if (f->after != COLUMN_RANK) {
		out_printf(o, " %s ", t->glyphs->arrow);
		column_print(o, t->study, f->after, i);
	}
	if (f->left)
		canvas_text(&part, 0, 0, face_of_field(i, f), out_memory(o));
	else
		canvas_right(&part, 0, f->width, face_of_field(i, f), out_memory(o));
	out_free(o);
}

static void draw_flags(struct canvas *c, unsigned row, const struct item *i)
{
	const struct annotation *r = i->annotation;

	if (r == NULL)
		return;
	if (r->marked)
		canvas_code(c, row, 0, FACE_KEY, c->glyphs->marked);
	if (r->note.n > 0)
		canvas_code(c, row, 1, FACE_KEY, 'n');
	if (i->ranked != NULL && annotation_expects(r, i->ranked->verdict))
		canvas_code(c, row, 2, FACE_KEY, 'e');
}

static void draw_row(struct canvas *c, unsigned row, const struct tui *t, const struct fields *f,
		     const struct item *i)
{
	bool reported = i->ranked == NULL || i->ranked->reported;
	struct canvas name = canvas_part(c, row, RANKING_FLAGS, 1, f->name_width);

	draw_flags(c, row, i);
	pane_operation(&name, item_operation(i), reported ? FACE_STRONG : FACE_PLAIN,
		       f->names_first);
	for (size_t k = 0; k < f->n; k++)
		draw_field(c, row, t, &f->v[k], i);
	draw_sparklines(c, row, f, i, study_compares(t->study));
}

static void draw_title(struct canvas *c, const struct tui *t, unsigned col, unsigned width,
		       bool left, size_t column, const char *text)
{
	struct canvas part = canvas_part(c, 0, col, 1, width);
	struct out *o = out_to_memory();

	out_text(o, text);
	if (column == t->list.sort)
		out_text(o, c->glyphs->unicode ? (t->list.inverted ? "▲" : "▼")
					       : (t->list.inverted ? "^" : "v"));
	if (left)
		canvas_text(&part, 0, 0, FACE_HEADER, out_memory(o));
	else
		canvas_right(&part, 0, width, FACE_HEADER, out_memory(o));
	out_free(o);
}

static void draw_titles(struct canvas *c, const struct tui *t, const struct fields *f)
{
	bool compares = study_compares(t->study);

	canvas_fill(c, 0, 0, c->cols, FACE_HEADER, ' ');
	draw_title(c, t, RANKING_FLAGS, f->name_width, true, COLUMN_NAME, "operation");
	for (size_t k = 0; k < f->n; k++)
		draw_title(c, t, f->v[k].col, f->v[k].width, f->v[k].left, f->v[k].sorts,
			   column_name(f->v[k].column));
	if (f->spark_width == 0)
		return;
	canvas_text(c, 0, f->spark_col[SIDE_BEFORE], FACE_HEADER,
		    compares ? STR("before") : STR("calls by latency"));
	if (compares)
		canvas_text(c, 0, f->spark_col[SIDE_AFTER], FACE_HEADER, STR("after"));
}

static void draw_list(struct canvas *c, const struct tui *t, const struct ranking_layout *l)
{
	struct fields f = fields_for(t, l->list_cols, l->detail_col > 0);
	const struct viewport *p = &t->list.viewport;
	unsigned titled = c->rows > 2;

	if (titled)
		draw_titles(c, t, &f);
	for (unsigned row = 0; row < p->rows && p->top + row < t->list.n; row++) {
		draw_row(c, row + titled, t, &f, t->list.shown[p->top + row]);
		if (p->top + row == p->cursor)
			canvas_select(c, row + titled);
	}
	if (t->list.n == 0)
		canvas_paragraph(
			c, titled, RANKING_FLAGS, FACE_DIM,
			t->study->n == 0
				? STR("no operation was read")
				: STR("nothing matches; & changes the filter, . shows what "
				      "is not reported, too"));
}

/* --- the view --------------------------------------------------------------------------- */

/* Draws heading, plot and, if they share the area, words. */
static void draw_detail(struct canvas *c, const struct tui *t, const struct item *i, bool has_words)
{
	struct arena *a = arena_new();
	struct pane p = pane_of(a, t, i, NULL, t->zoom, c);
	unsigned row = pane_heading(c, t, i);
	unsigned words = has_words ? words_rows(t, i, c->rows, c->cols) : 0;
	struct canvas plot = canvas_part(c, row, 0, c->rows - row - words - 1, c->cols);
	struct canvas below = canvas_part(c, c->rows - words, 0, words, c->cols);

	p.plot.cursor = PLOT_NO_CURSOR;
	pane_plot(&plot, &p);
	plot_legend(c, row + plot.rows, &p.chart, &p.plot);
	words_draw(&below, t, i);
	arena_free(a);
}

/* Draws the lines between the areas; that above the words shows whether keys scroll them. */
static void draw_borders(struct canvas *c, const struct tui *t, const struct ranking_layout *l)
{
	enum face face = t->words.focused ? FACE_KEY : FACE_DIM;

	if (l->detail_col == 0) {
		canvas_fill(c, l->list_rows, 0, c->cols, face, c->glyphs->horizontal);
		return;
	}
	for (unsigned row = 0; row < c->rows; row++)
		canvas_fill(c, row, l->list_cols, 1, FACE_DIM, c->glyphs->vertical);
	if (l->words_rows > 0)
		canvas_fill(c, l->list_rows, 0, l->list_cols, face, c->glyphs->horizontal);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	struct ranking_layout l = ranking_layout(c->rows, c->cols, t->list.n);
	struct canvas list = canvas_part(c, 0, 0, l.list_rows, l.list_cols);
	struct canvas words = canvas_part(c, l.words_row, 0, l.words_rows, l.list_cols);
	struct canvas detail =
		canvas_part(c, l.detail_row, l.detail_col, l.detail_rows, l.detail_cols);

	(void)v;
	draw_list(&list, t, &l);
	if (l.detail_rows == 0)
		return;
	draw_borders(c, t, &l);
	if (tui_item(t) == NULL)
		return;
	draw_detail(&detail, t, tui_item(t), l.words_rows == 0);
	words_draw(&words, t, tui_item(t));
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	struct ranking_layout l = ranking_layout(rows, cols, t->list.n);

	(void)v;
	viewport_resize(&t->list.viewport, t->list.n, l.list_rows - (l.list_rows > 2));
	if (l.words_rows > 0)
		words_fit(t, tui_item(t), l.words_rows, l.list_cols);
	else if (tui_item(t) != NULL)
		words_fit(t, tui_item(t), words_rows(t, tui_item(t), l.detail_rows, l.detail_cols),
			  l.detail_cols);
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	(void)v;
	switch (a) {
	case ACT_OPEN:
		tui_open(t, &view_histogram);
		return true;
	case ACT_FOCUS:
		t->words.focused = !t->words.focused;
		return true;
	default:
		break;
	}
	if (t->words.focused && viewport_scroll(&t->words.viewport, a))
		return true;
	if (!viewport_act(&t->list.viewport, a))
		return false;
	t->zoom = (struct zoom){ 0 };
	return true;
}

/* A click on a row moves the cursor there; a click on a title sorts by that column. */
static void click(struct tui *t, unsigned row, unsigned col)
{
	struct ranking_layout l = ranking_layout(screen_area(t->rows).rows, t->cols, t->list.n);
	struct fields f = fields_for(t, l.list_cols, l.detail_col > 0);
	unsigned titled = l.list_rows > 2;

	if (col >= l.list_cols || row >= l.list_rows)
		return;
	if (row >= titled) {
		if (t->list.viewport.top + row - titled < t->list.n)
			viewport_go(&t->list.viewport, t->list.viewport.top + row - titled);
		return;
	}
	if (col < RANKING_FLAGS + f.name_width)
		list_sort_by(&t->list, COLUMN_NAME);
	for (size_t k = 0; k < f.n; k++) {
		if (col >= f.v[k].col && col < f.v[k].col + f.v[k].width)
			list_sort_by(&t->list, f.v[k].sorts);
	}
}

static const enum action hints[] = { ACT_OPEN,	 ACT_VIEW_EXPLAIN, ACT_SEARCH, ACT_FILTER,
				     ACT_SORT,	 ACT_VIEW_PEAKS,   ACT_MARK,   ACT_EXPECT,
				     ACT_EXPORT, ACT_NONE };

const struct view_class view_ranking = {
	.name = "ranking",
	.title = "osprof",
	.opens = ACT_VIEW_RANKING,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
	.click = click,
};
