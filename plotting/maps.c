/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latency, time and calls together: as a map with totals beside it, or in 3D (FSprof figures 1, 2,
 * 10 and 11, OSprof figure 9, DARC figure 9).  Two runs are drawn before, after, and as a change.
 *
 * Intervals may differ in length, so a cell shows its calls in an interval of the usual length.
 */
#include <math.h>

#include "analyze/timeline.h"
#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"
#include "plotting/sheet.h"
#include "plotting/time.h"

enum { PERIODS_OF_MAP = 240, PERIODS_IN_SPACE = 60, MAX_DECADES = 21, TIME_TICKS = 8 };
/* Panels of one operation: before, after, and the change. */
enum { CHANGE = 2, N_MAPS = 3 };

static const double max_change = 5; /* end of the scale of changes, as a log2 ratio */

/* What all panels of a figure share. */
struct mapping {
	struct arena *a;
	const struct subject *s;
	struct frame f;
	struct bucket_scheme scheme; /* of the sheets */
	struct rows rows[N_MAPS];    /* periods of each run and of the change */
	struct time_frame time[N_MAPS];
	double usual;	 /* usual length of an interval */
	double min, max; /* range of calls in a cell other than 0 */
	struct color_scale calls, change;
};

/* --- periods ------------------------------------------------------------------------------- */

static double start_of(const struct rows *r)
{
	return r->n > 0 ? r->v[0].start : 0;
}

static double end_of(const struct rows *r)
{
	return r->n > 0 ? r->v[r->n - 1].end : 0;
}

static double usual_length(const struct mapping *m)
{
	struct timeline_list list = timeline_intervals(m->a, m->s->run[0].profile);

	if (list.n == 0)
		return 1;
	return list.v[list.n / 2].end - list.v[list.n / 2].start;
}

/* Two runs are drawn from their beginnings on, on axes of the same length. */
static void set_frames(struct mapping *m)
{
	double length = 0;

	for (size_t k = 0; k < m->s->n_runs; k++)
		length = fmax(length, end_of(&m->rows[k]) - start_of(&m->rows[k]));
	for (size_t k = 0; k < m->s->n_runs; k++) {
		double from = start_of(&m->rows[k]);

		m->time[k] = time_frame_of(m->s->run[k].profile, from, from + length);
	}
}

/* Moves periods to begin at 0. */
static struct rows since_start(struct arena *a, const struct rows *r)
{
	struct rows moved = { arena_make(a, struct row, r->n + 1), r->n };

	for (size_t i = 0; i < r->n; i++)
		moved.v[i] =
			(struct row){ r->v[i].start - r->v[0].start, r->v[i].end - r->v[0].start };
	return moved;
}

static bool set_rows(struct mapping *m)
{
	size_t max = m->s->in_space ? PERIODS_IN_SPACE : PERIODS_OF_MAP;
	bool any = false;
	size_t longer;

	for (size_t r = 0; r < m->s->n_runs; r++) {
		m->rows[r] = rows_of(m->a, m->s->run[r].profile, max);
		any |= m->rows[r].n > 0;
	}
	set_frames(m);
	m->usual = usual_length(m);
	longer = m->s->n_runs > 1 && end_of(&m->rows[1]) - start_of(&m->rows[1]) >
					     end_of(&m->rows[0]) - start_of(&m->rows[0]);
	m->rows[CHANGE] = since_start(m->a, &m->rows[longer]);
	m->time[CHANGE] = (struct time_frame){ .to = end_of(&m->rows[CHANGE]) };
	if (m->s->run[0].profile->untimed)
		m->time[CHANGE].words.kind = TIME_NUMBER;
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
	if (m->f.scheme != NULL)
		m->f.scheme = &m->scheme;
}

/* --- cells --------------------------------------------------------------------------------- */

static struct sheet sheet_for(const struct mapping *m, const struct plotted_op *op, size_t run)
{
	return sheet_of(m->a, op->of[run], &m->rows[run], &m->scheme, m->s->run[run].scale, 0);
}

/* Returns the calls in an interval of the usual length. */
static double calls_at(const struct mapping *m, const struct sheet *sheet, size_t row,
		       size_t column)
{
	const struct row *r = &sheet->rows.v[row];

	return sheet->calls[row * sheet->n_buckets + column] * m->usual / (r->end - r->start);
}

