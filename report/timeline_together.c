/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof timeline: operations that are slow, or called, in the same intervals. */
#include "analyze/coincide.h"
#include "base/attr.h"
#include "base/out.h"
#include "report/parts.h"
#include "report/table.h"
#include "report/timeline.h"

enum { MAX_ROWS = 40 /* without --all */ };

/* --- sentences ----------------------------------------------------------------------------- */

static void put_q(struct out *o, double q)
{
	if (q < 0.0001)
		out_text(o, "below 0.0001");
	else
		out_digits(o, q, 2);
}

static void say_coincidence(struct out *o, const struct style *s, const struct run *run,
			    const struct coincidence *c)
{
	say_operation(o, s, c->op);
	if (!c->any) {
		out_text(o, " above ");
		quantity_latency(o, c->low, scale_of_operation(run->profile, c->op));
	}
	out_printf(o, ": %zu of %zu intervals with ", c->both, c->intervals_with);
	say_operation(o, s, c->with);
	out_printf(o, ", %zu of %zu others (q ", c->others, c->of_others);
	put_q(o, c->q);
	out_text(o, ")\n");
}

/* --- tables ---------------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ NULL, "calls", ALIGN_LEFT },
	{ "low", NULL, ALIGN_RIGHT },
	{ "any_call", NULL, ALIGN_LEFT },
	{ "unit", NULL, ALIGN_LEFT },
	{ "with", "with", ALIGN_LEFT },
	{ "with_layer", NULL, ALIGN_LEFT },
	{ NULL, "intervals with it", ALIGN_RIGHT },
	{ NULL, "other intervals", ALIGN_RIGHT },
	{ "intervals_with", NULL, ALIGN_RIGHT },
	{ "both", NULL, ALIGN_RIGHT },
	{ "of_others", NULL, ALIGN_RIGHT },
	{ "others", NULL, ALIGN_RIGHT },
	{ "p", NULL, ALIGN_RIGHT },
	{ "q", NULL, ALIGN_RIGHT },
	{ NULL, "q", ALIGN_RIGHT },
};

static void part_cell(struct table *t, size_t part, size_t whole)
{
	out_printf(table_open(t), "%zu of %zu", part, whole);
	table_close(t, TONE_PLAIN);
}

static void limit_cell(struct table *t, const struct run *run, const struct coincidence *c)
{
	struct out *o = table_open(t);

	out_text(o, c->any ? "all" : "above ");
	if (!c->any)
		quantity_latency(o, c->low, scale_of_operation(run->profile, c->op));
	table_close(t, TONE_PLAIN);
}

static void write_row(struct table *t, const struct run *run, const struct coincidence *c)
{
	table_name(t, c->op->name);
	table_name(t, c->op->layer);
	limit_cell(t, run, c);
	table_number(t, c->low);
	table_text(t, c->any ? "yes" : "no", TONE_PLAIN);
	table_text(t, unit_name(c->op->unit), TONE_PLAIN);
	table_name(t, c->with->name);
	table_name(t, c->with->layer);
	part_cell(t, c->both, c->intervals_with);
	part_cell(t, c->others, c->of_others);
	table_count(t, c->intervals_with);
	table_count(t, c->both);
	table_count(t, c->of_others);
	table_count(t, c->others);
	table_number(t, c->p);
	table_number(t, c->q);
	put_q(table_open(t), c->q);
	table_close(t, TONE_PLAIN);
}

static void table_of_coincidences(struct out *o, const struct style *s,
				  const struct timeline_report *r, size_t n)
{
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < n; i++)
		write_row(t, r->run, &r->coincidences->v[i]);
	table_end(t);
}

void report_coincidences(struct out *o, const struct style *s, const struct timeline_report *r)
{
	const struct coincidences *c = r->coincidences;
	bool csv = s->output_format == OUTPUT_FORMAT_CSV;
	size_t n = csv || r->all || c->n < MAX_ROWS ? c->n : MAX_ROWS;

	if (csv) {
		table_of_coincidences(o, s, r, n);
		return;
	}
	if (c->n == 0)
		return;
	out_text(o, "\nIn the same intervals:\n");
	if (s->output_format == OUTPUT_FORMAT_MARKDOWN) {
		out_char(o, '\n');
		table_of_coincidences(o, s, r, n);
		out_text(o, n < c->n ? "\n" : "");
	} else {
		for (size_t i = 0; i < n; i++)
			say_coincidence(o, s, r->run, &c->v[i]);
	}
	if (n < c->n)
		out_printf(o, "%zu more; --all shows them.\n", c->n - n);
}
