/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads over time (OSprof, figure 11): a row for each thread, time to the right, and as the colour
 * the longest call that it was in.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

enum { MAX_ROWS = 40, PLACES = 400, MAX_DECADES = 20 };

static const double nothing = 0; /* of a place without a call; latencies are 1 ns at least */

/* What is drawn: time from the first call on, cut into places of equal length. */
struct course {
	const struct calls *calls;
	uint64_t start;
	double from, to;  /* ns since `start` */
	uint32_t *row_of; /* of each thread; MAX_ROWS and more: not drawn */
	size_t n_rows;	  /* threads that are drawn */
	double *longest;  /* n_rows x PLACES: latency of the longest call, in ns */
	double min, max;  /* of them */
};

static double begin_of(const struct course *c, const struct call *v)
{
	return (double)(v->start - c->start);
}

static double end_of(const struct course *c, const struct call *v)
{
	return begin_of(c, v) + fmax((double)v->latency, 1);
}

static void find_range(struct course *c, const struct call_subject *s)
{
	double max = 1;

	c->start = UINT64_MAX;
	for (size_t i = 0; i < c->calls->n; i++)
		c->start = c->calls->v[i].start < c->start ? c->calls->v[i].start : c->start;
	for (size_t i = 0; i < c->calls->n; i++)
		max = fmax(max, end_of(c, &c->calls->v[i]));
	c->from = isnan(s->x_from) ? 0 : s->x_from;
	c->to = isnan(s->x_to) ? max : s->x_to;
}

/* Threads have rows in the order of their first calls. */
static void find_rows(struct arena *a, struct course *c)
{
	size_t n = c->calls->n_threads;

	c->row_of = arena_make(a, uint32_t, n + 1);
	for (size_t i = 0; i < n; i++)
		c->row_of[i] = UINT32_MAX;
	for (size_t i = 0; i < c->calls->n; i++) {
		uint32_t thread = c->calls->v[i].thread;

		if (c->row_of[thread] == UINT32_MAX)
			c->row_of[thread] = (uint32_t)c->n_rows++;
	}
	c->n_rows = c->n_rows < MAX_ROWS ? c->n_rows : MAX_ROWS;
}

static size_t place_of(const struct course *c, double t)
{
	return (size_t)(fmin(fmax((t - c->from) / (c->to - c->from), 0), 1) * (PLACES - 1));
}

static void add_call(struct course *c, const struct call *v)
{
	size_t row = c->row_of[v->thread], first, last;
	double latency = fmax((double)v->latency, 1);

	if (row >= c->n_rows || begin_of(c, v) > c->to || end_of(c, v) < c->from)
		return;
	first = place_of(c, begin_of(c, v));
	last = place_of(c, end_of(c, v));
	for (size_t i = first; i <= last; i++) {
		double *longest = &c->longest[row * PLACES + i];

		*longest = fmax(*longest, latency);
	}
	c->min = fmin(c->min, latency);
	c->max = fmax(c->max, latency);
}

/* --- the figure ---------------------------------------------------------------------------- */

/* Adjacent places of one colour are one box. */
static void add_row(struct series *s, const struct course *c, size_t row)
{
	const double *longest = &c->longest[row * PLACES];
	double width = (c->to - c->from) / PLACES, y = (double)row;

	for (size_t i = 0, end; i < PLACES; i = end) {
		for (end = i + 1; end < PLACES && longest[end] == longest[i];)
			end++;
		if (longest[i] > nothing)
			series_add(s, (double[]){ c->from + (double)i * width,
						  c->from + (double)end * width, y - 0.4, y + 0.4,
						  log10(longest[i]) });
	}
}

static const struct color_scale *scale_of_latency(struct arena *a, const struct course *c)
{
	struct color_scale *s = arena_make(a, struct color_scale, 1);
	int first, last, step;

	*s = (struct color_scale){ .label = STR("longest call"),
				   .from = log10(c->min),
				   .to = fmax(log10(c->max), log10(c->min) + 0.3),
				   .tick = arena_make(a, struct tick, MAX_DECADES + 1) };
	first = (int)ceil(s->from - 1e-9);
	last = (int)floor(s->to + 1e-9);
	step = last >= first ? (last - first) / 5 + 1 : 1;
	for (int d = first; d <= last && s->n_ticks < MAX_DECADES; d += step)
		s->tick[s->n_ticks++] = (struct tick){ d, words_of_ns(a, pow(10, d)) };
	if (s->n_ticks < 2)
		s->tick[s->n_ticks++] = (struct tick){ s->to, words_of_ns(a, pow(10, s->to)) };
	return s;
}

static struct axis axis_of_threads(struct arena *a, const struct course *c)
{
	struct str *name = arena_make(a, struct str, c->n_rows + 1);
	uint32_t *id = arena_make(a, uint32_t, c->calls->n_threads + 1);

	calls_thread_ids(c->calls, id);
	for (size_t i = 0; i < c->calls->n_threads; i++) {
		if (c->row_of[i] < c->n_rows)
			name[c->row_of[i]] = arena_printf(a, "thread %u", id[i]);
	}
	return axis_of_names(a, name, c->n_rows);
}

bool figure_threads(struct arena *a, const struct call_subject *s, struct figure *ret)
{
	struct course c = { .calls = s->calls, .min = HUGE_VAL, .max = 1 };
	struct measure measure = { { .unit = UNIT_NS }, s->shown };
	struct panel *p;

	if (s->calls->n == 0)
		return false;
	find_range(&c, s);
	find_rows(a, &c);
	c.longest = arena_make(a, double, c.n_rows *PLACES);
	for (size_t i = 0; i < c.n_rows * PLACES; i++)
		c.longest[i] = nothing;
	for (size_t i = 0; i < s->calls->n; i++)
		add_call(&c, &s->calls->v[i]);
	*ret = (struct figure){ .n_panels = 1, .n_across = 1 };
	ret->panel = p = arena_make(a, struct panel, 1);
	*p = (struct panel){ .has_colors = true };
	p->x = axis_of_quantity(a, STR("time since the first call"), c.from, c.to, 0, &measure);
	p->x.from = c.from;
	p->x.to = c.to;
	p->y = axis_of_threads(a, &c);
	p->series = arena_make(a, struct series, 1);
	p->series[p->n_series++] =
		series_of(a, "threads", SHAPE_CELLS, COLOUR_FIRST, c.n_rows * PLACES);
	for (size_t i = 0; i < c.n_rows; i++)
		add_row(&p->series[0], &c, i);
	if (p->series[0].n_rows == 0)
		p->empty = STR("no calls here");
	c.min = isfinite(c.min) ? c.min : 1;
	p->color = scale_of_latency(a, &c);
	ret->panel_height = 0.2 + 0.06 * (double)c.n_rows;
	ret->caption =
		STR("Each thread's calls over time; the colour is the latency of the longest "
		    "call that the thread was in.");
	return true;
}