static void add_cell(struct mapping *m, struct series *to, const struct sheet *sheet, size_t row,
		     size_t column, double value, double origin)
{
	const struct bucket *b = &sheet->bucket[column];
	const struct row *r = &sheet->rows.v[row];
	double low = frame_left(&m->f, b), high = frame_right(&m->f, b);

	if (to->shape == SHAPE_COLUMNS)
		series_add(to, (double[]){ log2(low * high) / 2, (r->start + r->end) / 2 - origin,
					   value });
	else
		series_add(to, (double[]){ r->start - origin, r->end - origin, low, high, value });
}

static struct series cells_of(struct mapping *m, const struct sheet *sheet, size_t k)
{
	size_t room = sheet->rows.n * sheet->n_buckets;
	bool in_space = m->s->in_space;
	struct series s = series_of(m->a, "cells", in_space ? SHAPE_COLUMNS : SHAPE_CELLS,
				    COLOUR_FIRST, room + 1);

	s.columns =
		in_space ? "log2(latency) time log10(calls)" : "start end low high log10(calls)";
	for (size_t row = 0; row < sheet->rows.n; row++) {
		for (size_t c = 0; c < sheet->n_buckets; c++) {
			double calls = calls_at(m, sheet, row, c);

			if (calls <= 0)
				continue;
			m->min = fmin(m->min, calls);
			m->max = fmax(m->max, calls);
			add_cell(m, &s, sheet, row, c, log10(calls), m->time[k].origin);
		}
	}
	return s;
}

/* Returns the change of calls in each cell as a log2 ratio.  One call is added to each side, so
 * that few calls more or less are pale, and none before does not make an infinite ratio. */
static struct series changes_of(struct mapping *m, const struct plotted_op *op)
{
	struct sheet side[2], both;
	struct series s;

	for (size_t r = 0; r < 2; r++)
		side[r] = sheet_of(m->a, op->of[r], &m->rows[CHANGE], &m->scheme,
				   m->s->run[r].scale, start_of(&m->rows[r]));
	both = sheet_pair(m->a, &side[0], &side[1]);
	s = series_of(m->a, "change", SHAPE_CELLS, COLOUR_FIRST, both.rows.n * both.n_buckets + 1);
	s.columns = "start end low high log2((1+after)/(1+before))";
	for (size_t i = 0; i < both.rows.n; i++) {
		for (size_t c = 0; c < both.n_buckets; c++) {
			size_t at = i * both.n_buckets + c;
			double before = both.calls[at], after = both.after[at];

			if (before > 0 || after > 0)
				add_cell(m, &s, &both, i, c, log2((1 + after) / (1 + before)), 0);
		}
	}
	return s;
}

/* Returns the periods in which nothing was measured. */
static struct series gaps_of(const struct mapping *m, size_t k)
{
	const struct rows *rows = &m->rows[k];
	struct series s = series_of(m->a, "gap", SHAPE_BAND, COLOUR_GAP, rows->n + 1);
	double origin = m->time[k].origin;

	s.columns = "start end low high";
	s.from = 0;
	s.to = 1;
	for (size_t i = 1; i < rows->n && !m->s->in_space; i++) {
		if (rows->v[i].start > rows->v[i - 1].end + 1e-9)
			series_add(&s, (double[]){ rows->v[i - 1].end - origin,
						   rows->v[i].start - origin, m->f.from, m->f.to });
	}
	return s;
}

/* --- panels ---------------------------------------------------------------------------------- */

static struct str name_of(const struct mapping *m, const struct plotted_op *op, size_t k)
{
	static const char *const of[] = { "before", "after", "change" };
	struct str name = words_cut(m->a, plotted_name(m->a, op), 40);

	if (m->s->n_runs < 2)
		return name;
	return arena_printf(m->a, "%.*s, %s", STR_ARG(name), of[k]);
}

static struct axis latency_axis(const struct mapping *m)
{
	struct axis y = axis_of_buckets(m->a, &m->f);

	if (!m->s->in_space)
		return y;
	y.logarithmic = false;
	y.from = y.baseline = log2(m->f.from);
	y.to = log2(m->f.to);
	for (size_t i = 0; i < y.n_ticks; i++)
		y.tick[i].at = log2(y.tick[i].at);
	return y;
}

static struct panel map_number(struct mapping *m, const struct plotted_op *op, size_t k)
{
	struct panel p = { .name = name_of(m, op, k), .has_colors = true };
	struct axis time = axis_of_time(m->a, &m->time[k], TIME_TICKS);
	struct sheet sheet;

