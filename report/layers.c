/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/layers.h"

#include <math.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/table.h"

enum {
	MAX_BELOW = 4, /* rows of an operation in text without --all */
	MAX_SAID = 10, /* sentences */
	MAX_PARTS = 3, /* parts of a sentence */
};

static const double worth_a_row = 0.001; /* minimum share of the run for a row in text */

static const struct operation *either_operation(const struct layer_change *c)
{
	return c->after != NULL ? c->after : c->before;
}

/* --- sentences ------------------------------------------------------------------------- */

static void say_signed(struct out *o, double v, struct scale scale)
{
	if (v > 0)
		out_char(o, '+');
	else if (v < 0)
		out_char(o, '-');
	if (v == 0)
		out_char(o, '0');
	else
		quantity_latency(o, fabs(v), scale);
}

static void say_name(struct out *o, const struct style *s, struct str name)
{
	if (s->output_format == OUTPUT_FORMAT_MARKDOWN)
		escape_markdown(o, name);
	else if (s->output_format == OUTPUT_FORMAT_JSON)
		out_bytes(o, name);
	else
		escape_terminal(o, name);
}

/* Returns the change, or 0 when it is no larger than the rounding error of sums. */
static double settled_change(double change, double of)
{
	return fabs(change) <= 1e-9 * fabs(of) ? 0 : change;
}

static void say_whom(struct out *o, const struct style *s, const struct layer_change *c)
{
	if (operation_has_layer(either_operation(c))) {
		say_name(o, s, either_operation(c)->layer);
		out_char(o, '/');
	}
	say_name(o, s, either_operation(c)->name);
	out_char(o, ' ');
}

/* Names the self time: "above block" when there is exactly one layer below. */
static void say_own(struct out *o, const struct style *s, const struct layer_change *c)
{
	if (c->n_parts != 1) {
		out_text(o, "its own ");
		return;
	}
	out_text(o, "above ");
	say_name(o, s, c->part[0].name);
	out_char(o, ' ');
}

/* Prints the parts of one run, or of a change; `say` writes a time. */
static void say_parts(struct out *o, const struct style *s, const struct layer_change *c,
		      struct scale scale, void (*say)(struct out *o, double v, struct scale scale),
		      bool change)
{
	double others = 0;

	for (size_t i = 0; i < c->n_parts; i++) {
		double v = c->part[i].after - c->part[i].before;

		v = change ? settled_change(v, c->total_before) : c->part[i].before;
		if (i >= MAX_PARTS) {
			others += v;
			continue;
		}
		say_name(o, s, c->part[i].name);
		out_char(o, ' ');
		say(o, v, scale);
		out_text(o, ", ");
	}
	if (c->n_parts > MAX_PARTS) {
		out_printf(o, "%zu others ", c->n_parts - MAX_PARTS);
		say(o, others, scale);
		out_text(o, ", ");
	}
}

void say_layer_change(struct out *o, const struct style *s, const struct layer_change *c,
		      struct scale scale)
{
	double total = settled_change(c->total_after - c->total_before, c->total_before);
	double own = settled_change(c->own_after - c->own_before, c->total_before);

	say_whom(o, s, c);
	say_signed(o, total, scale);
	out_text(o, ": ");
	say_parts(o, s, c, scale, say_signed, true);
	say_own(o, s, c);
	say_signed(o, own, scale);
}

void say_layer_split(struct out *o, const struct style *s, const struct layer_change *c,
		     struct scale scale)
{
	say_whom(o, s, c);
	quantity_latency(o, c->total_before, scale);
	out_text(o, ": ");
	say_parts(o, s, c, scale, quantity_latency, false);
	say_own(o, s, c);
	quantity_latency(o, c->own_before, scale);
	if (c->calls_before > 0) {
		out_text(o, ", ");
		quantity_latency(o, c->own_before / c->calls_before, scale);
		out_text(o, " a call");
	}
}

/* --- JSON ------------------------------------------------------------------------------- */

static void jout_end(struct jout *j, const char *key, const struct nest_end *e)
{
	struct out *text = out_to_memory();

	nest_end_write(text, e);
	jout_str(j, key, out_memory(text));
	out_free(text);
}

