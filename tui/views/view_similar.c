/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of the same run whose shapes are nearest to the current one's (OSprof 3.1). */
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/parallel.h"
#include "profile/quantity.h"
#include "report/sparkline.h"
#include "tui/pane.h"

enum {
	COL_DISTANCE = 10,
	COL_CALLS = 22,
	COL_MEAN = 33,
	COL_SPARK = 35,
	WIDEST_SPARK = 24,
	MIN_FOR_NAME = 18
};

static unsigned spark_width(const struct canvas *c)
{
	unsigned taken = COL_SPARK + 2 + MIN_FOR_NAME;

	return c->cols < taken			? 0
	       : c->cols - taken < WIDEST_SPARK ? c->cols - taken
						: WIDEST_SPARK;
}

static unsigned name_col(const struct canvas *c)
{
	return COL_SPARK + (spark_width(c) > 0 ? spark_width(c) + 2 : 0);
}

struct neighbour {
	const struct item *item;
	double distance;
	bool named;  /* explain names it: a peak, or the number of calls, matches */
	bool remote; /* called so much more or less often that the shape alone says little */
};

/* Returns the operation on the side that is shown: after, if there is one. */
static const struct operation *side_of(const struct tui *t, const struct item *i)
{
	const struct item *current = tui_item(t);

	return current->after != NULL ? i->after : i->before;
}

static int by_distance(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;

	if (x->named != y->named)
		return x->named ? -1 : 1;
	if (x->remote != y->remote)
		return x->remote ? 1 : -1;
	if (x->distance != y->distance)
		return (x->distance > y->distance) - (x->distance < y->distance);
	return (x->item->index > y->item->index) - (x->item->index < y->item->index);
}

struct neighbours {
	struct neighbour *v; /* the nearest first */
	size_t n;
};

enum { MAX_NAMED = 64 };
static const double remote_ratio = 100;

/* The operations that explain names as evidence for one. */
struct named {
	const struct operation *v[MAX_NAMED];
	size_t n;
};

static void add_named(struct named *s, const struct operation *op)
{
	if (s->n < MAX_NAMED)
		s->v[s->n++] = op;
}

static bool is_named(const struct named *s, const struct operation *op)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i] == op)
			return true;
	}
	return false;
}

/* By a peak, by a sum of peaks, or by the number of calls. */
static struct named named_for(const struct peak_book *b, const struct operation *op)
{
	const struct profile *p = b->profile;
	struct named s = { .n = 0 };
	struct like_peak peak[MAX_LIKE];
	struct like_sum sum[MAX_LIKE];
	struct resemble_calls calls[MAX_LIKE];
	size_t at, n;

	if (p == NULL || op < p->op || op >= p->op + p->n_ops)
		return s;
	at = (size_t)(op - p->op);
	for (size_t k = 0; k < b->of[at].n; k++) {
		n = resemble_peaks(b, at, k, peak);
		for (size_t i = 0; i < n; i++)
			add_named(&s, peak[i].op);
	}
	n = resemble_sums(b, at, sum);
	for (size_t i = 0; i < n; i++)
		add_named(&s, sum[i].op);
	n = resemble_calls(b, at, calls);
	for (size_t i = 0; i < n; i++)
		add_named(&s, calls[i].op);
	return s;
}

static bool is_remote(const struct operation *a, const struct operation *b)
{
	double ratio = (double)operation_count(a) / (double)operation_count(b);

	return ratio > remote_ratio || ratio < 1 / remote_ratio;
}

/* What the threads share that measure the distances from one operation to all others. */
struct distances {
	const struct tui *t;
	const struct operation *from;
	struct neighbour *to; /* one for each item; without an item where none is measured */
};

static void measure_stretch(void *ctx, size_t from, size_t to)
{
	const struct distances *d = ctx;
	struct aligned grid;

	aligned_init(&grid);
	for (size_t i = from; i < to; i++) {
		const struct item *item = &d->t->study->item[i];
		const struct operation *other = side_of(d->t, item);

		if (other == NULL || other == d->from || other->hist.n == 0 ||
		    other->unit != d->from->unit)
			continue;
		align(&grid, &d->from->hist, &other->hist, 1);
		d->to[i] = (struct neighbour){ .item = item,
					       .distance = distance_at(METRIC_EMD)->between(&grid),
					       .remote = is_remote(d->from, other) };
	}
	aligned_release(&grid);
}

enum { MIN_ITEMS_PER_THREAD = 1000 };

static struct neighbours find_neighbours(struct arena *a, const struct tui *t,
					 const struct story_context *stories)
{
	const struct item *current = tui_item(t);
	struct neighbours near = { arena_make(a, struct neighbour, t->study->n + 1), 0 };
	const struct parallel how = { t->study->browsed.threads, MIN_ITEMS_PER_THREAD };
	struct distances d = { .t = t, .to = near.v };
	struct named named;

	if (current == NULL || side_of(t, current)->hist.n == 0)
		return near;
	d.from = side_of(t, current);
	named = named_for(study_compares(t->study) && current->after == NULL ? &stories->before
									     : &stories->after,
			  d.from);
	parallel_for(t->study->n, &how, measure_stretch, &d);
	for (size_t i = 0; i < t->study->n; i++) {
		struct neighbour one = near.v[i];

		if (one.item == NULL)
			continue;
		one.named = is_named(&named, side_of(t, one.item));
		near.v[near.n++] = one;
	}
	qsort(near.v, near.n, sizeof(*near.v), by_distance);
	return near;
}

