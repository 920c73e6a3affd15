/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of the view from which help was opened, generated from the keymap. */
#include "base/out.h"
#include "tui/state.h"

enum { COL_HELP = 22 };

/* Returns the view from which help was opened. */
static const struct view_class *helped_view(const struct tui *t)
{
	return t->visited[t->at > 0 ? t->at - 1 : 0].cls;
}

static unsigned draw_action(struct canvas *c, unsigned row, const struct tui *t, enum action a)
{
	struct out *keys = out_to_memory();
	unsigned end;

	keymap_keys(&t->keys, helped_view(t)->name, a, keys);
	if (out_memory(keys).n > 0) {
		end = canvas_text(c, row, 1, FACE_KEY, out_memory(keys));
		canvas_text(c, row, end < COL_HELP ? COL_HELP : end + 2, FACE_PLAIN,
			    str_from(action_help(a)));
		row++;
	}
	out_free(keys);
	return row;
}

static bool is_hint(const struct view_class *v, enum action a)
{
	const enum action *hint = v->hints;

	while (*hint != ACT_NONE && *hint != a)
		hint++;
	return *hint != ACT_NONE;
}

/* Draws the actions that the view itself suggests. */
static unsigned draw_own(struct canvas *c, unsigned row, const struct tui *t)
{
	const struct view_class *v = helped_view(t);

	canvas_printf(c, row++, 1, FACE_STRONG, "In this view: %s", v->name);
	for (const enum action *a = v->hints; *a != ACT_NONE; a++)
		row = draw_action(c, row, t, *a);
	return row + 1;
}

/* Draws a group of other actions that are consecutive in tui/actions.def. */
static unsigned draw_group(struct canvas *c, unsigned row, const struct tui *t, const char *title,
			   enum action from, enum action to)
{
	canvas_text(c, row, 1, FACE_STRONG, str_from(title));
	row++;
	for (int a = (int)from; a <= (int)to; a++) {
		if (!is_hint(helped_view(t), (enum action)a))
			row = draw_action(c, row, t, (enum action)a);
	}
	return row + 1;
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	unsigned row = 0;

	(void)v;
	row = draw_own(c, row, t);
	row = draw_group(c, row, t, "Moving (q goes back, and leaves at the top)", ACT_DOWN,
			 ACT_NEXT_OPERATION);
	row = draw_group(c, row, t, "Finding", ACT_SEARCH, ACT_SORT_INVERT);
	row = draw_group(c, row, t, "Histograms and timelines", ACT_OVERLAY, ACT_BAND);
	row = draw_group(c, row, t, "Views", ACT_VIEW_RANKING, ACT_VIEW_HELP);
	row = draw_group(c, row, t, "Annotations, kept in a file next to the run", ACT_MARK,
			 ACT_EXPECT);
	row = draw_group(c, row, t, "Files, clipboard, terminal", ACT_EXPORT, ACT_CANCEL);
	canvas_text(c, row++, 1, FACE_STRONG, STR("Filters: words that all must hold"));
	row = canvas_paragraph(
		c, row, 1, FACE_PLAIN,
		STR("read (in the name), *read (a pattern), layer:block, "
		    "verdict:regressed, is:reported, is:marked, is:noted, is:expected, "
		    "share>1%, calls<100, score>0.5; ! in front means not"));
	canvas_text(c, row + 1, 1, FACE_STRONG, STR("In the list"));
	return canvas_paragraph(
		c, row + 2, 1, FACE_PLAIN,
		STR("bold names are reported; the first columns show marks, notes (n) "
		    "and expected verdicts (e). A log2 ratio of 1 is a factor of two."));
}

static const enum action hints[] = { ACT_CANCEL, ACT_DOWN, ACT_UP, ACT_NONE };

const struct view_class view_help = {
	.name = "help",
	.title = "help",
	.opens = ACT_VIEW_HELP,
	.hints = hints,
	.write = write,
};
