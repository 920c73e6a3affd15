/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/parts.h"

#include <math.h>

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
	const struct operation *op = r->before != NULL ? r->before : r->after;
	bool converted = r->before == NULL && op->unit == after->unit;

	return (struct scale){ .unit = converted ? before->unit : op->unit,
			       .hz = before->hz,
			       .granularity = converted ? 0 : op->hist.granularity };
}

void say_operation(struct out *o, const struct style *s, const struct operation *op)
{
	void (*escape)(struct out *, struct str) =
		s->dress == DRESS_MARKDOWN ? escape_markdown : escape_terminal;

	if (operation_has_layer(op)) {
		escape(o, op->layer);
		out_char(o, '/');
	}
	if (op->name.n == 0)
		out_text(o, "(no name)");
	escape(o, op->name);
}

void operation_cell(struct table *t, const struct style *s, const struct operation *op)
{
	if (s->dress == DRESS_CSV || !operation_has_layer(op))
		table_name(t, op->name);
	else
		table_name_of(t, op->layer, op->name);
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

void part_heading(struct out *o, const char *label, const struct run *run)
{
	const struct profile *p = run->profile;
	struct totals t = run->totals;

	out_text(o, label);
	escape_terminal(o, str_from(run->path));
	say_more_paths(o, run->n_more);
	out_text(o, ": ");
	if (run->n_runs > 1)
		out_printf(o, "%zu runs, ", run->n_runs);
	/* Calls and total are those of the whole run, whatever --op chose. */
	if (p->n_ops < t.n_ops)
		out_printf(o, "%zu of ", p->n_ops);
	out_printf(o, "%zu operation%s, ", t.n_ops, t.n_ops == 1 ? "" : "s");
	quantity_count(o, t.count);
	out_printf(o, " call%s, total ", t.count == 1 ? "" : "s");
	quantity_latency(o, t.latency, (struct scale){ .unit = p->unit, .hz = p->hz });
	out_printf(o, " (%s, unit %s", p->format, unit_name(p->unit));
	if (p->hz > 0 && p->unit == UNIT_CYCLES)
		out_printf(o, " at %.6g Hz", p->hz);
	out_text(o, ")\n");
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

void say_cautions(struct out *o, const struct style *s, const struct comparison *c)
{
	bool markdown = s->dress == DRESS_MARKDOWN;

	for (size_t i = 0; i < c->n_cautions; i++) {
		out_text(o, markdown ? "- **careful**: " : "Careful: ");
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
