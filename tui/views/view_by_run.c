/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operation in each of the repeated runs: mean and p99, or calls, with outlier runs and change
 * points. */
#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "tui/pane.h"
#include "tui/studies/run_study.h"

enum { SHOW_LATENCY, SHOW_CALLS };
/* Columns left of the points, rows below them, and the widest distance of two runs. */
enum { GUTTER = 10, AXIS_ROWS = 3, WIDEST = 6, FEWEST_ROWS = 4 };

/* The layout: where runs and values are drawn. */
struct layout {
	struct canvas *canvas;
	const struct run_study *runs;
	const struct item *item;
	struct scale scale;
	unsigned rows; /* of points */
	double min, max;
	int mode;
};

static double value_of(const struct run_point *p, int mode, bool p99)
{
	return mode == SHOW_CALLS ? p->calls : p99 ? p->p99 : p->mean;
}

static unsigned col_of(const struct layout *l, size_t k)
{
	unsigned room = l->canvas->cols > GUTTER ? l->canvas->cols - GUTTER : 1;
	size_t n = l->runs->n;

	room = room > n * WIDEST ? (unsigned)n * WIDEST : room;
	return GUTTER + (unsigned)(k * room / n + room / n / 2);
}

/* The axis is logarithmic. */
static unsigned row_of(const struct layout *l, double v)
{
	double part = log(v / l->min) / log(l->max / l->min);

	return l->rows - 1 - (unsigned)lround(fmin(fmax(part, 0), 1) * (l->rows - 1));
}

/* Finds the range of all values, with a margin so that equal runs lie in the middle. */
static bool set_range(struct layout *l)
{
	double min = HUGE_VAL, max = 0;

	for (size_t k = 0; k < l->runs->n; k++) {
		for (int p99 = 0; p99 < 2; p99++) {
			double v = value_of(&l->runs->v[k], l->mode, p99 == 1);

			if (!(v > 0))
				continue;
			min = fmin(min, v);
			max = fmax(max, v);
		}
	}
	l->min = min / 1.1;
	l->max = max * 1.1;
	return max > 0;
}

/* --- drawing ---------------------------------------------------------------------------- */

static void print_value(struct out *o, const struct layout *l, double v)
{
	if (l->mode == SHOW_CALLS)
		quantity_count(o, round(v));
	else
		quantity_latency(o, v, l->scale);
}

static void draw_scale(const struct layout *l)
{
	unsigned every = l->rows > 12 ? 4 : 2;
	struct out *o = out_to_memory();

	for (unsigned row = 0; row < l->rows; row++) {
		double part = (double)(l->rows - 1 - row) / (l->rows - 1);

		canvas_fill(l->canvas, row, GUTTER - 1, 1, FACE_DIM, l->canvas->glyphs->vertical);
		if ((l->rows - 1 - row) % every != 0)
			continue;
		out_reset(o);
		print_value(o, l, l->min * pow(l->max / l->min, part));
		canvas_right(l->canvas, row, GUTTER - 1, FACE_DIM, out_memory(o));
		canvas_fill(l->canvas, row, GUTTER - 1, 1, FACE_DIM, l->canvas->glyphs->side_tick);
	}
	canvas_fill(l->canvas, l->rows, GUTTER - 1, 1, FACE_DIM, l->canvas->glyphs->corner);
	canvas_fill(l->canvas, l->rows, GUTTER, l->canvas->cols, FACE_DIM,
		    l->canvas->glyphs->horizontal);
	out_free(o);
}

/* Draws a dashed line to the left of run k. */
static void draw_divider(const struct layout *l, size_t k, enum face face, uint32_t code)
{
	unsigned col = k > 0 ? (col_of(l, k - 1) + col_of(l, k) + 1) / 2 : GUTTER;

	for (unsigned row = 0; row < l->rows; row++)
		canvas_fill(l->canvas, row, col, 1, face, code);
}