static void jout_layers(struct jout *j, const struct run *run, const struct layered *l)
{
	double all = run->totals.latency;

	jout_array(j, "layers");
	for (size_t i = 0; i < l->n_layers; i++) {
		const struct layer_sum *sum = &l->layer[i];

		jout_flat_object(j, NULL);
		jout_str(j, "name", sum->name);
		jout_f64(j, "count", sum->calls);
		jout_f64(j, "inclusive", sum->inclusive);
		jout_f64(j, "self", sum->own);
		jout_f64(j, "share", all > 0 ? sum->own / all : 0);
		jout_end_object(j);
	}
	jout_end_array(j);
	jout_array(j, "nest");
	for (size_t i = 0; i < l->profile->n_nests; i++) {
		const struct nest *n = &l->profile->nest[i];

		jout_flat_object(j, NULL);
		jout_end(j, "upper", &n->upper);
		jout_end(j, "lower", &n->lower);
		jout_bool(j, "measured", n->measured);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void jout_below(struct jout *j, const struct below *b)
{
	jout_flat_object(j, NULL);
	if (b->lower != NULL)
		jout_str(j, "name", b->lower->name);
	else
		jout_null(j, "name");
	jout_str(j, "layer", b->layer);
	jout_text(j, "how", below_how_name(b->how));
	jout_f64(j, "reached", b->reached);
	jout_f64(j, "calls", b->calls);
	jout_f64(j, "total", b->total);
	jout_end_object(j);
}

static void jout_operation(struct jout *j, const struct run *run, const struct layered *l, size_t i)
{
	const struct operation *op = &l->profile->op[i];
	double calls = (double)operation_count(op), own = l->nested.own[i];

	jout_object(j, NULL);
	jout_str(j, "name", op->name);
	jout_str(j, "layer", op->layer);
	jout_u64(j, "count", operation_count(op));
	jout_f64(j, "total", operation_total(op));
	jout_f64(j, "inclusive", operation_inclusive(op));
	jout_f64(j, "self", own);
	jout_f64(j, "self_per_call", calls > 0 ? own / calls : NAN);
	jout_bool(j, "self_exact", l->nested.known[i] == OWN_STATED);
	jout_f64(j, "share", share_of_latency(&run->totals, l->profile, op));
	jout_array(j, "below");
	for (size_t k = l->first[i]; k < l->first[i + 1]; k++)
		jout_below(j, &l->nested.below[k]);
	jout_end_array(j);
	jout_end_object(j);
}

static void jout_pair(struct jout *j, const char *key, double before, double after)
{
	jout_flat_array(j, key);
	jout_f64(j, NULL, before);
	jout_f64(j, NULL, after);
	jout_end_array(j);
}

static double per_call(double time, double calls)
{
	return calls > 0 ? time / calls : NAN;
}

static void jout_change(struct jout *j, const struct layers_report *r, const struct layer_change *c)
{
	const struct style style = { .output_format = OUTPUT_FORMAT_JSON };
	struct out *text = out_to_memory();

	jout_object(j, NULL);
	jout_str(j, "name", either_operation(c)->name);
	jout_str(j, "layer", either_operation(c)->layer);
	jout_pair(j, "calls", c->calls_before, c->calls_after);
	jout_pair(j, "inclusive", c->total_before, c->total_after);
	jout_pair(j, "self", c->own_before, c->own_after);
	jout_pair(j, "self_per_call", per_call(c->own_before, c->calls_before),
		  per_call(c->own_after, c->calls_after));
	jout_array(j, "below");
	for (size_t i = 0; i < c->n_parts; i++) {
		jout_flat_object(j, NULL);
		jout_str(j, "name", c->part[i].name);
		jout_pair(j, "total", c->part[i].before, c->part[i].after);
		jout_end_object(j);
	}
	jout_end_array(j);
	say_layer_change(text, &style, c, r->scale);
	jout_str(j, "explanation", out_memory(text));
	out_free(text);
	jout_end_object(j);
}

static void layers_json(struct out *o, const struct layers_report *r)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.layers/1");
	jout_array(&j, "runs");
	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->run[i];
		struct arena *a = arena_new();
		const struct operation **op = order_by_latency(a, run->profile);

		jout_object(&j, NULL);
		jout_text(&j, "path", run->path);
		jout_text(&j, "format", run->profile->format);
		jout_unit(&j, "unit", run->profile->unit);
		jout_f64(&j, "hz", run->profile->hz > 0 ? run->profile->hz : NAN);
		jout_u64(&j, "merged_runs", run->n_runs);
		jout_f64(&j, "total", totals_busy(&run->totals));
		jout_layers(&j, run, &r->layered[i]);
		jout_array(&j, "operations");
		for (size_t k = 0; k < run->profile->n_ops; k++) {
			if (r->wanted(op[k], r->ctx))
				jout_operation(&j, run, &r->layered[i],
					       (size_t)(op[k] - run->profile->op));
		}
		jout_end_array(&j);
		jout_end_object(&j);
		arena_free(a);
	}
	jout_end_array(&j);
	jout_array(&j, "changes");
	for (size_t i = 0; i < r->n_changes; i++) {
		if (r->wanted(either_operation(&r->change[i]), r->ctx))
			jout_change(&j, r, &r->change[i]);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- one run ------------------------------------------------------------------------------ */

static const struct column layer_columns[] = {
	{ NULL, "layer", ALIGN_LEFT },	    { NULL, "calls", ALIGN_RIGHT },
	{ NULL, "inclusive", ALIGN_RIGHT }, { NULL, "self", ALIGN_RIGHT },
	{ NULL, "share", ALIGN_RIGHT },
};

static void table_of_layers(struct out *o, const struct style *s, const struct run *run,
			    const struct layered *l)
{
	struct table *t = table_begin(layer_columns, COUNT_OF(layer_columns), s, o);
	struct scale scale = { .unit = run->profile->unit, .hz = run->profile->hz };
	double all = run->totals.latency;

	for (size_t i = 0; i < l->n_layers; i++) {
		const struct layer_sum *sum = &l->layer[i];

		table_name(t, sum->name);
		table_count(t, (uint64_t)sum->calls);
		table_latency(t, sum->inclusive, scale, false);
		table_latency(t, sum->own, scale, false);
		table_share(t, all > 0 ? sum->own / all : 0);
	}
	table_end(t);
	out_char(o, '\n');
}

static const struct column op_columns[] = {
	{ "path", NULL, ALIGN_LEFT },
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "calls", "calls", ALIGN_RIGHT },
	{ "inclusive", "inclusive", ALIGN_RIGHT },
	{ "self", "self", ALIGN_RIGHT },
	{ "self_per_call", "self a call", ALIGN_RIGHT },
	{ "self_exact", NULL, ALIGN_LEFT },
	{ "share", "share", ALIGN_RIGHT },
	{ "below", "below", ALIGN_LEFT },
	{ "below_layer", NULL, ALIGN_LEFT },
	{ "below_reached", "reached by", ALIGN_RIGHT },
	{ "below_calls", "calls there", ALIGN_RIGHT },
	{ "below_total", "time there", ALIGN_RIGHT },
	{ "below_how", "known by", ALIGN_LEFT },
	{ "unit", NULL, ALIGN_LEFT },
};

static void operation_cells(struct table *t, const struct style *s, const struct run *run,
			    const struct layered *l, size_t i)
{
	const struct operation *op = &l->profile->op[i];
	struct scale scale = scale_of_operation(run->profile, op);
	double calls = (double)operation_count(op), own = l->nested.own[i];
	bool estimated = l->nested.known[i] == OWN_SHARED ||
			 (l->nested.known[i] != OWN_STATED && !operation_total_exact(op));

	table_name(t, str_from(run->path));
	operation_cell(t, s, op);
	table_name(t, op->layer);
	table_count(t, operation_count(op));
	table_latency(t, operation_inclusive(op), scale, !operation_total_exact(op));
	table_latency(t, own, scale, estimated);
	table_latency(t, per_call(own, calls), scale, estimated);
	table_text(t, l->nested.known[i] == OWN_STATED ? "yes" : "no", TONE_PLAIN);
	table_share(t, share_of_latency(&run->totals, run->profile, op));
}

/* Fills the cells of a further row of an operation, which text does not name again. */
static void no_operation_cells(struct table *t)
{
	enum { CELLS = 9 };

	for (int i = 0; i < CELLS; i++)
		table_empty(t);
}

static void below_cells(struct table *t, const struct style *s, const struct below *b,
			struct scale scale)
{
	bool estimated = b->how == BELOW_SHARED;

	if (b->lower != NULL)
		operation_cell(t, s, b->lower);
	else
		table_name(t, s->output_format == OUTPUT_FORMAT_CSV ? STR("") : b->layer);
	table_name(t, b->layer);
	if (isnan(b->reached))
		table_empty(t);
	else
		table_count(t, (uint64_t)b->reached);
	table_count(t, (uint64_t)llround(b->calls));
	table_latency(t, b->total, scale, estimated);
	table_text(t, below_how_name(b->how), estimated ? TONE_DIM : TONE_PLAIN);
}

static void no_below_cells(struct table *t)
{
	enum { CELLS = 6 };

	for (int i = 0; i < CELLS; i++)
		table_empty(t);
}

static void operation_rows(struct table *t, const struct style *s, const struct layers_report *r,
			   const struct run *run, const struct layered *l, size_t i)
{
	const struct operation *op = &l->profile->op[i];
	struct scale scale = scale_of_operation(run->profile, op);
	size_t end = l->first[i + 1];

	if (s->output_format != OUTPUT_FORMAT_CSV && !r->all && end - l->first[i] > MAX_BELOW)
		end = l->first[i] + MAX_BELOW;
	for (size_t k = l->first[i]; k == l->first[i] || k < end; k++) {
		if (k == l->first[i] || s->output_format == OUTPUT_FORMAT_CSV)
			operation_cells(t, s, run, l, i);
		else
			no_operation_cells(t);
		if (k < end)
			below_cells(t, s, &l->nested.below[k], scale);
		else
			no_below_cells(t);
		table_text(t, unit_name(op->unit), TONE_PLAIN);
	}
}

static bool is_worth_a_row(const struct style *s, const struct layers_report *r,
			   const struct run *run, const struct operation *op)
{
	double share = share_of_latency(&run->totals, run->profile, op);

	return s->output_format == OUTPUT_FORMAT_CSV || r->all || isnan(share) ||
	       share >= worth_a_row ||
	       operation_inclusive(op) >= worth_a_row * totals_busy(&run->totals);
}

static size_t run_rows(struct table *t, const struct style *s, const struct layers_report *r,
		       size_t number)
{
	const struct run *run = &r->run[number];
	struct arena *a = arena_new();
	const struct operation **op = order_by_latency(a, run->profile);
	size_t n_small = 0;

	for (size_t i = 0; i < run->profile->n_ops; i++) {
		if (!r->wanted(op[i], r->ctx))
			continue;
		if (is_worth_a_row(s, r, run, op[i]))
			operation_rows(t, s, r, run, &r->layered[number],
				       (size_t)(op[i] - run->profile->op));
		else
			n_small++;
	}
	arena_free(a);
	return n_small;
}

static void show_run(struct out *o, const struct style *s, const struct layers_report *r)
{
	struct table *t;
	size_t n_small;

	if (s->output_format != OUTPUT_FORMAT_CSV) {
		part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "",
			     &r->run[0]);
		out_char(o, '\n');
		if (r->layered[0].n_layers > 1)
			table_of_layers(o, s, &r->run[0], &r->layered[0]);
	}
	t = table_begin(op_columns, COUNT_OF(op_columns), s, o);
	n_small = run_rows(t, s, r, 0);
	table_end(t);
	if (n_small > 0)
		out_printf(o, "\n%zu smaller operation%s left out; --all shows %s\n", n_small,
			   n_small == 1 ? "" : "s", n_small == 1 ? "it" : "them");
}

