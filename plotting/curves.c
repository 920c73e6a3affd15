/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves over all calls: cumulative distributions and percentiles (DeBox figures 10 to 12), and
 * the shift of each quantile. */
#include <math.h>

#include "analyze/quantile_runs.h"
#include "base/arena.h"
#include "plotting/kind.h"

static const double head_of_lines = 0.03;
static const double min_drawn = 1e-9; /* percent; a logarithmic axis has no 0 */

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

/* Adds the share below a latency, or with --tail that above it, which a logarithmic axis shows
 * unless it is 0. */
static void add_point(struct series *line, const struct subject *s, double latency, double below)
{
	if (!s->tail)
		series_add(line, (double[]){ latency, below });
	else if (below < 100)
		series_add(line, (double[]){ latency, 100 - below });
}

static struct series cumulative_line(struct arena *a, const struct subject *s,
				     const struct frame *f, const struct plotted_op *op, size_t run)
{
	struct histogram h = plotted_histogram(a, s, op, run);
	struct series line = series_of(a, "run", SHAPE_LINE, colour_of_run(run), 2 * h.n + 1);
	double below = 0;

	line.title = title_of(s, run);
	line.columns = s->tail ? "latency percent_above" : "latency percent_below";
	for (size_t i = 0; i < h.n; i++) {
		if (i == 0 || h.bucket[i].edges->low != h.bucket[i - 1].edges->high)
			add_point(&line, s, frame_left(f, &h.bucket[i]),
				  100 * below / (double)h.count);
		below += (double)h.bucket[i].count;
		add_point(&line, s, frame_right(f, &h.bucket[i]), 100 * below / (double)h.count);
	}
	if (h.n > 0)
		add_point(&line, s, f->to, 100);
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
			percent = s->tail ? 100 - percent : percent;
			row[1] = fmin(row[1], percent);
			row[2] = fmax(row[2], percent);
		}
		row[1] = s->tail ? fmax(row[1], min_drawn) : row[1];
		series_add(&area, row);
	}
	return area;
}

static struct panel cumulative_panel(struct arena *a, const struct subject *s,
				     const struct frame *f, const struct plotted_op *op)
{
	struct panel p = panel_of(a, op);
	double max = 1;

	p.x = axis_of_latency(a, f);
	p.series = arena_make(a, struct series, 2 * s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++) {
		struct series line;

		if (op->of[r] == NULL || op->of[r]->hist.n == 0)
			continue;
		line = cumulative_line(a, s, f, op, r);
		if (s->run[r].n_single > 1 && s->n_runs < 3)
			p.series[p.n_series++] = cumulative_spread(a, s, f, &line, op, r);
		p.series[p.n_series++] = line;
		max = fmax(max, (double)op->of[r]->hist.count);
	}
	p.y = s->tail ? axis_of_shares(a, STR("calls that are slower"), fmin(100 / max, 1), 100,
				       head_of_lines)
		      : axis_of_numbers(a, STR("calls that are faster"), 0, 100, head_of_lines,
					" %");
	return p;
}

bool figure_cumulative(struct arena *a, const struct subject *s, struct figure *ret)
{
	*ret = figure_of_panels(a, s, cumulative_panel);
	if (s->tail)
		ret->caption = STR("What share of the calls is slower than a latency, on "
				   "logarithmic scales. Exact at the edges of buckets.");
	else
		ret->caption =
			STR("Cumulative distributions: what share of the calls is faster than a "
			    "latency. They are exact at the edges of buckets, straight between.");
	if (any_repeated(s) && s->n_runs < 3)
		ret->note = STR("Pale: from the lowest to the highest of the repeated runs.");
	return true;
}

/* --- percentiles ---------------------------------------------------------------------------- */

/* Returns the same series as a horizontal line. */
static struct series level_line(struct arena *a, const struct series *like, double level)
{
	struct series line = series_of(a, like->name, SHAPE_LINE, like->colour, 2);

	line.title = like->title;
	line.columns = like->columns;
	series_add(&line, (double[]){ 1, level });
	series_add(&line, (double[]){ 10, level });
	return line;
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
	/* One call is every quantile. */
	if (h.count == 1)
		line = level_line(a, &line, histogram_bucket_mean(&h, 0));
	return line;
}

