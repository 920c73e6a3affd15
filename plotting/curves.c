/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves over all calls: cumulative distributions and percentiles (DeBox figures 10 to 12), and
 * the shift of each quantile. */
#include <math.h>

#include "base/arena.h"
#include "plotting/kind.h"

static const double head_of_lines = 0.03;

static struct str title_of(const struct subject *s, size_t run)
{
	return s->n_runs > 1 ? s->run[run].title : STR("");
}

/* Builds one panel for each operation, on a common frame. */
typedef struct panel panel_builder(struct arena *a, const struct subject *s, const struct frame *f,
				   const struct plotted_op *op);

static struct figure figure_of_panels(struct arena *a, const struct subject *s,
				      panel_builder *build)
{
	struct frame f = plotted_frame(a, s);
	struct figure figure = { .n_panels = s->n_ops,
				 .n_across = columns_for_panels(s->n_ops),
				 .shared_x = true };

	figure.panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++) {
		struct panel *p = &figure.panel[i];

		*p = build(a, s, &f, &s->op[i]);
		p->has_key = s->n_runs > 1;
		if (p->n_series == 0)
			p->empty = STR("no calls in buckets");
		limit_axes(p, s);
	}
	return figure;
}

/* --- cumulative ------------------------------------------------------------------------- */

/* Returns the percentage of calls below a latency, interpolated evenly within a bucket. */
static double percent_below(const struct frame *f, const struct histogram *h, double latency)
{
	double below = 0;

	for (size_t i = 0; i < h->n; i++) {
		double low = frame_left(f, &h->bucket[i]), high = frame_right(f, &h->bucket[i]);
		double part = log(latency / low) / log(high / low);

		if (latency <= low)
			break;
		below += (double)h->bucket[i].count * fmin(part, 1);
	}
	return 100 * below / (double)h->count;
}

static struct series cumulative_line(struct arena *a, const struct subject *s,
				     const struct frame *f, const struct plotted_op *op, size_t run)
{
	struct histogram h = plotted_histogram(a, s, op, run);
	struct series line = series_of(a, "run", SHAPE_LINE, colour_of_run(run), 2 * h.n + 1);
	double below = 0;

	line.title = title_of(s, run);
	line.columns = "latency percent_below";
	for (size_t i = 0; i < h.n; i++) {
		double percent = 100 * below / (double)h.count;

		if (i == 0 || h.bucket[i].edges->low != h.bucket[i - 1].edges->high)
			series_add(&line, (double[]){ frame_left(f, &h.bucket[i]), percent });
		below += (double)h.bucket[i].count;
		percent = 100 * below / (double)h.count;
		series_add(&line, (double[]){ frame_right(f, &h.bucket[i]), percent });
	}
	if (h.n > 0)
		series_add(&line, (double[]){ f->to, 100 });
	return line;
}

/* Returns the band between the lowest and the highest of the repeated runs. */
static struct series cumulative_spread(struct arena *a, const struct subject *s,
				       const struct frame *f, const struct series *line,
				       const struct plotted_op *op, size_t run)
{
	struct histogram *single = plotted_singles(a, s, op, run);
	enum colour pale = run == 0 ? COLOUR_FIRST_PALE : COLOUR_SECOND_PALE;
	struct series area = series_of(a, "spread", SHAPE_AREA, pale, line->n_rows);

	area.columns = "latency least most";
	for (size_t i = 0; i < line->n_rows; i++) {
		double row[] = { line->cell[2 * i], HUGE_VAL, 0 };

		for (size_t k = 0; k < s->run[run].n_single; k++) {
			double percent;

			if (single[k].n == 0)
				continue;
			percent = percent_below(f, &single[k], row[0]);
			row[1] = fmin(row[1], percent);
			row[2] = fmax(row[2], percent);
		}
		series_add(&area, row);
	}
	return area;
}

static struct panel cumulative(struct arena *a, const struct subject *s, const struct frame *f,
			       const struct plotted_op *op)
{
	struct panel p = panel_of(a, op);

	p.x = axis_of_latency(a, f);
	p.y = axis_of_numbers(a, STR("calls that are faster"), 0, 100, head_of_lines, " %");
	p.series = arena_make(a, struct series, 2 * s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++) {
		struct series line;

		if (op->of[r] == NULL || op->of[r]->hist.n == 0)
			continue;
		line = cumulative_line(a, s, f, op, r);
		if (s->run[r].n_single > 1 && s->n_runs < 3)
			p.series[p.n_series++] = cumulative_spread(a, s, f, &line, op, r);
		p.series[p.n_series++] = line;
	}
	return p;
}

bool figure_cumulative(struct arena *a, const struct subject *s, struct figure *ret)
{
	*ret = figure_of_panels(a, s, cumulative);
	ret->caption = STR("Cumulative distributions: what share of the calls is faster than a "
			   "latency. They are exact at the edges of buckets, straight between.");
	return true;
}

/* --- percentiles ---------------------------------------------------------------------------- */

enum { MAX_NINES = 7 };

/* The axis shows 1 / (1 - q) on a logarithmic scale, so that each further nine takes the same
 * room. */