/* --- two runs ------------------------------------------------------------------------------ */

static const struct column change_columns[] = {
	{ "operation", "operation", ALIGN_LEFT },  { "layer", NULL, ALIGN_LEFT },
	{ "calls_before", NULL, ALIGN_RIGHT },	   { "calls_after", NULL, ALIGN_RIGHT },
	{ "inclusive_before", NULL, ALIGN_RIGHT }, { "inclusive_after", NULL, ALIGN_RIGHT },
	{ NULL, "inclusive", ALIGN_RIGHT },	   { "self_before", NULL, ALIGN_RIGHT },
	{ "self_after", NULL, ALIGN_RIGHT },	   { NULL, "self", ALIGN_RIGHT },
	{ NULL, "self a call", ALIGN_RIGHT },	   { "below", "below", ALIGN_LEFT },
	{ "below_before", NULL, ALIGN_RIGHT },	   { "below_after", NULL, ALIGN_RIGHT },
	{ NULL, "time there", ALIGN_RIGHT },
};

static void change_cells(struct table *t, const struct style *s, const struct layers_report *r,
			 const struct layer_change *c)
{
	operation_cell(t, s, either_operation(c));
	table_name(t, either_operation(c)->layer);
	table_number(t, c->calls_before);
	table_number(t, c->calls_after);
	table_number(t, c->total_before);
	table_number(t, c->total_after);
	change_cell(t, s, c->total_before, c->total_after, &r->scale);
	table_number(t, c->own_before);
	table_number(t, c->own_after);
	change_cell(t, s, c->own_before, c->own_after, &r->scale);
	change_cell(t, s, c->calls_before > 0 ? c->own_before / c->calls_before : 0,
		    c->calls_after > 0 ? c->own_after / c->calls_after : 0, &r->scale);
}

