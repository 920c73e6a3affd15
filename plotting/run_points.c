/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run by run: the mean latency and p99 of every run with the change points of a history, and all
 * latencies of every run as a map.
 */
#include <math.h>

#include "analyze/body.h"
#include "analyze/history/history.h"
#include "base/arena.h"
#include "plotting/kind.h"

static const double slow = 0.99, head_of_marks = 0.12;

/* One run of an operation; runs are numbered from 1. */
struct one_run {
	struct histogram hist;
	size_t side; /* the run of the subject that it belongs to */
	double mean; /* NAN without calls */
};

/* All runs of an operation, in order. */
struct sequence {
	struct one_run *v;
	size_t n;
};

static double mean_of(const struct histogram *h)
{
	return h->count > 0 ? histogram_total(h) / (double)h->count : NAN;
}

static struct sequence sequence_of(struct arena *a, const struct subject *s,
				   const struct plotted_op *op)
{
	struct sequence p = { NULL, 0 };

	for (size_t r = 0; r < s->n_runs; r++)
		p.n += s->run[r].n_single;
	p.v = arena_make(a, struct one_run, p.n);
	for (size_t r = 0, k = 0; r < s->n_runs; r++) {
		struct histogram whole = plotted_histogram(a, s, op, r), *h = &whole;

		if (s->run[r].n_single > 1)
			h = plotted_singles(a, s, op, r);
		for (size_t i = 0; i < s->run[r].n_single; i++, k++)
			p.v[k] = (struct one_run){ h[i], s->n_runs == 2 ? r : 0, mean_of(&h[i]) };
	}
	return p;
}

static struct axis axis_of_runs(struct arena *a, size_t n)
{
	struct axis x = axis_of_whole_numbers(a, STR("run"), 1, (double)(n > 1 ? n : 2));

	x.from = 0.5;
	x.to = (double)n + 0.5;
	return x;
}

/* --- mean and p99 by run ------------------------------------------------------------------ */

static struct series *series_of_runs(struct arena *a, const struct subject *s,
				     const struct sequence *p, double *min, double *max)
{
	struct series *of = arena_make(a, struct series, 4);

	for (size_t k = 0; k < 4; k++) {
		bool p99 = k >= 2;
		size_t side = k % 2;

		of[k] = series_of(a, p99 ? "p99" : "mean", SHAPE_POINTS,
				  side == 0 ? COLOUR_FIRST : COLOUR_SECOND, p->n);
		of[k].point = p99 ? POINT_RING : POINT_DOT;
		of[k].columns = "run latency";
		of[k].title = s->n_runs != 2 ? (p99 ? STR("p99") : STR("mean"))
			      : side == 0    ? (p99 ? STR("p99 before") : STR("mean before"))
					     : (p99 ? STR("p99 after") : STR("mean after"));
		for (size_t i = 0; i < p->n; i++) {
			double y = p99 ? exp2(body_quantile(&p->v[i].hist, slow)) : p->v[i].mean;

			if (p->v[i].side != side || !(y > 0))
				continue;
			series_add(&of[k], (double[]){ (double)i + 1, y });
			*min = fmin(*min, y);
			*max = fmax(*max, y);
		}
	}
	return of;
}

static const struct past *past_of(const struct history_findings *f, const struct plotted_op *op)
{
	for (size_t i = 0; f != NULL && i < f->n; i++) {
		if (str_eq(f->v[i].name, op->name) && str_eq(f->v[i].layer, op->layer))
			return &f->v[i];
	}
	return NULL;
}

static struct str change_words(const struct change *c)
{
	if (c->kind == CHANGE_NEW || c->kind == CHANGE_GONE)
		return c->kind == CHANGE_NEW ? STR("new") : STR("gone");
	if (c->verdict == VERDICT_REGRESSED)
		return STR("slower");
	return c->verdict == VERDICT_IMPROVED ? STR("faster") : STR("changed");
}

static void mark_changes(struct arena *a, struct panel *p, const struct past *past)
{
	if (past == NULL)
		return;
	p->mark = arena_make(a, struct mark, past->n_changes + 1);
	for (size_t i = 0; i < past->n_changes; i++) {
		const struct change *c = &past->change[i];

		if (c->kind == CHANGE_DRIFT)
			continue;
		p->mark[p->n_marks++] = (struct mark){ .shape = MARK_BREAK,
						       .colour = COLOUR_WORSE,
						       .at = (double)c->at + 0.5,
						       .words = change_words(c) };
	}
}