static struct axis axis_of_percentiles(struct arena *a, double max_calls)
{
	static const char *const labels[] = { "",	 "90 %",     "99 %",	  "99.9 %",
					      "99.99 %", "99.999 %", "99.9999 %", "99.99999 %" };
	struct axis x = { .label = STR("calls that are faster"),
			  .logarithmic = true,
			  .from = 1,
			  .to = fmax(max_calls, 10),
			  .tick = arena_make(a, struct tick, MAX_NINES + 2) };

	for (int i = 0; i <= MAX_NINES && pow(10, i) <= x.to; i++) {
		x.tick[x.n_ticks++] = (struct tick){ pow(10, i), str_from(labels[i]) };
		if (i == 0)
			x.tick[x.n_ticks++] = (struct tick){ 2, STR("50 %") };
	}
	return x;
}

static struct series percentile_line(struct arena *a, const struct subject *s,
				     const struct frame *f, const struct plotted_op *op, size_t run)
{
	struct histogram h = plotted_histogram(a, s, op, run);
	struct series line = series_of(a, "run", SHAPE_LINE, colour_of_run(run), 2 * h.n);
	double left = (double)h.count;

	line.title = title_of(s, run);
	line.columns = "1/(1-quantile) latency";
	for (size_t i = 0; i < h.n; i++) {
		double n = (double)h.count;

		series_add(&line, (double[]){ n / fmax(left, 1), frame_left(f, &h.bucket[i]) });
		left -= (double)h.bucket[i].count;
		series_add(&line, (double[]){ n / fmax(left, 1), frame_right(f, &h.bucket[i]) });
	}
	return line;
}

static struct panel percentiles(struct arena *a, const struct subject *s, const struct frame *f,
				const struct plotted_op *op)
{
	struct panel p = panel_of(a, op);
	double most = 1;

	p.y = axis_of_latency(a, f);
	p.y.to *= pow(p.y.to / p.y.from, head_of_lines);
	p.series = arena_make(a, struct series, s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++) {
		if (op->of[r] == NULL || op->of[r]->hist.n == 0)
			continue;
		most = fmax(most, (double)op->of[r]->hist.count);
		p.series[p.n_series++] = percentile_line(a, s, f, op, r);
	}
	p.x = axis_of_percentiles(a, fmin(most, pow(10, MAX_NINES)));
	return p;
}

bool figure_percentiles(struct arena *a, const struct subject *s, struct figure *ret)
{
	*ret = figure_of_panels(a, s, percentiles);
	ret->shared_x = false;
	ret->caption = STR("Percentiles: how long the slowest calls take; each nine more has as "
			   "much room. Between the edges of a bucket the line is straight.");
	return true;
}

/* --- quantile shift ------------------------------------------------------------------------- */

enum { QUANTILES = 100 };

/* Returns quantile q in octaves, interpolated evenly within its bucket. */
static double quantile_octave(const struct frame *f, const struct histogram *h, double q)
{
	double rank = q * (double)h->count, below = 0;
	const struct bucket *b = &h->bucket[0];

	for (size_t i = 0; i < h->n; i++) {
		b = &h->bucket[i];
		if (below + (double)b->count >= rank || i + 1 == h->n)
			break;
		below += (double)b->count;
	}
	return octaves_left(&f->at, b) +
	       (rank - below) / (double)b->count *
		       (octaves_right(&f->at, b) - octaves_left(&f->at, b));
}

static struct panel shift(struct arena *a, const struct subject *s, const struct frame *f,
			  const struct plotted_op *op)
{
	struct histogram before = plotted_histogram(a, s, op, 0);
	struct histogram after = plotted_histogram(a, s, op, 1);
	struct panel p = panel_of(a, op);
	double least = -1, most = 1;

	p.x = axis_of_numbers(a, STR("quantile"), 0, 100, 0, " %");
	p.x.to = 100;
	p.series = arena_make(a, struct series, 2);
	if (before.n > 0 && after.n > 0) {
		p.series[0] = series_of(a, "slower", SHAPE_BARS, COLOUR_WORSE, QUANTILES);
		p.series[1] = series_of(a, "faster", SHAPE_BARS, COLOUR_BETTER, QUANTILES);
		p.series[0].title = STR("slower");
		p.series[1].title = STR("faster");
		p.n_series = 2;
	}
	for (int i = 0; i < QUANTILES && p.n_series > 0; i++) {
		double q = (i + 0.5) / QUANTILES;
		double moved = quantile_octave(f, &after, q) - quantile_octave(f, &before, q);
		double row[] = { 100.0 * i / QUANTILES, 100.0 * (i + 1) / QUANTILES, moved };

		series_add(&p.series[moved > 0 ? 0 : 1], row);
		least = fmin(least, moved);
		most = fmax(most, moved);
	}
	p.y = axis_of_numbers(a, STR("octaves"), least, most, head_of_lines, "");
	return p;
}

bool figure_shift(struct arena *a, const struct subject *s, struct figure *ret)
{
	*ret = figure_of_panels(a, s, shift);
	ret->caption = STR("How each quantile moved, as a log2 ratio (1 is a factor of two): up is "
			   "slower. Quantiles are known to within their bucket.");
	return true;
}