	p.x = m->s->in_space ? latency_axis(m) : time;
	p.y = m->s->in_space ? time : latency_axis(m);
	p.series = arena_make(m->a, struct series, 2);
	p.series[p.n_series++] = gaps_of(m, k);
	if (k == CHANGE) {
		p.series[p.n_series++] = changes_of(m, op);
		p.color = &m->change;
	} else {
		sheet = sheet_for(m, op, k);
		p.series[p.n_series++] = cells_of(m, &sheet, k);
		p.color = &m->calls;
	}
	if (m->s->in_space && sheet.rows.n > 0) {
		p.series[1].from = 0.8 / m->scheme.resolution;
		p.series[1].to = 0.8 * (sheet.rows.v[0].end - sheet.rows.v[0].start);
	}
	if (p.series[1].n_rows == 0)
		p.empty = STR("no calls in intervals");
	return p;
}

/* --- colours ------------------------------------------------------------------------------- */

static struct str count_label(struct arena *a, double value)
{
	struct out *text = out_to_memory();
	struct str label;

	if (value < 1)
		out_digits(text, value, 3);
	else
		quantity_count(text, value);
	label = arena_str(a, out_memory(text));
	out_free(text);
	return label;
}

static struct str label_of_calls(const struct mapping *m)
{
	struct out *text = out_to_memory();
	struct str label;

	out_text(text, "calls in ");
	if (m->s->run[0].profile->untimed)
		out_text(text, "an interval");
	else
		quantity_latency(text, m->usual, (struct scale){ .unit = UNIT_S });
	label = arena_str(m->a, out_memory(text));
	out_free(text);
	return label;
}

static void set_scale_of_calls(struct mapping *m)
{
	struct color_scale *c = &m->calls;
	double min = fmin(m->min, m->max), max = fmax(m->max, 1e-9);
	int first, last, step;

	min = isfinite(min) && min > 0 ? min : 1;
	c->label = label_of_calls(m);
	c->from = log10(min);
	c->to = fmax(log10(max), c->from + 0.3);
	c->tick = arena_make(m->a, struct tick, 2 * MAX_DECADES);
	first = (int)ceil(c->from - 1e-9);
	last = (int)floor(c->to + 1e-9);
	step = (last - first) / 5 + 1;
	for (int d = first; d <= last && c->n_ticks < MAX_DECADES; d += step)
		c->tick[c->n_ticks++] = (struct tick){ d, count_label(m->a, pow(10, d)) };
	if (c->n_ticks < 2)
		c->tick[c->n_ticks++] = (struct tick){ c->to, count_label(m->a, pow(10, c->to)) };
}

static void set_scale_of_changes(struct mapping *m)
{
	struct color_scale *c = &m->change;

	*c = (struct color_scale){ .diverging = true,
				   .from = -max_change,
				   .to = max_change,
				   .label = STR("change of calls"),
				   .tick = arena_make(m->a, struct tick, 5) };
	c->tick[c->n_ticks++] = (struct tick){ -5, STR("1/32") };
	c->tick[c->n_ticks++] = (struct tick){ -2, STR("1/4") };
	c->tick[c->n_ticks++] = (struct tick){ 0, STR("same") };
	c->tick[c->n_ticks++] = (struct tick){ 2, STR("4x") };
	c->tick[c->n_ticks++] = (struct tick){ 5, STR("32x") };
}

/* --- totals beside a map --------------------------------------------------------------------- */

static struct panel totals_by_latency(struct mapping *m, const struct plotted_op *op, size_t run)
{
	struct histogram h = plotted_histogram(m->a, m->s, op, run);
	struct panel p = { .name = STR("all intervals") };
	double max = 1;

	p.series = arena_make(m->a, struct series, 1);
	p.series[0] = series_of(m->a, "calls", SHAPE_LEVELS, colour_of_run(run), h.n);
	for (size_t i = 0; i < h.n; i++) {
		double calls = (double)h.bucket[i].count;

		series_add(&p.series[0], (double[]){ calls, frame_left(&m->f, &h.bucket[i]),
						     frame_right(&m->f, &h.bucket[i]) });
		max = fmax(max, calls);
	}
	p.n_series = 1;
	p.x = axis_of_counts(m->a, STR("calls"), 1, max, 0);
	p.y = latency_axis(m);
	p.y.unlabelled = true;
	return p;
}

