/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths that cause a peak: keys choose the peak, causes and tree follow. */
#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/causes.h"
#include "tui/state.h"
#include "tui/studies/cause_study.h"

enum { BARS = 5, MAX_CAUSES = 4 };
/* The columns where numbers end and names begin. */
enum { COL_ADDED = 11, COL_SHARE = 19, COL_CALLS = 27, COL_OTHERS = 35, COL_NAME = 37 };

static const struct scale ns = { .unit = UNIT_NS };
static const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };

/* --- the histogram ------------------------------------------------------------------------- */

/* The histogram in columns; several buckets share one when there is not enough room. */
struct strip {
	double from, step; /* octaves */
	unsigned n;
	double *height; /* of each column, in decades of calls, from 0 */
	double max;
};

static struct strip strip_of(struct arena *a, const struct histogram *h, unsigned cols)
{
	struct strip t = { .height = arena_make(a, double, cols + 1) };
	double *calls = arena_make(a, double, cols + 1), to;

	if (h->n == 0 || cols < 8)
		return t;
	t.from = log2(fmax(h->bucket[0].edges->low, 1));
	to = log2(fmax(h->bucket[h->n - 1].edges->high, 2));
	t.step = 1.0 / CALL_TREE_RESOLUTION;
	while ((to - t.from) / t.step > cols)
		t.step *= 2;
	t.n = (unsigned)fmin(ceil((to - t.from) / t.step), cols);
	for (size_t i = 0; i < h->n; i++) {
		double at = (log2(fmax(h->bucket[i].edges->low, 1)) - t.from) / t.step;

		calls[(unsigned)fmin(fmax(at + 1e-6, 0), t.n - 1)] += (double)h->bucket[i].count;
	}
	for (unsigned i = 0; i < t.n; i++) {
		t.height[i] = calls[i] > 0 ? log10(calls[i]) + 0.3 : 0;
		t.max = fmax(t.max, t.height[i]);
	}
	return t;
}

static unsigned column_at(const struct strip *t, double latency)
{
	double at = (log2(fmax(latency, 1)) - t->from) / t->step;

	return (unsigned)fmin(fmax(at + 1e-6, 0), t->n > 0 ? t->n - 1 : 0);
}

static bool is_chosen(const struct cause_study *s, size_t peak)
{
	size_t chosen = s->causes.chosen.number;

	return chosen == 0 || chosen == peak;
}

/* Returns the histogram of the side that is shown. */
static const struct histogram *histogram_of(const struct cause_study *s)
{
	return s->turned && s->base != NULL ? &s->base_hist : &s->hist;
}

static enum face face_at(const struct cause_study *s, const struct strip *t, unsigned column)
{
	double low = exp2(t->from + column * t->step),
	       high = exp2(t->from + (column + 1) * t->step);
	const struct cause_choice *c = &s->causes.chosen;

	return high > c->low * (1 + 1e-9) && low < c->high * (1 - 1e-9) ? FACE_AFTER : FACE_DIM;
}

static void draw_bars(struct canvas *c, const struct cause_study *s, const struct strip *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		double eighths = t->max > 0 ? t->height[i] / t->max * BARS * 8 : 0;

		for (unsigned row = 0; row < BARS; row++) {
			double left = eighths - 8.0 * (BARS - 1 - row);
			unsigned level = left <= 0 ? 0 : left >= 8 ? 8 : (unsigned)ceil(left);

			if (level > 0)
				canvas_code(c, row, 1 + i, face_at(s, t, i),
					    c->glyphs->rising[level]);
		}
	}
}

/* Draws a line below each peak, with its number. */
static void draw_peaks(struct canvas *c, unsigned row, const struct cause_study *s,
		       const struct strip *t)
{
	const struct histogram *h = histogram_of(s);
	const struct peaks *peaks = h == &s->hist ? &s->peaks : &s->base_peaks;

	for (size_t i = 0; i < peaks->n && t->n > 0; i++) {
		const struct peak *p = &peaks->v[i];
		unsigned from = column_at(t, h->bucket[p->first].edges->low);
		unsigned to = column_at(t, h->bucket[p->last].edges->low);
		enum face face = is_chosen(s, i + 1) ? FACE_PEAK : FACE_DIM;

		canvas_fill(c, row, 1 + from, to - from + 1, face, c->glyphs->horizontal);
		canvas_printf(c, row, 1 + (from + to) / 2, face, "%zu", i + 1);
	}
}

