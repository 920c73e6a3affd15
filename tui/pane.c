/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/pane.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/quantiles.h"

enum face pane_verdict_face(enum verdict v)
{
	switch (v) {
	case VERDICT_REGRESSED:
		return FACE_WORSE;
	case VERDICT_IMPROVED:
		return FACE_BETTER;
	case VERDICT_CHANGED_SHAPE:
	case VERDICT_NEW:
	case VERDICT_GONE:
		return FACE_NOTICE;
	case VERDICT_SAME:
	case VERDICT_INCONCLUSIVE:
		break;
	}
	return FACE_DIM;
}

static void find_peaks(struct pane *p, const struct item *i)
{
	struct ranked_peaks both;

	if (i->ranked != NULL) {
		both = rank_peaks(p->arena, i->ranked, i->ranked->scale_after);
		p->peaks[SIDE_BEFORE] = both.before;
		p->peaks[SIDE_AFTER] = both.after;
	} else {
		p->peaks[SIDE_BEFORE] = peaks_find(p->arena, &i->before->hist, &peak_rules_default);
	}
}

struct pane pane_of(struct arena *a, const struct tui *t, const struct item *i,
		    const struct histogram *const slice[N_SIDES], struct zoom zoom,
		    const struct canvas *c)
{
	struct pane p = { .arena = a, .plot = t->plot };

	p.chart = chart_of(a, t->study, i, slice, t->weight, zoom, plot_columns(c, t->plot.mode));
	if (!p.chart.has[SIDE_BEFORE] || !p.chart.has[SIDE_AFTER])
		p.plot.mode = t->plot.mode == PLOT_CUMULATIVE ? PLOT_CUMULATIVE : PLOT_OVERLAY;
	if (slice == NULL)
		find_peaks(&p, i);
	return p;
}

void pane_plot(struct canvas *c, struct pane *p)
{
	for (int side = 0; side < N_SIDES; side++)
		p->plot.peaks[side] = p->peaks[side].n > 0 ? &p->peaks[side] : NULL;
	plot_draw(c, &p->chart, &p->plot);
}

/* --- names ----------------------------------------------------------------------------- */

void pane_operation(struct canvas *c, const struct operation *op, enum face face, bool shorten)
{
	enum { SHORTEST_LAYER = 4 };
	size_t name = text_width(op->name), layer = text_width(op->layer);
	size_t room = c->cols > name ? c->cols - name - 1 : 0;
	unsigned col = 0;

	if (operation_has_layer(op) && (room >= layer || (shorten && room >= SHORTEST_LAYER))) {
		col = canvas_name(c, 0, 0, FACE_DIM, (unsigned)(layer < room ? layer : room),
				  op->layer);
		col = canvas_text(c, 0, col, FACE_DIM, STR("/"));
	}
	canvas_name(c, 0, col, face, c->cols - col, op->name);
}

/* --- the heading ---------------------------------------------------------------------- */

static void say_change(struct out *o, const struct tui *t, double before, double after,
		       const struct scale *scale)
{
	if (scale != NULL && !isnan(before))
		quantity_latency(o, before, *scale);
	else
		quantity_count(o, isnan(before) ? 0 : before);
	if (!study_compares(t->study))
		return;
	out_printf(o, " %s ", t->glyphs->arrow);
	if (scale != NULL && !isnan(after))
		quantity_latency(o, after, *scale);
	else
		quantity_count(o, isnan(after) ? 0 : after);
}

/* Leaves out a part that does not fit: a number cut in half would be wrong. */
static unsigned heading_part(struct canvas *c, unsigned col, const char *label, struct out *o)
{
	if (col + strlen(label) + 1 + text_width(out_memory(o)) > c->cols) {
		out_reset(o);
		return c->cols;
	}
	col = canvas_text(c, 1, col, FACE_DIM, str_from(label));
	col = canvas_text(c, 1, col + 1, FACE_PLAIN, out_memory(o)) + 3;
	out_reset(o);
	return col;
}

