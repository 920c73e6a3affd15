/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that have several peaks: what osprof causes prints when no function is named. */
#include "analyze/causes/causes_functions.h"
#include "base/arena.h"
#include "base/out.h"
#include "report/causes.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

static void functions_json(struct out *o, const struct run *run, const struct cause_function *f,
			   size_t n)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.causes/1");
	jout_text(&j, "unit", unit_name(run->profile->unit));
	jout_null(&j, "function");
	jout_text(&j, "path", run->path);
	jout_array(&j, "functions");
	for (size_t i = 0; i < n; i++) {
		jout_object(&j, NULL);
		jout_str(&j, "name", f[i].op->name);
		jout_str(&j, "layer", f[i].op->layer);
		jout_u64(&j, "count", operation_count(f[i].op));
		jout_f64(&j, "added_total", f[i].added);
		jout_u64(&j, "slow", f[i].slow + 1);
		jout_array(&j, "peaks");
		for (size_t k = 0; k < f[i].peaks.n; k++)
			jout_peak(&j, NULL, &f[i].peaks.v[k]);
		jout_end_array(&j);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

static const struct column columns[] = {
	{ "function", "function", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "calls", "calls", ALIGN_RIGHT },
	{ "peaks", "peaks", ALIGN_RIGHT },
	{ "slow_peak", "slow peak", ALIGN_RIGHT },
	{ NULL, "core range", ALIGN_RIGHT },
	{ "slow_calls", "its calls", ALIGN_RIGHT },
	{ "slow_share", "share", ALIGN_RIGHT },
	{ "added_total", "take longer", ALIGN_RIGHT },
};

static void function_row(struct table *t, const struct style *s, const struct run *run,
			 const struct cause_function *f)
{
	struct scale scale = scale_of_operation(run->profile, f->op);
	const struct peak *slow = &f->peaks.v[f->slow];

	operation_cell(t, s, f->op);
	table_name(t, f->op->layer);
	table_count(t, operation_count(f->op));
	table_count(t, f->peaks.n);
	table_count(t, f->slow + 1);
	table_range(t, slow->core_low, slow->core_high, scale);
	table_count(t, slow->count);
	table_share(t, slow->share);
	table_latency(t, f->added, scale, true);
}

void report_functions(struct out *o, const struct style *s, const struct run *run, size_t top)
{
	struct arena *a = arena_new();
	struct cause_function *f;
	size_t n = cause_functions(a, run->profile, NULL, &f), shown = n;
	struct table *t;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		functions_json(o, run, f, n);
		arena_free(a);
		return;
	}
	if (s->output_format != OUTPUT_FORMAT_CSV) {
		part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "", run);
		shown = n > top ? top : n;
		out_printf(o, "\n%s", n == 0 ? "No function has several peaks.\n" : "");
	}
	t = table_begin(columns, COUNT_OF(columns), s, o);
	for (size_t i = 0; i < shown; i++)
		function_row(t, s, run, &f[i]);
	table_end(t);
	if (shown < n)
		out_printf(o, "%zu more; --all shows them\n", n - shown);
	arena_free(a);
}