static unsigned draw_histogram(struct canvas *c, const struct cause_study *s)
{
	struct arena *a = arena_new();
	const struct histogram *h = histogram_of(s);
	struct strip t = strip_of(a, h, c->cols > 2 ? c->cols - 2 : 0);
	struct out *o = out_to_memory();

	draw_bars(c, s, &t);
	draw_peaks(c, BARS, s, &t);
	if (t.n > 0) {
		quantity_latency(o, h->bucket[0].edges->low, ns);
		canvas_text(c, BARS + 1, 1, FACE_DIM, out_memory(o));
		out_reset(o);
		quantity_latency(o, h->bucket[h->n - 1].edges->high, ns);
		canvas_right(c, BARS + 1, t.n + 1 > 24 ? t.n + 1 : 24, FACE_DIM, out_memory(o));
	}
	out_free(o);
	arena_free(a);
	return BARS + 2;
}

/* --- tables -------------------------------------------------------------------------------- */

static unsigned draw_choice(struct canvas *c, unsigned row, const struct cause_study *s)
{
	const struct causes *found = &s->causes;
	struct out *o = out_to_memory();

	causes_say_comparison(o, found);
	if (found->inconclusive)
		out_text(o, " (too few: inconclusive)");
	canvas_text(c, row, 1, FACE_STRONG, out_memory(o));
	out_free(o);
	return row + 1;
}

static void draw_header(struct canvas *c, unsigned row, const char *names)
{
	canvas_fill(c, row, 0, c->cols, FACE_HEADER, ' ');
	canvas_right(c, row, COL_ADDED, FACE_HEADER, STR("added"));
	canvas_right(c, row, COL_SHARE, FACE_HEADER, STR("share"));
	canvas_right(c, row, COL_CALLS, FACE_HEADER, STR("calls"));
	canvas_right(c, row, COL_OTHERS, FACE_HEADER, STR("others"));
	canvas_text(c, row, COL_NAME, FACE_HEADER, str_from(names));
}

static void draw_percent(struct canvas *c, unsigned row, unsigned end, double part)
{
	struct out *o = out_to_memory();

	quantity_percent(o, part);
	canvas_right(c, row, end, FACE_PLAIN, out_memory(o));
	out_free(o);
}

/* `calls` is a share of the chosen calls. */
static void draw_numbers(struct canvas *c, unsigned row, const struct causes *found,
			 const struct cause_node *n, double added, double calls)
{
	struct out *o = out_to_memory();

	quantity_latency(o, added, ns);
	canvas_right(c, row, COL_ADDED, added < 0 ? FACE_BETTER : FACE_PLAIN, out_memory(o));
	out_free(o);
	draw_percent(c, row, COL_SHARE, found->added != 0 ? added / found->added : 0);
	draw_percent(c, row, COL_CALLS, calls);
	if (found->against.count > 0)
		draw_percent(c, row, COL_OTHERS, cause_mean(&found->against, n->against.present));
}

static unsigned draw_causes(struct canvas *c, unsigned row, const struct causes *found)
{
	size_t n = found->n_causes < MAX_CAUSES ? found->n_causes : MAX_CAUSES;
	struct out *o = out_to_memory();

	draw_header(c, row++, "cause");
	for (size_t i = 0; i < n; i++, row++) {
		const struct cause *one = &found->cause[i];

		draw_numbers(c, row, found, &found->node[one->node], one->added, one->in);
		out_reset(o);
		causes_path(o, &plain, found, one->node, one->node == 0 ? 0 : 1);
		canvas_end_of(c, row, COL_NAME, FACE_STRONG,
			      c->cols > COL_NAME ? c->cols - COL_NAME : 0, out_memory(o));
	}
	out_free(o);
	if (n == 0)
		canvas_text(c, row++, 1, FACE_DIM, STR("no path stands out"));
	return row;
}

