/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/predict.h"

#include <math.h>

#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/table.h"

enum { MAX_ROWS = 20 }; /* operations in text without --all */

static struct scale scale_of_costs(const struct prediction_report *r)
{
	const struct profile *p = r->costs.profile;

	return (struct scale){ .unit = p->unit, .hz = p->hz };
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void jout_estimate(struct jout *j, const char *key, struct estimate e)
{
	jout_flat_object(j, key);
	jout_f64(j, "value", e.value);
	jout_f64(j, "low", e.low);
	jout_f64(j, "high", e.high);
	jout_end_object(j);
}

static void jout_predicted(struct jout *j, const struct predicted *p)
{
	jout_object(j, NULL);
	jout_str(j, "name", p->op->name);
	jout_str(j, "layer", p->op->layer);
	jout_f64(j, "calls", p->calls);
	jout_u64(j, "runs", p->n_runs);
	jout_estimate(j, "cost", p->cost);
	jout_estimate(j, "total", p->total);
	jout_f64(j, "observed", p->observed);
	jout_end_object(j);
}

static void prediction_json(struct out *o, const struct prediction_report *r)
{
	const struct prediction *found = r->found;
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.predict/1");
	jout_text(&j, "costs", r->costs.path);
	jout_text(&j, "counts", r->counts.path);
	jout_text(&j, "unit", unit_name(r->costs.profile->unit));
	jout_u64(&j, "runs", r->costs.n_runs);
	jout_f64(&j, "calls", found->calls);
	jout_f64(&j, "calls_without_cost", found->calls_without_cost);
	jout_estimate(&j, "total", found->total);
	jout_f64(&j, "observed", found->observed);
	jout_array(&j, "operations");
	for (size_t i = 0; i < found->n; i++)
		jout_predicted(&j, &found->v[i]);
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- tables --------------------------------------------------------------------------------- */

static void prediction_csv(struct out *o, const struct style *s, const struct prediction *found)
{
	static const struct column columns[] = {
		{ "operation", "", ALIGN_LEFT },  { "layer", "", ALIGN_LEFT },
		{ "calls", "", ALIGN_RIGHT },	  { "runs", "", ALIGN_RIGHT },
		{ "cost", "", ALIGN_RIGHT },	  { "total", "", ALIGN_RIGHT },
		{ "total_low", "", ALIGN_RIGHT }, { "total_high", "", ALIGN_RIGHT },
		{ "observed", "", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < found->n; i++) {
		const struct predicted *p = &found->v[i];

		table_name(t, p->op->name);
		table_name(t, p->op->layer);
		table_number(t, p->calls);
		table_count(t, p->n_runs);
		table_number(t, p->cost.value);
		table_number(t, p->total.value);
		table_number(t, p->total.low);
		table_number(t, p->total.high);
		table_number(t, p->observed);
	}
	table_end(t);
}

static void prediction_table(struct out *o, const struct style *s,
			     const struct prediction_report *r, size_t n)
{
	static const struct column columns[] = {
		{ "operation", "operation", ALIGN_LEFT },
		{ "calls", "calls", ALIGN_RIGHT },
		{ "cost", "cost of a call", ALIGN_RIGHT },
		{ "total", "predicted", ALIGN_RIGHT },
		{ "interval", "95 % interval", ALIGN_RIGHT },
		{ "observed", "observed", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);
	struct scale scale = scale_of_costs(r);

	for (size_t i = 0; i < n; i++) {
		const struct predicted *p = &r->found->v[i];

		operation_cell(t, s, p->op);
		quantity_calls(table_open(t), p->calls);
		table_close(t, TONE_PLAIN);
		table_latency(t, p->cost.value, scale, false);
		table_latency(t, p->total.value, scale, false);
		table_range(t, p->total.low, p->total.high, scale);
		table_latency(t, p->observed, scale, false);
	}
	table_end(t);
}

/* --- sentences ------------------------------------------------------------------------------- */

static bool is_within(const struct estimate *e, double value)
{
	return value >= e->low && value <= e->high;
}

/* "It took 9.65 s, outside the interval: calls did not cost the same." */
static void say_observed(struct out *o, const struct prediction *found, struct scale scale)
{
	if (isnan(found->observed))
		return;
	out_text(o, "It took ");
	quantity_latency(o, found->observed, scale);
	if (!isnan(found->total.low))
		out_text(o, is_within(&found->total, found->observed)
				    ? ", within the interval"
				    : ", outside the interval: calls did not cost the same");
	out_text(o, ".\n");
}

static void say_prediction(struct out *o, const struct prediction_report *r)
{
	const struct prediction *found = r->found;
	struct scale scale = scale_of_costs(r);

	out_text(o, "At these costs a run takes ");
	quantity_latency(o, found->total.value, scale);
	if (!isnan(found->total.low)) {
		out_text(o, " (95 % interval ");
		quantity_range(o, found->total.low, found->total.high, scale);
		out_text(o, ").\n");
	} else {
		out_text(o, "; how much that varies, one run does not show.\n");
	}
	say_observed(o, found, scale);
	if (found->n_without_cost > 0) {
		out_printf(o, "%zu operation%s with ", found->n_without_cost,
			   found->n_without_cost == 1 ? "" : "s");
		quantity_percent(o, found->calls_without_cost / found->calls);
		out_text(o, " of the calls ha");
		out_text(o, found->n_without_cost == 1 ? "s" : "ve");
		out_text(o, " no known cost, and are left out.\n");
	}
	out_char(o, '\n');
}

void report_prediction(struct out *o, const struct style *s, const struct prediction_report *r)
{
	size_t n = r->all || r->found->n < MAX_ROWS ? r->found->n : MAX_ROWS;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		prediction_json(o, r);
		return;
	}
	if (s->output_format == OUTPUT_FORMAT_CSV) {
		prediction_csv(o, s, r->found);
		return;
	}
	part_heading_per_run(o, "costs   ", &r->costs);
	part_heading_per_run(o, "counts  ", &r->counts);
	out_char(o, '\n');
	say_prediction(o, r);
	prediction_table(o, s, r, n);
	if (n < r->found->n)
		out_printf(o, "%zu more operation%s (--all)\n", r->found->n - n,
			   r->found->n - n == 1 ? "" : "s");
}
