/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof history: where operations changed, the latest change first. */
#include "analyze/history/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "report/history_parts.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/sparkline.h"
#include "report/table.h"

enum { RUNS_WIDTH = 40 };

/* --- changes in order of report ---------------------------------------------------------- */

static int by_latest(const void *pa, const void *pb)
{
	const struct history_reported *a = pa, *b = pb;

	if ((a->change != NULL) != (b->change != NULL))
		return a->change != NULL ? -1 : 1;
	if (a->past->reported != b->past->reported)
		return a->past->reported ? -1 : 1;
	if (a->latest != b->latest)
		return a->latest > b->latest ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static size_t latest_of(const struct history_findings *f, const struct change *c)
{
	return c->kind == CHANGE_DRIFT ? f->n_runs - 1 : c->at;
}

/* Returns an array for free(). */
static struct history_reported *reported_of(const struct history_findings *f, bool all,
					    size_t *ret_n)
{
	size_t n = 0, max = 0;
	struct history_reported *v;

	for (size_t i = 0; i < f->n; i++)
		max += f->v[i].n_changes + 1;
	v = xcalloc(max + 1, sizeof(*v));
	for (size_t i = 0; i < f->n; i++) {
		const struct past *p = &f->v[i];

		if (!p->reported && !all)
			continue;
		for (size_t k = 0; k < p->n_changes; k++)
			v[n++] = (struct history_reported){ .past = p,
							    .change = &p->change[k],
							    .latest = latest_of(f, &p->change[k]),
							    .rank = i };
		if (p->n_changes == 0)
			v[n++] = (struct history_reported){ .past = p, .rank = i };
	}
	qsort(v, n, sizeof(*v), by_latest);
	*ret_n = n;
	return v;
}

/* --- tables ------------------------------------------------------------------------------ */

static const struct column columns[] = {
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "reported", NULL, ALIGN_LEFT },
	{ "kind", NULL, ALIGN_LEFT },
	{ "verdict", "change", ALIGN_LEFT },
	{ "at", "at", ALIGN_RIGHT },
	{ "run", "run", ALIGN_LEFT },
	{ "until", NULL, ALIGN_RIGHT },
	{ "calls_before", NULL, ALIGN_RIGHT },
	{ "calls_after", NULL, ALIGN_RIGHT },
	{ NULL, "calls a run", ALIGN_RIGHT },
	{ "mean_before", NULL, ALIGN_RIGHT },
	{ "mean_after", NULL, ALIGN_RIGHT },
	{ NULL, "mean of a call", ALIGN_RIGHT },
	{ "shift", NULL, ALIGN_RIGHT },
	{ "mean_shift", NULL, ALIGN_RIGHT },
	{ "tail_shift", NULL, ALIGN_RIGHT },
	{ "p50_shift", NULL, ALIGN_RIGHT },
	{ "p90_shift", NULL, ALIGN_RIGHT },
	{ "p99_shift", NULL, ALIGN_RIGHT },
	{ "calls_shift", NULL, ALIGN_RIGHT },
	{ "p", NULL, ALIGN_RIGHT },
	{ "q", NULL, ALIGN_RIGHT },
	{ "unit", NULL, ALIGN_LEFT },
	{ NULL, "run by run", ALIGN_LEFT },
};

static void name_cell(struct table *t, const struct style *s, const struct past *p)
{
	struct operation op = { .name = p->name, .layer = p->layer };

	operation_cell(t, s, &op);
}

static void runs_cell(struct table *t, const struct style *s, const struct history_findings *f,
		      const struct history_reported *reported)
{
	bool calls = history_is_of_calls(reported->change);
	const double *v = calls ? reported->past->calls : reported->past->mean;
	double *octaves = xcalloc(f->n_runs, sizeof(*octaves));
	struct out *o = table_open(t);

	for (size_t k = 0; k < f->n_runs; k++)
		octaves[k] = log2(v[k]);
	out_text(o, calls ? "calls " : "mean  ");
	sparkline_values(o, s, octaves, f->n_runs, 4 * f->rules.runs.min_effect, RUNS_WIDTH);
	table_close(t, TONE_PLAIN);
	free(octaves);
}

