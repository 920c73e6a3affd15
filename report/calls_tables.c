/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of osprof calls. */
#include <math.h>

#include "base/out.h"
#include "report/calls_parts.h"
#include "report/parts.h"
#include "report/table.h"

void say_rest(struct out *o, const struct style *s, size_t n, size_t rows)
{
	if (!is_csv(s) && n > rows)
		out_printf(o, "%s%zu more; --all shows them.\n",
			   s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n" : "", n - rows);
}

/* Writes a site or a resource; CSV leaves the cell empty when there is none. */
static void what_cell(struct table *t, const struct style *s, struct str what)
{
	if (what.n > 0)
		table_name(t, what);
	else
		table_text(t, is_csv(s) ? "" : "(unknown)", TONE_DIM);
}

/* Prints a number of calls, which may be a mean over runs and thus a fraction. */
static void put_calls(struct out *o, double v)
{
	if (v == floor(v))
		quantity_count(o, v);
	else
		out_digits(o, v, 3);
}

/* --- changes ------------------------------------------------------------------------------ */

static void change_columns(struct table *t, const struct style *s, const struct call_change *v)
{
	double change = v->time_after - v->time_before;
	struct out *text;

	table_number(t, v->calls_before);
	table_number(t, v->calls_after);
	text = table_open(t);
	put_calls(text, v->calls_before);
	out_text(text, s->unicode ? " → " : " -> ");
	put_calls(text, v->calls_after);
	table_close(t, TONE_PLAIN);
	table_number(t, v->time_before);
	table_number(t, v->time_after);
	change_cell(t, s, v->time_before, v->time_after, &ns);
	text = table_open(t);
	out_text(text, change > 0 ? "+" : "");
	quantity_latency(text, change, ns);
	table_close(t, change > 0 ? TONE_WORSE : change < 0 ? TONE_BETTER : TONE_PLAIN);
}

void calls_changes_table(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct call_changes *c, const char *name, const char *title,
			 const char *time)
{
	const struct column columns[] = {
		{ "operation", "call", ALIGN_LEFT },   { name, title, ALIGN_LEFT },
		{ "calls_before", NULL, ALIGN_RIGHT }, { "calls_after", NULL, ALIGN_RIGHT },
		{ NULL, "calls", ALIGN_RIGHT },	       { "ns_before", NULL, ALIGN_RIGHT },
		{ "ns_after", NULL, ALIGN_RIGHT },     { NULL, time, ALIGN_RIGHT },
		{ NULL, "change", ALIGN_RIGHT },
	};
	size_t rows = rows_shown(s, r, c->n);
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < rows; i++) {
		table_name(t, c->v[i].operation);
		what_cell(t, s, c->v[i].what);
		change_columns(t, s, &c->v[i]);
	}
	table_end(t);
	say_rest(o, s, c->n, rows);
}

/* --- sites ------------------------------------------------------------------------------ */

static const struct column site_columns[] = {
	{ "operation", "call", ALIGN_LEFT },	  { "site", "from", ALIGN_LEFT },
	{ "calls", "calls", ALIGN_RIGHT },	  { "total_ns", "total", ALIGN_RIGHT },
	{ "share", "share", ALIGN_RIGHT },	  { "cpu_ns", "CPU", ALIGN_RIGHT },
	{ "blocked_ns", "blocked", ALIGN_RIGHT }, { "blocked_calls", NULL, ALIGN_RIGHT },
	{ "preempted_calls", NULL, ALIGN_RIGHT }, { "minor_faults", NULL, ALIGN_RIGHT },
	{ "major_faults", NULL, ALIGN_RIGHT },	  { NULL, "faults", ALIGN_RIGHT },
	{ "min_ns", "min", ALIGN_RIGHT },	  { "median_ns", "median", ALIGN_RIGHT },
	{ "max_ns", "max", ALIGN_RIGHT },
};

/* A time of 0 leaves the cell empty, except in CSV. */
static void time_cell(struct table *t, const struct style *s, double v)
{
	if (v == 0 && !is_csv(s))
		table_text(t, "-", TONE_DIM);
	else
		table_latency(t, v, ns, false);
}