static void change_rows(struct table *t, const struct style *s, const struct layers_report *r,
			const struct layer_change *c)
{
	enum { CELLS = 11, BELOW = 4 };
	size_t n = s->output_format == OUTPUT_FORMAT_CSV || r->all || c->n_parts < MAX_BELOW
			   ? c->n_parts
			   : MAX_BELOW;

	for (size_t k = 0; k == 0 || k < n; k++) {
		if (k == 0 || s->output_format == OUTPUT_FORMAT_CSV)
			change_cells(t, s, r, c);
		for (int i = 0; k > 0 && s->output_format != OUTPUT_FORMAT_CSV && i < CELLS; i++)
			table_empty(t);
		for (int i = 0; k == n && i < BELOW; i++)
			table_empty(t);
		if (k == n)
			continue;
		table_name(t, c->part[k].name);
		table_number(t, c->part[k].before);
		table_number(t, c->part[k].after);
		change_cell(t, s, c->part[k].before, c->part[k].after, &r->scale);
	}
}

static bool is_worth_saying(const struct layers_report *r, const struct layer_change *c)
{
	double run = fmax(totals_busy(&r->run[0].totals) / (double)r->run[0].n_runs, 0);
	double change =
		fmax(fabs(c->total_after - c->total_before), fabs(c->own_after - c->own_before));

	return change > 0 && (r->all || change >= worth_a_row * run);
}

