/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof peaks of two sides: what became of each peak. */
#include "report/peaks_compared.h"

#include <math.h>

#include "analyze/rank/peaks_runs.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

/* --- JSON -------------------------------------------------------------------------- */

static void jout_side(struct jout *j, const char *key, const struct peak *p)
{
	if (p != NULL)
		jout_peak(j, key, p);
	else
		jout_null(j, key);
}

static void jout_change(struct jout *j, const struct peak_effect *e)
{
	jout_f64(j, "change", e->change);
	jout_f64(j, "low", e->low);
	jout_f64(j, "high", e->high);
	jout_f64(j, "p", e->p);
	jout_f64(j, "q", e->q);
}

static void jout_compared_peak(struct jout *j, const struct peak_runs *p)
{
	jout_object(j, NULL);
	jout_text(j, "change", peak_change_name(p->pair.change));
	jout_side(j, "before", p->pair.before);
	jout_side(j, "after", p->pair.after);
	jout_flat_object(j, "position");
	jout_f64(j, "before", exp2(p->position.before));
	jout_f64(j, "after", exp2(p->position.after));
	jout_change(j, &p->position);
	jout_end_object(j);
	jout_flat_object(j, "weight");
	jout_f64(j, "before", peak_share(p->weight.before));
	jout_f64(j, "after", peak_share(p->weight.after));
	jout_change(j, &p->weight);
	jout_end_object(j);
	jout_end_object(j);
}

static void compared_json(struct out *o, const struct comparison *c,
			  const struct peaks_over_runs *all)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.peaks-compared/1");
	jout_files(&j, "before", &c->before);
	jout_files(&j, "after", &c->after);
	jout_array(&j, "operations");
	for (size_t i = 0; i < all->n; i++) {
		const struct operation *op = ranked_operation(all->op[i].ranked);

		jout_object(&j, NULL);
		jout_str(&j, "name", op->name);
		jout_str(&j, "layer", op->layer);
		jout_array(&j, "peaks");
		for (size_t k = 0; k < all->op[i].n; k++)
			jout_compared_peak(&j, &all->op[i].v[k]);
		jout_end_array(&j);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- tables ------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ NULL, "core range", ALIGN_RIGHT },
	{ "before_low", NULL, ALIGN_RIGHT },
	{ "before_high", NULL, ALIGN_RIGHT },
	{ "after_low", NULL, ALIGN_RIGHT },
	{ "after_high", NULL, ALIGN_RIGHT },
	{ "change", "change", ALIGN_LEFT },
	{ NULL, "latency", ALIGN_LEFT },
	{ "position_before", NULL, ALIGN_RIGHT },
	{ "position_after", NULL, ALIGN_RIGHT },
	{ "position_change", NULL, ALIGN_RIGHT },
	{ "position_change_low", NULL, ALIGN_RIGHT },
	{ "position_change_high", NULL, ALIGN_RIGHT },
	{ "position_p", NULL, ALIGN_RIGHT },
	{ "position_q", "q", ALIGN_RIGHT },
	{ NULL, "share of the calls", ALIGN_LEFT },
	{ "share_before", NULL, ALIGN_RIGHT },
	{ "share_after", NULL, ALIGN_RIGHT },
	{ "odds_change", NULL, ALIGN_RIGHT },
	{ "odds_change_low", NULL, ALIGN_RIGHT },
	{ "odds_change_high", NULL, ALIGN_RIGHT },
	{ "odds_p", NULL, ALIGN_RIGHT },
	{ "odds_q", "q", ALIGN_RIGHT },
};

/* Prints a change in octaves as a percentage, or as a factor from 2 on: "+9.8 %", "3.1x". */
static void put_change(struct out *o, double octaves)
{
	if (fabs(octaves) < 1)
		out_printf(o, "%+.*f %%", fabs(octaves) < 0.13 ? 1 : 0, 100 * (exp2(octaves) - 1));
	else
		out_printf(o, "%.*fx", octaves < 0 ? 2 : 1, exp2(octaves));
}

