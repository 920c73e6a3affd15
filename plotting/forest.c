/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The change of every operation between repeated runs, with its interval: a forest plot. */
#include <math.h>
#include <stdlib.h>

#include "analyze/quantile_runs.h"
#include "base/arena.h"
#include "base/xalloc.h"
#include "plotting/kind.h"

enum { MAX_ROWS = 40, MAX_LETTERS = 32, N_MEASURES = 3 };

static const double slow = 0.99;

/* What changed: one panel each. */
enum changed { CHANGED_MEAN, CHANGED_P99, CHANGED_CALLS };

/* One row: an operation and its changes. */
struct row {
	const struct plotted_op *op;
	struct log2_change of[N_MEASURES];
};

static double log2_mean(const struct histogram *h)
{
	return h->count > 0 ? log2(histogram_total(h) / (double)h->count) : NAN;
}

static double log2_calls(const struct histogram *h)
{
	return h->count > 0 ? log2((double)h->count) : NAN;
}

static struct log2_change change_by(const struct histogram *const side[2], const size_t n[2],
				    double (*value)(const struct histogram *h))
{
	double *v = xcalloc(n[0] + n[1], sizeof(*v));
	struct log2_change c;

	for (size_t r = 0; r < 2; r++) {
		for (size_t i = 0; i < n[r]; i++)
			v[r * n[0] + i] = value(&side[r][i]);
	}
	c = log2_change_of(v, n[0], v + n[0], n[1]);
	free(v);
	return c;
}

/* False when the operation has no latencies on one of the sides. */
static bool row_of(struct arena *a, const struct subject *s, const struct plotted_op *op,
		   struct row *ret)
{
	size_t n[2] = { s->run[0].n_single, s->run[1].n_single };
	struct histogram sum[2];
	const struct histogram *side[2];

	for (size_t r = 0; r < 2; r++) {
		sum[r] = plotted_histogram(a, s, op, r);
		if (sum[r].n == 0)
			return false;
		side[r] = n[r] > 1 ? plotted_singles(a, s, op, r) : &sum[r];
	}
	ret->op = op;
	ret->of[CHANGED_MEAN] = change_by(side, n, log2_mean);
	ret->of[CHANGED_P99] = quantile_change_of(side[0], n[0], side[1], n[1], slow);
	ret->of[CHANGED_CALLS] = change_by(side, n, log2_calls);
	return true;
}

/* Reported operations have a colour of their own. */
static void add_row(struct panel *p, const struct row *r, enum changed what, size_t i)
{
	struct log2_change c = r->of[what];
	bool reported = r->op->ranked == NULL || r->op->ranked->reported;

	if (isnan(c.change))
		return;
	series_add(&p->series[reported ? 0 : 1],
		   (double[]){ c.change, isnan(c.low) ? c.change : c.low,
			       isnan(c.high) ? c.change : c.high, (double)i });
}

static void widen_range(const struct row *r, enum changed what, double *min, double *max)
{
	struct log2_change c = r->of[what];

	*min = fmin(*min, isnan(c.low) ? fmin(c.change, *min) : c.low);
	*max = fmax(*max, isnan(c.high) ? fmax(c.change, *max) : c.high);
}

static struct panel panel_of_changes(struct arena *a, const struct row *row, size_t n,
				     enum changed what)
{
	static const char *const labels[] = { "change of the mean latency", "change of p99",
					      "change of the number of calls" };
	struct panel p = { .has_key = what == CHANGED_MEAN };
	double min = -0.05, max = 0.05;
	struct str name[MAX_ROWS];

	p.series = arena_make(a, struct series, 2);
	p.series[0] = series_of(a, "reported", SHAPE_INTERVALS, COLOUR_WORSE, n);
	p.series[1] = series_of(a, "others", SHAPE_INTERVALS, COLOUR_DIM, n);
	p.series[0].title = STR("reported");
	p.series[1].title = STR("not reported");
	p.n_series = 2;
	for (size_t i = 0; i < n; i++) {
		add_row(&p, &row[i], what, i);
		widen_range(&row[i], what, &min, &max);
		name[i] = words_cut(a, plotted_name(a, row[i].op), MAX_LETTERS);
	}
	p.x = axis_of_ratios(a, str_from(labels[what]), min, max);
	p.y = axis_of_names(a, name, n);
	p.y.unlabelled = what != CHANGED_MEAN;
	p.mark = arena_make(a, struct mark, 1);
	p.mark[p.n_marks++] = (struct mark){ .shape = MARK_BREAK, .colour = COLOUR_DIM, .at = 0 };
	return p;
}

bool figure_forest(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct row row[MAX_ROWS];
	size_t n = 0;

	for (size_t i = 0; i < s->n_ops && n < MAX_ROWS; i++)
		n += row_of(a, s, &s->op[i], &row[n]);
	if (n == 0)
		return false;
	*ret = (struct figure){ .n_panels = N_MEASURES, .n_across = N_MEASURES };
	ret->panel = arena_make(a, struct panel, N_MEASURES);
	for (int i = 0; i < N_MEASURES; i++)
		ret->panel[i] = panel_of_changes(a, row, n, (enum changed)i);
	ret->panel_height = 0.1 + 0.07 * (double)n;
	ret->note = s->run[0].n_single > 1 && s->run[1].n_single > 1
			    ? STR("Lines: 90 % intervals, by the variation between runs.")
			    : STR("One run a side has no interval: record three runs or more.");
	ret->caption = STR("The change of the mean latency, of p99 and of the number of calls of "
			   "each operation, with 90 % intervals.");
	return true;
}