static void say_changes(struct out *o, const struct style *s, const struct layers_report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_changes && (r->all || n < MAX_SAID); i++) {
		const struct layer_change *c = &r->change[i];

		if (!r->wanted(either_operation(c), r->ctx) || !is_worth_saying(r, c))
			continue;
		out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- " : "");
		say_layer_change(o, s, c, r->scale);
		out_char(o, '\n');
		n++;
	}
	if (n == 0)
		out_text(o, "No operation's time changed.\n");
	out_char(o, '\n');
}

static void show_changes(struct out *o, const struct style *s, const struct layers_report *r)
{
	struct table *t;

	if (s->output_format != OUTPUT_FORMAT_CSV) {
		part_heading_per_run(
			o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### before " : "before  ",
			&r->run[0]);
		part_heading_per_run(
			o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### after " : "after   ",
			&r->run[1]);
		out_char(o, '\n');
		say_changes(o, s, r);
	}
	t = table_begin(change_columns, COUNT_OF(change_columns), s, o);
	for (size_t i = 0; i < r->n_changes; i++) {
		const struct layer_change *c = &r->change[i];

		if (r->wanted(either_operation(c), r->ctx) &&
		    (s->output_format == OUTPUT_FORMAT_CSV || is_worth_saying(r, c)))
			change_rows(t, s, r, c);
	}
	table_end(t);
}

void report_layers(struct out *o, const struct style *s, const struct layers_report *r)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		layers_json(o, r);
	else if (r->n_runs > 1)
		show_changes(o, s, r);
	else
		show_run(o, s, r);
}
