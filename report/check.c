/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof check: compares the buckets with the totals that the collector states. */
#include "analyze/check.h"

#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

static void finding_json(struct jout *j, const struct finding *f)
{
	jout_flat_object(j, NULL);
	jout_text(j, "what", inconsistency_name(f->what));
	jout_str(j, "name", f->op->name);
	jout_str(j, "layer", f->op->layer);
	jout_f64(j, "stated", f->stated);
	jout_f64(j, "low", f->low);
	jout_f64(j, "high", f->high);
	jout_end_object(j);
}

static void check_json(struct out *o, const struct run *run, const struct consistency *c, size_t n)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.check/1");
	jout_array(&j, "runs");
	for (size_t i = 0; i < n; i++) {
		jout_object(&j, NULL);
		jout_text(&j, "path", run[i].path);
		jout_u64(&j, "operations", run[i].profile->n_ops);
		jout_u64(&j, "with_total", c[i].n_totals);
		jout_u64(&j, "with_count", c[i].n_counts);
		jout_bool(&j, "consistent", c[i].n == 0);
		jout_array(&j, "findings");
		for (size_t k = 0; k < c[i].n; k++)
			finding_json(&j, &c[i].finding[k]);
		jout_end_array(&j);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

static const struct column columns[] = {
	{ "path", "file", ALIGN_LEFT },	     { "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },	     { "what", "what", ALIGN_LEFT },
	{ "stated", "stated", ALIGN_RIGHT }, { "low", "at least", ALIGN_RIGHT },
	{ "high", "at most", ALIGN_RIGHT },
};

static void check_table(struct out *o, const struct style *s, const struct run *run,
			const struct consistency *c, size_t n)
{
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < c[i].n; k++) {
			const struct finding *f = &c[i].finding[k];

			table_name(t, str_from(run[i].path));
			operation_cell(t, s, f->op);
			table_name(t, f->op->layer);
			table_text(t, inconsistency_name(f->what), TONE_WORSE);
			table_number(t, f->stated);
			table_number(t, f->low);
			table_number(t, f->high);
		}
	}
	table_end(t);
}

static const char *outcome_text(const struct consistency *c)
{
	if (c->n > 0)
		return "INCONSISTENT";
	return c->n_totals + c->n_counts > 0 ? "consistent" : "consistent as far as can be checked";
}

void report_check(struct out *o, const struct style *s, const struct run *run,
		  const struct consistency *result, size_t n)
{
	size_t findings = 0;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		check_json(o, run, result, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		findings += result[i].n;
	for (size_t i = 0; i < n && s->output_format != OUTPUT_FORMAT_CSV; i++) {
		part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- " : "", &run[i]);
		out_printf(o, "  %zu of %zu operations state a total, %zu a count: %s\n",
			   result[i].n_totals, run[i].profile->n_ops, result[i].n_counts,
			   outcome_text(&result[i]));
	}
	if (findings == 0 && s->output_format != OUTPUT_FORMAT_CSV)
		return;
	if (s->output_format != OUTPUT_FORMAT_CSV)
		out_char(o, '\n');
	check_table(o, s, run, result, n);
}