static struct panel panel_of_runs(struct arena *a, const struct subject *s,
				  const struct plotted_op *op)
{
	struct sequence points = sequence_of(a, s, op);
	struct panel p = panel_of(a, op);
	struct frame f = { .measure = { plotted_scale(s, op), s->shown } };
	double min = HUGE_VAL, max = 0;

	p.x = axis_of_runs(a, points.n);
	p.series = series_of_runs(a, s, &points, &min, &max);
	p.n_series = 4;
	p.has_key = true;
	mark_changes(a, &p, past_of(s->history, op));
	if (!(min <= max)) {
		p.empty = STR("no calls in buckets");
		min = max = 1;
	}
	f.from = min / 1.5;
	f.to = max * 1.5 * (p.n_marks > 0 ? pow(max / min * 2.25, head_of_marks) : 1);
	p.y = axis_of_latency(a, &f);
	limit_axes(&p, s);
	return p;
}

static size_t n_runs_of(const struct subject *s)
{
	size_t n = 0;

	for (size_t r = 0; r < s->n_runs; r++)
		n += s->run[r].n_single;
	return n;
}

bool figure_history(struct arena *a, const struct subject *s, struct figure *ret)
{
	if (n_runs_of(s) < 2)
		return false;
	*ret = (struct figure){ .n_panels = s->n_ops,
				.n_across = columns_for_panels(s->n_ops),
				.shared_x = true,
				.panel_height = 0.8 };
	ret->panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++)
		ret->panel[i] = panel_of_runs(a, s, &s->op[i]);
	if (s->history != NULL)
		ret->note = STR("Dashed: the level changed from this run on.");
	ret->caption = STR("Mean latency and p99 of each run, with the runs from which on they "
			   "changed.");
	return true;
}

/* --- all latencies of every run --------------------------------------------------------- */

static struct series cells_of_runs(struct arena *a, const struct frame *f, const struct sequence *p,
				   double *min)
{
	size_t room = 0;
	struct series s;

	for (size_t i = 0; i < p->n; i++)
		room += p->v[i].hist.n;
	s = series_of(a, "share", SHAPE_CELLS, COLOUR_FIRST, room + 1);
	s.columns = "from to low high log10(percent)";
	for (size_t i = 0; i < p->n; i++) {
		const struct histogram *h = &p->v[i].hist;

		for (size_t k = 0; k < h->n; k++) {
			double percent = 100 * (double)h->bucket[k].count / (double)h->count;

			if (h->bucket[k].count == 0)
				continue;
			*min = fmin(*min, log10(percent));
			series_add(&s, (double[]){ (double)i + 0.5, (double)i + 1.5,
						   frame_left(f, &h->bucket[k]),
						   frame_right(f, &h->bucket[k]), log10(percent) });
		}
	}
	return s;
}

static struct color_scale *scale_of_shares(struct arena *a, double min)
{
	struct color_scale *c = arena_make(a, struct color_scale, 1);
	int first = (int)ceil(fmin(min, 1) - 1e-9), step = (2 - first) / 6 + 1;

	*c = (struct color_scale){ .from = fmin(min, 1),
				   .to = 2,
				   .label = STR("share of the calls"),
				   .tick = arena_make(a, struct tick, 40) };
	for (int d = 2; d >= first && c->n_ticks < 40; d -= step)
		c->tick[c->n_ticks++] =
			(struct tick){ d, arena_printf(a, "%.*f %%", d < 0 ? -d : 0, pow(10, d)) };
	return c;
}

bool figure_runs(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct frame f = plotted_frame(a, s);
	struct color_scale *color;
	double min = 2;

	if (n_runs_of(s) < 2)
		return false;
	*ret = (struct figure){ .n_panels = s->n_ops,
				.n_across = columns_for_panels(s->n_ops),
				.shared_x = true };
	ret->panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++) {
		struct sequence points = sequence_of(a, s, &s->op[i]);
		struct panel *p = &ret->panel[i];

		*p = panel_of(a, &s->op[i]);
		p->has_grid = false;
		p->x = axis_of_runs(a, points.n);
		p->y = axis_of_buckets(a, &f);
		p->series = arena_make(a, struct series, 1);
		p->series[p->n_series++] = cells_of_runs(a, &f, &points, &min);
		if (s->n_runs == 2) {
			p->mark = arena_make(a, struct mark, 1);
			p->mark[p->n_marks++] =
				(struct mark){ .shape = MARK_BREAK,
					       .colour = COLOUR_DIM,
					       .at = (double)s->run[0].n_single + 0.5,
					       .words = STR("after") };
		}
	}
	color = scale_of_shares(a, min);
	for (size_t i = 0; i < s->n_ops; i++) {
		ret->panel[i].color = color;
		ret->panel[i].has_colors = i % ret->n_across + 1 == ret->n_across;
	}
	ret->caption = STR("All latencies of every run: the share of its calls, as a colour on a "
			   "logarithmic scale.");
	return true;
}
