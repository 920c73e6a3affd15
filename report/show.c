/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof show: the operations of a run by total latency. */
#include <math.h>
#include <string.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/time_words.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/sparkline.h"
#include "report/table.h"

static const double quantiles[] = { 0.50, 0.90, 0.99 };
enum { N_QUANTILES = COUNT_OF(quantiles) };

/* --- JSON ------------------------------------------------------------------------ */

static void show_buckets(struct jout *j, const struct histogram *h)
{
	jout_array(j, "buckets");
	for (size_t i = 0; i < h->n; i++) {
		jout_flat_object(j, NULL);
		jout_f64(j, "low", h->bucket[i].edges->low);
		jout_f64(j, "high", h->bucket[i].edges->high);
		jout_u64(j, "count", h->bucket[i].count);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void show_mean(struct jout *j, const struct operation *op)
{
	double low, high;

	jout_f64(j, "mean", operation_mean(op));
	if (operation_total_stated(op) || !operation_mean_bounds(op, &low, &high))
		return;
	jout_f64(j, "mean_low", low);
	jout_f64(j, "mean_high", high);
}

static void show_operation(struct jout *j, const struct run *run, const struct operation *op)
{
	const struct stated *s = &op->stated;
	const struct bucket *at[N_QUANTILES];

	histogram_quantiles(&op->hist, quantiles, N_QUANTILES, at);
	jout_object(j, NULL);
	jout_str(j, "name", op->name);
	jout_str(j, "layer", op->layer);
	if (op->unit != run->profile->unit)
		jout_unit(j, "unit", op->unit);
	jout_u64(j, "count", operation_count(op));
	jout_f64(j, "total", operation_total(op));
	jout_bool(j, "total_exact", operation_total_exact(op));
	jout_self(j, op);
	show_mean(j, op);
	jout_f64(j, "min", s->has_min ? s->min : NAN);
	jout_f64(j, "max", s->has_max ? s->max : NAN);
	jout_f64(j, "deviation", s->has_deviation ? s->deviation : NAN);
	jout_f64(j, "share", share_of_latency(&run->totals, run->profile, op));
	jout_bounds(j, "p50", at[0]);
	jout_bounds(j, "p90", at[1]);
	jout_bounds(j, "p99", at[2]);
	show_buckets(j, &op->hist);
	jout_u64(j, "intervals", op->n_intervals);
	if (op->lost > 0)
		jout_u64(j, "lost", op->lost);
	if (op->threshold > 0)
		jout_f64(j, "threshold", op->threshold);
	if (op->hist.granularity > 0)
		jout_f64(j, "granularity", op->hist.granularity);
	if (op->fixed_duration)
		jout_bool(j, "fixed_duration", true);
	if (op->hist.approximate)
		jout_bool(j, "approximate", true);
	jout_end_object(j);
}

static void account_json(struct jout *j, const struct run_account *a)
{
	jout_flat_object(j, "account");
	jout_f64(j, "elapsed", a->elapsed);
	jout_text(j, "elapsed_source",
		  a->source == ELAPSED_UNKNOWN ? NULL : elapsed_source_name(a->source));
	jout_f64(j, "started", a->started);
	jout_f64(j, "busy", a->busy);
	jout_f64(j, "waiting", a->waiting);
	jout_f64(j, "rest", a->rest);
	jout_f64(j, "concurrency", a->concurrency);
	jout_bool(j, "concurrency_stated", a->concurrency_stated);
	jout_bool(j, "fixed_duration", a->fixed_duration);
	jout_end_object(j);
}

static void show_json(struct out *o, const struct run *run, size_t n)
{
	struct jout j = jout_on(o);

	jout_object(&j, NULL);
	jout_text(&j, "schema", "osprof.show/1");
	jout_array(&j, "runs");
	for (size_t i = 0; i < n; i++) {
		const struct profile *p = run[i].profile;
		struct arena *a = arena_new();
		const struct operation **op = order_by_latency(a, p);

		jout_object(&j, NULL);
		jout_text(&j, "path", run[i].path);
		jout_text(&j, "format", p->format);
		jout_unit(&j, "unit", p->unit);
		jout_f64(&j, "hz", p->hz > 0 ? p->hz : NAN);
		jout_f64(&j, "elapsed", p->elapsed > 0 ? p->elapsed : NAN);
		account_json(&j, &run[i].account);
		jout_f64(&j, "total", run[i].totals.latency);
		jout_f64(&j, "idle", run[i].totals.idle);
		jout_u64(&j, "lost", p->lost);
		jout_u64(&j, "merged_runs", run[i].n_runs);
		jout_text(&j, "representative", run[i].representative);
		jout_array(&j, "operations");
		for (size_t k = 0; k < p->n_ops; k++) {
			order_fetch(op, p->n_ops, k);
			show_operation(&j, &run[i], op[k]);
		}
		jout_end_array(&j);
		jout_end_object(&j);
		arena_free(a);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- tables ------------------------------------------------------------------------ */

static void bucket_cells(struct table *t, const struct bucket *b, struct scale scale)
{
	const double low = b != NULL ? b->edges->low : NAN, high = b != NULL ? b->edges->high : NAN;

	table_number(t, low);
	table_number(t, high);
	table_range(t, low, high, scale);
}

/* When calls are nested, a column next to the total shows self time. */
enum { COLUMN_TOTAL = 4, COLUMN_SELF = 5 };

static const struct column columns[] = {
	{ "path", NULL, ALIGN_LEFT },	     { "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },	     { "calls", "calls", ALIGN_RIGHT },
	{ "total", "total", ALIGN_RIGHT },   { NULL, NULL, ALIGN_RIGHT },
	{ "total_exact", NULL, ALIGN_LEFT }, { "mean", "mean", ALIGN_RIGHT },
	{ "share", "share", ALIGN_RIGHT },   { "p50_low", NULL, ALIGN_RIGHT },
	{ "p50_high", NULL, ALIGN_RIGHT },   { NULL, "p50", ALIGN_RIGHT },
	{ "p90_low", NULL, ALIGN_RIGHT },    { "p90_high", NULL, ALIGN_RIGHT },
	{ NULL, "p90", ALIGN_RIGHT },	     { "p99_low", NULL, ALIGN_RIGHT },
	{ "p99_high", NULL, ALIGN_RIGHT },   { NULL, "p99", ALIGN_RIGHT },
	{ "unit", NULL, ALIGN_LEFT },	     { "self", NULL, ALIGN_RIGHT },
	{ "self_exact", NULL, ALIGN_LEFT },  { "inclusive", NULL, ALIGN_RIGHT },
	{ "mean_low", NULL, ALIGN_RIGHT },   { "mean_high", NULL, ALIGN_RIGHT },
	{ NULL, "latencies", ALIGN_LEFT },
};

/* Empty when self time equals the total. */
static void self_cells(struct table *t, const struct operation *op)
{
	if (op->own_known == OWN_TOTAL) {
		for (int i = 0; i < 3; i++)
			table_empty(t);
		return;
	}
	table_number(t, op->own);
	table_text(t, operation_own_exact(op) ? "yes" : "no", TONE_PLAIN);
	table_number(t, operation_inclusive(op));
}

static void mean_bounds_cells(struct table *t, const struct operation *op)
{
	double low = NAN, high = NAN;

	(void)operation_mean_bounds(op, &low, &high);
	table_number(t, low);
	table_number(t, high);
}

static void longest_cell(struct table *t, const struct operation *op, struct scale scale)
{
	struct out *o = table_open(t);

	out_text(o, "longest ");
	quantity_latency(o, op->stated.max, scale);
	table_close(t, TONE_PLAIN);
}

static void show_row(struct table *t, const struct style *s, const struct run *run,
		     const struct operation *op, struct span_of_octaves span,
		     struct known_logs *known)
{
	bool estimated = !operation_total_exact(op);
	struct scale scale = scale_of_operation(run->profile, op);
	const struct bucket *at[N_QUANTILES];

	histogram_quantiles(&op->hist, quantiles, N_QUANTILES, at);
	table_name(t, str_from(run->path));
	operation_cell(t, s, op);
	table_name(t, op->layer);
	table_count(t, operation_count(op));
	if (run_account_contradicts(&run->account) && s->output_format != OUTPUT_FORMAT_CSV)
		table_empty(t);
	else
		table_latency(t,
			      s->output_format == OUTPUT_FORMAT_CSV ? operation_total(op)
								    : operation_inclusive(op),
			      scale, estimated);
	table_latency(t, operation_own(op), scale, !operation_own_exact(op));
	table_text(t, estimated ? "no" : "yes", TONE_PLAIN);
	table_latency(t, operation_mean(op), scale, estimated);
	table_share(t, share_of_latency(&run->totals, run->profile, op));
	for (size_t i = 0; i < N_QUANTILES; i++)
		bucket_cells(t, at[i], scale);
	table_text(t, unit_name(op->unit), TONE_PLAIN);
	self_cells(t, op);
	mean_bounds_cells(t, op);
	if (operation_summary_only(op) && s->output_format != OUTPUT_FORMAT_CSV &&
	    op->stated.has_max) {
		longest_cell(t, op, scale);
	} else if (operation_summary_only(op)) {
		table_text(t, "(no distribution)", TONE_PLAIN);
	} else if (s->output_format == OUTPUT_FORMAT_CSV) {
		table_empty(t);
	} else {
		sparkline(table_open(t), s, &op->hist, span, SPARKLINE_WIDTH, known);
		table_close(t, TONE_PLAIN);
	}
}

static void show_rows(struct table *t, const struct style *s, const struct run *run)
{
	const struct profile *p = run->profile;
	struct arena *a = arena_new();
	const struct operation **op = order_by_latency(a, p);
	const struct histogram **h = arena_make(a, const struct histogram *, p->n_ops);
	size_t n = 0;
	struct span_of_octaves span;
	struct known_logs known = { 0 };

	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].unit == p->unit)
			h[n++] = &p->op[i].hist;
	}
	span = sparkline_span(h, n);
	table_expect(t, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++) {
		order_fetch(op, p->n_ops, i);
		show_row(t, s, run, op[i], span, &known);
	}
	arena_free(a);
}

static void representative_line(struct out *o, const struct style *s, const struct run *run)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;

	if (run->n_runs < 2)
		return;
	out_text(o, markdown ? "\nrepresentative run: " : "representative run: ");
	(markdown ? escape_markdown : escape_terminal)(o, str_from(run->representative));
	out_char(o, '\n');
}

static void say_seconds(struct out *o, const char *what, double v)
{
	if (isnan(v) || v == 0)
		return;
	out_text(o, what);
	quantity_latency(o, v, (struct scale){ .unit = UNIT_S });
}

/* Prints where the time of the run went; nothing if it is not known how long it took. */
static void account_line(struct out *o, const struct style *s, const struct run *run)
{
	const struct run_account *a = &run->account;

	if (isnan(a->elapsed))
		return;
	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n" : "");
	say_seconds(o, run->n_runs > 1 ? "mean of the runs: elapsed " : "elapsed ", a->elapsed);
	if (a->source != ELAPSED_STATED)
		out_printf(o, " (from %s)", elapsed_source_name(a->source));
	if (!isnan(a->started)) {
		out_text(o, run->n_runs > 1 ? ", the first since " : ", since ");
		time_print(o, (struct time_words){ TIME_CLOCK, .dated = true }, a->started);
		out_text(o, " UTC");
	}
	if (a->fixed_duration)
		out_text(o, ", a fixed duration");
	if (a->concurrency_stated || a->concurrency > 1) {
		out_text(o, a->concurrency_stated ? ", concurrency " : ", concurrency about ");
		quantity_ratio(o, a->concurrency);
	}
	say_seconds(o, ": busy ", a->busy);
	say_seconds(o, ", waiting ", a->waiting);
	say_seconds(o, ", rest ", a->rest);
	out_char(o, '\n');
}

void report_show(struct out *o, const struct style *s, const struct run *run, size_t n)
{
	struct column shown[COUNT_OF(columns)];
	struct table *t = NULL;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		show_json(o, run, n);
		return;
	}
	memcpy(shown, columns, sizeof(shown));
	if (runs_are_nested(run, n)) {
		shown[COLUMN_TOTAL].title = "inclusive";
		shown[COLUMN_SELF].title = "self";
	}
	for (size_t i = 0; i < n; i++) {
		if (s->output_format != OUTPUT_FORMAT_CSV) {
			out_text(o, i > 0 ? "\n" : "");
			part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "",
				     &run[i]);
			representative_line(o, s, &run[i]);
			account_line(o, s, &run[i]);
			out_char(o, '\n');
		}
		if (t == NULL)
			t = table_begin(shown, COUNT_OF(shown), s, o);
		show_rows(t, s, &run[i]);
		if (s->output_format != OUTPUT_FORMAT_CSV || i + 1 == n) {
			table_end(t);
			t = NULL;
		}
	}
}
