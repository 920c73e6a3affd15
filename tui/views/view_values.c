/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded variable that separates the peaks of one operation, and the calls of each of its
 * values in each peak (OSprof, figure 8). */
#include <stdio.h>

#include "base/out.h"
#include "profile/quantity.h"
#include "tui/pane.h"
#include "tui/studies/value_study.h"

enum {
	COL_EXPLAINS = 38,
	COL_P = 46,
	COL_Q = 54,
	COL_VERDICT = 56,
	NAME_WIDTH = 26,
	COL_CALLS = 38,
	PEAK_WIDTH = 10,
	NUMBER_DIGITS = 9,
};

/* Returns the results for the current operation; NULL when there are none. */
static const struct operation_values *current_values(const struct tui *t)
{
	const struct item *i = tui_item(t);

	if (i == NULL || t->values.study == NULL)
		return NULL;
	return value_study_of(t->values.study, i->after != NULL ? i->after : i->before);
}

static void draw_right(struct canvas *c, unsigned row, unsigned end, enum face face, struct out *o)
{
	canvas_right(c, row, end, face, out_memory(o));
	out_reset(o);
}

/* --- words ------------------------------------------------------------------------------ */

static const char *words_of(const struct separation *v)
{
	switch (v->verdict) {
	case VALUE_SEPARATES:
		return "separates the peaks";
	case VALUE_DOES_NOT:
		return "does not separate";
	case VALUE_IS_ONE:
		return "one value";
	case VALUE_IS_UNIQUE:
		return "names that hardly come twice";
	case VALUE_IS_ABSENT:
		break;
	}
	return "not recorded";
}

static bool is_tested(const struct separation *v)
{
	return v->verdict == VALUE_SEPARATES || v->verdict == VALUE_DOES_NOT;
}

/* --- parts ------------------------------------------------------------------------------- */

static unsigned draw_peaks(struct canvas *c, unsigned row, const struct tui *t,
			   const struct operation_values *v)
{
	struct scale scale = item_scale(t->study, tui_item(t));
	struct out *o = out_to_memory();

	quantity_count(o, (double)v->calls);
	out_printf(o, " calls in %zu peak%s", v->n_groups, v->n_groups == 1 ? "" : "s");
	for (size_t g = 0; g < v->n_groups; g++) {
		out_text(o, g > 0 ? ", " : ": ");
		quantity_count(o, (double)v->group[g].calls);
		out_text(o, " at ");
		quantity_range(o, v->group[g].core_low, v->group[g].core_high, scale);
	}
	row = canvas_paragraph(c, row, 1, FACE_PLAIN, out_memory(o));
	out_free(o);
	return row;
}

static void draw_variable(struct canvas *c, unsigned row, const struct separation *v, bool chosen)
{
	enum face face = v->verdict == VALUE_SEPARATES ? FACE_STRONG : FACE_PLAIN;
	struct out *o = out_to_memory();

	if (chosen)
		canvas_text(c, row, 0, FACE_KEY, STR(">"));
	canvas_name(c, row, 2, face, NAME_WIDTH, v->name);
	if (is_tested(v)) {
		quantity_percent(o, v->share);
		draw_right(c, row, COL_EXPLAINS, face, o);
		out_digits(o, v->p, 2);
		draw_right(c, row, COL_P, FACE_PLAIN, o);
		out_digits(o, v->q, 2);
		draw_right(c, row, COL_Q, FACE_PLAIN, o);
	}
	canvas_text(c, row, COL_VERDICT, is_tested(v) ? face : FACE_DIM, str_from(words_of(v)));
	out_free(o);
}

static unsigned draw_variables(struct canvas *c, unsigned row, const struct operation_values *v,
			       size_t chosen)
{
	canvas_fill(c, row, 0, c->cols, FACE_HEADER, ' ');
	canvas_text(c, row, 2, FACE_HEADER, STR("variable"));
	canvas_right(c, row, COL_EXPLAINS, FACE_HEADER, STR("explains"));
	canvas_right(c, row, COL_P, FACE_HEADER, STR("p"));
	canvas_right(c, row, COL_Q, FACE_HEADER, STR("q"));
	row++;
	for (size_t i = 0; i < v->n; i++)
		draw_variable(c, row++, &v->v[i], i == chosen);
	if (v->n == 0)
		canvas_text(c, row++, 2, FACE_DIM, STR("no variable was recorded of its calls"));
	return row;
}

