/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof show: the operations of a run by total latency. */
#include <math.h>
#include <string.h>

#include "analyze/rank/facts.h"
#include "analyze/totals.h"
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/time_words.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/rank/statements.h"
#include "report/report.h"
#include "report/sparkline.h"
#include "report/table.h"

/* --- JSON ------------------------------------------------------------------------ */

static void show_mean(struct jout *j, const struct operation *op)
{
	double low, high;

	jout_f64(j, "mean", operation_mean(op));
	if (operation_total_stated(op) || !operation_mean_bounds(op, &low, &high))
		return;
	jout_f64(j, "mean_low", low);
	jout_f64(j, "mean_high", high);
}

static void show_quantiles(struct jout *j, const struct operation *op,
			   const struct quantile_list *quantiles)
{
	char key[32];

	for (size_t i = 0; i < quantiles->n; i++) {
		(void)snprintf(key, sizeof(key), "p%.12g", quantiles->percent[i]);
		jout_bounds(j, key, histogram_quantile(&op->hist, quantiles->percent[i] / 100));
	}
}

static void show_operation(struct jout *j, const struct run *run, const struct operation *op,
			   const struct quantile_list *quantiles)
{
	const struct stated *s = &op->stated;

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
	show_quantiles(j, op, quantiles);
	jout_own_facts(j, run, op, quantiles);
	jout_buckets(j, &op->hist, 1);
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

static void show_json(struct out *o, const struct run *run, size_t n,
		      const struct quantile_list *quantiles)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.show/1");
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
			show_operation(&j, &run[i], op[k], quantiles);
		}
		jout_end_array(&j);
		jout_end_object(&j);
		arena_free(a);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- CSV ------------------------------------------------------------------------- */

static const struct column csv_first[] = {
	{ "path", NULL, ALIGN_LEFT },	{ "operation", NULL, ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },	{ "calls", NULL, ALIGN_RIGHT },
	{ "total", NULL, ALIGN_RIGHT }, { "total_exact", NULL, ALIGN_LEFT },
	{ "mean", NULL, ALIGN_RIGHT },	{ "share", NULL, ALIGN_RIGHT },
};
static const struct column csv_last[] = {
	{ "unit", NULL, ALIGN_LEFT },	    { "self", NULL, ALIGN_RIGHT },
	{ "self_exact", NULL, ALIGN_LEFT }, { "inclusive", NULL, ALIGN_RIGHT },
	{ "mean_low", NULL, ALIGN_RIGHT },  { "mean_high", NULL, ALIGN_RIGHT },
};
enum { MAX_CSV_COLUMNS = COUNT_OF(csv_first) + 2 * MAX_QUANTILES + COUNT_OF(csv_last) };

/* Fills in the columns, with names in the arena; returns how many. */
static size_t csv_columns(struct arena *a, const struct quantile_list *quantiles,
			  struct column ret[MAX_CSV_COLUMNS])
{
	size_t n = COUNT_OF(csv_first);

	memcpy(ret, csv_first, sizeof(csv_first));
	for (size_t i = 0; i < 2 * quantiles->n; i++)
		ret[n++] = (struct column){ arena_printf(a, "p%.12g_%s", quantiles->percent[i / 2],
							 i % 2 == 0 ? "low" : "high")
						    .p,
					    NULL, ALIGN_RIGHT };
	memcpy(&ret[n], csv_last, sizeof(csv_last));
	return n + COUNT_OF(csv_last);
}

static void csv_quantiles(struct table *t, const struct operation *op,
			  const struct quantile_list *quantiles)
{
	for (size_t i = 0; i < quantiles->n; i++) {
		const struct bucket *b = histogram_quantile(&op->hist, quantiles->percent[i] / 100);

		table_number(t, b != NULL ? b->edges->low : NAN);
		table_number(t, b != NULL ? b->edges->high : NAN);
	}
}

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

static void csv_row(struct table *t, const struct style *s, const struct run *run,
		    const struct operation *op, const struct quantile_list *quantiles)
{
	table_name(t, str_from(run->path));
	operation_cell(t, s, op);
	table_name(t, op->layer);
	table_count(t, operation_count(op));
	table_number(t, operation_total(op));
	table_text(t, operation_total_exact(op) ? "yes" : "no", TONE_PLAIN);
	table_number(t, operation_mean(op));
	table_share(t, share_of_latency(&run->totals, run->profile, op));
	csv_quantiles(t, op, quantiles);
	table_text(t, unit_name(op->unit), TONE_PLAIN);
	self_cells(t, op);
	mean_bounds_cells(t, op);
}

static void show_csv(struct out *o, const struct style *s, const struct run *run, size_t n,
		     const struct quantile_list *quantiles)
{
	struct column columns[MAX_CSV_COLUMNS];
	struct arena *a = arena_new();
	size_t n_columns = csv_columns(a, quantiles, columns);
	struct table *t = table_begin(columns, n_columns, s, o);

	for (size_t i = 0; i < n; i++) {
		const struct profile *p = run[i].profile;
		const struct operation **op = order_by_latency(a, p);

		for (size_t k = 0; k < p->n_ops; k++) {
			order_fetch(op, p->n_ops, k);
			csv_row(t, s, &run[i], op[k], quantiles);
		}
	}
	table_end(t);
	arena_free(a);
}

/* --- text, Markdown ---------------------------------------------------------------- */

/* Columns of which a narrow terminal leaves out those of the highest degree first. */
enum { SPARE_MEAN = 1, SPARE_PICTURE, SPARE_MIDDLE };
enum { WIDE = 120, NARROW_PICTURE = 14 }; /* as in rank */

