/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers on a common latency axis, one above the other, or side by side when there is no room for
 * all (OSprof 4, FSprof 3.2: the same request as each layer sees it).
 *
 * A panel shows the operation of its layer that has the name of the current one, or else the sum
 * of all operations of the layer.
 */

#include <math.h>
#include <stdlib.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/quantity.h"
#include "report/layers.h"
#include "tui/pane.h"

enum { MAX_LAYERS = 64, NARROWEST_PANEL = 34, LOWEST_PANEL = 12 };

struct layer {
	struct str name;
	const struct item *item;       /* one of its operations */
	const struct item *namesake;   /* has the current operation's name; NULL: none */
	struct histogram sum[N_SIDES]; /* sum of those that could be added up; see add_up() */
	bool summed;
	double calls[N_SIDES], total[N_SIDES]; /* sums over all of its operations */
	double own[N_SIDES];		       /* total without the layers below */
	size_t n_ops;
};

static struct layer *layer_named(struct layer *v, size_t *n, struct str name)
{
	for (size_t k = 0; k < *n; k++) {
		if (str_eq(v[k].name, name))
			return &v[k];
	}
	if (*n == MAX_LAYERS)
		return NULL;
	v[*n] = (struct layer){ .name = name };
	for (int side = 0; side < N_SIDES; side++)
		v[*n].sum[side].scheme = &bucket_octaves;
	return &v[(*n)++];
}

/* Leaves out histograms that cannot be added to those before. */
static struct histogram sum_of_most(struct arena *a, const struct histogram *h, size_t n)
{
	struct histogram sum = { .scheme = &bucket_octaves }, merged;

	if (n > 0 && histogram_sum(a, h, n, &sum) == MERGE_DONE)
		return sum;
	for (size_t i = 0; i < n; i++) {
		if (sum.n == 0)
			sum = h[i];
		else if (histogram_merge(a, &sum, &h[i], &merged) == MERGE_DONE)
			sum = merged;
	}
	return sum;
}

/* Returns self time as a mean per run, in the unit of the run before, like item_total(). */
static double item_own(const struct study *s, const struct item *i, enum side side)
{
	const struct operation *op = item_side(i, side);
	const struct run *run = side == SIDE_AFTER ? &s->browsed.after : &s->browsed.before;
	double scale = side == SIDE_AFTER ? item_scale_after(i) : 1;

	return operation_own(op) * scale / (study_compares(s) ? (double)run->n_runs : 1);
}

static void add_item(struct layer *l, const struct study *s, const struct item *i)
{
	if (l->item == NULL)
		l->item = i;
	l->n_ops++;
	for (int side = 0; side < N_SIDES; side++) {
		const struct operation *op = item_side(i, (enum side)side);

		if (op == NULL || op->unit == UNIT_PLAIN)
			continue;
		l->calls[side] += item_calls(i, (enum side)side);
		l->total[side] += item_total(i, (enum side)side);
		l->own[side] += item_own(s, i, (enum side)side);
	}
}

/* Slow, so done only for layers whose sum is visible. */
static void add_up(struct arena *a, const struct study *s, struct layer *l)
{
	struct histogram *h = xcalloc(s->n + 1, sizeof(*h));

	for (int side = 0; side < N_SIDES; side++) {
		size_t n = 0;

		for (size_t k = 0; k < s->n; k++) {
			const struct operation *op = item_side(&s->item[k], (enum side)side);

			if (op != NULL && op->unit != UNIT_PLAIN && op->hist.n > 0 &&
			    str_eq(op->layer, l->name))
				h[n++] = op->hist;
		}
		l->sum[side] = sum_of_most(a, h, n);
	}
	free(h);
	l->summed = true;
}

struct layers {
	struct layer v[MAX_LAYERS];
	size_t n;
	struct layered layered[N_SIDES];
	struct layer_change *change; /* for one run, compared with an empty one */
	size_t n_changes;
	bool nested; /* some calls are known to be nested in others */
};