static void say_verdict(struct canvas *c, const struct item *i)
{
	static const struct str expected = STR_INIT(" (expected)");
	const struct operation *op = item_operation(i);
	struct str verdict =
		i->ranked != NULL ? str_from(verdict_name(i->ranked->verdict)) : STR("");
	bool expects = i->ranked != NULL && annotation_expects(i->annotation, i->ranked->verdict);
	size_t after = i->ranked != NULL ? 2 + verdict.n + (expects ? expected.n : 0) : 0;
	unsigned col = 0, room;

	if (operation_has_layer(op)) {
		col = canvas_name(c, 0, col, FACE_DIM, c->cols / 3, op->layer);
		col = canvas_text(c, 0, col, FACE_DIM, STR("/"));
	}
	room = c->cols > col ? c->cols - col : 0;
	col = canvas_name(c, 0, col, FACE_STRONG, room > 2 * after ? room - (unsigned)after : room,
			  op->name);
	if (i->ranked == NULL)
		return;
	col = canvas_text(c, 0, col + 2, pane_verdict_face(i->ranked->verdict), verdict);
	if (expects)
		canvas_text(c, 0, col, FACE_DIM, expected);
}

unsigned pane_heading(struct canvas *c, const struct tui *t, const struct item *i)
{
	struct scale scale = item_scale(t->study, i);
	struct out *o = out_to_memory();
	unsigned col = 0;

	say_verdict(c, i);
	say_change(o, t, item_calls(i, SIDE_BEFORE), item_calls(i, SIDE_AFTER), NULL);
	col = heading_part(c, col, "calls", o);
	say_change(o, t, item_mean(i, SIDE_BEFORE), item_mean(i, SIDE_AFTER), &scale);
	col = heading_part(c, col, "mean", o);
	say_change(o, t, item_total(i, SIDE_BEFORE), item_total(i, SIDE_AFTER), &scale);
	col = heading_part(c, col, "total", o);
	if (t->study->nested) {
		say_change(o, t, item_self(i, SIDE_BEFORE), item_self(i, SIDE_AFTER), &scale);
		col = heading_part(c, col, "self", o);
	}
	quantity_percent(o, item_share(t->study, i));
	heading_part(c, col, "share", o);
	out_free(o);
	return 2;
}

/* --- sentences ------------------------------------------------------------------------- */

static void say_quantile(struct out *o, const struct item *i, struct scale scale, double q)
{
	const struct bucket *b = histogram_quantile(&i->before->hist, q);

	if (b == NULL)
		return;
	out_printf(o, ", p%g ", q * 100);
	quantity_range(o, b->edges->low, b->edges->high, scale);
}

static void report_alone(struct out *o, const struct tui *t, const struct item *i)
{
	struct arena *a = arena_new();
	struct peaks p = peaks_find(a, &i->before->hist, &peak_rules_default);

	out_printf(o, "%zu peak%s", p.n, p.n == 1 ? "" : "s");
	say_quantile(o, i, item_scale(t->study, i), 0.5);
	say_quantile(o, i, item_scale(t->study, i), 0.99);
	if (i->before->threshold > 0) {
		out_text(o, "; only calls from ");
		quantity_latency(o, i->before->threshold, item_scale(t->study, i));
		out_text(o, " on were recorded");
	}
	if (i->before->lost > 0)
		out_printf(o, "; %llu events were lost", (unsigned long long)i->before->lost);
	arena_free(a);
}

void pane_story(struct out *o, const struct tui *t, const struct item *i)
{
	if (i->ranked == NULL)
		report_alone(o, t, i);
	else
		explain(o, t->study->browsed.comparison, i->ranked);
}

/* --- a bucket ------------------------------------------------------------------------ */

static void say_side(struct out *o, const struct tui *t, const struct chart *c,
		     const struct chart_column *k, enum side side)
{
	bool compares = study_compares(t->study);

	if (!c->has[side])
		return;
	out_text(o, !compares ? "  " : side == SIDE_AFTER ? "  after " : "  before ");
	if (c->weight == WEIGH_LATENCY)
		quantity_latency(o, k->value[side], c->scale);
	else
		quantity_count(o, k->value[side]);
	if (!compares)
		out_text(o, c->weight == WEIGH_LATENCY ? " in all" : " calls");
	if (c->banded[side] && c->weight == WEIGH_CALLS) {
		out_text(o, " (runs ");
		quantity_count(o, k->min[side]);
		out_char(o, '-');
		quantity_count(o, k->max[side]);
		out_char(o, ')');
	}
}

void pane_bucket(struct out *o, const struct tui *t, const struct chart *c, size_t column)
{
	const struct chart_column *k = &c->column[column];

	if (c->resolution > 0 && c->step * c->resolution <= 1)
		out_printf(o, "bucket %.0f: ",
			   floor((c->from + (double)column * c->step) * c->resolution + 1e-6));
	quantity_range(o, k->low, k->high, c->scale);
	say_side(o, t, c, k, SIDE_BEFORE);
	say_side(o, t, c, k, SIDE_AFTER);
}
