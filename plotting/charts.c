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

static struct str kept_text(struct arena *a, struct out *text)
{
	struct str s = arena_str(a, out_memory(text));

	out_free(text);
	return s;
}

/* --- which operations carry the change -------------------------------------------------------- */

static const double min_of_changes = 0.002; /* minimum share of all changes for a row of its own */

/* The change of an operation's total latency in a run. */
struct carried {
	const struct plotted_op *op;
	double change;
	bool idle; /* waits by design: no part of the run's latency */
};

/* Idle operations last, then by size. */
static int by_size(const void *a, const void *b)
{
	const struct carried *x = a, *y = b;
	double difference = fabs(y->change) - fabs(x->change);

	if (x->idle != y->idle)
		return x->idle ? 1 : -1;
	if (difference != 0)
		return difference > 0 ? 1 : -1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static struct str change_words(struct arena *a, const struct carried *c, struct scale scale,
			       double all)
{
	struct out *text = out_to_memory();

	out_text(text, c->change > 0 ? "+" : c->change < 0 ? "−" : "");
	quantity_latency(text, fabs(c->change), scale);
	if (c->idle) {
		out_text(text, ", waits by design");
	} else {
		out_text(text, ", ");
		quantity_percent(text, all > 0 ? fabs(c->change) / all : NAN);
	}
	return kept_text(a, text);
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
		c[*ret_n] = (struct carried){
			&s->op[i],
			ranked_change(s->ranking, s->op[i].ranked) / (double)s->run[0].n_single,
			s->op[i].ranked->idle,
		};
		*ret_all += c[*ret_n].idle ? 0 : fabs(c[*ret_n].change);
		*ret_n += 1;
	}
	qsort(c, *ret_n, sizeof(*c), by_size);
	return c;
}

/* Puts the changes without a row of their own together, after the others and before the idle ones;
 * returns the number of rows. */
static size_t fold_changes(struct carried *c, size_t n, double all)
{
	struct carried rest = { NULL, 0, false };
	size_t rows = 0, folded = 0;

	for (size_t i = 0; i < n; i++) {
		bool own_row = rows + 1 < MAX_ROWS && (c[i].idle || rows == 0 ||
						       fabs(c[i].change) >= min_of_changes * all);

		if (own_row && (!c[i].idle || c[i].change != 0)) {
			c[rows++] = c[i];
		} else if (!c[i].idle) {
			rest.change += c[i].change;
			folded++;
		}
	}
	if (folded > 0)
		c[rows++] = rest;
	return rows;
}

static enum colour colour_of_change(const struct carried *c)
{
	if (c->op == NULL || c->idle || !c->op->ranked->reported)
		return COLOUR_DIM;
	return c->change > 0 ? COLOUR_WORSE : COLOUR_BETTER;
}

static struct panel panel_of_changes(struct arena *a, const struct subject *s)
{
	const struct profile *first = s->run[0].profile;
	struct measure measure = { { .unit = first->unit, .hz = first->hz }, s->shown };
	struct panel p = { .has_key = true };
	struct str name[MAX_ROWS + 1];
	double all, min = 0, max = 0;
	size_t n, rows;
	struct carried *c = all_changes(a, s, &all, &n);

	rows = fold_changes(c, n, all);
	p.series = arena_make(a, struct series, 3);
	p.series[0] = series_of(a, "slower", SHAPE_LEVELS, COLOUR_WORSE, rows);
	p.series[1] = series_of(a, "faster", SHAPE_LEVELS, COLOUR_BETTER, rows);
	p.series[2] = series_of(a, "unreported", SHAPE_LEVELS, COLOUR_DIM, rows);
	p.series[0].title = STR("more latency");
	p.series[1].title = STR("less latency");
	p.series[2].title = STR("not reported");
	p.n_series = 3;
	p.mark = arena_make(a, struct mark, rows);
	for (size_t i = 0; i < rows; i++) {
		enum colour colour = colour_of_change(&c[i]);

		add_row(&p.series[colour == COLOUR_WORSE    ? 0
				  : colour == COLOUR_BETTER ? 1
							    : 2],
			c[i].change, i, 0.12, 0.88);
		add_words(&p, fmax(c[i].change, 0), i, change_words(a, &c[i], measure.scale, all));
		name[i] = c[i].op != NULL ? words_cut(a, plotted_name(a, c[i].op), MAX_LETTERS)
					  : STR("all others together");
		min = fmin(min, c[i].change);
		max = fmax(max, c[i].change);
	}
	p.x = axis_of_quantity(a, STR("change of the total latency of a run"), min, max, 0,
			       &measure);
	p.x.to += (p.x.to - p.x.from) * 0.45; /* room for the text */
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
	ret->panel_height = 0.08 + 0.07 * (double)p.y.n_ticks;
	ret->note = STR("Beside each bar its share of all changes, without operations that wait by "
			"design.");
	ret->caption = STR("Which operations carry the change: what the total latency of each "
			   "gained or saved, and its share of all that moved.");
	return true;
}