/* Finds what is nested in each operation, on both sides. */
static void find_nesting(struct arena *a, const struct study *s, struct layers *ret)
{
	const struct run *run[N_SIDES] = { &s->browsed.before, &s->browsed.after };
	struct layer_side side[N_SIDES];
	struct diag silent = { .emit = NULL }; /* it was reported when the runs were read */
	struct profile *nothing = arena_make(a, struct profile, 1);

	for (int k = 0; k < N_SIDES; k++) {
		const struct profile *p = run[k]->profile != NULL ? run[k]->profile : nothing;
		size_t n = study_compares(s) ? run[k]->n_runs : 1;

		ret->nested |= layers_of(a, p, &silent, &ret->layered[k]);
		side[k] = (struct layer_side){ &ret->layered[k], 1, (double)n };
	}
	if (study_compares(s))
		side[SIDE_AFTER].scale = s->browsed.comparison->ranking->scale_after;
	if (ret->nested)
		ret->change =
			layers_compare(a, &side[SIDE_BEFORE], &side[SIDE_AFTER], &ret->n_changes);
}

static const struct layer_change *change_of(const struct layers *all, const struct item *i)
{
	for (size_t k = 0; i != NULL && k < all->n_changes; k++) {
		const struct layer_change *c = &all->change[k];

		if ((i->before != NULL && c->before == i->before) ||
		    (i->after != NULL && c->after == i->after))
			return c;
	}
	return NULL;
}

static void find_layers(const struct tui *t, struct layers *ret)
{
	ret->n = 0;
	for (size_t k = 0; k < t->study->n; k++) {
		const struct item *i = &t->study->item[k];
		struct layer *l = layer_named(ret->v, &ret->n, item_operation(i)->layer);

		if (l != NULL)
			add_item(l, t->study, i);
	}
}

static void find_namesakes(const struct tui *t, struct layers *all)
{
	const struct item *current = tui_item(t);

	for (size_t k = 0; k < all->n; k++)
		all->v[k].namesake = NULL;
	for (size_t k = 0; current != NULL && k < t->study->n; k++) {
		const struct operation *op = item_operation(&t->study->item[k]);
		struct layer *l;

		if (!str_eq(op->name, item_operation(current)->name))
			continue;
		l = layer_named(all->v, &all->n, op->layer);
		if (l != NULL)
			l->namesake = &t->study->item[k];
	}
}

/* Returns the layers that fit() found. */
static struct layers *kept_layers(const struct tui *t)
{
	return t->study->kept.what;
}

/* --- a panel --------------------------------------------------------------------------- */

static void say_pair(struct out *o, const struct tui *t, const double v[N_SIDES],
		     const struct scale *scale)
{
	for (int side = 0; side < (study_compares(t->study) ? N_SIDES : 1); side++) {
		if (side == SIDE_AFTER)
			out_printf(o, " %s ", t->glyphs->arrow);
		if (scale != NULL)
			quantity_latency(o, v[side], *scale);
		else
			quantity_count(o, v[side]);
	}
}

static void draw_heading(struct canvas *c, const struct tui *t, const struct layer *l)
{
	struct scale scale = item_scale(t->study, l->item);
	struct out *o = out_to_memory();
	unsigned col = canvas_name(c, 0, 0, FACE_STRONG, c->cols / 2,
				   l->name.n > 0 ? l->name : STR("without a layer"));

	canvas_printf(c, 0, col, FACE_DIM, ": %zu operation%s", l->n_ops, l->n_ops == 1 ? "" : "s");
	say_pair(o, t, l->calls, NULL);
	out_text(o, " calls, ");
	say_pair(o, t, l->total, &scale);
	if (l->own[SIDE_BEFORE] < l->total[SIDE_BEFORE] ||
	    l->own[SIDE_AFTER] < l->total[SIDE_AFTER]) {
		out_text(o, ", self ");
		say_pair(o, t, l->own, &scale);
	}
	canvas_text(c, 1, 0, FACE_PLAIN, out_memory(o));
	if (l->namesake != NULL)
		canvas_name(c, 2, 0, FACE_KEY, c->cols, item_operation(l->namesake)->name);
	else
		canvas_text(c, 2, 0, FACE_DIM, STR("all of its operations"));
	out_free(o);
}

static const struct item *shown_item(const struct layer *l)
{
	return l->namesake != NULL ? l->namesake : l->item;
}

/* Histograms to show instead of the item's; all NULL when its own are shown. */
struct slice {
	const struct histogram *of[N_SIDES];
	bool any;
};

static struct slice slice_of(const struct layer *l)
{
	if (l->namesake != NULL)
		return (struct slice){ .any = false };
	return (struct slice){ { &l->sum[SIDE_BEFORE], &l->sum[SIDE_AFTER] }, true };
}

