/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/parts.h"

#include <math.h>
#include <string.h>

#include "analyze/rank/run_verdict.h"
#include "analyze/totals.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/report.h"
#include "report/table.h"

struct scale scale_of_operation(const struct profile *p, const struct operation *op)
{
	return (struct scale){ .unit = op->unit, .hz = p->hz, .granularity = op->hist.granularity };
}

struct scale scale_of_ranked(const struct comparison *c, const struct ranked *r)
{
	const struct profile *before = c->before.profile, *after = c->after.profile;
	const struct operation *op = ranked_operation(r);
	bool converted = r->before == NULL && op->unit == after->unit;

	return (struct scale){ .unit = converted ? before->unit : op->unit,
			       .hz = before->hz,
			       .granularity = converted ? 0 : op->hist.granularity };
}

void own_calls_cell(struct table *t, const struct style *s, const struct run *run, uint64_t calls)
{
	if (s->output_format == OUTPUT_FORMAT_CSV) {
		table_count(t, calls);
		return;
	}
	quantity_calls(table_open(t), (double)calls / (double)run->n_runs);
	table_close(t, TONE_PLAIN);
}

void say_operation(struct out *o, const struct style *s, const struct operation *op)
{
	void (*escape)(struct out *, struct str) =
		s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown : escape_terminal;

	if (operation_has_layer(op)) {
		escape(o, op->layer);
		out_char(o, '/');
	}
	if (op->name.n == 0)
		out_text(o, "(no name)");
	escape(o, op->name);
}

enum { LONGEST_NAME = 48, KEPT_ENDS = 22 }; /* of names in sentences, in columns */

/* Returns where the n-th character from a start of text ends. */
static size_t bytes_of(struct str text, size_t n)
{
	size_t at = 0;

	while (at < text.n && n > 0) {
		at++;
		while (at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80)
			at++;
		n--;
	}
	return at;
}

void say_short_operation(struct out *o, const struct style *s, const struct operation *op)
{
	struct out *name = out_to_memory();
	struct str text;
	size_t width, n = 0;

	say_operation(name, s, op);
	text = out_memory(name);
	width = escape_terminal_width(text);
	for (size_t i = 0; i < text.n; i++)
		n += ((unsigned char)text.p[i] & 0xC0) != 0x80;
	if (width <= LONGEST_NAME || n < 2 * KEPT_ENDS) {
		out_bytes(o, text);
	} else {
		out_bytes(o, (struct str){ text.p, bytes_of(text, KEPT_ENDS) });
		out_text(o, "...");
		out_bytes(o, str_skip(text, bytes_of(text, n - KEPT_ENDS)));
	}
	out_free(name);
}

bool list_operation(struct out *names, const char *first, const struct style *s,
		    const struct operation *op, size_t *room)
{
	struct out *name = out_to_memory();
	size_t size;

	say_short_operation(name, s, op);
	size = out_memory(name).n;
	if (size <= *room) {
		out_text(names, out_memory(names).n > 0 ? ", " : first);
		out_bytes(names, out_memory(name));
	}
	out_free(name);
	if (size > *room)
		return false;
	*room -= size + strlen(", ") < *room ? size + strlen(", ") : *room;
	return true;
}

void operation_cell(struct table *t, const struct style *s, const struct operation *op)
{
	if (s->output_format == OUTPUT_FORMAT_CSV || !operation_has_layer(op))
		table_name(t, op->name);
	else
		table_name_of(t, op->layer, op->name);
}

bool runs_are_nested(const struct run *run, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct profile *p = run[i].profile;

		for (size_t k = 0; k < p->n_ops; k++) {
			if (p->op[k].own_known != OWN_TOTAL)
				return true;
		}
	}
	return false;
}

bool comparison_is_nested(const struct comparison *c)
{
	return runs_are_nested(&c->before, 1) || runs_are_nested(&c->after, 1);
}

double own_in_run(const struct operation *op, const struct in_run *one)
{
	return op != NULL ? one->total * operation_own_part(op) : 0;
}

void jout_self(struct jout *j, const struct operation *op)
{
	if (op->own_known == OWN_TOTAL)
		return;
	jout_f64(j, "self", op->own);
	jout_bool(j, "self_exact", operation_own_exact(op));
	jout_f64(j, "inclusive", operation_inclusive(op));
}