static void site_row(struct table *t, const struct style *s, const struct calls_run *run,
		     const struct site_cost *v)
{
	const struct calls *c = run->side.calls;
	struct out *text;

	table_name(t, c->operations.v[v->operation]);
	what_cell(t, s, c->sites.v[v->site]);
	table_count(t, v->calls);
	table_latency(t, v->total, ns, false);
	table_share(t, run->side.sites.total > 0 ? v->total / run->side.sites.total : NAN);
	time_cell(t, s, v->cpu);
	time_cell(t, s, v->blocked);
	table_count(t, v->n_blocked);
	table_count(t, v->n_preempted);
	table_number(t, v->minor_faults);
	table_number(t, v->major_faults);
	text = table_open(t);
	quantity_count(text, v->minor_faults);
	if (v->major_faults > 0) {
		out_char(text, '+');
		quantity_count(text, v->major_faults);
	}
	table_close(t, TONE_PLAIN);
	table_latency(t, v->latency.min, ns, false);
	table_latency(t, v->latency.median, ns, false);
	table_latency(t, v->latency.max, ns, false);
}

void calls_sites_table(struct out *o, const struct style *s, const struct calls_report *r)
{
	const struct site_costs *costs = &r->before->side.sites;
	size_t rows = rows_shown(s, r, costs->n);
	struct table *t = table_begin(site_columns, COUNT_OF(site_columns), s, o);

	for (size_t i = 0; i < rows; i++)
		site_row(t, s, r->before, &costs->v[i]);
	table_end(t);
	say_rest(o, s, costs->n, rows);
}

/* --- trends ---------------------------------------------------------------------------------- */

static const struct column trend_columns[] = {
	{ "path", NULL, ALIGN_LEFT },
	{ "operation", "call", ALIGN_LEFT },
	{ "all_sites", NULL, ALIGN_LEFT },
	{ "site", "from", ALIGN_LEFT },
	{ "calls", "calls", ALIGN_RIGHT },
	{ "processes", NULL, ALIGN_RIGHT },
	{ "first_ns", "first tenth", ALIGN_RIGHT },
	{ "last_ns", "last tenth", ALIGN_RIGHT },
	{ "slope_ns", "each call", ALIGN_RIGHT },
	{ "tau", "tau", ALIGN_RIGHT },
	{ "p", NULL, ALIGN_RIGHT },
	{ "q", "q", ALIGN_RIGHT },
	{ "extra_ns", NULL, ALIGN_RIGHT },
	{ "verdict", "verdict", ALIGN_LEFT },
};

static enum tone tone_of(enum trend_verdict v)
{
	return v == TREND_GROWS ? TONE_WORSE : v == TREND_SHRINKS ? TONE_BETTER : TONE_PLAIN;
}

/* Only CSV shows the slope of a call without a trend: it is noise. */
static void slope_cell(struct table *t, const struct style *s, const struct trend *v)
{
	struct out *text;

	if (is_csv(s)) {
		table_number(t, v->slope);
	} else if (v->verdict == TREND_NONE || v->verdict == TREND_FEW) {
		table_text(t, "-", TONE_DIM);
	} else {
		text = table_open(t);
		out_text(text, v->slope > 0 ? "+" : "");
		quantity_latency(text, v->slope, ns);
		table_close(t, TONE_PLAIN);
	}
}

static void trend_row(struct table *t, const struct style *s, const struct calls_run *run,
		      const struct trend *v)
{
	const struct calls *c = run->side.calls;
	bool few = v->n_processes == 0;

	table_name(t, str_from(run->path));
	table_name(t, c->operations.v[v->operation]);
	table_text(t, v->all_sites ? "yes" : "no", TONE_PLAIN);
	if (v->all_sites)
		table_text(t, "", TONE_PLAIN);
	else
		what_cell(t, s, c->sites.v[v->site]);
	table_count(t, v->calls);
	table_count(t, v->n_processes);
	table_latency(t, v->first, ns, false);
	table_latency(t, v->last, ns, false);
	slope_cell(t, s, v);
	table_number(t, v->tau);
	table_number(t, v->p);
	table_number(t, v->q);
	table_number(t, few ? NAN : v->extra);
	table_text(t, trend_verdict_name(v->verdict), tone_of(v->verdict));
}

/* In CSV, the rows of both sides form one table. */
static struct table *begin_table(struct out *o, const struct style *s, const struct calls_report *r,
				 const struct calls_run *run, const struct column *columns,
				 size_t n)
{
	bool goes_on = is_csv(s) && run == r->after;

	return (goes_on ? table_part : table_begin)(columns, n, s, o);
}

/* Text leaves out calls that are too few to be tested; they are at the end of the list. */
void calls_trends_table(struct out *o, const struct style *s, const struct calls_report *r,
			const struct calls_run *run)
{
	size_t n = run->trends.n, rows;
	struct table *t;

	while (!is_csv(s) && n > 0 && run->trends.v[n - 1].verdict == TREND_FEW)
		n--;
	rows = rows_shown(s, r, n);
	if (!is_csv(s) && n == 0) {
		out_text(o, "No process made the same call often enough to tell.\n");
		return;
	}
	t = begin_table(o, s, r, run, trend_columns, COUNT_OF(trend_columns));
	for (size_t i = 0; i < rows; i++)
		trend_row(t, s, run, &run->trends.v[i]);
	table_end(t);
	say_rest(o, s, n, rows);
}

