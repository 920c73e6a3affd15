/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed in one operation, peak by peak, as in `osprof explain`. */
#include "base/arena.h"
#include "base/out.h"
#include "tui/pane.h"

static void report(struct out *o, const struct tui *t, const struct item *i)
{
	const struct ranked *one[] = { i->ranked };
	struct story story = {
		.comparison = t->study->browsed.comparison,
		.times = t->study->browsed.times,
		.chosen = one,
		.n = 1,
		.named = true,
		.elapsed_before = t->study->browsed.elapsed_before,
		.elapsed_after = t->study->browsed.elapsed_after,
	};
	struct style style = { .unicode = t->glyphs->unicode };

	report_story(o, &style, &story);
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

/* An explanation searches the peaks of all operations, so it is computed once and kept. */
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
	if (i->ranked != NULL)
		report(o, t, i);
	else
		pane_story(o, t, i);
	text = arena_make(t->study->kept.arena, struct str, 1);
	*text = arena_str(t->study->kept.arena, out_memory(o));
	t->study->kept.what = text;
	out_free(o);
}

static const enum action hints[] = { ACT_VIEW_HISTOGRAM,     ACT_VIEW_PEAKS,	 ACT_VIEW_SIMILAR,
				     ACT_PREVIOUS_OPERATION, ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_explain = {
	.name = "explain",
	.title = "what changed",
	.opens = ACT_VIEW_EXPLAIN,
	.of_operation = true,
	.hints = hints,
	.write = write,
	.fit = fit,
};