static void draw_changes(const struct layout *l)
{
	const struct glyphs *glyphs = l->canvas->glyphs;

	if (l->runs->n_before > 0 && l->runs->n_before < l->runs->n)
		draw_divider(l, l->runs->n_before, FACE_DIM, glyphs->vertical);
	for (int side = 0; side < N_SIDES; side++) {
		const struct past *past = l->runs->past[side];
		size_t first = side == SIDE_AFTER ? l->runs->n_before : 0;

		for (size_t i = 0; past != NULL && i < past->n_changes; i++) {
			if (past->change[i].kind == CHANGE_STEP)
				draw_divider(l, first + past->change[i].at, FACE_NOTICE,
					     glyphs->band);
		}
	}
}

static enum face face_of(const struct run_point *p)
{
	return p->outlier ? FACE_WARNING : p->side == SIDE_AFTER ? FACE_AFTER : FACE_BEFORE;
}

static void draw_points(const struct layout *l)
{
	const struct glyphs *glyphs = l->canvas->glyphs;

	for (size_t k = 0; k < l->runs->n; k++) {
		const struct run_point *p = &l->runs->v[k];
		unsigned col = col_of(l, k);
		double p99 = value_of(p, l->mode, true), mean = value_of(p, l->mode, false);

		if (l->mode == SHOW_LATENCY && p99 > 0)
			canvas_code(l->canvas, row_of(l, p99), col, face_of(p), glyphs->less[2]);
		if (mean > 0)
			canvas_code(l->canvas, row_of(l, mean), col, face_of(p), glyphs->more[1]);
		if (p->outlier)
			canvas_code(l->canvas, l->rows, col, FACE_WARNING, '!');
	}
}

/* A run's number on its side, or the time of intervals. */
static void print_label(struct out *o, const struct run_study *r, size_t k)
{
	if (r->timed)
		time_print(o, r->words, r->v[k].start);
	else
		out_u64(o, r->v[k].number);
}

/* Whether a label would reach into the first one of the side after, which always is shown. */
static bool meets_next_side(const struct layout *l, size_t k, size_t width)
{
	size_t next = l->runs->n_before;

	return k < next && next < l->runs->n && col_of(l, k) + width >= col_of(l, next);
}

/* Labels below the axis, as many as fit; each side counts from 1. */
static void draw_labels(const struct layout *l, size_t cursor)
{
	struct out *o = out_to_memory();
	unsigned end = 0;

	for (size_t k = 0; k < l->runs->n; k++) {
		unsigned col = col_of(l, k);

		out_reset(o);
		print_label(o, l->runs, k);
		if (k != l->runs->n_before && (col < end || meets_next_side(l, k, out_memory(o).n)))
			continue;
		end = canvas_text(l->canvas, l->rows + 1, col, FACE_DIM, out_memory(o)) + 2;
	}
	out_free(o);
	canvas_code(l->canvas, l->rows, col_of(l, cursor), FACE_KEY, l->canvas->glyphs->cursor);
}

static void draw_legend(const struct layout *l, bool compares)
{
	const struct glyphs *glyphs = l->canvas->glyphs;
	unsigned row = l->rows + 2, col = GUTTER;

	col = canvas_code(l->canvas, row, col, FACE_PLAIN, glyphs->more[1]);
	col = canvas_text(l->canvas, row, col, FACE_PLAIN,
			  l->mode == SHOW_CALLS ? STR(" calls  ") : STR(" mean  "));
	if (l->mode == SHOW_LATENCY) {
		col = canvas_code(l->canvas, row, col, FACE_PLAIN, glyphs->less[2]);
		col = canvas_text(l->canvas, row, col, FACE_PLAIN, STR(" p99  "));
	}
	if (compares) {
		col = canvas_text(l->canvas, row, col, FACE_BEFORE, STR("before  "));
		col = canvas_text(l->canvas, row, col, FACE_AFTER, STR("after  "));
	}
	col = canvas_code(l->canvas, row, col, FACE_NOTICE, glyphs->band);
	col = canvas_text(l->canvas, row, col, FACE_DIM, STR(" change point  "));
	col = canvas_code(l->canvas, row, col, FACE_WARNING, '!');
	canvas_text(l->canvas, row, col, FACE_DIM, STR(" outlier run"));
}

