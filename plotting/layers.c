/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of operations: self time, and total time with nested calls. */
#include <math.h>

#include "base/arena.h"
#include "plotting/kind.h"
#include "profile/profile.h"

enum { MAX_ROWS = 24, MAX_LETTERS = 32 };

static const double min_of_layers = 0.005; /* minimum for a row, relative to the longest bar */

static double time_of(const struct subject *s, const struct plotted_op *op, size_t run,
		      double (*time)(const struct operation *op))
{
	if (op->of[run] == NULL || op->of[run]->unit != s->run[run].profile->unit)
		return 0;
	return time(op->of[run]) * s->run[run].scale / (double)s->run[run].n_single;
}

/* Returns the longest bar of all runs, which share one axis. */
static double longest_of(const struct subject *s)
{
	double max = 0;

	for (size_t i = 0; i < s->n_ops; i++) {
		for (size_t r = 0; r < s->n_runs; r++)
			max = fmax(max, time_of(s, &s->op[i], r, operation_inclusive));
	}
	return max;
}

static size_t choose_rows(const struct subject *s, double max,
			  const struct plotted_op *chosen[MAX_ROWS])
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_ops && n < MAX_ROWS; i++) {
		bool seen = false;

		for (size_t r = 0; r < s->n_runs; r++)
			seen |= time_of(s, &s->op[i], r, operation_inclusive) > min_of_layers * max;
		if (seen)
			chosen[n++] = &s->op[i];
	}
	return n;
}

static struct panel panel_of_layers(struct arena *a, const struct subject *s, size_t run,
				    double max, const struct plotted_op *const *op, size_t n)
{
	const struct profile *first = s->run[0].profile;
	struct measure measure = { { .unit = first->unit, .hz = first->hz }, s->shown };
	struct panel p = { .has_key = true };
	struct str name[MAX_ROWS];

	p.series = arena_make(a, struct series, 2);
	p.series[0] = series_of(a, "inclusive", SHAPE_LEVELS, COLOUR_FIRST_PALE, n);
	p.series[1] = series_of(a, "own", SHAPE_LEVELS, COLOUR_FIRST, n);
	p.series[0].title = STR("with what it calls");
	p.series[1].title = STR("its own");
	p.n_series = 2;
	for (size_t i = 0; i < n; i++) {
		double all = time_of(s, op[i], run, operation_inclusive);
		double own = time_of(s, op[i], run, operation_own);
		double low = (double)i - 0.38, high = (double)i + 0.38;

		if (all > 0)
			series_add(&p.series[0], (double[]){ all, low, high });
		if (own > 0)
			series_add(&p.series[1], (double[]){ own, low + 0.14, high - 0.14 });
		name[i] = words_cut(a, plotted_name(a, op[i]), MAX_LETTERS);
	}
	p.x = axis_of_quantity(a, arena_printf(a, "latency, %.*s", STR_ARG(s->run[run].title)), 0,
			       max, 0, &measure);
	p.y = axis_of_names(a, name, n);
	return p;
}

bool figure_layers(struct arena *a, const struct subject *s, struct figure *ret)
{
	const struct plotted_op *chosen[MAX_ROWS];
	double max = longest_of(s);
	size_t n = choose_rows(s, max, chosen);

	*ret = (struct figure){ .n_panels = s->n_runs, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++)
		ret->panel[r] = panel_of_layers(a, s, r, max, chosen, n);
	ret->panel_height = 0.3 + 0.09 * (double)n;
	ret->caption = STR("Where the time is: all latency of each operation, and within it "
			   "what is its own, without the operations that it calls.");
	return n > 0;
}
