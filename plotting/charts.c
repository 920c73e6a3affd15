/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Horizontal bars with names on the left: contributions to the change, workload mixes
 * (FSprof figure 16), values (OSprof figure 8). */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

enum { MAX_ROWS = 24, MAX_LETTERS = 32 };

static void add_row(struct series *s, double value, size_t i, double low, double high)
{
	series_add(s, (double[]){ value, (double)i - 0.5 + low, (double)i - 0.5 + high });
}

static void add_words(struct panel *p, double at, size_t i, struct str words)
{
	p->mark[p->n_marks++] = (struct mark){ .shape = MARK_WORDS,
					       .colour = COLOUR_DIM,
					       .at = at,
					       .height = (double)i,
					       .words = words };
}

static struct str kept(struct arena *a, struct out *text)
{
	struct str s = arena_str(a, out_memory(text));

	out_free(text);
	return s;
}

/* --- which operations carry the change -------------------------------------------------------- */

struct carried {
	const struct plotted_op *op;
	double change;
};

static int by_size(const void *a, const void *b)
{
	const struct carried *x = a, *y = b;
	double difference = fabs(y->change) - fabs(x->change);

	if (difference != 0)
		return difference > 0 ? 1 : -1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static struct str change_words(struct arena *a, const struct carried *c, struct scale scale,
			       double all)
{
	struct out *text = out_to_memory();

	out_text(text, c->change > 0 ? "+" : "");
	quantity_latency(text, c->change, scale);
	out_text(text, ", ");
	quantity_percent(text, all > 0 ? fabs(c->change) / all : NAN);
	return kept(a, text);
}

static struct carried *all_changes(struct arena *a, const struct subject *s, double *ret_all,
				   size_t *ret_n)
{
	struct carried *c = arena_make(a, struct carried, s->n_ops);

	*ret_all = 0;
	*ret_n = 0;
	for (size_t i = 0; i < s->n_ops; i++) {
		/* Values in other units do not add to the run's latency. */
		if (plotted_scale(s, &s->op[i]).unit != s->run[0].profile->unit)
			continue;
		c[*ret_n] =
			(struct carried){ &s->op[i], ranked_change(s->ranking, s->op[i].ranked) /
							     (double)s->run[0].n_single };
		*ret_all += fabs(c[*ret_n].change);
		*ret_n += 1;
	}
	qsort(c, *ret_n, sizeof(*c), by_size);
	return c;
}

/* Returns the sum of the changes without a row of their own, for the last row. */
static double rest_of(const struct carried *c, size_t from, size_t n)
{
	double sum = 0;

	for (size_t i = from; i < n; i++)
		sum += c[i].change;
	return sum;
}

static enum colour colour_of_change(const struct carried *c)
{
	if (!c->op->ranked->reported)
		return COLOUR_DIM;
	return c->change > 0 ? COLOUR_WORSE : COLOUR_BETTER;
}

static struct panel panel_of_changes(struct arena *a, const struct subject *s)
{
	const struct profile *first = s->run[0].profile;
	struct measure measure = { { .unit = first->unit, .hz = first->hz }, s->shown };
	struct panel p = { .has_key = true };
	struct str name[MAX_ROWS + 1];
	double all, least = 0, most = 0;
	size_t n, rows;
	struct carried *c = all_changes(a, s, &all, &n);

	rows = n < MAX_ROWS ? n : MAX_ROWS;
	p.series = arena_make(a, struct series, 3);
	p.series[0] = series_of(a, "slower", SHAPE_LEVELS, COLOUR_WORSE, rows);
	p.series[1] = series_of(a, "faster", SHAPE_LEVELS, COLOUR_BETTER, rows);
	p.series[2] = series_of(a, "unreported", SHAPE_LEVELS, COLOUR_DIM, rows + 1);
	p.series[0].title = STR("more latency");
	p.series[1].title = STR("less latency");
	p.series[2].title = STR("not reported");
	p.n_series = 3;
	p.mark = arena_make(a, struct mark, rows + 1);
	for (size_t i = 0; i < rows; i++) {
		enum colour colour = colour_of_change(&c[i]);

		add_row(&p.series[colour == COLOUR_WORSE    ? 0
				  : colour == COLOUR_BETTER ? 1
							    : 2],
			c[i].change, i, 0.12, 0.88);
		add_words(&p, fmax(c[i].change, 0), i, change_words(a, &c[i], measure.scale, all));
		name[i] = words_cut(a, plotted_name(a, c[i].op), MAX_LETTERS);
		least = fmin(least, c[i].change);
		most = fmax(most, c[i].change);
	}
	if (rows < n) {
		struct carried rest = { NULL, rest_of(c, rows, n) };

		add_row(&p.series[2], rest.change, rows, 0.12, 0.88);
		add_words(&p, fmax(rest.change, 0), rows,
			  change_words(a, &rest, measure.scale, all));
		name[rows] = arena_printf(a, "%zu others together", n - rows);
		rows++;
	}
	p.x = axis_of_quantity(a, STR("total latency of a run, after minus before"), least, most, 0,
			       &measure);
	p.x.to += (p.x.to - p.x.from) * 0.28; /* room for the text */
	p.y = axis_of_names(a, name, rows);
	return p;
}

bool figure_ranking(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct panel p = panel_of_changes(a, s);

	if (p.y.n_ticks == 0)
		return false;
	*ret = (struct figure){ .n_panels = 1, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, 1);
	ret->panel[0] = p;
	ret->panel_height = 0.25 + 0.07 * (double)p.y.n_ticks;
	ret->caption = STR("Which operations carry the change: what the total latency of each "
			   "gained or saved, and its share of all that moved.");
	return true;
}

/* --- workload mixes ---------------------------------------------------------------------- */

static const double min_of_mix = 0.005; /* minimum for a row, relative to a run's longest bar */

/* Calls and latency in a run, or the mean of repeated runs. */
struct amount {
	double calls, latency;
};

static struct amount amount_of(const struct subject *s, const struct plotted_op *op, size_t run)
{
	double runs = (double)s->run[run].n_single;

	if (op->of[run] == NULL)
		return (struct amount){ 0, 0 };
	return (struct amount){ (double)operation_count(op->of[run]) / runs,
				operation_total(op->of[run]) * s->run[run].scale / runs };
}

static struct amount largest_amount(const struct subject *s, size_t run)
{
	struct amount most = { 0, 0 };

	for (size_t i = 0; i < s->n_ops; i++) {
		struct amount one = amount_of(s, &s->op[i], run);

		most.calls = fmax(most.calls, one.calls);
		most.latency = fmax(most.latency, one.latency);
	}
	return most;
}

/* Chooses the operations that are a large enough part of some run's mix. */
static size_t choose_for_mix(const struct subject *s, const struct amount *most,
			     const struct plotted_op *chosen[MAX_ROWS])
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_ops && n < MAX_ROWS; i++) {
		bool counts = false;

		for (size_t r = 0; r < s->n_runs; r++) {
			struct amount one = amount_of(s, &s->op[i], r);

			counts |= one.calls > min_of_mix * most[r].calls ||
				  one.latency > min_of_mix * most[r].latency;
		}
		if (counts)
			chosen[n++] = &s->op[i];
	}
	return n;
}