/* --- times ----------------------------------------------------------------------------------- */

static const struct column time_columns[] = {
	{ "path", NULL, ALIGN_LEFT },	    { "operation", "call", ALIGN_LEFT },
	{ "time", "time", ALIGN_LEFT },	    { "calls", "calls", ALIGN_RIGHT },
	{ "min_ns", "min", ALIGN_RIGHT },   { "median_ns", "median", ALIGN_RIGHT },
	{ "mean_ns", "mean", ALIGN_RIGHT }, { "max_ns", "max", ALIGN_RIGHT },
};

static void time_row(struct table *t, const struct calls_run *run, const struct call_times *v,
		     const char *time, size_t calls, const struct spread *s)
{
	if (isnan(s->median))
		return;
	table_name(t, str_from(run->path));
	table_name(t, run->side.calls->operations.v[v->operation]);
	table_text(t, time, TONE_PLAIN);
	table_count(t, calls);
	table_latency(t, s->min, ns, false);
	table_latency(t, s->median, ns, false);
	table_latency(t, s->mean, ns, false);
	table_latency(t, s->max, ns, false);
}

static void rows_of_times(struct table *t, const struct style *s, const struct calls_run *run,
			  const struct call_times *v)
{
	size_t disturbed = v->n_blocked + v->n_preempted;

	time_row(t, run, v, is_csv(s) ? "user" : "as the caller sees it",
		 v->n_kernel > 0 ? v->n_kernel : v->calls, &v->user);
	time_row(t, run, v, is_csv(s) ? "kernel" : "in the kernel", v->n_kernel, &v->kernel);
	if (disturbed > 0 || is_csv(s))
		time_row(t, run, v, is_csv(s) ? "undisturbed" : "neither blocked nor preempted",
			 v->n_undisturbed, &v->undisturbed);
}

void calls_times_table(struct out *o, const struct style *s, const struct calls_report *r,
		       const struct calls_run *run)
{
	size_t rows = rows_shown(s, r, run->times.n);
	struct table *t = begin_table(o, s, r, run, time_columns, COUNT_OF(time_columns));

	for (size_t i = 0; i < rows; i++)
		rows_of_times(t, s, run, &run->times.v[i]);
	table_end(t);
	say_rest(o, s, run->times.n, rows);
}

/* --- summary ---------------------------------------------------------------------------------- */

static const struct column summary_columns[] = {
	{ "path", NULL, ALIGN_LEFT },		{ "runs", NULL, ALIGN_RIGHT },
	{ "calls", NULL, ALIGN_RIGHT },		{ "lost", NULL, ALIGN_RIGHT },
	{ "processes", NULL, ALIGN_RIGHT },	{ "threads", NULL, ALIGN_RIGHT },
	{ "operations", NULL, ALIGN_RIGHT },	{ "sites", NULL, ALIGN_RIGHT },
	{ "duration_ns", NULL, ALIGN_RIGHT },	{ "latency_ns", NULL, ALIGN_RIGHT },
	{ "cpu_ns", NULL, ALIGN_RIGHT },	{ "blocked_ns", NULL, ALIGN_RIGHT },
	{ "blocked_calls", NULL, ALIGN_RIGHT }, { "preempted_calls", NULL, ALIGN_RIGHT },
	{ "kernel_calls", NULL, ALIGN_RIGHT },	{ "minor_faults", NULL, ALIGN_RIGHT },
	{ "major_faults", NULL, ALIGN_RIGHT },
};

void calls_summary_table(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct calls_run *run)
{
	struct table *t = begin_table(o, s, r, run, summary_columns, COUNT_OF(summary_columns));
	const struct calls_summary *sum = &run->side.summary;
	const struct calls *c = run->side.calls;
	const size_t count[] = { c->n_runs,	 c->n,	       c->lost,
				 c->n_processes, c->n_threads, sum->n_operations,
				 sum->n_sites };

	table_name(t, str_from(run->path));
	for (size_t i = 0; i < COUNT_OF(count); i++)
		table_count(t, count[i]);
	table_number(t, sum->duration);
	table_number(t, sum->latency);
	table_number(t, sum->cpu);
	table_number(t, sum->blocked);
	table_count(t, sum->n_blocked);
	table_count(t, sum->n_preempted);
	table_count(t, sum->n_kernel);
	table_number(t, sum->minor_faults);
	table_number(t, sum->major_faults);
	table_end(t);
}
