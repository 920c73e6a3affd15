/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latency, elapsed time and calls together: as a map or in 3D (FSprof figures 1, 2, 10 and 11,
 * OSprof figure 9, DARC figure 9).  Two runs are drawn before, after, and as a difference, on a
 * common colour scale.
 *
 * Colours and heights show log10(1 + calls), with the sign of a difference.
 */
#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"
#include "plotting/sheet.h"
#include "plotting/time.h"

enum { ROWS_OF_MAP = 400, ROWS_IN_SPACE = 60, MAX_DECADES = 21 };

/* What all panels of a figure share. */
struct mapping {
	struct arena *a;
	const struct subject *s;
	struct frame f;
	struct bucket_scheme scheme; /* scheme of the sheets; f.scheme points to it */
	struct rows rows[3];	     /* rows of each run and of the difference */
	bool in_space;
	double most; /* maximum calls in a cell, ignoring signs */
};

static double place_of(double calls)
{
	return copysign(log10(1 + fabs(calls)), calls);
}

/* --- rows ---------------------------------------------------------------------------------- */

static double end_of(const struct rows *r)
{
	return r->n > 0 ? r->v[r->n - 1].end : 0;
}

static bool set_rows(struct mapping *m)
{
	size_t most = m->in_space ? ROWS_IN_SPACE : ROWS_OF_MAP;
	bool any = false;

	for (size_t r = 0; r < m->s->n_runs; r++) {
		m->rows[r] = rows_of(m->a, m->s->run[r].profile, most);
		any |= m->rows[r].n > 0;
	}
	/* A difference has the rows of the longer run. */
	m->rows[2] = m->rows[m->s->n_runs > 1 && end_of(&m->rows[1]) > end_of(&m->rows[0])];
	return any;
}

static void set_scheme(struct mapping *m)
{
	const struct subject *s = m->s;
	const struct operation **op =
		arena_make(m->a, const struct operation *, s->n_ops * s->n_runs);
	size_t n = 0;

	for (size_t i = 0; i < s->n_ops; i++) {
		for (size_t r = 0; r < s->n_runs; r++)
			op[n++] = s->op[i].of[r];
	}
	m->scheme = sheet_scheme(op, n);
	m->f = plotted_frame(m->a, s);
	m->f.scheme = &m->scheme;
}

static struct sheet sheet_for(const struct mapping *m, const struct plotted_op *op, size_t run,
			      const struct rows *rows)
{
	return sheet_of(m->a, op->of[run], rows, &m->scheme, m->s->run[run].scale);
}

/* Returns the sheet of run 0 or 1; k = 2 is after minus before. */
static struct sheet sheet_number(const struct mapping *m, const struct plotted_op *op, size_t k)
{
	struct sheet before, after;

	if (k < 2)
		return sheet_for(m, op, k, &m->rows[k]);
	before = sheet_for(m, op, 0, &m->rows[2]);
	after = sheet_for(m, op, 1, &m->rows[2]);
	return sheet_minus(m->a, &after, &before);
}

/* --- panels ---------------------------------------------------------------------------------- */

/* Returns the position of a bucket on an axis of bucket numbers, which is linear. */
static double number_of(const struct mapping *m, const struct bucket *b)
{
	double octave = (log2(frame_left(&m->f, b)) + log2(frame_right(&m->f, b))) / 2;

	return octave * m->scheme.resolution - 0.5;
}

static void add_cell(struct mapping *m, struct series *to, const struct sheet *sheet, size_t row,
		     size_t column)
{
	double calls = sheet->calls[row * sheet->n_buckets + column];
	const struct bucket *b = &sheet->bucket[column];
	const struct row *r = &sheet->rows.v[row];

	if (calls == 0)
		return;
	m->most = fmax(m->most, fabs(calls));
	if (m->in_space)
		series_add(to,
			   (double[]){ number_of(m, b), (r->start + r->end) / 2, place_of(calls) });
	else
		series_add(to, (double[]){ frame_left(&m->f, b), frame_right(&m->f, b), r->start,
					   r->end, place_of(calls) });
}

