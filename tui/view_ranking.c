/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranking: the list, and below it or to its right the operation under the cursor. */
#include <string.h>

#include "base/out.h"
#include "report/sparkline.h"
#include "tui/pane.h"
#include "tui/ranking_layout.h"
#include "tui/screen.h"

/* Minimum columns for showing list and operation side by side, and minimum rows for one below
 * the other. */
enum { COLS_BESIDE = 110, ROWS_BELOW = 20 };

struct ranking_layout ranking_layout(unsigned rows, unsigned cols, size_t n, unsigned wanted_cols)
{
	struct ranking_layout l = { .list_rows = rows, .list_cols = cols };

	if (cols >= COLS_BESIDE && rows >= ROWS_BELOW / 2) {
		l.list_cols = cols * 9 / 20 < 88 ? cols * 9 / 20 : 88;
		if (wanted_cols > l.list_cols)
			l.list_cols = wanted_cols < cols / 2 ? wanted_cols : cols / 2;
		l.detail_col = l.list_cols + 2;
		l.detail_cols = cols - l.detail_col;
		l.detail_rows = rows;
	} else if (rows >= ROWS_BELOW) {
		l.list_rows = n + 1 < rows * 2 / 5 ? (unsigned)n + 2 : rows * 2 / 5;
		l.detail_row = l.list_rows + 1;
		l.detail_rows = rows - l.detail_row;
		l.detail_cols = cols;
	}
	return l;
}

/* --- columns of the list ---------------------------------------------------------------- */

enum { FLAGS_WIDTH = 4, NAME_WIDTH = 12, MAX_FIELDS = 6 };
/* The width of names that takes precedence over numbers when names come first.  With it and all
 * numbers of two runs, the narrowest list to the left of an operation is full. */
enum { BEFORE_NUMBERS = 16 };
enum { MIN_FOR_SPARKLINE = 7, WIDEST_SPARKLINE = 20 };

struct field {
	size_t column;
	unsigned col, width;
	bool left; /* left-aligned */
};

struct fields {
	struct field v[MAX_FIELDS];
	size_t n;
	unsigned name_width;
	bool names_first;			  /* names get their width before other fields */
	unsigned spark_col[N_SIDES], spark_width; /* 0: no room */
};

static const struct field compared_fields[] = {
	{ .column = COLUMN_VERDICT, .width = 13, .left = true },
	{ .column = COLUMN_SCORE, .width = 9 },
	{ .column = COLUMN_CHANGE, .width = 10 },
};
static const struct field single_fields[] = {
	{ .column = COLUMN_TOTAL_BEFORE, .width = 10 },
	{ .column = COLUMN_SHARE, .width = 8 },
	{ .column = COLUMN_CALLS_BEFORE, .width = 10 },
	{ .column = COLUMN_MEAN_BEFORE, .width = 9 },
};
/* Means are left out to make room for sparklines; they are shown above the histogram. */
static const struct field nested_fields[] = {
	{ .column = COLUMN_TOTAL_BEFORE, .width = 9 },
	{ .column = COLUMN_SELF_BEFORE, .width = 10 },
	{ .column = COLUMN_SHARE, .width = 8 },
	{ .column = COLUMN_CALLS_BEFORE, .width = 10 },
};

/* The score's field shows the sort column if no other field does. */
static size_t shown_column(const struct tui *t, size_t column)
{
	size_t sort = t->list.sort;
	bool elsewhere = sort == COLUMN_RANK || sort == COLUMN_NAME || sort == COLUMN_VERDICT ||
			 sort == COLUMN_LAYER || sort == COLUMN_CHANGE;

	if (column == (study_compares(t->study) ? COLUMN_SCORE : COLUMN_SHARE) && !elsewhere &&
	    (study_compares(t->study) || sort < COLUMN_CALLS_BEFORE))
		return sort;
	return column;
}

static unsigned n_sides(const struct study *s)
{
	return study_compares(s) ? 2 : 1;
}

/* Returns the width that names need, up to two fifths of the widest list (half of the screen). */
static unsigned needed_by_names(const struct study *s, unsigned screen_cols)
{
	unsigned most = screen_cols / 2 * 2 / 5;

	if (s->widest_name > NAME_WIDTH && most > NAME_WIDTH)
		return s->widest_name < most ? (unsigned)s->widest_name : most;
	return NAME_WIDTH;
}

static const struct field *fields_of(const struct study *s, size_t *ret_n)
{
	if (study_compares(s)) {
		*ret_n = COUNT_OF(compared_fields);
		return compared_fields;
	}
	if (s->nested) {
		*ret_n = COUNT_OF(nested_fields);
		return nested_fields;
	}
	*ret_n = COUNT_OF(single_fields);
	return single_fields;
}

/* Returns the columns for names and numbers, and for sparklines if the widest list has room. */
static unsigned wanted_cols(const struct study *s, unsigned screen_cols)
{
	size_t n;
	const struct field *of = fields_of(s, &n);
	unsigned cols = FLAGS_WIDTH + needed_by_names(s, screen_cols);
	unsigned sparklines = n_sides(s) * MIN_FOR_SPARKLINE;

	for (size_t i = 0; i < n; i++)
		cols += of[i].width + 1;
	return cols + sparklines <= screen_cols / 2 ? cols + sparklines : cols;
}