static struct panel totals_by_time(struct mapping *m, const struct plotted_op *op)
{
	struct sheet sheet = sheet_for(m, op, 0);
	struct panel p = { .has_grid = true };
	double max = 0;

	p.series = arena_make(m->a, struct series, 1);
	p.series[0] = series_of(m->a, "calls", SHAPE_BARS, COLOUR_FIRST, sheet.rows.n);
	p.series[0].from = 0;
	p.series[0].to = 1.05; /* no seams */
	for (size_t i = 0; i < sheet.rows.n; i++) {
		double calls = 0;

		for (size_t c = 0; c < sheet.n_buckets; c++)
			calls += calls_at(m, &sheet, i, c);
		max = fmax(max, calls);
		if (calls > 0)
			series_add(&p.series[0],
				   (double[]){ sheet.rows.v[i].start - m->time[0].origin,
					       sheet.rows.v[i].end - m->time[0].origin, calls });
	}
	p.n_series = 1;
	p.x = axis_of_time(m->a, &m->time[0], TIME_TICKS);
	p.y = axis_of_numbers(m->a, m->calls.label, 0, max, 0, "");
	return p;
}

static const double map_widths[] = { 4, 1 }, map_heights[] = { 3, 1.2 };

/* One operation: each map has its totals on the right; a single map also below. */
static void maps_of_one(struct mapping *m, struct figure *f)
{
	size_t maps = m->s->n_runs > 1 ? N_MAPS : 1;

	f->n_across = 2;
	f->widths = map_widths;
	f->heights = maps == 1 ? map_heights : NULL;
	f->n_panels = maps == 1 ? 4 : 2 * maps;
	f->panel = arena_make(m->a, struct panel, f->n_panels);
	for (size_t k = 0; k < maps; k++) {
		f->panel[2 * k] = map_number(m, m->s->op, k);
		if (k < CHANGE)
			f->panel[2 * k + 1] = totals_by_latency(m, m->s->op, k);
		else
			f->panel[2 * k + 1].blank = true;
	}
	set_scale_of_calls(m);
	if (maps > 1)
		return;
	f->panel[0].x.unlabelled = true;
	f->panel[2] = totals_by_time(m, m->s->op);
	f->panel[3].blank = true;
}

/* Several operations are in columns, with one colour scale. */
static void maps_of_several(struct mapping *m, struct figure *f)
{
	size_t maps = m->s->n_runs > 1 ? N_MAPS : 1, n = m->s->n_ops;
	size_t across = n == 1 ? 1 : 2;

	f->n_across = across;
	f->n_panels = (n + across - 1) / across * across * maps;
	f->panel = arena_make(m->a, struct panel, f->n_panels);
	for (size_t i = 0; i < f->n_panels; i++)
		f->panel[i].blank = true;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < maps; k++) {
			size_t at = (i / across * maps + k) * across + i % across;

			f->panel[at] = map_number(m, &m->s->op[i], k);
			f->panel[at].has_colors = i % across + 1 == across || i + 1 == n;
			if (i % across > 0 && !m->s->in_space) {
				f->panel[at].y.label.n = 0;
				f->panel[at].y.unlabelled = true;
			}
		}
	}
	set_scale_of_calls(m);
}

bool figure_map(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct mapping *m = arena_make(a, struct mapping, 1);

	*m = (struct mapping){ .a = a, .s = s, .min = HUGE_VAL };
	if (!set_rows(m))
		return false;
	*ret = (struct figure){ .in_space = s->in_space };
	set_scheme(m);
	set_scale_of_changes(m);
	if (s->n_ops == 1 && !s->in_space)
		maps_of_one(m, ret);
	else
		maps_of_several(m, ret);
	ret->panel_height = s->in_space ? 1.6 : s->n_ops == 1 && s->n_runs == 1 ? 0.85 : 1;
	ret->caption =
		s->n_runs > 1 ? STR("Calls by time (to the right) and latency (upwards): before, "
				    "after, and the change of calls in each cell.")
			      : STR("Calls by time and latency; the scale of colours or heights is "
				    "logarithmic.");
	for (size_t k = 0; k < s->n_runs; k++) {
		if (gaps_of(m, k).n_rows > 0)
			ret->note = STR("Grey: nothing was measured.");
	}
	return true;
}