static void put_share(struct out *o, double share)
{
	out_printf(o, "%.*f", share < 0.1 ? 2 : 1, 100 * share);
}

/* "1.52 us, +9.8 % (+8.0 % to +12 %)". */
static void latency_cell(struct table *t, const struct peak_runs *p, struct scale scale)
{
	const struct peak_effect *e = &p->position;
	struct out *o = table_open(t);

	if (!isnan(e->before) && !isnan(e->after)) {
		quantity_latency(o, exp2(e->before), scale);
		out_text(o, ", ");
		put_change(o, e->change);
	} else {
		quantity_latency(o, exp2(isnan(e->before) ? e->after : e->before), scale);
	}
	if (!isnan(e->low)) {
		out_text(o, " (");
		put_change(o, e->low);
		out_text(o, " to ");
		put_change(o, e->high);
		out_text(o, ")");
	}
	table_close(t, TONE_PLAIN);
}

/* "2.1 -> 4.0 % (3.5 to 4.6 %)": the interval is that of the change, from the share before. */
static void share_cell(struct table *t, const struct style *s, const struct peak_effect *e)
{
	struct out *o = table_open(t);

	put_share(o, peak_share(e->before));
	out_text(o, s->unicode ? " → " : " -> ");
	put_share(o, peak_share(e->after));
	out_text(o, " %");
	if (!isnan(e->low)) {
		out_text(o, " (");
		put_share(o, peak_share(e->before + e->low));
		out_text(o, " to ");
		put_share(o, peak_share(e->before + e->high));
		out_text(o, " %)");
	}
	table_close(t, TONE_PLAIN);
}

static void effect_cells(struct table *t, const struct peak_effect *e)
{
	table_number(t, e->change);
	table_number(t, e->low);
	table_number(t, e->high);
	table_number(t, e->p);
	table_number(t, e->q);
}

static void edges_cells(struct table *t, const struct peak *p)
{
	table_number(t, p != NULL ? p->low : NAN);
	table_number(t, p != NULL ? p->high : NAN);
}

static void compared_row(struct table *t, const struct style *s, const struct operation *op,
			 struct scale scale, const struct peak_runs *p)
{
	const struct peak *shown = p->pair.after != NULL ? p->pair.after : p->pair.before;

	operation_cell(t, s, op);
	table_name(t, op->layer);
	table_range(t, shown->core_low, shown->core_high, scale);
	edges_cells(t, p->pair.before);
	edges_cells(t, p->pair.after);
	table_text(t, peak_change_name(p->pair.change), TONE_PLAIN);
	latency_cell(t, p, scale);
	table_number(t, exp2(p->position.before));
	table_number(t, exp2(p->position.after));
	effect_cells(t, &p->position);
	share_cell(t, s, &p->weight);
	table_number(t, peak_share(p->weight.before));
	table_number(t, peak_share(p->weight.after));
	effect_cells(t, &p->weight);
}

void report_peaks_compared(struct out *o, const struct style *s, const struct comparison *c,
			   const struct peaks_over_runs *all)
{
	struct table *t;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		compared_json(o, c, all);
		return;
	}
	if (s->output_format != OUTPUT_FORMAT_CSV) {
		const bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;

		part_heading_per_run(o, markdown ? "### before  " : "before  ", &c->before);
		part_heading_per_run(o, markdown ? "### after   " : "after   ", &c->after);
		out_char(o, '\n');
	}
	t = table_begin(columns, COUNT_OF(columns), s, o);
	for (size_t i = 0; i < all->n; i++) {
		const struct operation_peaks *op = &all->op[i];

		for (size_t k = 0; k < op->n; k++)
			compared_row(t, s, ranked_operation(op->ranked),
				     scale_of_ranked(c, op->ranked), &op->v[k]);
	}
	table_end(t);
}