/* --- words --------------------------------------------------------------------------------- */

static const char *side_of(const struct run_study *r, size_t k)
{
	bool two = r->n_before > 0 && r->n_before < r->n;

	return !two ? "" : r->v[k].side == SIDE_AFTER ? " after" : " before";
}

/* "run 3 after, nightly/3.txt: 1200 calls, mean 4.1 us, p99 20 us". */
static void say_run(struct out *o, const struct layout *l, size_t k)
{
	const struct run_point *p = &l->runs->v[k];

	out_text(o, l->runs->timed ? "interval from " : "run ");
	print_label(o, l->runs, k);
	out_text(o, side_of(l->runs, k));
	if (p->name.n > 0)
		out_printf(o, ", %.*s", STR_ARG(p->name));
	if (isnan(p->calls)) {
		out_text(o, ": the operation is absent");
		return;
	}
	out_text(o, ": ");
	quantity_count(o, p->calls);
	out_text(o, " calls");
	if (p->mean > 0) {
		out_text(o, ", mean ");
		quantity_latency(o, p->mean, l->scale);
	}
	if (p->p99 > 0) {
		out_text(o, ", p99 ");
		quantity_latency(o, p->p99, l->scale);
	}
	if (p->outlier)
		out_text(o, "; an outlier run");
}

/* ": calls -20 %, p99 +35 %". */
static void say_features(struct out *o, const struct change *c)
{
	static const struct {
		enum history_feature feature;
		const char *name;
	} said[] = { { HISTORY_CALLS, "calls" },
		     { HISTORY_P50, "p50" },
		     { HISTORY_P90, "p90" },
		     { HISTORY_P99, "p99" } };
	bool any = false;

	for (size_t i = 0; i < COUNT_OF(said); i++) {
		double octaves = c->effect[said[i].feature];

		if (!c->significant[said[i].feature] || !isfinite(octaves))
			continue;
		out_printf(o, "%s %s %+.0f %%", any ? "," : ":", said[i].name,
			   (exp2(octaves) - 1) * 100);
		any = true;
	}
}

/* "change point at run 12 before: ". */
static void say_change_point(struct out *o, const struct run_study *r, size_t k)
{
	out_text(o, r->timed ? "change point at " : "change point at run ");
	print_label(o, r, k);
	out_printf(o, "%s: ", side_of(r, k));
}

/* "change point at run 12: regressed: p99 +35 %, mean 1.2 us -> 1.5 us". */
static void say_change(struct out *o, const struct layout *l, const struct change *c, size_t first)
{
	const struct run_point *p = &l->runs->v[first + c->at];
	double scale = p->side == SIDE_AFTER ? item_scale_after(l->item) : 1;

	if (c->kind == CHANGE_DRIFT)
		out_printf(o, "drift over the runs%s: ", side_of(l->runs, first));
	else
		say_change_point(o, l->runs, first + c->at);
	out_text(o, verdict_name(c->verdict));
	say_features(o, c);
	if (c->before.mean > 0 && c->after.mean > 0) {
		out_text(o, ", mean ");
		quantity_latency(o, c->before.mean * scale, l->scale);
		out_printf(o, " %s ", l->canvas->glyphs->arrow);
		quantity_latency(o, c->after.mean * scale, l->scale);
	}
	out_text(o, "\n");
}

