/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof timeline: a run over time. */
#include "report/timeline.h"

#include <math.h>
#include <string.h>

#include "analyze/coincide.h"
#include "analyze/timeline.h"
#include "base/attr.h"
#include "base/out.h"
#include "profile/time_words.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/sparkline.h"
#include "report/table.h"

enum { MAX_ROWS = 40 /* intervals, in text without --all */, SERIES_WIDTH = 48 };

const char *const timeline_sections[] = { "operations",	  "changes",   "peaks",
					  "coincidences", "intervals", NULL };

static const struct scale seconds = { .unit = UNIT_S };

/* Prints a length of time, or a number of intervals when the profile has no times. */
static void put_length(struct out *o, const struct profile *p, double length)
{
	if (p->untimed)
		out_digits(o, length, 6);
	else
		quantity_latency(o, length, seconds);
}

static struct time_words time_words_in(const struct profile *p, const struct timeline *t)
{
	return time_words_of(p, t->interval[0].start, t->interval[t->n - 1].end);
}

static const char *word_for(enum timeline_what what)
{
	return what == TIMELINE_CALLS ? "calls" : "mean";
}

/* --- JSON -------------------------------------------------------------------------------- */

static void json_intervals(struct jout *j, const struct timeline *t)
{
	jout_array(j, "intervals");
	for (size_t i = 0; i < t->n; i++) {
		const struct timeline_interval *v = &t->interval[i];

		jout_flat_object(j, NULL);
		jout_f64(j, "start", v->start);
		jout_f64(j, "end", v->end);
		jout_f64(j, "calls", v->calls);
		jout_f64(j, "total", v->latency);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_period(struct jout *j, const struct period *p)
{
	if (!p->found) {
		jout_null(j, "period");
		return;
	}
	jout_flat_object(j, "period");
	jout_f64(j, "length", p->length);
	jout_f64(j, "strength", p->strength);
	jout_f64(j, "p", p->p);
	jout_f64(j, "intervals", p->steps > 0 ? p->steps : NAN);
	jout_end_object(j);
}

static void json_changes(struct jout *j, const struct timeline *t, const struct timeline_op *op)
{
	jout_array(j, "changes");
	for (size_t i = 0; i < op->n_changes; i++) {
		const struct timeline_change *c = &op->change[i];

		jout_flat_object(j, NULL);
		jout_f64(j, "at", t->interval[c->interval].start);
		jout_u64(j, "interval", c->interval);
		jout_text(j, "what", word_for(c->what));
		jout_f64(j, "before", c->before);
		jout_f64(j, "after", c->after);
		jout_f64(j, "p", c->p);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_series(struct jout *j, const char *key, const double *v, size_t n)
{
	jout_flat_array(j, key);
	for (size_t i = 0; i < n; i++)
		jout_f64(j, NULL, v[i]);
	jout_end_array(j);
}

static void json_peaks(struct jout *j, const struct timeline *t, const struct operation *op)
{
	jout_array(j, "peaks");
	for (size_t i = 0; i < t->n_peaks; i++) {
		const struct timeline_op *peak = &t->peak[i];

		if (peak->op != op)
			continue;
		jout_object(j, NULL);
		jout_f64(j, "low", peak->peak->low);
		jout_f64(j, "high", peak->peak->high);
		json_series(j, "calls", peak->calls, t->n);
		json_period(j, &peak->period);
		json_changes(j, t, peak);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_coincidences(struct jout *j, const struct coincidences *c)
{
	jout_u64(j, "pairs_tested", c->n_tested);
	jout_u64(j, "intervals_left_out", c->n_left_out);
	jout_array(j, "coincidences");
	for (size_t i = 0; i < c->n; i++) {
		const struct coincidence *v = &c->v[i];

		jout_flat_object(j, NULL);
		jout_str(j, "operation", v->op->name);
		jout_str(j, "layer", v->op->layer);
		jout_f64(j, "low", v->low);
		jout_bool(j, "any_call", v->any);
		jout_str(j, "with", v->with->name);
		jout_str(j, "with_layer", v->with->layer);
		jout_u64(j, "intervals_with", v->intervals_with);
		jout_u64(j, "both", v->both);
		jout_u64(j, "others", v->others);
		jout_u64(j, "of_others", v->of_others);
		jout_f64(j, "p", v->p);
		jout_f64(j, "q", v->q);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void timeline_json(struct out *o, const struct run *run, const struct timeline *t,
			  const struct coincidences *c)
{
	const struct profile *p = run->profile;
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.timeline/1");
	jout_text(&j, "path", run->path);
	jout_text(&j, "format", p->format);
	jout_unit(&j, "unit", p->unit);
	jout_f64(&j, "hz", p->hz > 0 ? p->hz : NAN);
	jout_bool(&j, "timed", !p->untimed);
	jout_bool(&j, "epoch", p->epoch);
	jout_f64(&j, "interval_length", t->n > 0 ? t->usual : NAN);
	jout_u64(&j, "missing", t->n_missing);
	json_intervals(&j, t);
	jout_array(&j, "operations");
	for (size_t i = 0; i < t->n_ops; i++) {
		const struct timeline_op *op = &t->op[i];

		jout_object(&j, NULL);
		jout_str(&j, "name", op->op->name);
		jout_str(&j, "layer", op->op->layer);
		if (op->op->unit != p->unit)
			jout_unit(&j, "unit", op->op->unit);
		jout_self(&j, op->op);
		json_series(&j, "calls", op->calls, t->n);
		json_series(&j, "total", op->latency, t->n);
		json_period(&j, &op->period);
		json_changes(&j, t, op);
		json_peaks(&j, t, op->op);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	json_coincidences(&j, c);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- CSV: a row for each operation in each interval that has it ----------------------------- */

static const struct column cells[] = {
	{ "start", NULL, ALIGN_RIGHT },	   { "end", NULL, ALIGN_RIGHT },
	{ "operation", NULL, ALIGN_LEFT }, { "layer", NULL, ALIGN_LEFT },
	{ "calls", NULL, ALIGN_RIGHT },	   { "total", NULL, ALIGN_RIGHT },
	{ "unit", NULL, ALIGN_LEFT },
};

static void timeline_csv(struct out *o, const struct style *s, const struct timeline *t)
{
	struct table *table = table_begin(cells, COUNT_OF(cells), s, o);

	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->n_ops; k++) {
			const struct timeline_op *op = &t->op[k];

			if (op->calls[i] == 0)
				continue;
			table_number(table, t->interval[i].start);
			table_number(table, t->interval[i].end);
			table_name(table, op->op->name);
			table_name(table, op->op->layer);
			table_number(table, op->calls[i]);
			table_number(table, op->latency[i]);
			table_text(table, unit_name(op->op->unit), TONE_PLAIN);
		}
	}
	table_end(table);
}

/* --- text -------------------------------------------------------------------------------- */

static void say_intervals(struct out *o, const struct run *run, const struct timeline *t)
{
	const struct profile *p = run->profile;
	bool even = t->longest - t->shortest < 0.1 * t->usual;

	out_printf(o, "%zu intervals", t->n);
	if (!p->untimed) {
		out_text(o, " of ");
		put_length(o, p, even ? t->usual : t->shortest);
		if (!even) {
			out_text(o, " to ");
			put_length(o, p, t->longest);
		}
		out_text(o, ", ");
		time_print_span(o, time_words_in(p, t), t->interval[0].start,
				t->interval[t->n - 1].end);
	}
	if (t->n_missing > 0)
		out_printf(o, "; nothing was measured for %zu more", t->n_missing);
	out_char(o, '\n');
}

static void put_period(struct out *o, const struct profile *p, const struct period *period)
{
	if (!period->found)
		return;
	out_text(o, "every ");
	put_length(o, p, period->length);
	out_text(o, p->untimed ? " intervals" : "");
	if (period->steps > 0 && !p->untimed) {
		out_text(o, " (every ");
		out_digits(o, period->steps, 3);
		out_text(o, " intervals)");
	} else if (!(period->steps > 0)) {
		out_text(o, " (strength ");
		out_digits(o, period->strength, 2);
		out_char(o, ')');
	}
}

static const struct column op_columns[] = {
	{ NULL, "operation", ALIGN_LEFT },
	{ NULL, "calls", ALIGN_RIGHT },
	{ NULL, "total", ALIGN_RIGHT },
	{ NULL, NULL, ALIGN_RIGHT },
	{ NULL, "share", ALIGN_RIGHT },
	{ NULL, "repeats", ALIGN_LEFT },
	{ NULL, "latency over time", ALIGN_LEFT },
};
enum { OP_TOTAL = 2, OP_SELF = 3 };

static void table_of_operations(struct out *o, const struct style *s, const struct run *run,
				const struct timeline *t)
{
	struct column shown[COUNT_OF(op_columns)];
	struct table *table;

	out_char(o, '\n');
	memcpy(shown, op_columns, sizeof(shown));
	if (runs_are_nested(run, 1)) {
		shown[OP_TOTAL].title = "inclusive";
		shown[OP_SELF].title = "self";
	}
	table = table_begin(shown, COUNT_OF(shown), s, o);
	for (size_t i = 0; i < t->n_ops; i++) {
		const struct timeline_op *op = &t->op[i];
		struct scale scale = scale_of_operation(run->profile, op->op);

		operation_cell(table, s, op->op);
		table_count(table, operation_count(op->op));
		table_latency(table, operation_inclusive(op->op), scale,
			      !operation_total_exact(op->op));
		table_latency(table, operation_own(op->op), scale, !operation_own_exact(op->op));
		table_share(table, share_of_latency(&run->totals, run->profile, op->op));
		put_period(table_open(table), run->profile, &op->period);
		table_close(table, TONE_STRONG);
		sparkline_heights(table_open(table), s, op->latency, t->n, SERIES_WIDTH);
		table_close(table, TONE_PLAIN);
	}
	table_end(table);
}

static void put_level(struct out *o, const struct run *run, const struct timeline_op *op,
		      const struct timeline_change *c, double level)
{
	if (c->what == TIMELINE_CALLS) {
		out_digits(o, level, 3);
		out_text(o, run->profile->untimed ? " an interval" : " a second");
	} else {
		quantity_latency(o, level, scale_of_operation(run->profile, op->op));
	}
}

static const struct column change_columns[] = {
	{ NULL, "at", ALIGN_RIGHT },	{ NULL, "operation", ALIGN_LEFT },
	{ NULL, "what", ALIGN_LEFT },	{ NULL, "before", ALIGN_RIGHT },
	{ NULL, "after", ALIGN_RIGHT },
};

static void table_of_changes(struct out *o, const struct style *s, const struct run *run,
			     const struct timeline *t)
{
	struct table *table;
	size_t n = 0;

	for (size_t i = 0; i < t->n_ops; i++)
		n += t->op[i].n_changes;
	out_text(o, n > 0 ? "\nChanges of level:\n" : "\nNo operation changed its level.\n");
	if (n == 0)
		return;
	table = table_begin(change_columns, COUNT_OF(change_columns), s, o);
	/* Sort by time; the changes of each operation are sorted already. */
	for (size_t at = 0; at < t->n; at++) {
		for (size_t i = 0; i < t->n_ops; i++) {
			const struct timeline_op *op = &t->op[i];

			for (size_t k = 0; k < op->n_changes; k++) {
				const struct timeline_change *c = &op->change[k];

				if (c->interval != at)
					continue;
				time_print(table_open(table), time_words_in(run->profile, t),
					   t->interval[at].start);
				table_close(table, TONE_PLAIN);
				operation_cell(table, s, op->op);
				table_text(table, word_for(c->what), TONE_PLAIN);
				put_level(table_open(table), run, op, c, c->before);
				table_close(table, TONE_PLAIN);
				put_level(table_open(table), run, op, c, c->after);
				table_close(table, c->after > c->before ? TONE_WORSE : TONE_BETTER);
			}
		}
	}
	table_end(table);
}

static const struct column interval_columns[] = {
	{ NULL, "from", ALIGN_RIGHT },	{ NULL, "to", ALIGN_RIGHT },
	{ NULL, "calls", ALIGN_RIGHT }, { NULL, "total", ALIGN_RIGHT },
	{ NULL, "share", ALIGN_RIGHT }, { NULL, "most of it", ALIGN_LEFT },
};

static double own_in(const struct timeline_op *op, size_t i)
{
	return op->latency[i] * op->own_part;
}

static const struct timeline_op *largest_in(const struct timeline *t, size_t i)
{
	const struct timeline_op *best = NULL;

	for (size_t k = 0; k < t->n_ops; k++) {
		if (own_in(&t->op[k], i) > (best != NULL ? own_in(best, i) : 0))
			best = &t->op[k];
	}
	return best;
}

static void table_of_intervals(struct out *o, const struct style *s, const struct run *run,
			       const struct timeline *t, size_t rows)
{
	struct table *table;
	struct scale scale = { .unit = run->profile->unit, .hz = run->profile->hz };
	struct time_words words = time_words_in(run->profile, t);

	out_char(o, '\n');
	table = table_begin(interval_columns, COUNT_OF(interval_columns), s, o);
	for (size_t i = 0; i < rows; i++) {
		const struct timeline_interval *v = &t->interval[i];
		const struct timeline_op *max = largest_in(t, i);

		time_print(table_open(table), words, v->start);
		table_close(table, TONE_PLAIN);
		time_print(table_open(table), words, v->end);
		table_close(table, TONE_PLAIN);
		table_count(table, (uint64_t)v->calls);
		table_latency(table, v->latency, scale, false);
		table_share(table, max != NULL ? own_in(max, i) / v->latency : NAN);
		if (max != NULL)
			operation_cell(table, s, max->op);
		else
			table_text(table, "", TONE_PLAIN);
	}
	table_end(table);
}

/* --- peaks over time --------------------------------------------------------------------- */

static void say_peak_changes(struct out *o, const struct run *run, const struct timeline *t,
			     const struct timeline_op *peak)
{
	for (size_t k = 0; k < peak->n_changes; k++) {
		const struct timeline_change *c = &peak->change[k];

		out_text(o, k == 0 ? ": at " : ", at ");
		time_print(o, time_words_in(run->profile, t), t->interval[c->interval].start);
		out_text(o, " from ");
		put_level(o, run, peak, c, c->before);
		out_text(o, " to ");
		put_level(o, run, peak, c, c->after);
	}
}

/* Prints the peaks that have a period or changed; a list in Markdown. */
static void say_peaks(struct out *o, const struct style *s, const struct run *run,
		      const struct timeline *t)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN, any = false;

	for (size_t i = 0; i < t->n_peaks; i++) {
		const struct timeline_op *peak = &t->peak[i];

		if (!peak->period.found && peak->n_changes == 0)
			continue;
		out_text(o, any ? "" : "\nPeaks over time:\n");
		out_text(o, any || !markdown ? "" : "\n");
		out_text(o, markdown ? "- " : "");
		any = true;
		say_operation(o, s, peak->op);
		out_text(o, " at ");
		quantity_range(o, peak->peak->core_low, peak->peak->core_high,
			       scale_of_operation(run->profile, peak->op));
		if (peak->period.found)
			out_char(o, ' ');
		put_period(o, run->profile, &peak->period);
		say_peak_changes(o, run, t, peak);
		out_char(o, '\n');
	}
}

static bool has_section(unsigned sections, enum timeline_section section)
{
	return (sections & 1U << section) != 0;
}

static void timeline_text(struct out *o, const struct style *s, const struct timeline_report *r)
{
	const struct timeline *t = r->timeline;
	size_t rows = r->all || t->n <= MAX_ROWS ? t->n : MAX_ROWS;

	part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "", r->run);
	if (t->n == 0) {
		out_text(o,
			 "Nothing was sampled in time: of calls with a start, --interval SECONDS "
			 "makes intervals.\n");
		return;
	}
	say_intervals(o, r->run, t);
	if (has_section(r->sections, TIMELINE_OPERATIONS))
		table_of_operations(o, s, r->run, t);
	if (has_section(r->sections, TIMELINE_CHANGES))
		table_of_changes(o, s, r->run, t);
	if (has_section(r->sections, TIMELINE_PEAKS))
		say_peaks(o, s, r->run, t);
	if (has_section(r->sections, TIMELINE_COINCIDENCES))
		report_coincidences(o, s, r);
	if (!has_section(r->sections, TIMELINE_INTERVALS))
		return;
	table_of_intervals(o, s, r->run, t, rows);
	if (rows < t->n)
		out_printf(o, "\n%zu more intervals; --all shows them.\n", t->n - rows);
}

void report_timeline(struct out *o, const struct style *s, const struct timeline_report *r)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		timeline_json(o, r->run, r->timeline, r->coincidences);
	else if (s->output_format != OUTPUT_FORMAT_CSV)
		timeline_text(o, s, r);
	else if (has_section(r->sections, TIMELINE_INTERVALS))
		timeline_csv(o, s, r->timeline);
	else
		report_coincidences(o, s, r);
}