static struct series cells_of(struct mapping *m, const struct sheet *sheet)
{
	size_t room = sheet->rows.n * sheet->n_buckets;
	struct series s = series_of(m->a, "cells", m->in_space ? SHAPE_COLUMNS : SHAPE_CELLS,
				    COLOUR_FIRST, room + 1);

	s.columns =
		m->in_space ? "bucket time log10(1+calls)" : "low high start end log10(1+calls)";
	if (m->in_space && sheet->rows.n > 0) {
		s.from = 0.8;
		s.to = 0.8 * (sheet->rows.v[0].end - sheet->rows.v[0].start);
	}
	for (size_t row = 0; row < sheet->rows.n; row++) {
		for (size_t c = 0; c < sheet->n_buckets; c++)
			add_cell(m, &s, sheet, row, c);
	}
	return s;
}

/* Returns the periods in which nothing was measured. */
static struct series gaps_of(const struct mapping *m, const struct rows *rows)
{
	struct series s = series_of(m->a, "gap", SHAPE_BAND, COLOUR_DIM, rows->n + 1);

	s.columns = "low high start end";
	s.from = 0;
	s.to = 1;
	for (size_t i = 1; i < rows->n && !m->in_space; i++) {
		if (rows->v[i].start > rows->v[i - 1].end)
			series_add(&s, (double[]){ m->f.from, m->f.to, rows->v[i - 1].end,
						   rows->v[i].start });
	}
	return s;
}

static struct axis axis_of_numbers_of_buckets(const struct mapping *m)
{
	struct axis x = axis_of_buckets(m->a, &m->f);

	if (!m->in_space)
		return x;
	x.logarithmic = false;
	x.from = x.baseline = log2(m->f.from) * m->scheme.resolution - 0.5;
	x.to = log2(m->f.to) * m->scheme.resolution - 0.5;
	for (size_t i = 0; i < x.n_ticks; i++)
		x.tick[i].at = log2(x.tick[i].at) * m->scheme.resolution - 0.5;
	return x;
}

static struct str title_of(const struct mapping *m, const struct plotted_op *op, size_t k)
{
	struct str name = words_cut(m->a, plotted_name(m->a, op), 40);

	if (m->s->n_runs < 2)
		return name;
	return arena_printf(m->a, "%.*s, %s", STR_ARG(name),
			    k == 0   ? "before"
			    : k == 1 ? "after"
				     : "after minus before");
}

/* For panels side by side, only the first has the y label and only the last the colour scale;
 * `at` is the column of panel p. */
static void share_sides(struct panel *p, size_t at, size_t across)
{
	p->has_colors = at + 1 == across;
	if (at > 0)
		p->y.label.n = 0;
}

static struct panel panel_number(struct mapping *m, const struct plotted_op *op, size_t k)
{
	struct sheet sheet = sheet_number(m, op, k);
	struct panel p = { .title_above = title_of(m, op, k) };
	double end = fmax(end_of(&m->rows[0]), m->s->n_runs > 1 ? end_of(&m->rows[1]) : 0);

	p.x = axis_of_numbers_of_buckets(m);
	p.y = axis_of_time(m->a, m->s->run[0].profile, 0, end);
	p.series = arena_make(m->a, struct series, 2);
	p.series[p.n_series++] = gaps_of(m, &sheet.rows);
	p.series[p.n_series++] = cells_of(m, &sheet);
	if (p.series[1].n_rows == 0)
		p.empty = STR("no calls in intervals");
	return p;
}

/* --- colours and heights ----------------------------------------------------------------- */

