/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/values.h"

#include <math.h>

#include "base/arena.h"
#include "base/attr.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/parts.h"
#include "report/table.h"
#include "report/values_parts.h"

/* --- words for classes and sides ------------------------------------------------------ */

/* Prints the text of put_side(), escaped for the output format. */
static void say_side(struct out *o, const struct style *s, const struct separation *v, bool first)
{
	struct out *raw = out_to_memory();

	put_side(raw, v, first, false);
	(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown
						    : escape_terminal)(o, out_memory(raw));
	out_free(raw);
}

static void say_text(struct out *o, const struct style *s, struct str text)
{
	(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown : escape_terminal)(o, text);
}

static void say_group(struct out *o, const struct style *s, const struct value_group *g)
{
	if (g->name.n > 0)
		say_text(o, s, g->name);
	else
		out_printf(o, "peak %u", g->number);
}

/* --- sentences ------------------------------------------------------------------------- */

static void say_number(struct out *o, uint64_t n, const char *what)
{
	quantity_count(o, (double)n);
	out_printf(o, " %s%s", what, n == 1 ? "" : "s");
}

static struct scale scale_of(const struct values_report *r, const struct operation_values *o)
{
	return o->op != NULL ? scale_of_operation(r->run.profile, o->op)
			     : (struct scale){ .unit = UNIT_PLAIN };
}

static void say_peaks(struct out *o, const struct style *s, const struct values_report *r,
		      const struct operation_values *op)
{
	if (op->op != NULL) {
		say_operation(o, s, op->op);
		out_text(o, ": ");
	}
	say_number(o, op->calls, "call");
	if (op->op != NULL && op->n_groups == 1) {
		out_text(o, ", one peak: nothing to separate\n");
		return;
	}
	out_printf(o, op->op != NULL ? " in %zu peaks: " : " of %zu operations: ", op->n_groups);
	for (size_t g = 0; g < op->n_groups; g++) {
		const struct value_group *v = &op->group[g];

		out_text(o, g > 0 ? ", " : "");
		quantity_count(o, (double)v->calls);
		out_text(o, op->op != NULL ? " at " : " of ");
		if (op->op != NULL)
			quantity_range(o, v->core_low, v->core_high, scale_of(r, op));
		else
			say_text(o, s, v->name);
	}
	out_char(o, '\n');
}

/* "98 % of 856 calls are in peak 1" */
static void say_max(struct out *o, const struct style *s, const struct operation_values *op,
		    const uint64_t *in, uint64_t n)
{
	size_t max = 0;

	for (size_t g = 1; g < op->n_groups; g++) {
		if (in[g] > in[max])
			max = g;
	}
	quantity_percent(o, (double)in[max] / (double)n);
	out_text(o, " of ");
	say_number(o, n, "call");
	out_text(o, n == 1 ? " is in " : " are in ");
	say_group(o, s, &op->group[max]);
}

static const double worth_saying = 0.1;

/* Says that a variable predicts one boundary between groups much better than all of them. */
static void say_cut(struct out *o, const struct style *s, const struct operation_values *op,
		    const struct separation *v)
{
	if (op->op == NULL || op->n_groups < 3 || v->cut_share < v->share + worth_saying)
		return;
	out_printf(o, "%sand ", next_detail(s));
	quantity_percent(o, v->cut_share);
	out_text(o, " of whether a call is slower than ");
	say_group(o, s, &op->group[v->cut - 1]);
}

/* "48 and more: 98 % of 856 calls are in peak 2". */
static void say_half(struct out *o, const struct style *s, const struct operation_values *op,
		     bool first)
{
	const struct value_split *split = &op->v[0].split;

	out_text(o, next_detail(s));
	say_side(o, s, &op->v[0], first);
	out_text(o, ": ");
	say_max(o, s, op, first ? split->first : split->rest,
		first ? split->n_first : split->n_rest);
}

static void say_best(struct out *o, const struct style *s, const struct operation_values *op)
{
	const struct separation *v = &op->v[0];

	if (op->n == 0) {
		out_text(o, "No variable was recorded of these calls.\n");
		return;
	}
	if (v->verdict != VALUE_SEPARATES) {
		out_text(o, "No recorded variable separates the peaks.\n");
		return;
	}
	tone_begin(o, s, TONE_STRONG);
	say_text(o, s, v->name);
	tone_end(o, s, TONE_STRONG);
	out_text(o, " separates the peaks (it explains ");
	quantity_percent(o, v->share);
	out_text(o, " of their entropy)");
	say_cut(o, s, op, v);
	say_half(o, s, op, true);
	say_half(o, s, op, false);
	out_char(o, '\n');
}

static const char *words_of(enum value_verdict v)
{
	static const char *const words[] = {
		[VALUE_SEPARATES] = "separates",
		[VALUE_DOES_NOT] = "does not separate",
		[VALUE_IS_ONE] = "left out: one value",
		[VALUE_IS_UNIQUE] = "left out: hardly a value comes twice",
		[VALUE_IS_ABSENT] = "",
	};

	return words[v];
}