/* The columns of one run; `n` of them. */
struct text_columns {
	struct column v[8 + MAX_QUANTILES];
	unsigned spare[8 + MAX_QUANTILES];
	size_t n;
};

static void add_column(struct text_columns *c, const char *title, enum column_align align,
		       unsigned spare)
{
	c->v[c->n] = (struct column){ NULL, title, align };
	c->spare[c->n++] = spare;
}

static bool has_pictures(const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].hist.n > 0)
			return true;
	}
	return false;
}

/* Cells are filled in this order by text_row(). */
static struct text_columns columns_of(struct arena *a, const struct run *run,
				      const struct quantile_list *quantiles, bool asked)
{
	bool nested = runs_are_nested(run, 1), drawn = has_pictures(run->profile);
	struct text_columns c = { .n = 0 };

	add_column(&c, "operation", ALIGN_LEFT, 0);
	add_column(&c, "calls", ALIGN_RIGHT, 0);
	add_column(&c, nested ? "inclusive" : "total", ALIGN_RIGHT, 0);
	add_column(&c, nested ? "self" : NULL, ALIGN_RIGHT, 0);
	add_column(&c, "share", ALIGN_RIGHT, 0);
	add_column(&c, "mean", ALIGN_RIGHT, SPARE_MEAN);
	for (size_t i = 0; i < quantiles->n; i++) {
		bool middle = i > 0 && i + 1 < quantiles->n;

		add_column(&c, drawn ? arena_printf(a, "p%.12g", quantiles->percent[i]).p : NULL,
			   ALIGN_RIGHT, asked || !middle ? 0 : SPARE_MIDDLE);
	}
	add_column(&c, "max", ALIGN_RIGHT, 0);
	add_column(&c, drawn ? "latencies" : NULL, ALIGN_LEFT, SPARE_PICTURE);
	return c;
}

/* What the rows of a run have in common. */
struct row_style {
	const struct style *style;
	const struct run *run;
	const struct quantile_list *quantiles;
	struct span_of_octaves span;
	struct known_logs known;
};

static void max_cell(struct table *t, const struct operation *op, struct scale scale)
{
	const struct fact f = fact_of_own_max(op);
	struct out *o = table_open(t);

	say_own_max(o, &f, scale);
	table_close(t, TONE_PLAIN);
}

static void text_row(struct table *t, struct row_style *how, const struct operation *op)
{
	const struct run *run = how->run;
	struct scale scale = scale_of_operation(run->profile, op);
	const struct style *s = how->style;
	double n = (double)run->n_runs;
	size_t width = s->width > 0 && s->width < WIDE ? NARROW_PICTURE : SPARKLINE_WIDTH;

	operation_cell(t, s, op);
	own_calls_cell(t, s, run, operation_count(op));
	if (run_account_contradicts(&run->account))
		table_empty(t);
	else
		table_latency(t, operation_inclusive(op) / n, scale, !operation_total_exact(op));
	table_latency(t, operation_own(op) / n, scale, !operation_own_exact(op));
	table_share(t, op->idle ? NAN : share_of_latency(&run->totals, run->profile, op));
	table_latency(t, operation_mean(op), scale, !operation_total_exact(op));
	for (size_t i = 0; i < how->quantiles->n; i++) {
		const struct fact f = fact_of_own_quantile(op, how->quantiles->percent[i] / 100);

		say_own_quantile(table_open(t), &f.after, scale);
		table_close(t, TONE_PLAIN);
	}
	max_cell(t, op, scale);
	if (operation_summary_only(op)) {
		table_text(t, "(no distribution)", TONE_PLAIN);
	} else {
		sparkline(table_open(t), s, &op->hist, how->span, width, &how->known);
		table_close(t, TONE_PLAIN);
	}
}

static struct span_of_octaves span_of_run(struct arena *a, const struct profile *p)
{
	const struct histogram **h = arena_make(a, const struct histogram *, p->n_ops);
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].unit == p->unit)
			h[n++] = &p->op[i].hist;
	}
	return sparkline_span(h, n);
}

/* Prints a run; idle operations come last, as their time is not the run's. */
static void text_table(struct out *o, const struct style *s, const struct run *run,
		       const struct quantile_list *quantiles, bool asked)
{
	const struct profile *p = run->profile;
	struct arena *a = arena_new();
	struct text_columns columns = columns_of(a, run, quantiles, asked);
	struct row_style how = { .style = s, .run = run, .quantiles = quantiles };
	const struct operation **op = order_by_latency(a, p);
	struct table *t = table_begin(columns.v, columns.n, s, o);

	how.span = span_of_run(a, p);
	for (size_t i = 0; i < columns.n; i++)
		table_spare(t, i, columns.spare[i]);
	table_expect(t, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++)
		order_fetch(op, p->n_ops, i);
	for (int idle = 0; idle <= 1; idle++) {
		for (size_t i = 0; i < p->n_ops; i++) {
			if (op[i]->idle == idle)
				text_row(t, &how, op[i]);
		}
	}
	table_end(t);
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

void report_show(struct out *o, const struct style *s, const struct run *run, size_t n,
		 const struct quantile_list *quantiles)
{
	const struct quantile_list *which = quantiles != NULL ? quantiles : &quantiles_default;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		show_json(o, run, n, which);
		return;
	}
	if (s->output_format == OUTPUT_FORMAT_CSV) {
		show_csv(o, s, run, n, which);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		out_text(o, i > 0 ? "\n" : "");
		part_heading_per_run(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "",
				     &run[i]);
		representative_line(o, s, &run[i]);
		account_line(o, s, &run[i]);
		out_char(o, '\n');
		text_table(o, s, &run[i], which, quantiles != NULL);
	}
}