static void draw_panel(struct canvas *c, const struct tui *t, const struct layer *l,
		       struct zoom zoom)
{
	struct slice sum = slice_of(l);
	struct canvas plot = canvas_part(c, 3, 0, c->rows > 3 ? c->rows - 3 : 0, c->cols);
	struct arena *a = arena_new();
	struct pane p = pane_of(a, t, shown_item(l), sum.any ? sum.of : NULL, zoom, &plot);

	draw_heading(c, t, l);
	p.plot.cursor = PLOT_NO_CURSOR;
	pane_plot(&plot, &p);
	arena_free(a);
}

/* --- the view ---------------------------------------------------------------------------- */

/* The two lines below the panels hold text. */
static unsigned rows_for_panels(unsigned rows)
{
	return rows > 2 ? rows - 2 : rows;
}

static bool are_stacked(unsigned rows, size_t n)
{
	return n * LOWEST_PANEL <= rows_for_panels(rows);
}

static size_t panels_in(unsigned rows, unsigned cols, size_t n)
{
	size_t fit = are_stacked(rows, n) ? n : cols / NARROWEST_PANEL;

	fit = fit > 0 ? fit : 1;
	return fit < n ? fit : n;
}

static struct canvas panel_at(struct canvas *c, size_t k, size_t seen, size_t n)
{
	unsigned rows = rows_for_panels(c->rows), width = c->cols / (unsigned)seen;
	unsigned height = rows / (unsigned)seen;

	if (are_stacked(c->rows, n))
		return canvas_part(c, (unsigned)k * height, 0, height, c->cols);
	return canvas_part(c, 0, (unsigned)k * width, rows, width - 1);
}

/* Draws how the current operation's time, or its change between two runs, is split by layer. */
static void draw_split(struct canvas *c, const struct tui *t, const struct layers *all)
{
	const struct item *i = tui_item(t);
	const struct layer_change *change = change_of(all, i);
	const struct style style = { .unicode = t->glyphs->unicode };
	struct out *o;

	if (change == NULL || c->rows < 3)
		return;
	o = out_to_memory();
	if (study_compares(t->study))
		say_layer_change(o, &style, change, item_scale(t->study, i));
	else
		say_layer_split(o, &style, change, item_scale(t->study, i));
	canvas_text(c, c->rows - 2, 1, FACE_PLAIN, out_memory(o));
	out_free(o);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct layer *layer = kept_layers(t)->v + v->left;
	size_t n = kept_layers(t)->n, seen = panels_in(c->rows, c->cols, n);
	struct zoom zoom = t->zoom;

	for (size_t k = 0; k < seen; k++) {
		struct slice sum = slice_of(&layer[k]);

		chart_share_axis(t->study, shown_item(&layer[k]), sum.any ? sum.of : NULL, &zoom);
	}
	for (size_t k = 0; k < seen; k++) {
		struct canvas part = panel_at(c, k, seen, n);

		draw_panel(&part, t, &layer[k], zoom);
	}
	draw_split(c, t, kept_layers(t));
	if (n == 1)
		canvas_text(c, c->rows - 1, 1, FACE_DIM,
			    STR("there is one layer only; captures of several maps have more"));
	else if (n > seen)
		canvas_printf(c, c->rows - 1, 1, FACE_DIM, "layers %zu to %zu of %zu; h and l move",
			      v->left + 1, v->left + seen, n);
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	struct layers *all;
	size_t seen;

	if (!study_keeps(t->study, &view_layers, NULL)) {
		t->study->kept.what = arena_make(t->study->kept.arena, struct layers, 1);
		find_layers(t, t->study->kept.what);
		find_nesting(t->study->kept.arena, t->study, t->study->kept.what);
	}
	all = kept_layers(t);
	find_namesakes(t, all);
	seen = panels_in(rows, cols, all->n);
	if (v->left + seen > all->n)
		v->left = all->n - seen;
	for (struct layer *l = &all->v[v->left]; l < &all->v[v->left + seen]; l++) {
		if (l->namesake == NULL && !l->summed)
			add_up(t->study->kept.arena, t->study, l);
	}
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	switch (a) {
	case ACT_LEFT:
		v->left -= v->left > 0;
		return true;
	case ACT_RIGHT:
		v->left++;
		return true;
	case ACT_UP:
	case ACT_DOWN:
		viewport_act(&t->list.viewport, a);
		return true;
	default:
		return false;
	}
}

static const enum action hints[] = { ACT_LEFT, ACT_RIGHT, ACT_PREVIOUS_OPERATION,
				     ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_layers = {
	.name = "layers",
	.title = "layers, by",
	.opens = ACT_VIEW_LAYERS,
	.of_operation = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
