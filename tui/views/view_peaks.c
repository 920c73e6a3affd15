/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peaks of one operation, matched between both sides. */

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "tui/state.h"

enum {
	COL_NUMBER = 5,
	COL_PLACE = 22,
	COL_CALLS = 34,
	COL_SHARE = 43,
	COL_MEAN = 54,
	COL_TOTAL = 65,
	COL_CHANGE = 68
};

static unsigned draw_title(struct canvas *c, unsigned row, struct str text)
{
	canvas_text(c, row, 1, FACE_STRONG, text);
	canvas_right(c, row + 1, COL_NUMBER, FACE_HEADER, STR("peak"));
	canvas_right(c, row + 1, COL_PLACE, FACE_HEADER, STR("core range"));
	canvas_right(c, row + 1, COL_CALLS, FACE_HEADER, STR("calls"));
	canvas_right(c, row + 1, COL_SHARE, FACE_HEADER, STR("share"));
	canvas_right(c, row + 1, COL_MEAN, FACE_HEADER, STR("mean"));
	canvas_right(c, row + 1, COL_TOTAL, FACE_HEADER, STR("total"));
	return row + 2;
}

static void draw_right(struct canvas *c, unsigned row, unsigned end, struct out *o)
{
	canvas_right(c, row, end, FACE_PLAIN, out_memory(o));
	out_reset(o);
}

static void draw_peak(struct canvas *c, unsigned row, size_t number, const struct peak *p,
		      struct scale scale, const char *change)
{
	struct out *o = out_to_memory();

	out_u64(o, number);
	draw_right(c, row, COL_NUMBER, o);
	quantity_range(o, p->core_low, p->core_high, scale);
	draw_right(c, row, COL_PLACE, o);
	out_u64(o, p->count);
	draw_right(c, row, COL_CALLS, o);
	quantity_percent(o, p->share);
	draw_right(c, row, COL_SHARE, o);
	quantity_latency(o, p->mean, scale);
	draw_right(c, row, COL_MEAN, o);
	quantity_latency(o, p->total, scale);
	draw_right(c, row, COL_TOTAL, o);
	canvas_text(c, row, COL_CHANGE, FACE_NOTICE, str_from(change));
	out_free(o);
}

static unsigned draw_alone(struct canvas *c, unsigned row, const struct peaks *p,
			   struct scale scale)
{
	row = draw_title(c, row, STR("peaks"));
	for (size_t k = 0; k < p->n; k++)
		draw_peak(c, row++, k + 1, &p->v[k], scale, "");
	return row;
}

static unsigned write_side(struct canvas *c, unsigned row, const struct ranked_peaks *p,
			   enum side side, struct scale scale)
{
	const struct peaks *peaks = side == SIDE_AFTER ? &p->after : &p->before;
	const size_t *of = side == SIDE_AFTER ? p->pairs.of_after : p->pairs.of_before;

	row = draw_title(c, row, side == SIDE_AFTER ? STR("after") : STR("before"));
	for (size_t k = 0; k < peaks->n; k++)
		draw_peak(c, row++, k + 1, &peaks->v[k], scale,
			  peak_change_name(p->pairs.v[of[k]].change));
	if (peaks->n == 0)
		canvas_text(c, row++, 2, FACE_DIM, STR("none: no call was measured"));
	return row;
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct item *i = tui_item(t);
	struct arena *a = arena_new();
	struct ranked_peaks both;
	struct peaks p;
	unsigned row = 0;

	(void)v;
	if (i != NULL && i->ranked != NULL) {
		both = rank_peaks(a, i->ranked, i->ranked->scale_after);
		row = write_side(c, row, &both, SIDE_BEFORE, item_scale(t->study, i));
		row = write_side(c, row + 1, &both, SIDE_AFTER, item_scale(t->study, i));
	} else if (i != NULL) {
		p = peaks_find(a, &i->before->hist, &peak_rules_default);
		row = draw_alone(c, row, &p, item_scale(t->study, i));
	}
	arena_free(a);
	return canvas_paragraph(c, row + 1, 1, FACE_DIM,
				STR("A peak stands out from the saddles beside it by more than "
				    "counting noise; \"core range\" holds the middle 90 % of its "
				    "calls. Totals come from the buckets."));
}

static const enum action hints[] = { ACT_VIEW_HISTOGRAM,     ACT_VIEW_EXPLAIN,	 ACT_VIEW_SIMILAR,
				     ACT_PREVIOUS_OPERATION, ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_peaks = {
	.name = "peaks",
	.title = "peaks",
	.opens = ACT_VIEW_PEAKS,
	.of_operation = true,
	.hints = hints,
	.write = write,
};
