/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded variables of calls: the number of calls with each value in each peak (OSprof, figure 8,
 * shows two values of one variable).
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

enum { MAX_PANELS = 4, MAX_ROWS = 24, MAX_LETTERS = 24, NUMBER_DIGITS = 6 };

static const double bar = 0.8; /* part of a row that the bars of all peaks fill */

/* --- words ----------------------------------------------------------------------------------- */

static struct str class_name(struct arena *a, const struct value_class *c)
{
	struct out *o = out_to_memory();
	struct str words;

	value_class_put(o, c, NUMBER_DIGITS);
	words = words_cut(a, arena_str(a, out_memory(o)), MAX_LETTERS);
	out_free(o);
	return words;
}

static struct str peak_name(struct arena *a, const struct values_subject *s,
			    const struct operation_values *op, size_t g, bool last)
{
	const struct operation *of = op->op;
	struct scale scale = { .unit = of->unit, .hz = s->profile->hz };
	struct out *o = out_to_memory();
	struct str words;

	out_printf(o, "peak %u", op->group[g].number);
	if (last) {
		out_text(o, " and slower");
	} else {
		out_text(o, ", ");
		quantity_range(o, op->group[g].core_low, op->group[g].core_high, scale);
	}
	words = arena_str(a, out_memory(o));
	out_free(o);
	return words;
}

static struct str panel_name(struct arena *a, const struct operation_values *op,
			     const struct separation *v)
{
	struct out *o = out_to_memory();
	struct str words;

	if (op->layer.n > 0) {
		out_bytes(o, op->layer);
		out_char(o, '/');
	}
	out_bytes(o, op->name);
	out_text(o, ": ");
	out_bytes(o, v->name);
	if (v->verdict == VALUE_SEPARATES)
		out_printf(o, " explains %.0f %% of the peaks", 100 * v->share);
	else
		out_text(o, " does not separate the peaks");
	words = arena_str(a, out_memory(o));
	out_free(o);
	return words;
}

/* --- rows --------------------------------------------------------------------------------------
 */

/* Chooses the classes with the most calls, without changing their order. */
static size_t choose_rows(struct arena *a, const struct separation *v,
			  const struct value_class **chosen)
{
	uint64_t *calls = arena_make(a, uint64_t, v->n + 1), min = 0;
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		size_t at = i;

		for (; at > 0 && calls[at - 1] < v->class[i].calls; at--)
			calls[at] = calls[at - 1];
		calls[at] = v->class[i].calls;
	}
	min = v->n > MAX_ROWS ? calls[MAX_ROWS - 1] : 0;
	for (size_t i = 0; i < v->n && n < MAX_ROWS; i++) {
		if (v->class[i].calls >= min)
			chosen[n++] = &v->class[i];
	}
	return n;
}

static uint64_t calls_in(const struct operation_values *op, const struct value_class *c, size_t g,
			 bool and_slower)
{
	uint64_t calls = c->of_group[g];

	for (size_t k = g + 1; and_slower && k < op->n_groups; k++)
		calls += c->of_group[k];
	return calls;
}

static double max_calls(const struct separation *v)
{
	double max = 1;

	for (size_t i = 0; i < v->n; i++)
		max = fmax(max, (double)v->class[i].calls);
	return max;
}

static struct panel panel_of_values(struct arena *a, const struct values_subject *s,
				    const struct operation_values *op, double max, size_t *ret_rows)
{
	const struct separation *v = &op->v[0];
	const struct value_class *chosen[MAX_ROWS];
	size_t rows = choose_rows(a, v, chosen);
	size_t groups = op->n_groups < N_RUN_COLOURS ? op->n_groups : N_RUN_COLOURS;
	struct panel p = { .has_key = true, .own_key = true, .name = panel_name(a, op, v) };
	struct str name[MAX_ROWS];

	p.series = arena_make(a, struct series, groups);
	p.x = axis_of_counts(a, STR("calls"), 1, max, 0);
	for (size_t g = 0; g < groups; g++) {
		bool and_slower = g + 1 == groups && op->n_groups > groups;
		double from = -bar / 2 + bar * (double)g / (double)groups;
		struct series *of = &p.series[p.n_series++];

		*of = series_of(a, "calls", SHAPE_LEVELS, (enum colour)(COLOUR_FIRST + g), rows);
		of->title = peak_name(a, s, op, g, and_slower);
		for (size_t i = 0; i < rows; i++) {
			uint64_t calls = calls_in(op, chosen[i], g, and_slower);

			if (calls > 0)
				series_add(of,
					   (double[]){ (double)calls, (double)i + from,
						       (double)i + from + bar / (double)groups });
		}
	}
	for (size_t i = 0; i < rows; i++)
		name[i] = class_name(a, chosen[i]);
	p.y = axis_of_names(a, name, rows);
	p.y.label = words_cut(a, v->name, MAX_LETTERS);
	*ret_rows = rows;
	return p;
}

/* Whether there are classes and peaks to be shown. */
static bool has_values(const struct operation_values *op)
{
	return op->op != NULL && op->n_groups > 1 && op->n > 0 && op->v[0].n > 0;
}

bool figure_values_of_calls(struct arena *a, const struct values_subject *s, struct figure *ret)
{
	const struct operation_values *chosen[MAX_PANELS];
	size_t n = 0, left_out = 0, max_rows = 0;
	double max = 1;

	for (size_t i = 0; i < s->values->n; i++) {
		const struct operation_values *op = &s->values->v[i];

		if (!has_values(op))
			continue;
		left_out += n == MAX_PANELS;
		if (n < MAX_PANELS)
			chosen[n++] = op;
	}
	if (n == 0)
		return false;
	for (size_t i = 0; i < n; i++)
		max = fmax(max, max_calls(&chosen[i]->v[0]));
	*ret = (struct figure){ .n_panels = n, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, n);
	for (size_t i = 0; i < n; i++) {
		size_t rows;

		ret->panel[i] = panel_of_values(a, s, chosen[i], max, &rows);
		max_rows = rows > max_rows ? rows : max_rows;
	}
	ret->panel_height = 0.35 + 0.09 * (double)max_rows;
	ret->caption =
		left_out == 0
			? STR("The recorded variable that tells most of the peak of a call: calls "
			      "by its values, in each peak.")
			: arena_printf(a,
				       "The recorded variable that tells most of the peak of a "
				       "call: calls by its values, in each peak. %zu more "
				       "operation%s not shown.",
				       left_out, left_out == 1 ? " is" : "s are");
	return true;
}
