/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All distances between the two histograms of one operation, and the basis of its verdict. */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "tui/state.h"

static unsigned draw_metric(struct canvas *c, unsigned row, const struct tui *t,
			    const struct item *i, enum metric m)
{
	struct out *o = out_to_memory();
	bool orders = t->study->browsed.comparison->metric == m;

	column_print(o, t->study, (size_t)COLUMN_METRICS + m, i);
	canvas_text(c, row, 1, orders ? FACE_STRONG : FACE_PLAIN, str_from(distance_at(m)->name));
	canvas_right(c, row, 34, orders ? FACE_STRONG : FACE_PLAIN, out_memory(o));
	canvas_text(c, row, 37, FACE_DIM, str_from(distance_at(m)->title));
	out_free(o);
	return row + 1;
}

static unsigned draw_number(struct canvas *c, unsigned row, const char *name, double v,
			    const char *what)
{
	bool is_probability = name[0] == 'p' || name[0] == 'q';

	if (isnan(v))
		return row;
	canvas_text(c, row, 1, FACE_PLAIN, str_from(name));
	if (is_probability && v == 0)
		canvas_right(c, row, 34, FACE_PLAIN, STR("<1e-307"));
	else
		canvas_printf(c, row, 25, FACE_PLAIN, is_probability ? "%9.3g" : "%+9.3g", v);
	canvas_text(c, row, 37, FACE_DIM, str_from(what));
	return row + 1;
}

/* Draws the effects that decide the verdict for one run a side. */
static unsigned draw_effects(struct canvas *c, unsigned row, const struct ranked *r)
{
	row = draw_number(c, row, "mean", r->mean_octaves, "log2 ratio of the mean latency");
	row = draw_number(c, row, "calls", r->calls_octaves,
			  "log2 ratio of the number of calls a run");
	return draw_number(c, row, "shift", r->shift, "log2 distance that a call moved on average");
}

static unsigned draw_replicate_stats(struct canvas *c, unsigned row,
				     const struct replicate_stats *r)
{
	const struct effect *e = r->effect;

	canvas_text(c, row + 1, 1, FACE_STRONG, STR("over the repeated runs"));
	row = draw_number(c, row + 2, "q", r->q, "share of false alarms among what is as sure");
	row = draw_number(c, row, "p", r->p, "p-value of the change of latencies");
	row = draw_number(c, row, "shift", e[FEATURE_SHIFT].value,
			  "log2 distance that a call moved");
	row = draw_number(c, row, "  from", e[FEATURE_SHIFT].low, "90 % interval");
	row = draw_number(c, row, "  to", e[FEATURE_SHIFT].high, "");
	row = draw_number(c, row, "mean", e[FEATURE_MEAN].value, "log2 ratio of the mean latency");
	row = draw_number(c, row, "p50", e[FEATURE_P50].value, "log2 ratio of the median");
	row = draw_number(c, row, "p99", e[FEATURE_P99].value, "log2 ratio of the 99th percentile");
	row = draw_number(c, row, "tail", e[FEATURE_TAIL].value,
			  "log2 ratio of the odds of a slow call");
	row = draw_number(c, row, "calls", e[FEATURE_CALLS].value,
			  "log2 ratio of the number of calls");
	return draw_number(c, row, "q of calls", r->calls_q, "q of the number of calls");
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct item *i = tui_item(t);
	unsigned row = 1;

	(void)v;
	if (i == NULL || i->ranked == NULL) {
		canvas_text(c, 0, 1, FACE_DIM, STR("one run: a distance needs two"));
		return 1;
	}
	canvas_text(c, 0, 1, FACE_STRONG, STR("distances"));
	for (int m = 0; m < N_METRICS; m++)
		row = draw_metric(c, row, t, i, (enum metric)m);
	canvas_text(c, row + 1, 1, FACE_STRONG, STR("effects"));
	row = draw_effects(c, row + 2, i->ranked);
	if (i->ranked->runs != NULL)
		row = draw_replicate_stats(c, row, i->ranked->runs);
	if (i->ranked->approximated)
		row = canvas_paragraph(c, row + 1, 1, FACE_WARNING,
				       STR("approximated: the sides have different buckets, calls "
					   "were spread evenly in each"));
	return row;
}

static const enum action hints[] = { ACT_VIEW_HISTOGRAM,     ACT_VIEW_PEAKS,	 ACT_VIEW_EXPLAIN,
				     ACT_PREVIOUS_OPERATION, ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_distances = {
	.name = "distances",
	.title = "distances",
	.opens = ACT_VIEW_DISTANCES,
	.of_operation = true,
	.hints = hints,
	.write = write,
};