static struct color_scale color_scale_of(const struct mapping *m)
{
	struct color_scale c = { .diverging = m->s->n_runs > 1,
				 .to = place_of(fmax(m->most, 1)),
				 .label = STR("calls in an interval"),
				 .tick = arena_make(m->a, struct tick, 2 * MAX_DECADES) };
	int decades = (int)log10(fmax(m->most, 1));
	int step = decades / 5 + 1;

	c.from = c.diverging ? -c.to : 0;
	c.tick[c.n_ticks++] = (struct tick){ 0, STR("0") };
	for (int d = 0; d <= decades; d += step) {
		struct out *text = out_to_memory();
		struct str label;

		quantity_count(text, pow(10, d));
		label = arena_str(m->a, out_memory(text));
		out_free(text);
		c.tick[c.n_ticks++] = (struct tick){ place_of(pow(10, d)), label };
		if (c.diverging)
			c.tick[c.n_ticks++] =
				(struct tick){ -place_of(pow(10, d)),
					       arena_printf(m->a, "−%.*s", STR_ARG(label)) };
	}
	return c;
}

static bool figure_of_maps(struct arena *a, const struct subject *s, bool in_space,
			   struct figure *ret)
{
	struct mapping m = { .a = a, .s = s, .in_space = in_space };
	size_t across = s->n_runs > 1 ? 3 : 1;

	if (!set_rows(&m))
		return false;
	*ret = (struct figure){ .n_panels = across * s->n_ops,
				.n_across = s->n_runs == 1 && s->n_ops > 1 ? 2 : across,
				.in_space = in_space };
	set_scheme(&m);
	m.f.n_across = ret->n_across + in_space;
	ret->panel = arena_make(a, struct panel, ret->n_panels);
	for (size_t i = 0; i < s->n_ops; i++) {
		for (size_t k = 0; k < across; k++)
			ret->panel[i * across + k] = panel_number(&m, &s->op[i], k);
	}
	for (size_t i = 0; i < ret->n_panels && !in_space; i++)
		share_sides(&ret->panel[i], i % ret->n_across, ret->n_across);
	ret->color = color_scale_of(&m);
	ret->panel_height = in_space ? 1.6 : 1.3;
	return true;
}

bool figure_map(struct arena *a, const struct subject *s, struct figure *ret)
{
	if (!figure_of_maps(a, s, false, ret))
		return false;
	ret->caption = s->n_runs > 1 ? STR("Calls by latency (to the right) and elapsed time "
					   "(upwards): before, after, and the difference, on one "
					   "logarithmic scale of colours.")
				     : STR("Calls by latency (to the right) and elapsed time "
					   "(upwards); colours are on a logarithmic scale.");
	return true;
}

bool figure_space(struct arena *a, const struct subject *s, struct figure *ret)
{
	if (!figure_of_maps(a, s, true, ret))
		return false;
	ret->caption = STR("Calls by latency and elapsed time; heights are on a logarithmic "
			   "scale.");
	return true;
}

/* --- the three views of FSprof 3.3 ------------------------------------------------------- */

bool figure_views(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct figure map, histogram, timeline;

	if (!figure_map(a, s, &map) || !figure_histogram(a, s, &histogram) ||
	    !figure_timeline(a, s, &timeline))
		return false;
	*ret = map;
	ret->n_panels = 3;
	ret->panel = arena_make(a, struct panel, 3);
	ret->panel[0] = map.panel[0];
	ret->panel[1] = histogram.panel[0];
	ret->panel[1].title_above = ret->panel[2].title_above = STR("");
	ret->panel[1].name = STR("all intervals together");
	ret->panel[1].above = (struct axis){ .n_ticks = 0 };
	ret->panel[2] = timeline.panel[0];
	ret->panel[2].name = STR("latency over time");
	ret->n_across = 1;
	ret->panel_height = 1.1;
	ret->caption = STR("Three views of one operation: calls by latency and elapsed time; by "
			   "latency alone; its latency over elapsed time.");
	return true;
}
