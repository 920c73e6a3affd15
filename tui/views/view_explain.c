/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed in one operation, peak by peak, as in `osprof explain`. */
#include "base/arena.h"
#include "base/out.h"
#include "tui/pane.h"

/* Finds the operation in the comparison that is explained, a run's with itself if it is alone. */
static const struct ranked *ranked_of(const struct story_study *s, const struct item *i)
{
	const struct ranking *all = s->story.comparison->ranking;

	if (i->ranked != NULL)
		return i->ranked;
	for (size_t k = 0; k < all->n; k++) {
		if (all->v[k].before == i->before)
			return &all->v[k];
	}
	return NULL;
}

static void write_story(struct out *o, struct tui *t, const struct item *i)
{
	struct story_study *s = &t->study->stories;
	struct style style = { .unicode = t->glyphs->unicode };
	const struct ranked *one[1];

	story_study_finish(s, &t->study->browsed);
	one[0] = ranked_of(s, i);
	s->story.chosen = one;
	s->story.n = one[0] != NULL;
	report_story_of(o, &style, &s->story, &s->context);
	s->story.n = 0;
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct item *i = tui_item(t);
	const struct str *text = t->study->kept.what;
	unsigned row;

	(void)v;
	if (i == NULL)
		return 0;
	row = canvas_lines(c, pane_heading(c, t, i) + 1, 1, FACE_PLAIN, *text);
	if (i->annotation != NULL && i->annotation->note.n > 0) {
		canvas_text(c, row + 1, 1, FACE_KEY, STR("note:"));
		row = canvas_paragraph(c, row + 1, 7, FACE_PLAIN, i->annotation->note);
	}
	return row;
}

/* An explanation is kept while it is shown. */
static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	const struct item *i = tui_item(t);
	struct out *o;
	struct str *text;

	(void)v;
	(void)rows;
	(void)cols;
	if (i == NULL || study_keeps(t->study, &view_explain, i))
		return;
	o = out_to_memory();
	write_story(o, t, i);
	text = arena_make(t->study->kept.arena, struct str, 1);
	*text = arena_str(t->study->kept.arena, out_memory(o));
	t->study->kept.what = text;
	out_free(o);
}

static const enum action hints[] = { ACT_VIEW_HISTOGRAM,     ACT_VIEW_PEAKS,	 ACT_VIEW_SIMILAR,
				     ACT_PREVIOUS_OPERATION, ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_explain = {
	.name = "explain",
	.title = "explain",
	.opens = ACT_VIEW_EXPLAIN,
	.of_operation = true,
	.hints = hints,
	.write = write,
	.fit = fit,
};