enum tone verdict_tone(enum verdict v)
{
	switch (v) {
	case VERDICT_REGRESSED:
		return TONE_WORSE;
	case VERDICT_IMPROVED:
		return TONE_BETTER;
	case VERDICT_CHANGED_SHAPE:
	case VERDICT_NEW:
	case VERDICT_GONE:
		return TONE_NOTICE;
	case VERDICT_SAME:
	case VERDICT_INCONCLUSIVE:
		break;
	}
	return TONE_DIM;
}

void change_cell(struct table *t, const struct style *s, double before, double after,
		 const struct scale *scale)
{
	struct out *o = table_open(t);

	if (!isnan(before) && scale != NULL)
		quantity_latency(o, before, *scale);
	else
		quantity_count(o, isnan(before) ? 0 : before);
	out_text(o, s->unicode ? " → " : " -> ");
	if (!isnan(after) && scale != NULL)
		quantity_latency(o, after, *scale);
	else
		quantity_count(o, isnan(after) ? 0 : after);
	table_close(t, TONE_PLAIN);
}

const char *each_run(const struct comparison *c)
{
	if (c->before.n_runs <= 1 && c->after.n_runs <= 1)
		return "";
	return c->hosts != NULL ? " a host" : " a run";
}

const char *next_detail(const struct style *s)
{
	return s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n  - " : "\n  ";
}

void say_higher(struct out *o, double before, double after)
{
	double ratio = after > before ? after / before : before / after;

	if (ratio >= 1.5 && isfinite(ratio)) {
		quantity_ratio(o, ratio);
		out_text(o, "x ");
	} else if (isfinite(ratio)) {
		quantity_percent(o, fabs(after / before - 1));
		out_char(o, ' ');
	}
	out_text(o, after > before ? "higher" : "lower");
}

void say_more_paths(struct out *o, size_t n_more)
{
	if (n_more > 0)
		out_printf(o, " and %zu more", n_more);
}

static const double worth_saying = 0.001; /* minimum share of idle time */

static void write_heading(struct out *o, const char *label, const struct run *run, double n_runs)
{
	const struct profile *p = run->profile;
	struct totals t = run->totals;
	struct scale scale = { .unit = p->unit, .hz = p->hz };
	const char *a_run = n_runs <= 1 ? "" : p->by_host ? " a host" : " a run";

	out_text(o, label);
	escape_terminal(o, str_from(run->path));
	say_more_paths(o, run->n_more);
	out_text(o, ": ");
	if (run->n_runs > 1)
		out_printf(o, "%zu %s, ", run->n_runs, p->by_host ? "hosts" : "runs");
	/* Calls and total are those of the whole run, independent of --op. */
	if (p->n_ops < t.n_ops)
		out_printf(o, "%zu of ", p->n_ops);
	out_printf(o, "%zu operation%s, ", t.n_ops, t.n_ops == 1 ? "" : "s");
	quantity_count(o, t.count / n_runs);
	out_printf(o, " call%s%s", t.count == 1 ? "" : "s", a_run);
	if (!run_account_contradicts(&run->account)) {
		out_text(o, ", total ");
		quantity_latency(o, totals_busy(&t) / n_runs, scale);
		out_text(o, a_run);
	}
	if (t.idle > worth_saying * t.latency) {
		out_text(o, ", ");
		quantity_latency(o, t.idle / n_runs, scale);
		out_text(o, " idle, not counted");
	}
	out_printf(o, " (%s, unit %s", p->format, unit_name(p->unit));
	if (p->hz > 0 && p->unit == UNIT_CYCLES)
		out_printf(o, " at %.6g Hz", p->hz);
	out_text(o, ")\n");
}

void part_heading(struct out *o, const char *label, const struct run *run)
{
	write_heading(o, label, run, 1);
}

void part_heading_per_run(struct out *o, const char *label, const struct run *run)
{
	write_heading(o, label, run, (double)run->n_runs);
}

void jout_unit(struct jout *j, const char *key, enum unit unit)
{
	jout_text(j, key, unit == UNIT_UNKNOWN ? NULL : unit_name(unit));
}