/* --- tables ---------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "operation", NULL, ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "peaks", NULL, ALIGN_RIGHT },
	{ "calls", NULL, ALIGN_RIGHT },
	{ "variable", "variable", ALIGN_LEFT },
	{ "derived", NULL, ALIGN_LEFT },
	{ "share", "explains", ALIGN_RIGHT },
	{ "information_bits", NULL, ALIGN_RIGHT },
	{ "p", "p", ALIGN_RIGHT },
	{ "q", "q", ALIGN_RIGHT },
	{ "values", "values", ALIGN_RIGHT },
	{ "missing", "without", ALIGN_RIGHT },
	{ "verdict", NULL, ALIGN_LEFT },
	{ NULL, "", ALIGN_LEFT },
	{ "first_side", "best split", ALIGN_LEFT },
	{ "other_side", "against", ALIGN_LEFT },
	{ "split_share", "split explains", ALIGN_RIGHT },
};

static void side_cell(struct table *t, const struct style *s, const struct separation *v,
		      bool first)
{
	struct out *raw;

	if (!v->split.found) {
		table_empty(t);
		return;
	}
	raw = out_to_memory();
	put_side(raw, v, first, s->output_format == OUTPUT_FORMAT_CSV);
	table_name(t, out_memory(raw));
	out_free(raw);
}

static void variable_row(struct table *t, const struct style *s, const struct operation_values *op,
			 const struct separation *v)
{
	bool tested = v->verdict == VALUE_SEPARATES || v->verdict == VALUE_DOES_NOT;

	table_name(t, op->name);
	table_name(t, op->layer);
	table_count(t, op->n_groups);
	table_count(t, op->calls);
	table_name(t, v->name);
	table_text(t, v->derived ? "yes" : "no", TONE_PLAIN);
	table_share(t, tested ? v->share : NAN);
	table_number(t, tested ? v->information : NAN);
	table_number(t, v->p);
	table_number(t, v->q);
	table_count(t, v->n_values);
	table_count(t, v->n_missing);
	table_text(t, value_verdict_name(v->verdict), TONE_PLAIN);
	table_text(t, words_of(v->verdict),
		   v->verdict == VALUE_SEPARATES ? TONE_STRONG : TONE_PLAIN);
	side_cell(t, s, v, true);
	side_cell(t, s, v, false);
	table_share(t, v->split.found ? v->split.share : NAN);
}

static void table_of_variables(struct out *o, const struct style *s, const struct values_report *r,
			       const struct operation_values *op)
{
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);
	size_t rows = r->all || op->n < r->top ? op->n : r->top;

	for (size_t i = 0; i < rows; i++)
		variable_row(t, s, op, &op->v[i]);
	table_end(t);
	if (rows < op->n)
		out_printf(o, "%zu more variables; --all shows them.\n", op->n - rows);
}

enum { MAX_COLUMNS = 12 };

/* Prints the number of calls of each class in each peak (OSprof, figure 8). */
static void table_of_classes(struct out *o, const struct style *s, const struct values_report *r,
			     const struct operation_values *op, const struct separation *v)
{
	size_t groups = op->n_groups < MAX_COLUMNS ? op->n_groups : MAX_COLUMNS;
	size_t rows = r->all || v->n < r->top ? v->n : r->top;
	struct column head[MAX_COLUMNS + 2] = { { NULL, "value", ALIGN_LEFT },
						{ NULL, "calls", ALIGN_RIGHT } };
	struct arena *a = arena_new();
	struct table *t;

	for (size_t g = 0; g < groups; g++) {
		struct out *title = out_to_memory();

		say_group(title, s, &op->group[g]);
		head[g + 2] =
			(struct column){ NULL, arena_str(a, out_memory(title)).p, ALIGN_RIGHT };
		out_free(title);
	}
	out_char(o, '\n');
	t = table_begin(head, groups + 2, s, o);
	for (size_t i = 0; i < rows; i++) {
		struct out *raw = out_to_memory();

		value_class_put(raw, &v->class[i], VALUE_DIGITS);
		table_name(t, out_memory(raw));
		out_free(raw);
		table_count(t, v->class[i].calls);
		for (size_t g = 0; g < groups; g++)
			table_count(t, v->class[i].of_group[g]);
	}
	table_end(t);
	if (rows < v->n)
		out_printf(o, "%zu more classes of %zu; --all shows them.\n", v->n - rows, v->n);
	arena_free(a);
}

static void values_text(struct out *o, const struct style *s, const struct values_report *r)
{
	size_t single = 0;

	part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "", &r->run);
	for (size_t i = 0; i < r->values->n; i++) {
		const struct operation_values *op = &r->values->v[i];

		single += op->n_groups < 2;
		if (op->n_groups < 2 && !r->all)
			continue;
		out_char(o, '\n');
		say_peaks(o, s, r, op);
		if (op->n_groups < 2)
			continue;
		say_best(o, s, op);
		if (op->n == 0)
			continue;
		out_char(o, '\n');
		table_of_variables(o, s, r, op);
		for (size_t k = 0; k < op->n && (k == 0 || r->all); k++) {
			if (op->v[k].verdict == VALUE_SEPARATES)
				table_of_classes(o, s, r, op, &op->v[k]);
		}
	}
	if (single > 0 && !r->all)
		out_printf(o, "\n%zu operation%s of one peak not shown; --all shows them.\n",
			   single, single == 1 ? "" : "s");
	if (r->values->n_few > 0)
		out_printf(o, "\n%zu operation%s of fewer than %llu calls left out.\n",
			   r->values->n_few, r->values->n_few == 1 ? "" : "s",
			   (unsigned long long)r->rules->min_calls);
}

void report_values(struct out *o, const struct style *s, const struct values_report *r)
{
	struct table *t;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		values_json(o, r);
		return;
	}
	if (s->output_format != OUTPUT_FORMAT_CSV) {
		values_text(o, s, r);
		return;
	}
	t = table_begin(columns, COUNT_OF(columns), s, o);
	for (size_t i = 0; i < r->values->n; i++) {
		for (size_t k = 0; k < r->values->v[i].n; k++)
			variable_row(t, s, &r->values->v[i], &r->values->v[i].v[k]);
	}
	table_end(t);
}