/* Highlights the peak with the most calls. */
static void draw_class(struct canvas *c, unsigned row, const struct operation_values *v,
		       const struct value_class *k)
{
	struct out *o = out_to_memory();
	uint64_t max = 0;

	for (size_t g = 0; g < v->n_groups; g++)
		max = k->of_group[g] > max ? k->of_group[g] : max;
	value_class_put(o, k, NUMBER_DIGITS);
	canvas_name(c, row, 2, FACE_PLAIN, NAME_WIDTH, out_memory(o));
	out_reset(o);
	out_u64(o, k->calls);
	draw_right(c, row, COL_CALLS, FACE_PLAIN, o);
	for (size_t g = 0; g < v->n_groups; g++) {
		out_u64(o, k->of_group[g]);
		draw_right(c, row, COL_CALLS + PEAK_WIDTH * (unsigned)(g + 1),
			   k->of_group[g] == max ? FACE_STRONG : FACE_DIM, o);
	}
	out_free(o);
}

static unsigned draw_classes(struct canvas *c, unsigned row, const struct operation_values *v,
			     const struct separation *of)
{
	struct out *o = out_to_memory();

	canvas_fill(c, row, 0, c->cols, FACE_HEADER, ' ');
	canvas_name(c, row, 2, FACE_HEADER, NAME_WIDTH, of->name);
	canvas_right(c, row, COL_CALLS, FACE_HEADER, STR("calls"));
	for (size_t g = 0; g < v->n_groups; g++) {
		out_printf(o, "peak %u", v->group[g].number);
		draw_right(c, row, COL_CALLS + PEAK_WIDTH * (unsigned)(g + 1), FACE_HEADER, o);
	}
	out_free(o);
	row++;
	for (size_t i = 0; i < of->n; i++)
		draw_class(c, row++, v, &of->class[i]);
	return row;
}

/* --- the view ---------------------------------------------------------------------------- */

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct operation_values *known = current_values(t);
	unsigned row;

	if (tui_item(t) == NULL)
		return 0;
	row = pane_heading(c, t, tui_item(t)) + 1;
	if (t->values.study == NULL)
		return canvas_paragraph(c, row, 1, FACE_DIM, str_from(t->values.why));
	if (known == NULL)
		return canvas_paragraph(c, row, 1, FACE_DIM,
					STR("it has fewer than 20 calls with recorded variables"));
	row = draw_peaks(c, row, t, known);
	if (known->n_groups < 2)
		return canvas_paragraph(c, row, 1, FACE_DIM,
					STR("one peak: there is nothing to separate"));
	row = draw_variables(c, row + 1, known, v->column);
	if (v->column < known->n && known->v[v->column].n > 0)
		row = draw_classes(c, row + 1, known, &known->v[v->column]);
	return row;
}

static void load_values(struct tui *t)
{
	struct out *why;

	if (t->values.tried)
		return;
	t->values.tried = true;
	why = out_to_memory();
	if (t->host->values == NULL)
		out_text(why, "this cannot be done here");
	else if (!t->host->values(t->host->ctx, &t->values.study, why))
		t->values.study = NULL;
	(void)snprintf(t->values.why, sizeof(t->values.why), "%.*s", STR_ARG(out_memory(why)));
	out_free(why);
}

static void fit(struct view *v, struct tui *t, unsigned rows, unsigned cols)
{
	const struct operation_values *known;

	(void)rows;
	(void)cols;
	load_values(t);
	known = current_values(t);
	if (known == NULL || v->column >= known->n)
		v->column = 0;
}

static bool act(struct view *v, struct tui *t, enum action a)
{
	const struct operation_values *known = current_values(t);

	if (known == NULL || known->n_groups < 2 || (a != ACT_LEFT && a != ACT_RIGHT))
		return false;
	if (a == ACT_RIGHT ? v->column + 1 >= known->n : v->column == 0)
		tui_say(t, SEV_NOTE, "there is no further variable");
	else
		v->column += a == ACT_RIGHT ? 1 : (size_t)-1;
	return true;
}

static const enum action hints[] = { ACT_LEFT,		 ACT_RIGHT,
				     ACT_VIEW_PEAKS,	 ACT_PREVIOUS_OPERATION,
				     ACT_NEXT_OPERATION, ACT_NONE };

const struct view_class view_values = {
	.name = "values",
	.title = "recorded variables of",
	.opens = ACT_VIEW_VALUES,
	.of_operation = true,
	.hints = hints,
	.write = write,
	.fit = fit,
	.act = act,
};