static void draw_node(struct canvas *c, unsigned row, const struct cause_study *s, size_t line)
{
	const struct cause_row *r = &s->row[line];
	const struct cause_node *n = &s->causes.node[r->node];
	unsigned indent = r->level < 30 ? 2 * r->level : 60;
	const char *sign = n->child == CAUSE_NO_NODE	     ? " "
			   : cause_study_is_open(s, r->node) ? "-"
							     : "+";

	draw_numbers(c, row, &s->causes, n, n->added,
		     cause_mean(&s->causes.chosen, n->chosen.present));
	canvas_text(c, row, COL_NAME + indent, FACE_DIM, str_from(sign));
	if (COL_NAME + indent + 2 < c->cols)
		canvas_name(c, row, COL_NAME + indent + 2, FACE_PLAIN,
			    c->cols - (COL_NAME + indent + 2), n->name);
}

/* --- the view --------------------------------------------------------------------------------
 */

/* Returns the number of rows above the tree. */
static unsigned rows_above(const struct cause_study *s)
{
	size_t n = s->causes.n_causes < MAX_CAUSES ? s->causes.n_causes : MAX_CAUSES;

	return BARS + 2 + 1 + 1 + (n > 0 ? (unsigned)n : 1) + 1;
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct cause_study *s = t->causes.study;
	unsigned row;

	if (s == NULL) {
		(void)canvas_paragraph(c, 1, 1, FACE_DIM, str_from(t->causes.why));
		return;
	}
	row = draw_histogram(c, s);
	row = draw_choice(c, row, s);
	row = draw_causes(c, row, &s->causes);
	draw_header(c, row++, "calls below it");
	for (size_t i = v->viewport.top; i < s->n_rows && row < c->rows; i++, row++) {
		draw_node(c, row, s, i);
		if (i == v->viewport.cursor)
			canvas_select(c, row);
	}
}

static void load_trees(struct tui *t, const struct item *i)
{
	struct call_tree *tree = NULL, *before = NULL;
	struct out *why;

	if (t->causes.of == i)
		return;
	tui_forget_causes(t);
	t->causes.of = i;
	why = out_to_memory();
	if (i == NULL || t->host->trees == NULL) {
		out_text(why, "this cannot be done here");
	} else if (t->host->trees(t->host->ctx, i, &tree, &before, why)) {
		t->causes.study = cause_study_new(tree, before);
		if (t->causes.study == NULL)
			out_text(why, "there are no calls");
	}
	(void)snprintf(t->causes.why, sizeof(t->causes.why), "%.*s", STR_ARG(out_memory(why)));
	out_free(why);
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	unsigned above;

	(void)cols;
	load_trees(t, tui_item(t));
	above = t->causes.study != NULL ? rows_above(t->causes.study) : 0;
	viewport_resize(&v->viewport, t->causes.study != NULL ? t->causes.study->n_rows : 0,
			rows > above ? rows - above : 1);
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	struct cause_study *s = t->causes.study;

	if (s != NULL && (a == ACT_LEFT || a == ACT_RIGHT)) {
		if (!cause_study_step(s, a == ACT_RIGHT))
			tui_say(t, SEV_NOTE, "there is no further peak");
		return true;
	}
	if (s != NULL && a == ACT_TURN) {
		if (!cause_study_turn(s))
			tui_say(t, SEV_NOTE, "there are no calls to be compared with");
		return true;
	}
	if (s != NULL && a == ACT_OPEN) {
		cause_study_toggle(s, v->viewport.cursor);
		return true;
	}
	return viewport_act(&v->viewport, a);
}

static const enum action hints[] = {
	ACT_LEFT,	    ACT_RIGHT, ACT_OPEN, ACT_TURN, ACT_PREVIOUS_OPERATION,
	ACT_NEXT_OPERATION, ACT_NONE
};

const struct view_class view_causes = {
	.name = "causes",
	.title = "causes of",
	.opens = ACT_VIEW_CAUSES,
	.of_operation = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
