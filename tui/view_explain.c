/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed in one operation, peak by peak, as `osprof explain` tells it. */
#include "base/out.h"
#include "tui/pane.h"

static void tell(struct out *o, const struct tui *t, const struct item *i)
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
	struct out *o = out_to_memory();
	unsigned row = 0;

	(void)v;
	if (i == NULL) {
		out_free(o);
		return 0;
	}
	if (i->ranked != NULL)
		tell(o, t, i);
	else
		pane_story(o, t, i);
	row = canvas_lines(c, pane_heading(c, t, i) + 1, 1, FACE_PLAIN, out_memory(o));
	if (i->remark != NULL && i->remark->note.n > 0) {
		canvas_text(c, row + 1, 1, FACE_KEY, STR("note:"));
		row = canvas_paragraph(c, row + 1, 7, FACE_PLAIN, i->remark->note);
	}
	out_free(o);
	return row;
}

static const enum action hints[] = { ACT_VIEW_HISTOGRAM,     ACT_VIEW_PEAKS,	 ACT_VIEW_ALIKE,
				     ACT_PREVIOUS_OPERATION, ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_explain = {
	.name = "explain",
	.title = "what changed",
	.opens = ACT_VIEW_EXPLAIN,
	.of_operation = true,
	.hints = hints,
	.write = write,
};