static struct panel percentile_panel(struct arena *a, const struct subject *s,
				     const struct frame *f, const struct plotted_op *op)
{
	struct panel p = panel_of(a, op);
	double max = 1;

	p.y = axis_of_latency(a, f);
	p.y.to *= pow(p.y.to / p.y.from, head_of_lines);
	p.series = arena_make(a, struct series, s->n_runs);
	for (size_t r = 0; r < s->n_runs; r++) {
		if (op->of[r] == NULL || op->of[r]->hist.n == 0)
			continue;
		max = fmax(max, (double)op->of[r]->hist.count);
		p.series[p.n_series++] = percentile_line(a, s, f, op, r);
	}
	p.x = axis_of_nines(a, max);
	return p;
}

bool figure_percentiles(struct arena *a, const struct subject *s, struct figure *ret)
{
	*ret = figure_of_panels(a, s, percentile_panel);
	ret->shared_x = false;
	ret->caption = STR("Percentiles: how long the slowest calls take; each nine more has as "
			   "much room. Between the edges of a bucket the line is straight.");
	return true;
}

/* --- how each quantile changed --------------------------------------------------------------- */

enum { QUANTILES_OF_A_NINE = 20 };

/* Returns the quantiles to compare, as 1 / (1 - q): as many as both sides have calls for. */
static double *quantile_positions(struct arena *a, double max, size_t *ret_n)
{
	double *x = arena_make(a, double, QUANTILES_OF_A_NINE * 8 + 2);
	size_t n = 0;

	x[n++] = 1.02;
	for (int i = 1; n < QUANTILES_OF_A_NINE * 8; i++) {
		x[n] = pow(10, (double)i / QUANTILES_OF_A_NINE);
		if (x[n] > max)
			break;
		n++;
	}
	*ret_n = n;
	return x;
}

/* The calls of the smallest run, beyond which quantiles are its slowest call. */
static double fewest_calls(const struct histogram *h, size_t n)
{
	double min = HUGE_VAL;

	for (size_t i = 0; i < n; i++)
		min = fmin(min, (double)h[i].count);
	return min;
}

static struct panel shift_panel(struct arena *a, const struct subject *s, const struct frame *f,
				const struct plotted_op *op)
{
	size_t n[2] = { s->run[0].n_single, s->run[1].n_single }, n_positions;
	struct histogram *side[2], sum[2];
	struct panel p = panel_of(a, op);
	double min = -0.1, max = 0.1, *x, smallest;

	(void)f;
	for (size_t r = 0; r < 2; r++) {
		sum[r] = plotted_histogram(a, s, op, r);
		side[r] = n[r] > 1 ? plotted_singles(a, s, op, r) : &sum[r];
	}
	p.series = arena_make(a, struct series, 2);
	if (sum[0].n == 0 || sum[1].n == 0) {
		p.empty = sum[0].n > 0 ? STR("no calls after") : STR("no calls before");
		p.x = axis_of_nines(a, 10);
		p.y = axis_of_ratios(a, STR("change of latency"), min, max);
		return p;
	}
	smallest = fmin(fewest_calls(side[0], n[0]), fewest_calls(side[1], n[1]));
	x = quantile_positions(a, fmax(smallest, 2), &n_positions);
	p.series[0] = series_of(a, "interval", SHAPE_AREA, COLOUR_FIRST_PALE, n_positions);
	p.series[0].title = STR("90 % interval");
	p.series[1] = series_of(a, "change", SHAPE_LINE, COLOUR_FIRST, n_positions);
	p.series[1].columns = "1/(1-quantile) log2_ratio";
	for (size_t i = 0; i < n_positions; i++) {
		struct log2_change c =
			quantile_change_of(side[0], n[0], side[1], n[1], 1 - 1 / x[i]);

		if (isnan(c.change))
			continue;
		series_add(&p.series[1], (double[]){ x[i], c.change });
		min = fmin(min, isnan(c.low) ? c.change : c.low);
		max = fmax(max, isnan(c.high) ? c.change : c.high);
		if (!isnan(c.low))
			series_add(&p.series[0], (double[]){ x[i], c.low, c.high });
	}
	p.n_series = 2;
	p.x = axis_of_nines(a, smallest);
	p.y = axis_of_ratios(a, STR("change of latency"), min, max);
	return p;
}

bool figure_shift(struct arena *a, const struct subject *s, struct figure *ret)
{
	bool repeated = s->run[0].n_single > 1 && s->run[1].n_single > 1;

	*ret = figure_of_panels(a, s, shift_panel);
	ret->shared_x = false;
	ret->note = repeated
			    ? STR("Line: how each quantile of the latency changed, mean over runs.")
			    : STR("Line: how each quantile of the latency changed. One run a side "
				  "has no interval: record three runs or more.");
	ret->caption =
		STR("How each quantile changed from before to after: up is slower; each nine "
		    "more has as much room.");
	return true;
}