void jout_bounds(struct jout *j, const char *key, const struct bucket *b)
{
	if (b == NULL) {
		jout_null(j, key);
		return;
	}
	jout_flat_array(j, key);
	jout_f64(j, NULL, b->edges->low);
	jout_f64(j, NULL, b->edges->high);
	jout_end_array(j);
}

void jout_buckets(struct jout *j, const struct histogram *h, double scale)
{
	jout_array(j, "buckets");
	for (size_t i = 0; h != NULL && i < h->n; i++) {
		jout_flat_object(j, NULL);
		jout_f64(j, "low", h->bucket[i].edges->low * scale);
		jout_f64(j, "high", h->bucket[i].edges->high * scale);
		jout_u64(j, "count", h->bucket[i].count);
		jout_end_object(j);
	}
	jout_end_array(j);
}

void jout_peak_fields(struct jout *j, const struct peak *p)
{
	jout_f64(j, "low", p->low);
	jout_f64(j, "high", p->high);
	jout_f64(j, "core_low", p->core_low);
	jout_f64(j, "core_high", p->core_high);
	jout_u64(j, "count", p->count);
	jout_f64(j, "share", p->share);
	jout_f64(j, "mean", p->mean);
	jout_f64(j, "total", p->total);
}

void jout_peak(struct jout *j, const char *key, const struct peak *p)
{
	if (p == NULL) {
		jout_null(j, key);
		return;
	}
	jout_flat_object(j, key);
	jout_peak_fields(j, p);
	jout_end_object(j);
}

void jout_metrics(struct jout *j, const double value[N_METRICS])
{
	jout_flat_object(j, "metrics");
	for (int m = 0; m < N_METRICS; m++) {
		if (m == METRIC_CHI_SQUARE_DF && !isnan(value[m]))
			jout_u64(j, distance_at(m)->name, (uint64_t)value[m]);
		else
			jout_f64(j, distance_at(m)->name, value[m]);
	}
	jout_end_object(j);
}

void jout_files(struct jout *j, const char *key, const struct run *run)
{
	jout_array(j, key);
	for (size_t i = 0; i < run->n_files; i++)
		jout_text(j, NULL, run->file[i]);
	jout_end_array(j);
}

bool has_run_effects(const struct comparison *c)
{
	return run_effects_any(&c->ranking->effects) &&
	       (c->runs == NULL || effect_lower_end(&c->ranking->run.shared) != 0);
}

/* "13 of 20 operations take 1.9x as long". */
void say_run_effects(struct out *o, const struct comparison *c)
{
	const struct run_effects *e = &c->ranking->effects;
	const struct profile *before = c->before.profile;

	if (!run_effects_any(e))
		return;
	if (e->operations == e->of)
		out_printf(o, "All %zu operations ", e->of);
	else
		out_printf(o, "%zu of %zu operations ", e->operations, e->of);
	if (e->per_call != 0) {
		out_text(o, "take ");
		quantity_latency(o, fabs(e->per_call),
				 (struct scale){ .unit = before->unit, .hz = before->hz });
		out_printf(o, " %s a call, whatever they do", e->per_call > 0 ? "more" : "less");
	} else if (e->factor > 1) {
		out_text(o, "take ");
		quantity_ratio(o, e->factor);
		out_text(o, "x as long");
	} else {
		out_text(o, "are ");
		quantity_ratio(o, 1 / e->factor);
		out_text(o, "x as fast");
	}
}

void say_cautions(struct out *o, const struct style *s, const struct comparison *c)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;

	for (size_t i = 0; i < c->n_cautions; i++) {
		out_text(o, markdown ? "- **warning**: " : "Warning: ");
		out_printf(o, "%s: ", diag_text(c->caution[i].code));
		(markdown ? escape_markdown : escape_terminal)(o, c->caution[i].detail);
		out_text(o, ".\n");
	}
}

void jout_cautions(struct jout *j, const struct comparison *c)
{
	jout_array(j, "warnings");
	for (size_t i = 0; i < c->n_cautions; i++) {
		jout_flat_object(j, NULL);
		jout_text(j, "name", diag_name(c->caution[i].code));
		jout_text(j, "what", diag_text(c->caution[i].code));
		jout_str(j, "detail", c->caution[i].detail);
		jout_end_object(j);
	}
	jout_end_array(j);
}
