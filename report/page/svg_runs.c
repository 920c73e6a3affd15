/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operation run by run: a dot for the mean of each run. */
#include <math.h>

#include "analyze/rank/ranked.h"
#include "analyze/run_order.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/page/svg.h"

enum { WIDTH = 760, HEIGHT = 120, LEFT = 84, RIGHT = WIDTH - 36, TOP = 14, BOTTOM = 96 };
enum { FEWEST_RUNS = 3, MAX_RUNS = 400 };

/* The mean of each run, NAN where the operation is absent, and the layout. */
struct dots {
	double mean[MAX_RUNS], calls[MAX_RUNS];
	size_t n, n_before, n_present;
	double min, max;
	struct scale scale;
};

static const struct operation *same_in(const struct profile *p, const struct operation *op)
{
	for (size_t i = 0; op != NULL && i < p->n_ops; i++) {
		if (operation_cmp_key(&p->op[i], op) == 0)
			return &p->op[i];
	}
	return NULL;
}

static void add_side(struct dots *d, const struct operation *op, const struct runs_side *side,
		     double scale)
{
	for (size_t i = 0; i < side->n && d->n < MAX_RUNS; i++, d->n++) {
		const struct operation *one = same_in(side->run[i], op);
		double calls = one != NULL ? (double)operation_count(one) : 0;
		double mean = calls > 0 ? operation_total(one) / calls * scale : NAN;

		d->calls[d->n] = calls;
		d->mean[d->n] = mean;
		if (!(mean > 0))
			continue;
		d->min = fmin(d->min, mean);
		d->max = fmax(d->max, mean);
		d->n_present++;
	}
}

static double x_at(const struct dots *d, size_t i)
{
	return LEFT + ((double)i + 0.5) * (RIGHT - LEFT) / (double)d->n;
}

static double y_at(const struct dots *d, double mean)
{
	double span = log(d->max / d->min);

	return span > 0 ? BOTTOM - 6 - log(mean / d->min) / span * (BOTTOM - TOP - 12)
			: (BOTTOM + TOP) / 2.0;
}

static void write_coordinate(struct out *o, double v)
{
	out_f64(o, round(v * 10) / 10);
}

static void write_label(struct out *o, const struct dots *d, double mean)
{
	out_printf(o, "<text class=\"end\" x=\"%d\" y=\"", LEFT - 6);
	write_coordinate(o, y_at(d, mean) + 4);
	out_text(o, "\">");
	quantity_latency(o, mean, d->scale);
	out_text(o, "</text>");
}

static void draw_dot(struct out *o, const struct dots *d, size_t i)
{
	bool after = i >= d->n_before;

	if (!(d->mean[i] > 0))
		return;
	out_printf(o, "<g class=\"%s\"><title>run %zu %s: mean ", after ? "pa" : "pb",
		   after ? i - d->n_before + 1 : i + 1, after ? "after" : "before");
	quantity_latency(o, d->mean[i], d->scale);
	out_text(o, ", ");
	quantity_count(o, d->calls[i]);
	out_text(o, " calls</title><circle class=\"summit\" r=\"4\" cx=\"");
	write_coordinate(o, x_at(d, i));
	out_text(o, "\" cy=\"");
	write_coordinate(o, y_at(d, d->mean[i]));
	out_text(o, "\"/></g>");
}

static void draw_dots(struct out *o, const struct dots *d)
{
	out_printf(o,
		   "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"mean latency of each run, "
		   "logarithmic\"><path class=\"axis\" d=\"M%d %dV%dH%d\"/>",
		   WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT);
	write_label(o, d, d->max);
	if (y_at(d, d->min) - y_at(d, d->max) > 14)
		write_label(o, d, d->min);
	if (d->n_before > 0 && d->n_before < d->n) {
		out_text(o, "<path class=\"grid\" d=\"M");
		write_coordinate(o, (x_at(d, d->n_before - 1) + x_at(d, d->n_before)) / 2);
		out_printf(o, " %dV%d\"/>", TOP, BOTTOM);
	}
	for (size_t i = 0; i < d->n; i++)
		draw_dot(o, d, i);
	out_printf(o,
		   "<text x=\"2\" y=\"%d\">run by run</text><text class=\"mid\" x=\"%d\" "
		   "y=\"%d\">%zu runs before, %zu after; mean latency of each</text></svg>\n",
		   HEIGHT - 6, (LEFT + RIGHT) / 2, HEIGHT - 6, d->n_before, d->n - d->n_before);
}

void svg_runs(struct out *o, const struct ranked *r, const struct runs_side *before,
	      const struct runs_side *after, struct scale scale)
{
	const struct operation *op = r->before != NULL ? r->before : r->after;
	struct dots d = { .min = HUGE_VAL, .scale = scale };

	add_side(&d, op, before, 1);
	d.n_before = d.n;
	add_side(&d, r->after != NULL ? r->after : op, after, r->scale_after);
	if (d.n_present >= FEWEST_RUNS)
		draw_dots(o, &d);
}
