/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/mix.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/table.h"

enum {
	MAX_SIDE_BY_SIDE = 6, /* runs in one table of text: 12 columns */
	MAX_ROWS = 20,	      /* operations in text without --all */
};

static double part_of(double value, double all)
{
	return all > 0 ? value / all : NAN;
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void jout_run_parts(struct jout *j, const struct mix *m, const struct mix_row *row)
{
	jout_array(j, "runs");
	for (size_t i = 0; i < m->n_runs; i++) {
		jout_flat_object(j, NULL);
		jout_f64(j, "calls", row->calls[i]);
		jout_f64(j, "call_share", part_of(row->calls[i], m->calls[i]));
		jout_f64(j, "time", row->time[i]);
		jout_f64(j, "time_share", part_of(row->time[i], m->time[i]));
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void jout_distances(struct jout *j, const struct mix *m)
{
	jout_array(j, "distances");
	for (size_t i = 0; i < m->n_runs; i++) {
		for (size_t k = i + 1; k < m->n_runs; k++) {
			jout_flat_object(j, NULL);
			jout_u64(j, "run", i);
			jout_u64(j, "other", k);
			jout_f64(j, "calls", m->by_calls[i * m->n_runs + k]);
			jout_f64(j, "time", m->by_time[i * m->n_runs + k]);
			jout_end_object(j);
		}
	}
	jout_end_array(j);
}

static void mix_json(struct out *o, const struct run *run, const struct mix *m)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.mix/1");
	jout_array(&j, "runs");
	for (size_t i = 0; i < m->n_runs; i++) {
		jout_object(&j, NULL);
		jout_text(&j, "path", run[i].path);
		jout_text(&j, "unit", unit_name(run[i].profile->unit));
		jout_f64(&j, "calls", m->calls[i]);
		jout_f64(&j, "time", m->time[i]);
		if (mix_nearest(m, i) != i)
			jout_u64(&j, "nearest", mix_nearest(m, i));
		else
			jout_null(&j, "nearest");
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_distances(&j, m);
	jout_array(&j, "operations");
	for (size_t i = 0; i < m->n; i++) {
		jout_object(&j, NULL);
		jout_str(&j, "name", m->row[i].op->name);
		jout_str(&j, "layer", m->row[i].op->layer);
		jout_run_parts(&j, m, &m->row[i]);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- tables --------------------------------------------------------------------------------- */

/* A row for each operation of each run. */
static void mix_csv(struct out *o, const struct style *s, const struct run *run,
		    const struct mix *m)
{
	static const struct column columns[] = {
		{ "run", "run", ALIGN_LEFT },
		{ "operation", "operation", ALIGN_LEFT },
		{ "layer", "layer", ALIGN_LEFT },
		{ "calls", "calls", ALIGN_RIGHT },
		{ "call_share", "share of calls", ALIGN_RIGHT },
		{ "time", "time", ALIGN_RIGHT },
		{ "time_share", "share of time", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < m->n_runs; i++) {
		for (size_t k = 0; k < m->n; k++) {
			const struct mix_row *row = &m->row[k];

			table_name(t, str_from(run[i].path));
			table_name(t, row->op->name);
			table_name(t, row->op->layer);
			table_number(t, row->calls[i]);
			table_share(t, part_of(row->calls[i], m->calls[i]));
			table_number(t, row->time[i]);
			table_share(t, part_of(row->time[i], m->time[i]));
		}
	}
	table_end(t);
}

/* Titles of the columns of a run, by its letter. */
static const char *const call_titles[MAX_SIDE_BY_SIDE] = { "A calls", "B calls", "C calls",
							   "D calls", "E calls", "F calls" };
static const char *const time_titles[MAX_SIDE_BY_SIDE] = { "A time", "B time", "C time",
							   "D time", "E time", "F time" };

static void mix_table(struct out *o, const struct style *s, const struct mix *m, size_t n_rows)
{
	struct column column[1 + 2 * MAX_SIDE_BY_SIDE] = { { "operation", "operation",
							     ALIGN_LEFT } };
	size_t n = m->n_runs < MAX_SIDE_BY_SIDE ? m->n_runs : MAX_SIDE_BY_SIDE;
	struct table *t;

	for (size_t i = 0; i < n; i++) {
		column[1 + i] = (struct column){ call_titles[i], call_titles[i], ALIGN_RIGHT };
		column[1 + n + i] = (struct column){ time_titles[i], time_titles[i], ALIGN_RIGHT };
	}
	t = table_begin(column, 1 + 2 * n, s, o);
	for (size_t k = 0; k < n_rows; k++) {
		operation_cell(t, s, m->row[k].op);
		for (size_t i = 0; i < n; i++)
			table_share(t, part_of(m->row[k].calls[i], m->calls[i]));
		for (size_t i = 0; i < n; i++)
			table_share(t, part_of(m->row[k].time[i], m->time[i]));
	}
	table_end(t);
}

/* --- sentences ------------------------------------------------------------------------------- */

static void say_letter(struct out *o, size_t run)
{
	if (run < 26)
		out_char(o, (char)('A' + run));
	else
		out_printf(o, "run %zu", run + 1);
}

static void say_path(struct out *o, const struct style *s, const char *path)
{
	if (s->output_format == OUTPUT_FORMAT_MARKDOWN)
		escape_markdown(o, str_from(path));
	else
		escape_terminal(o, str_from(path));
}

static void say_runs(struct out *o, const struct style *s, const struct run *run,
		     const struct mix *m)
{
	for (size_t i = 0; i < m->n_runs; i++) {
		const struct profile *p = run[i].profile;

		say_letter(o, i);
		out_text(o, "  ");
		say_path(o, s, run[i].path);
		out_text(o, ": ");
		quantity_count(o, m->calls[i]);
		out_text(o, " calls, ");
		quantity_latency(o, m->time[i], (struct scale){ .unit = p->unit, .hz = p->hz });
		out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "  \n" : "\n");
	}
	out_char(o, '\n');
}

/* "calls of read for each of write: A 0.755, B 1.28": of the two operations with most calls. */
static void say_ratio(struct out *o, const struct style *s, const struct mix *m)
{
	const struct mix_row *one = m->row, *other = m->row + 1;

	if (m->n < 2)
		return;
	if (operation_cmp_key(one->op, other->op) > 0) {
		one = other;
		other = m->row;
	}
	out_text(o, "calls of ");
	say_operation(o, s, one->op);
	out_text(o, " for each of ");
	say_operation(o, s, other->op);
	for (size_t i = 0; i < m->n_runs; i++) {
		out_text(o, i == 0 ? ": " : ", ");
		say_letter(o, i);
		out_char(o, ' ');
		if (other->calls[i] > 0)
			out_printf(o, "%.3g", one->calls[i] / other->calls[i]);
		else
			out_text(o, "-");
	}
	out_text(o, "\n");
}

/* Which run each run resembles most, and how much of it is other work. */
static void say_nearest(struct out *o, const struct mix *m)
{
	for (size_t i = 0; i < m->n_runs; i++) {
		size_t k = mix_nearest(m, i);
		double time = m->by_time[i * m->n_runs + k];

		if (k == i || (m->n_runs == 2 && i == 1))
			continue;
		say_letter(o, i);
		out_text(o, m->n_runs == 2 ? " and " : " resembles ");
		say_letter(o, k);
		out_text(o, m->n_runs == 2 ? ": " : " most: ");
		quantity_percent(o, m->by_calls[i * m->n_runs + k]);
		out_text(o, " of the calls are of other operations");
		if (!isnan(time)) {
			out_text(o, ", and ");
			quantity_percent(o, time);
			out_text(o, " of the time");
		}
		out_text(o, "\n");
	}
}

void report_mix(struct out *o, const struct style *s, const struct run *run, const struct mix *m,
		bool all)
{
	size_t n_rows = all || m->n < MAX_ROWS ? m->n : MAX_ROWS;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		mix_json(o, run, m);
		return;
	}
	if (s->output_format == OUTPUT_FORMAT_CSV) {
		mix_csv(o, s, run, m);
		return;
	}
	say_runs(o, s, run, m);
	mix_table(o, s, m, n_rows);
	if (n_rows < m->n)
		out_printf(o, "%zu more operation%s (--all)\n", m->n - n_rows,
			   m->n - n_rows == 1 ? "" : "s");
	if (m->n_runs > MAX_SIDE_BY_SIDE)
		out_printf(o, "%zu more run%s (-f csv)\n", m->n_runs - MAX_SIDE_BY_SIDE,
			   m->n_runs - MAX_SIDE_BY_SIDE == 1 ? "" : "s");
	out_char(o, '\n');
	say_ratio(o, s, m);
	say_nearest(o, m);
}