static struct ranking_layout layout_of(const struct tui *t, unsigned rows, unsigned cols)
{
	return ranking_layout(rows, cols, t->list.n, wanted_cols(t->study, cols));
}

/* Chooses fewer numbers, and no sparklines, when the list is narrow. */
static struct fields fields_for(const struct tui *t, const struct ranking_layout *l)
{
	size_t n;
	const struct field *of = fields_of(t->study, &n);
	unsigned width = l->list_cols, sides = n_sides(t->study), names = NAME_WIDTH, used, room;
	struct fields f = { .names_first = l->detail_col > 0 };

	if (f.names_first)
		names = needed_by_names(t->study, l->detail_col + l->detail_cols);
	f.name_width = names < BEFORE_NUMBERS ? names : BEFORE_NUMBERS;
	used = FLAGS_WIDTH + f.name_width;
	for (size_t i = 0; i < n && used + of[i].width + 1 <= width; i++) {
		f.v[f.n] = of[i];
		f.v[f.n++].column = shown_column(t, of[i].column);
		used += of[i].width + 1;
	}
	room = width > used ? width - used : 0;
	room -= names - f.name_width < room ? names - f.name_width : room;
	f.spark_width = room / sides >= MIN_FOR_SPARKLINE ? room / sides - 1 : 0;
	f.spark_width = f.spark_width < WIDEST_SPARKLINE ? f.spark_width : WIDEST_SPARKLINE;
	used += sides * (f.spark_width > 0 ? f.spark_width + 1 : 0);
	f.name_width += width > used ? width - used : 0;
	used = FLAGS_WIDTH + f.name_width + 1;
	for (size_t i = 0; i < f.n; i++) {
		f.v[i].col = used;
		used += f.v[i].width + 1;
	}
	f.spark_col[SIDE_BEFORE] = used;
	f.spark_col[SIDE_AFTER] = used + f.spark_width + 1;
	return f;
}

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
	struct canvas name = canvas_part(c, row, FLAGS_WIDTH, 1, f->name_width);

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
	draw_title(c, t, FLAGS_WIDTH, f->name_width, true, COLUMN_NAME, "operation");
	for (size_t k = 0; k < f->n; k++)
		draw_title(c, t, f->v[k].col, f->v[k].width, f->v[k].left, f->v[k].column,
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
	struct fields f = fields_for(t, l);
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
			c, titled, FLAGS_WIDTH, FACE_DIM,
			t->study->n == 0
				? STR("there is no operation in what was read")
				: STR("nothing matches; & changes the filter, . shows what "
				      "is not reported, too"));
}

/* --- the view --------------------------------------------------------------------------- */

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	struct ranking_layout l = layout_of(t, c->rows, c->cols);
	struct canvas list = canvas_part(c, 0, 0, l.list_rows, l.list_cols);
	struct canvas detail =
		canvas_part(c, l.detail_row, l.detail_col, l.detail_rows, l.detail_cols);

	(void)v;
	draw_list(&list, t, &l);
	if (l.detail_rows == 0)
		return;
	if (l.detail_col > 0)
		for (unsigned row = 0; row < c->rows; row++)
			canvas_fill(c, row, l.list_cols, 1, FACE_DIM, c->glyphs->vertical);
	else
		canvas_fill(c, l.list_rows, 0, c->cols, FACE_DIM, c->glyphs->horizontal);
	if (tui_item(t) != NULL)
		pane_draw(&detail, t, tui_item(t));
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	struct ranking_layout l = layout_of(t, rows, cols);

	(void)v;
	viewport_resize(&t->list.viewport, t->list.n, l.list_rows - (l.list_rows > 2));
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	(void)v;
	if (a == ACT_OPEN) {
		tui_open(t, &view_histogram);
		return true;
	}
	if (!viewport_act(&t->list.viewport, a))
		return false;
	t->zoom = (struct zoom){ 0 };
	return true;
}

/* A click on a row moves the cursor there; a click on a title sorts by that column. */
static void click(struct tui *t, unsigned row, unsigned col)
{
	struct ranking_layout l = layout_of(t, screen_area(t->rows).rows, t->cols);
	struct fields f = fields_for(t, &l);
	unsigned titled = l.list_rows > 2;

	if (col >= l.list_cols || row >= l.list_rows)
		return;
	if (row >= titled) {
		if (t->list.viewport.top + row - titled < t->list.n)
			viewport_go(&t->list.viewport, t->list.viewport.top + row - titled);
		return;
	}
	if (col < FLAGS_WIDTH + f.name_width)
		list_sort_by(&t->list, COLUMN_NAME);
	for (size_t k = 0; k < f.n; k++) {
		if (col >= f.v[k].col && col < f.v[k].col + f.v[k].width)
			list_sort_by(&t->list, f.v[k].column);
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
