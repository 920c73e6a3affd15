/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank as CSV: a row for each operation. */
#include "base/arena.h"
#include "base/out.h"
#include "base/parallel.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/table.h"

enum { COLUMNS_BEFORE_METRICS = 14, GATE_COLUMNS = 2, SELF_COLUMNS = 2 };
enum {
	FIXED_COLUMNS = COLUMNS_BEFORE_METRICS + N_METRICS + N_REPLICATE_STATS,
	MAX_COLUMNS =
		FIXED_COLUMNS + MAX_QUANTILES * COLUMNS_OF_QUANTILE + GATE_COLUMNS + SELF_COLUMNS
};

/* Fills in the columns, including those of a gate if there is one; returns their number. */
static size_t csv_columns(struct arena *a, struct column *column, const struct comparison *c)
{
	static const struct column front[COLUMNS_BEFORE_METRICS] = {
		{ "operation", NULL, ALIGN_LEFT },     { "layer", NULL, ALIGN_LEFT },
		{ "reported", NULL, ALIGN_LEFT },      { "verdict", NULL, ALIGN_LEFT },
		{ "score", NULL, ALIGN_RIGHT },	       { "approximated", NULL, ALIGN_LEFT },
		{ "calls_before", NULL, ALIGN_RIGHT }, { "calls_after", NULL, ALIGN_RIGHT },
		{ "total_before", NULL, ALIGN_RIGHT }, { "total_after", NULL, ALIGN_RIGHT },
		{ "mean_before", NULL, ALIGN_RIGHT },  { "mean_after", NULL, ALIGN_RIGHT },
		{ "share_before", NULL, ALIGN_RIGHT }, { "share_after", NULL, ALIGN_RIGHT },
	};
	size_t n = FIXED_COLUMNS;

	for (size_t i = 0; i < COLUMNS_BEFORE_METRICS; i++)
		column[i] = front[i];
	for (int m = 0; m < N_METRICS; m++)
		column[COLUMNS_BEFORE_METRICS + m] =
			(struct column){ distance_at(m)->name, NULL, ALIGN_RIGHT };
	replicate_columns(column + COLUMNS_BEFORE_METRICS + N_METRICS);
	quantile_columns(a, c, column + n);
	n += c->show.quantiles.n * COLUMNS_OF_QUANTILE;
	column[n++] = (struct column){ "self_before", NULL, ALIGN_RIGHT };
	column[n++] = (struct column){ "self_after", NULL, ALIGN_RIGHT };
	if (c->gated) {
		column[n++] = (struct column){ "gate", NULL, ALIGN_LEFT };
		column[n++] = (struct column){ "why", NULL, ALIGN_LEFT };
	}
	return n;
}

static void gate_cells(struct table *t, const struct comparison *c, const struct ranked *r)
{
	struct ruling ruling = gate_ruling(comparison_gate(c), r);
	struct arena *a = arena_new();

	table_text(t,
		   ruling.ignored    ? "ignore"
		   : ruling.expected ? "expected"
		   : ruling.failed   ? "fail"
				     : "pass",
		   TONE_PLAIN);
	table_name(t, gate_reason(a, c, r));
	arena_free(a);
}

/* Empty when self time equals the total. */
static void self_cell(struct table *t, const struct operation *op, const struct in_run *one)
{
	if (op == NULL || op->own_known == OWN_TOTAL)
		table_empty(t);
	else
		table_number(t, own_in_run(op, one));
}

static void csv_row(struct table *t, const struct comparison *c, const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);

	table_name(t, op->name);
	table_name(t, op->layer);
	table_text(t, r->reported ? "yes" : "no", TONE_PLAIN);
	table_text(t, verdict_name(r->verdict), TONE_PLAIN);
	table_number(t, r->score);
	table_text(t, r->approximated ? "yes" : "no", TONE_PLAIN);
	table_number(t, r->run_before.calls);
	table_number(t, r->run_after.calls);
	table_number(t, r->run_before.total);
	table_number(t, r->run_after.total);
	table_number(t, r->run_before.mean);
	table_number(t, r->run_after.mean);
	table_number(t, r->share_before);
	table_number(t, r->share_after);
	for (int m = 0; m < N_METRICS; m++)
		table_number(t, r->metric[m]);
	replicate_cells(t, c->runs != NULL ? r->runs : NULL);
	quantile_cells(t, c, r);
	self_cell(t, r->before, &r->run_before);
	self_cell(t, r->after, &r->run_after);
	if (c->gated)
		gate_cells(t, c, r);
}

/* The part of the CSV rows that one thread prints to memory. */
struct csv_part {
	const struct comparison *comparison;
	const struct style *style;
	const struct column *column;
	size_t n_columns, from, to;
	struct out *out;
};

static void csv_stretch(void *ctx, size_t part)
{
	const struct csv_part *p = (const struct csv_part *)ctx + part;
	struct table *t = table_part(p->column, p->n_columns, p->style, p->out);

	for (size_t i = p->from; i < p->to; i++)
		csv_row(t, p->comparison, &p->comparison->ranking->v[i]);
	table_end(t);
}

enum { MIN_ITEMS_PER_THREAD = 2000 };

/* Printing ten thousand rows takes longer than ranking them, so a second thread prints the
 * second half of a long table. */
void rank_csv(struct out *o, const struct style *s, const struct comparison *c)
{
	struct column column[MAX_COLUMNS];
	struct arena *a = arena_new();
	size_t n_columns = csv_columns(a, column, c);
	size_t n = c->ranking->n, half = n >= MIN_ITEMS_PER_THREAD ? n / 2 : n;
	struct csv_part part[] = { { c, s, column, n_columns, 0, half, o },
				   { c, s, column, n_columns, half, n, out_to_memory() } };

	table_end(table_begin(column, n_columns, s, o));
	parallel_run(half < n ? 2 : 1, csv_stretch, part);
	out_bytes(o, out_memory(part[1].out));
	out_free(part[1].out);
	arena_free(a);
}