static void change_cells(struct table *t, const struct style *s, const struct history_findings *f,
			 const struct change *c, struct scale scale)
{
	table_text(t, change_kind_name(c->kind), TONE_PLAIN);
	table_text(t, verdict_name(c->verdict), verdict_tone(c->verdict));
	table_count(t, c->at + 1);
	table_name(t, str_from(c->kind == CHANGE_DRIFT && s->output_format != OUTPUT_FORMAT_CSV
				       ? "(drift)"
				       : history_run_name(f, c->at)));
	table_count(t, c->end);
	table_number(t, c->before.calls);
	table_number(t, c->after.calls);
	change_cell(t, s, c->before.calls, c->after.calls, NULL);
	table_number(t, c->before.mean);
	table_number(t, c->after.mean);
	change_cell(t, s, c->before.mean, c->after.mean, &scale);
	for (int i = 0; i < N_HISTORY_FEATURES; i++)
		table_number(t, c->effect[i]);
	table_number(t, c->p);
	table_number(t, c->q);
}

static void no_change_cells(struct table *t)
{
	enum { CHANGE_CELLS = 13 + N_HISTORY_FEATURES };

	table_empty(t);
	table_text(t, "none", TONE_DIM);
	for (int i = 2; i < CHANGE_CELLS; i++)
		table_empty(t);
}

static void write_row(struct table *t, const struct style *s, const struct history_findings *f,
		      const struct history_reported *reported)
{
	const struct past *p = reported->past;
	struct scale scale = { .unit = p->unit, .hz = f->hz };

	name_cell(t, s, p);
	table_name(t, p->layer);
	table_text(t, p->reported ? "yes" : "no", TONE_PLAIN);
	if (reported->change != NULL)
		change_cells(t, s, f, reported->change, scale);
	else
		no_change_cells(t);
	table_text(t, unit_name(p->unit), TONE_PLAIN);
	runs_cell(t, s, f, reported);
}

static void write_rows(struct out *o, const struct style *s, const struct history_findings *f,
		       const struct history_reported *v, size_t n)
{
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < n; i++)
		write_row(t, s, f, &v[i]);
	table_end(t);
}

/* --- text and Markdown ------------------------------------------------------------------- */

static void write_sentences(struct out *o, const struct style *s, const struct history_findings *f,
			    const struct history_reported *v, size_t n)
{
	for (size_t i = 0; i < n && v[i].change != NULL; i++)
		history_sentence(o, s, f, &v[i]);
}

static void say_left_out(struct out *o, const struct history_findings *f)
{
	size_t n = f->n - f->n_reported, changed = 0;

	for (size_t i = 0; i < f->n; i++)
		changed += !f->v[i].reported && f->v[i].n_changes > 0;
	out_printf(o, "\n%zu more operation%s not reported", n, n == 1 ? "" : "s");
	if (changed > 0)
		out_printf(o, ", %zu of which changed, but %s too small a part of the run", changed,
			   changed == 1 ? "is" : "are");
	out_printf(o, "; --all shows %s.\n", n == 1 ? "it" : "them");
}

static void history_text(struct out *o, const struct style *s, const struct history_report *c)
{
	const struct history_findings *f = c->findings;
	size_t n;
	struct history_reported *v = reported_of(f, c->all, &n);

	history_heading(o, s, f);
	history_summary(o, s, c, v, n);
	if (n > 0) {
		out_char(o, '\n');
		write_rows(o, s, f, v, n);
		out_char(o, '\n');
		write_sentences(o, s, f, v, n);
	}
	history_outliers(o, s, f);
	if (!c->all && f->n_reported < f->n)
		say_left_out(o, f);
	free(v);
}

static void history_page(struct out *o, const struct history_report *c)
{
	size_t n;
	struct history_reported *v = reported_of(c->findings, c->all, &n);

	history_html(o, c, v, n);
	free(v);
}

static void history_csv(struct out *o, const struct style *s, const struct history_report *c)
{
	size_t n;
	struct history_reported *v = reported_of(c->findings, true, &n);

	write_rows(o, s, c->findings, v, n);
	free(v);
}

void report_history(struct out *o, const struct style *s, const struct history_report *c)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		history_json(o, c);
	else if (s->output_format == OUTPUT_FORMAT_CSV)
		history_csv(o, s, c);
	else if (s->output_format == OUTPUT_FORMAT_HTML)
		history_page(o, c);
	else
		history_text(o, s, c);
}