static struct panel panel_of_mix(struct arena *a, const struct subject *s, size_t run,
				 struct amount most, const struct plotted_op *const *op, size_t n)
{
	const struct profile *first = s->run[0].profile;
	struct measure measure = { { .unit = first->unit, .hz = first->hz }, s->shown };
	struct str name[MAX_ROWS];
	struct panel p = { .has_key = true };

	p.series = arena_make(a, struct series, 2);
	p.series[0] = series_of(a, "calls", SHAPE_LEVELS, COLOUR_FIRST, n);
	p.series[1] = series_of(a, "latency", SHAPE_LEVELS, COLOUR_SECOND, n);
	p.series[0].title = STR("calls (below)");
	p.series[1].title = STR("latency (above)");
	p.series[1].right = true;
	p.n_series = 2;
	for (size_t i = 0; i < n; i++) {
		struct amount one = amount_of(s, op[i], run);

		if (one.calls > 0)
			add_row(&p.series[0], one.calls, i, 0.52, 0.88);
		if (one.latency > 0)
			add_row(&p.series[1], one.latency, i, 0.12, 0.48);
		name[i] = words_cut(a, plotted_name(a, op[i]), MAX_LETTERS);
	}
	p.x = axis_of_numbers(a, arena_printf(a, "calls, %.*s", STR_ARG(s->run[run].title)), 0,
			      most.calls, 0, "");
	p.above = axis_of_quantity(a, STR("total latency"), 0, most.latency, 0, &measure);
	p.y = axis_of_names(a, name, n);
	return p;
}

bool figure_mix(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct amount *most = arena_make(a, struct amount, s->n_runs);
	const struct plotted_op *chosen[MAX_ROWS];
	size_t n;

	for (size_t r = 0; r < s->n_runs; r++)
		most[r] = largest_amount(s, r);
	n = choose_for_mix(s, most, chosen);

	*ret = (struct figure){ .n_panels = s->n_runs, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++)
		ret->panel[r] = panel_of_mix(a, s, r, most[r], chosen, n);
	ret->panel_height = 0.3 + 0.09 * (double)n;
	ret->caption = STR("The mix of operations: calls and total latency of each, every run "
			   "with scales of its own.");
	return n > 0;
}

/* --- values ------------------------------------------------------------------------------ */

/* Treats each operation of the run as a run of its own, so that their values share one axis. */
bool figure_values(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct plotted_run *as_run = arena_make(a, struct plotted_run, s->n_ops);
	struct plotted_op all = { .name = STR(" "),
				  .of = arena_make(a, const struct operation *, s->n_ops) };
	struct subject turned = *s;

	turned.n_runs = 0;
	for (size_t i = 0; i < s->n_ops; i++) {
		if (s->op[i].of[0]->unit != UNIT_PLAIN)
			continue;
		all.of[turned.n_runs] = s->op[i].of[0];
		as_run[turned.n_runs] = s->run[0];
		as_run[turned.n_runs].n_single = 1;
		as_run[turned.n_runs++].title =
			words_cut(a, plotted_name(a, &s->op[i]), MAX_LETTERS);
	}
	if (turned.n_runs == 0)
		return false;
	turned.run = as_run;
	turned.op = &all;
	turned.n_ops = 1;
	if (!figure_histogram(a, &turned, ret))
		return false;
	ret->caption = STR("Calls by the value that was recorded with each.");
	return true;
}
