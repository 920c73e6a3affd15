/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the run that have several peaks, ordered by the cost of their slow calls. */
#include "analyze/causes/causes_functions.h"
#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "tui/pane.h"

enum { COL_PEAKS = 6, COL_SLOW = 16, COL_SHARE = 24, COL_MEAN = 35, COL_ADDED = 46, COL_NAME = 48 };

struct functions {
	struct cause_function *v;
	size_t n;
};

static void read_functions(struct tui *t)
{
	if (t->functions.tried || t->host->functions == NULL)
		return;
	t->functions.tried = true;
	t->functions.profile = t->host->functions(t->host->ctx);
}

/* Returns the profile after, or the only one; if it has call trees, their histograms, as used by
 * the causes. */
static const struct profile *profile_of(const struct tui *t)
{
	const struct browsed *b = &t->study->browsed;

	if (t->functions.profile != NULL)
		return t->functions.profile;
	return b->after.profile != NULL ? b->after.profile : b->before.profile;
}

static const struct item *item_of(const struct study *s, const struct operation *op)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct operation *of = item_operation(&s->item[i]);

		if (str_eq(of->layer, op->layer) && str_eq(of->name, op->name))
			return &s->item[i];
	}
	return NULL;
}

static const struct functions *functions_of(const struct tui *t)
{
	return t->study->kept.what;
}

static void draw_function(struct canvas *c, unsigned row, const struct tui *t,
			  const struct cause_function *f)
{
	const struct peak *slow = &f->peaks.v[f->slow];
	struct scale scale = scale_of_operation(profile_of(t), f->op);
	struct canvas name = canvas_part(c, row, COL_NAME, 1, c->cols);
	struct out *o = out_to_memory();

	out_printf(o, "%zu", f->peaks.n);
	canvas_right(c, row, COL_PEAKS, FACE_PLAIN, out_memory(o));
	out_reset(o);
	quantity_count(o, (double)slow->count);
	canvas_right(c, row, COL_SLOW, FACE_PLAIN, out_memory(o));
	out_reset(o);
	quantity_percent(o, slow->share);
	canvas_right(c, row, COL_SHARE, FACE_PLAIN, out_memory(o));
	out_reset(o);
	out_char(o, '~');
	quantity_latency(o, slow->mean, scale);
	canvas_right(c, row, COL_MEAN, FACE_PLAIN, out_memory(o));
	out_reset(o);
	out_char(o, '~');
	quantity_latency(o, f->added, scale);
	canvas_right(c, row, COL_ADDED, FACE_STRONG, out_memory(o));
	out_free(o);
	pane_operation(&name, f->op, FACE_STRONG, true);
}

static void draw(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct functions *f = functions_of(t);

	canvas_fill(c, 0, 0, c->cols, FACE_HEADER, ' ');
	canvas_right(c, 0, COL_PEAKS, FACE_HEADER, STR("peaks"));
	canvas_right(c, 0, COL_SLOW, FACE_HEADER, STR("slow"));
	canvas_right(c, 0, COL_SHARE, FACE_HEADER, STR("share"));
	canvas_right(c, 0, COL_MEAN, FACE_HEADER, STR("mean"));
	canvas_right(c, 0, COL_ADDED, FACE_HEADER, STR("added"));
	canvas_text(c, 0, COL_NAME, FACE_HEADER,
		    t->study->browsed.after.profile != NULL ? STR("function of the run after")
							    : STR("function"));
	for (unsigned row = 0; row + 1 < c->rows && v->viewport.top + row < f->n; row++) {
		draw_function(c, row + 1, t, &f->v[v->viewport.top + row]);
		if (v->viewport.top + row == v->viewport.cursor)
			canvas_select(c, row + 1);
	}
	if (f->n == 0)
		canvas_text(c, 1, 1, FACE_DIM, STR("no function has several peaks"));
}

/* The peaks of the profile's operations, which the stories have if it is not of call trees. */
static const struct peaks *peaks_of(const struct tui *t)
{
	struct story_study *s = &t->study->stories;

	if (t->functions.profile != NULL)
		return NULL;
	story_study_finish(s, &t->study->browsed);
	return s->context.after.profile == profile_of(t) ? s->context.after.of : NULL;
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	(void)cols;
	if (!study_keeps(t->study, &view_functions, NULL)) {
		struct arena *a = t->study->kept.arena;
		struct functions *f = arena_make(a, struct functions, 1);

		read_functions(t);
		f->n = cause_functions(a, profile_of(t), peaks_of(t), &f->v);
		t->study->kept.what = f;
	}
	viewport_resize(&v->viewport, functions_of(t)->n, rows > 1 ? rows - 1 : 1);
}

static bool open_function(struct view *v, struct tui *t)
{
	const struct functions *f;
	const struct item *to;

	fit(v, t, (unsigned)v->viewport.rows + 1, 0); /* the study may have been replaced */
	f = functions_of(t);
	to = v->viewport.cursor < f->n ? item_of(t->study, f->v[v->viewport.cursor].op) : NULL;
	if (to == NULL)
		return true;
	list_go_to(&t->list, to);
	if (tui_item(t) == to)
		tui_open(t, &view_causes);
	else
		tui_say(t, SEV_NOTE, "it is filtered out of the ranking; & shows the filter");
	return true;
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	if (a == ACT_OPEN)
		return open_function(v, t);
	return viewport_act(&v->viewport, a);
}

static const enum action hints[] = { ACT_OPEN, ACT_DOWN, ACT_BACK, ACT_NONE };

const struct view_class view_functions = {
	.name = "functions",
	.title = "functions with several peaks",
	.opens = ACT_VIEW_FUNCTIONS,
	.of_run = true,
	.hints = hints,
	.draw = draw,
	.fit = fit,
	.act = act,
};
