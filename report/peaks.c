/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof peaks: the peaks of each operation of a run. */
#include "analyze/peaks.h"

#include <math.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

static void peaks_json(struct out *o, struct arena *a, const struct run *run,
		       const struct operation **op)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.peaks/1");
	jout_text(&j, "path", run->path);
	jout_text(&j, "format", run->profile->format);
	jout_unit(&j, "unit", run->profile->unit);
	jout_f64(&j, "hz", run->profile->hz > 0 ? run->profile->hz : NAN);
	jout_array(&j, "operations");
	for (size_t i = 0; i < run->profile->n_ops; i++) {
		struct peaks p;

		order_fetch(op, run->profile->n_ops, i);
		p = peaks_find(a, &op[i]->hist, &peak_rules_default);
		jout_object(&j, NULL);
		jout_str(&j, "name", op[i]->name);
		jout_str(&j, "layer", op[i]->layer);
		jout_u64(&j, "count", operation_count(op[i]));
		jout_array(&j, "peaks");
		for (size_t k = 0; k < p.n; k++)
			jout_peak(&j, NULL, &p.v[k]);
		jout_end_array(&j);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

static const struct column columns[] = {
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "peak", "peak", ALIGN_RIGHT },
	{ "low", NULL, ALIGN_RIGHT },
	{ "high", NULL, ALIGN_RIGHT },
	{ "core_low", NULL, ALIGN_RIGHT },
	{ "core_high", NULL, ALIGN_RIGHT },
	{ NULL, "core range", ALIGN_RIGHT },
	{ "calls", "calls", ALIGN_RIGHT },
	{ "share", "share", ALIGN_RIGHT },
	{ "mean", "mean", ALIGN_RIGHT },
	{ "total", "total", ALIGN_RIGHT },
	{ "unit", NULL, ALIGN_LEFT },
};

static void peak_row(struct table *t, const struct style *s, const struct run *run,
		     const struct operation *op, const struct peak *p, size_t number)
{
	double n_runs = s->output_format == OUTPUT_FORMAT_CSV ? 1 : (double)run->n_runs;
	struct scale scale = scale_of_operation(run->profile, op);

	operation_cell(t, s, op);
	table_name(t, op->layer);
	table_count(t, number);
	table_number(t, p->low);
	table_number(t, p->high);
	table_number(t, p->core_low);
	table_number(t, p->core_high);
	table_range(t, p->core_low, p->core_high, scale);
	own_calls_cell(t, s, run, p->count);
	table_share(t, p->share);
	table_latency(t, p->mean, scale, true);
	table_latency(t, p->total / n_runs, scale, true);
	table_text(t, unit_name(op->unit), TONE_PLAIN);
}

void report_peaks(struct out *o, const struct style *s, const struct run *run)
{
	struct arena *a = arena_new();
	const struct operation **op = order_by_latency(a, run->profile);
	struct table *t;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		peaks_json(o, a, run, op);
		arena_free(a);
		return;
	}
	if (s->output_format != OUTPUT_FORMAT_CSV) {
		part_heading_per_run(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "",
				     run);
		out_char(o, '\n');
	}
	t = table_begin(columns, COUNT_OF(columns), s, o);
	for (size_t i = 0; i < run->profile->n_ops; i++) {
		struct peaks p;

		order_fetch(op, run->profile->n_ops, i);
		p = peaks_find(a, &op[i]->hist, &peak_rules_default);
		for (size_t k = 0; k < p.n; k++)
			peak_row(t, s, run, op[i], &p.v[k], k + 1);
	}
	table_end(t);
	arena_free(a);
}