static void say_findings(struct out *o, const struct layout *l)
{
	bool any = false;

	for (int side = 0; side < N_SIDES; side++) {
		const struct past *past = l->runs->past[side];
		size_t first = side == SIDE_AFTER ? l->runs->n_before : 0;

		any |= past != NULL;
		for (size_t i = 0; past != NULL && i < past->n_changes; i++)
			say_change(o, l, &past->change[i], first);
		for (size_t i = 0; past != NULL && i < past->n_outliers; i++) {
			say_run(o, l, first + past->outlier[i].run);
			out_char(o, '\n');
		}
		if (past != NULL && past->n_changes == 0)
			out_printf(o, "no change point among the runs%s\n",
				   side_of(l->runs, first));
	}
	if (!any)
		out_printf(o, "change points and outliers need %d runs of a side\n",
			   HISTORY_FEWEST);
}

/* --- the view ------------------------------------------------------------------------------ */

static void release(void *what)
{
	run_study_release(what);
}

static const struct run_study *runs_of(const struct tui *t)
{
	return t->study->kept.what;
}

static void draw_runs(const struct view *v, const struct tui *t, struct canvas *c)
{
	struct layout l = { .canvas = c,
			    .runs = runs_of(t),
			    .item = tui_item(t),
			    .scale = item_scale(t->study, tui_item(t)),
			    .mode = v->mode };
	struct out *o = out_to_memory();
	struct canvas none = { .cols = c->cols, .glyphs = c->glyphs };
	unsigned words;

	say_run(o, &l, v->viewport.cursor);
	out_char(o, '\n');
	say_findings(o, &l);
	words = canvas_lines(&none, 0, 0, FACE_PLAIN, out_memory(o));
	words = words < c->rows / 3 ? words : c->rows / 3;
	if (c->rows >= words + AXIS_ROWS + FEWEST_ROWS && set_range(&l)) {
		l.rows = c->rows - words - AXIS_ROWS;
		draw_scale(&l);
		draw_changes(&l);
		draw_points(&l);
		draw_labels(&l, v->viewport.cursor);
		draw_legend(&l, study_compares(t->study));
		none = canvas_part(c, c->rows - words, 0, words, c->cols);
	} else {
		none = *c;
	}
	canvas_lines(&none, 0, 0, FACE_PLAIN, out_memory(o));
	out_free(o);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	struct canvas rest;
	unsigned row;

	if (tui_item(t) == NULL)
		return;
	row = pane_heading(c, t, tui_item(t));
	rest = canvas_part(c, row, 0, c->rows > row ? c->rows - row : 0, c->cols);
	if (runs_of(t)->n < 2)
		canvas_paragraph(&rest, 1, 1, FACE_DIM,
				 STR("one run only; a folder of repeated runs has one point for "
				     "each"));
	else
		draw_runs(v, t, &rest);
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	const struct item *i = tui_item(t);
	struct run_study *runs;

	(void)rows;
	(void)cols;
	if (i == NULL)
		return;
	if (!study_keeps(t->study, &view_by_run, i)) {
		runs = arena_make(t->study->kept.arena, struct run_study, 1);
		*runs = run_study_of(t->study->kept.arena, t->study, i);
		t->study->kept.what = runs;
		t->study->kept.release = release;
	}
	viewport_resize(&v->viewport, runs_of(t)->n, 1);
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	switch (a) {
	case ACT_LEFT:
		return viewport_act(&v->viewport, ACT_UP);
	case ACT_RIGHT:
		return viewport_act(&v->viewport, ACT_DOWN);
	case ACT_FIRST:
	case ACT_LAST:
		return viewport_act(&v->viewport, a);
	case ACT_WEIGH:
		v->mode = v->mode == SHOW_CALLS ? SHOW_LATENCY : SHOW_CALLS;
		return true;
	case ACT_DOWN:
	case ACT_UP:
		return viewport_act(&t->list.viewport, a);
	default:
		return false;
	}
}

static const enum action hints[] = { ACT_WEIGH,		 ACT_LEFT,
				     ACT_RIGHT,		 ACT_PREVIOUS_OPERATION,
				     ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_by_run = {
	.name = "by-run",
	.title = "run by run",
	.opens = ACT_VIEW_BY_RUN,
	.of_operation = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