/* --- workload mixes ---------------------------------------------------------------------- */

static const double min_of_mix = 0.005; /* minimum share of some run for a row */

/* An operation's share of a run, in percent. */
struct share {
	double calls, latency;
};

static struct share amount_of(const struct subject *s, const struct plotted_op *op, size_t run)
{
	if (op->of[run] == NULL)
		return (struct share){ 0, 0 };
	return (struct share){ (double)operation_count(op->of[run]),
			       op->of[run]->idle || op->of[run]->unit != s->run[run].profile->unit
				       ? 0
				       : operation_own(op->of[run]) };
}

static struct share *shares_of(struct arena *a, const struct subject *s, size_t run)
{
	struct share *v = arena_make(a, struct share, s->n_ops), all = { 0, 0 };

	for (size_t i = 0; i < s->n_ops; i++) {
		v[i] = amount_of(s, &s->op[i], run);
		all.calls += v[i].calls;
		all.latency += v[i].latency;
	}
	for (size_t i = 0; i < s->n_ops; i++) {
		v[i].calls *= all.calls > 0 ? 100 / all.calls : 0;
		v[i].latency *= all.latency > 0 ? 100 / all.latency : 0;
	}
	return v;
}

/* Chooses the operations of which some run has more than a share, in percent. */
static size_t choose_above(const struct subject *s, struct share *const *share, double min,
			   size_t chosen[MAX_ROWS])
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_ops && n < MAX_ROWS; i++) {
		bool counts = false;

		for (size_t r = 0; r < s->n_runs; r++)
			counts |= fmax(share[r][i].calls, share[r][i].latency) > min;
		if (counts)
			chosen[n++] = i;
	}
	return n;
}

/* Of very many small operations the first ones are shown. */
static size_t choose_for_mix(const struct subject *s, struct share *const *share,
			     size_t chosen[MAX_ROWS])
{
	size_t n = choose_above(s, share, 100 * min_of_mix, chosen);

	return n > 0 ? n : choose_above(s, share, 0, chosen);
}

static struct panel panel_of_mix(struct arena *a, const struct subject *s,
				 struct share *const *share, const size_t *chosen, size_t n,
				 bool latency)
{
	struct str name[MAX_ROWS];
	struct panel p = { .has_key = s->n_runs > 1 };
	double max = 0, bar = 0.8 / (double)s->n_runs;

	p.series = arena_make(a, struct series, s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++) {
		p.series[r] = series_of(a, latency ? "latency" : "calls", SHAPE_LEVELS,
					colour_of_run(r), n);
		p.series[r].title = s->n_runs > 1 ? s->run[r].title : STR("");
		for (size_t i = 0; i < n; i++) {
			const struct share *one = &share[r][chosen[i]];
			double value = latency ? one->latency : one->calls;

			max = fmax(max, value);
			if (value > 0)
				add_row(&p.series[r], value, i, 0.1 + bar * (double)r,
					0.1 + bar * (double)(r + 1));
		}
	}
	p.n_series = s->n_runs;
	for (size_t i = 0; i < n; i++)
		name[i] = words_cut(a, plotted_name(a, &s->op[chosen[i]]), MAX_LETTERS);
	p.x = axis_of_numbers(a, latency ? STR("share of the latency") : STR("share of the calls"),
			      0, max, 0, " %");
	p.y = axis_of_names(a, name, n);
	p.y.unlabelled = latency;
	return p;
}

bool figure_mix(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct share **share = arena_make(a, struct share *, s->n_runs);
	size_t chosen[MAX_ROWS], n;

	for (size_t r = 0; r < s->n_runs; r++)
		share[r] = shares_of(a, s, r);
	n = choose_for_mix(s, share, chosen);

	*ret = (struct figure){ .n_panels = 2, .n_across = 2 };
	ret->panel = arena_make(a, struct panel, 2);
	for (size_t i = 0; i < 2; i++)
		ret->panel[i] = panel_of_mix(a, s, share, chosen, n, i == 1);
	ret->panel_height = 0.06 + 0.05 * (double)n * (1 + 0.4 * (double)s->n_runs);
	ret->note = STR("Shares of each run; operations that wait by design have no share of the "
			"latency, nested calls count once.");
	ret->caption = STR("The mix of operations: their shares of the calls and of the latency of "
			   "each run.");
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