/* Returns the neighbours that fit() found. */
static const struct neighbours *neighbours_of(const struct tui *t)
{
	return t->study->kept.what;
}

static void draw_neighbour(struct canvas *c, unsigned row, const struct tui *t,
			   const struct neighbour *at)
{
	enum side side = tui_item(t)->after != NULL ? SIDE_AFTER : SIDE_BEFORE;
	const struct operation *op = side_of(t, at->item), *own = side_of(t, tui_item(t));
	const struct histogram *both[] = { &op->hist, &own->hist };
	struct style style = { .unicode = c->glyphs->unicode };
	struct canvas name = canvas_part(c, row, name_col(c), 1, c->cols);
	struct out *o = out_to_memory();

	if (at->named)
		canvas_code(c, row, 0, FACE_KEY, c->glyphs->marked);
	out_printf(o, "%.2f", at->distance);
	canvas_right(c, row, COL_DISTANCE, at->named ? FACE_STRONG : FACE_PLAIN, out_memory(o));
	out_reset(o);
	quantity_count(o, item_calls(at->item, side));
	canvas_right(c, row, COL_CALLS, FACE_PLAIN, out_memory(o));
	out_reset(o);
	quantity_latency(o, operation_mean(op), item_scale(t->study, at->item));
	canvas_right(c, row, COL_MEAN, FACE_PLAIN, out_memory(o));
	out_reset(o);
	if (spark_width(c) > 0)
		sparkline(o, &style, &op->hist, sparkline_span(both, COUNT_OF(both)),
			  spark_width(c), NULL);
	canvas_text(c, row, COL_SPARK,
		    study_compares(t->study) && tui_item(t)->after != NULL ? FACE_AFTER
									   : FACE_BEFORE,
		    out_memory(o));
	pane_operation(&name, op, FACE_STRONG, true);
	out_free(o);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct neighbours *near = neighbours_of(t);

	canvas_fill(c, 0, 0, c->cols, FACE_HEADER, ' ');
	canvas_right(c, 0, COL_DISTANCE, FACE_HEADER, STR("log2 ratio"));
	canvas_right(c, 0, COL_CALLS, FACE_HEADER, STR("calls"));
	canvas_right(c, 0, COL_MEAN, FACE_HEADER, STR("mean"));
	if (spark_width(c) >= sizeof("on the same scale"))
		canvas_text(c, 0, COL_SPARK, FACE_HEADER, STR("on the same scale"));
	canvas_text(c, 0, name_col(c), FACE_HEADER, STR("operation"));
	for (unsigned row = 0; row + 1 < c->rows && v->viewport.top + row < near->n; row++) {
		draw_neighbour(c, row + 1, t, &near->v[v->viewport.top + row]);
		if (v->viewport.top + row == v->viewport.cursor)
			canvas_select(c, row + 1);
	}
	if (near->n > 0 && near->v[0].named && near->n + 2 < c->rows) {
		unsigned col = canvas_code(c, c->rows - 1, 0, FACE_KEY, c->glyphs->marked);

		canvas_text(c, c->rows - 1, col, FACE_DIM,
			    STR(" explain (x) names it: a peak or the number of calls matches"));
	}
	if (near->n == 0)
		canvas_text(c, 1, 1, FACE_DIM,
			    STR("no other operation of this run has a histogram"));
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	(void)cols;
	if (!study_keeps(t->study, &view_similar, tui_item(t))) {
		struct neighbours *near = arena_make(t->study->kept.arena, struct neighbours, 1);

		story_study_finish(&t->study->stories, &t->study->browsed);
		*near = find_neighbours(t->study->kept.arena, t, &t->study->stories.context);
		t->study->kept.what = near;
	}
	viewport_resize(&v->viewport, neighbours_of(t)->n, rows > 1 ? rows - 1 : 1);
}

static bool open_neighbour(struct view *v, struct tui *t)
{
	const struct neighbours *near;
	const struct item *to;

	fit(v, t, (unsigned)v->viewport.rows + 1, 0); /* the list may have changed */
	near = neighbours_of(t);
	if (v->viewport.cursor >= near->n)
		return true;
	to = near->v[v->viewport.cursor].item;
	list_go_to(&t->list, to);
	if (tui_item(t) == to)
		tui_open(t, &view_histogram);
	else
		tui_say(t, SEV_NOTE, "it is filtered out of the ranking; & shows the filter");
	return true;
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	if (a == ACT_OPEN)
		return open_neighbour(v, t);
	return viewport_act(&v->viewport, a);
}

static const enum action hints[] = { ACT_OPEN, ACT_VIEW_EXPLAIN, ACT_PREVIOUS_OPERATION,
				     ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_similar = {
	.name = "similar",
	.title = "operations like",
	.opens = ACT_VIEW_SIMILAR,
	.of_operation = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
