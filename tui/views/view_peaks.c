/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peaks of one operation, matched between both sides. */

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "tui/state.h"

enum {
	COL_NUMBER = 5,
	COL_PLACE = 21,
	COL_CALLS = 30,
	COL_SHARE = 38,
	COL_MEAN = 47,
	COL_TOTAL = 56,
	COL_CHANGE = 58
};

/* The peaks of one side, and how to print them. */
struct peak_table {
	const struct peaks *peaks;
	double n_runs; /* whose calls they hold together */
	struct scale scale;
};

static unsigned draw_title(struct canvas *c, unsigned row, struct str text,
			   const struct peak_table *table)
{
	canvas_printf(c, row, 1, FACE_STRONG, "%.*s%s", STR_ARG(text),
		      table->n_runs > 1 ? ", a run" : "");
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

static void draw_peak(struct canvas *c, unsigned row, const struct peak_table *table, size_t k)
{
	const struct peak *p = &table->peaks->v[k];
	struct out *o = out_to_memory();

	out_u64(o, k + 1);
	draw_right(c, row, COL_NUMBER, o);
	quantity_range(o, p->core_low, p->core_high, table->scale);
	draw_right(c, row, COL_PLACE, o);
	quantity_calls(o, (double)p->count / table->n_runs);
	draw_right(c, row, COL_CALLS, o);
	quantity_percent(o, p->share);
	draw_right(c, row, COL_SHARE, o);
	quantity_latency(o, p->mean, table->scale);
	draw_right(c, row, COL_MEAN, o);
	quantity_latency(o, p->total / table->n_runs, table->scale);
	draw_right(c, row, COL_TOTAL, o);
	out_free(o);
}

static unsigned draw_alone(struct canvas *c, unsigned row, const struct peak_table *table)
{
	row = draw_title(c, row, STR("peaks"), table);
	for (size_t k = 0; k < table->peaks->n; k++)
		draw_peak(c, row++, table, k);
	return row;
}

/* What became of a peak before, or where a peak after comes from: "moved to 33-262 us". */
static void draw_change(struct canvas *c, unsigned row, const struct peak_pair *pair,
			enum side side, struct scale scale)
{
	const struct peak *other = side == SIDE_BEFORE ? pair->after : pair->before;
	struct out *o = out_to_memory();

	out_text(o, peak_change_name(pair->change));
	if (pair->change == PEAK_MOVED && other != NULL) {
		out_text(o, side == SIDE_BEFORE ? " to " : " from ");
		quantity_range(o, other->core_low, other->core_high, scale);
	}
	canvas_text(c, row, COL_CHANGE, FACE_NOTICE, out_memory(o));
	out_free(o);
}

static unsigned write_side(struct canvas *c, unsigned row, const struct ranked_peaks *p,
			   enum side side, const struct peak_table *table)
{
	const size_t *of = side == SIDE_AFTER ? p->pairs.of_after : p->pairs.of_before;

	row = draw_title(c, row, side == SIDE_AFTER ? STR("after") : STR("before"), table);
	for (size_t k = 0; k < table->peaks->n; k++, row++) {
		draw_peak(c, row, table, k);
		draw_change(c, row, &p->pairs.v[of[k]], side, table->scale);
	}
	if (table->peaks->n == 0)
		canvas_text(c, row++, 2, FACE_DIM, STR("none: no call was measured"));
	return row;
}

static unsigned write_both(struct canvas *c, unsigned row, struct arena *a, const struct tui *t,
			   const struct item *i)
{
	const struct ranking *all = t->study->browsed.comparison->ranking;
	struct ranked_peaks both = rank_peaks(a, i->ranked, i->ranked->scale_after);
	struct peak_table before = { &both.before, (double)all->n_before, item_scale(t->study, i) };
	struct peak_table after = { &both.after, (double)all->n_after, before.scale };

	row = write_side(c, row, &both, SIDE_BEFORE, &before);
	return write_side(c, row + 1, &both, SIDE_AFTER, &after);
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct item *i = tui_item(t);
	struct arena *a = arena_new();
	struct peaks p;
	unsigned row = 0;

	(void)v;
	if (i != NULL && i->ranked != NULL) {
		row = write_both(c, row, a, t, i);
	} else if (i != NULL) {
		p = peaks_find(a, &i->before->hist, &peak_rules_default);
		row = draw_alone(c, row,
				 &(struct peak_table){ &p, i->n_runs, item_scale(t->study, i) });
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
