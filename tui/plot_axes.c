/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/plot_axes.h"

#include <math.h>

#include "base/out.h"
#include "profile/quantity.h"

/* Minimum rows for showing peaks, for bucket numbers below the times, and for a plot at all. */
enum { ROWS_FOR_PEAKS = 9, ROWS_FOR_BUCKETS = 12, FEWEST_ROWS = 2, LABEL_WIDTH = 9 };

static void set_axis(struct frame *f, const struct plot *p, struct range r)
{
	f->axis = p->linear ? AXIS_LINEAR : AXIS_LOGARITHMIC;
	f->to = r.max > 0 ? r.max : 1;
	if (p->mode == PLOT_CUMULATIVE) {
		f->axis = AXIS_SHARE;
		f->to = 1;
	} else if (p->mode == PLOT_DIFFERENCE) {
		f->axis = p->linear ? AXIS_LINEAR : AXIS_SYMMETRIC;
	} else if (!p->linear) {
		/* The axis begins at half of the smallest value, so that it is visible. */
		f->from = log10(fmin(r.min, r.max) / 2);
		f->to = fmax(log10(r.max), f->from + 0.3);
	}
}

bool frame_make(struct frame *ret, struct canvas *c, const struct chart *chart,
		const struct plot *p, struct range range)
{
	struct frame f = { .canvas = c, .chart = chart, .left = PLOT_GUTTER };

	if (c->cols <= PLOT_GUTTER || c->rows < FEWEST_ROWS + 2 || chart->n == 0)
		return false;
	f.label_rows = 2 + (c->rows >= ROWS_FOR_BUCKETS && chart->resolution > 0);
	if (c->rows >= ROWS_FOR_PEAKS)
		f.peak_rows = (p->peaks[SIDE_BEFORE] != NULL) + (p->peaks[SIDE_AFTER] != NULL);
	f.top = f.peak_rows;
	f.rows = c->rows - f.peak_rows - f.label_rows;
	f.width = (unsigned)((c->cols - PLOT_GUTTER) / chart->n);
	f.width = f.width > 0 ? f.width : 1;
	set_axis(&f, p, range);
	*ret = f;
	return true;
}

double frame_part(const struct frame *f, double v)
{
	switch (f->axis) {
	case AXIS_LOGARITHMIC:
		return v > 0 ? (log10(v) - f->from) / (f->to - f->from) : 0;
	case AXIS_SYMMETRIC:
		return copysign(log1p(fabs(v)) / log1p(f->to), v);
	case AXIS_LINEAR:
	case AXIS_SHARE:
		break;
	}
	return v / f->to;
}

/* --- the axis on the left ------------------------------------------------------------- */

/* Counts on an axis: "12", "3k", "1.5M". */
static void put_short_count(struct out *o, double v)
{
	static const char *const suffix[] = { "", "k", "M", "G", "T" };
	size_t i = 0;

	for (; fabs(v) >= 999.5 && i + 1 < COUNT_OF(suffix); i++)
		v /= 1000;
	out_digits(o, v, fabs(v) < 1 ? 1 : fabs(v) < 10 ? 2 : 3);
	out_text(o, suffix[i]);
}

static void value_label(const struct frame *f, unsigned row, double v)
{
	struct out *o = out_to_memory();

	if (f->axis == AXIS_SHARE)
		quantity_percent(o, v);
	else if (f->chart->weight == WEIGH_LATENCY)
		quantity_latency(o, v, f->chart->scale);
	else
		put_short_count(o, v);
	canvas_right(f->canvas, f->top + row, PLOT_GUTTER - 1, FACE_DIM, out_memory(o));
	canvas_fill(f->canvas, f->top + row, PLOT_GUTTER - 1, 1, FACE_DIM,
		    f->canvas->glyphs->side_tick);
	out_free(o);
}

/* Returns the row in which a bar of value v ends. */
static unsigned row_of(const struct frame *f, double v)
{
	double height = frame_part(f, v) * f->rows;
	unsigned rows = height < 1 ? 1 : height > f->rows ? f->rows : (unsigned)lround(height);

	return f->rows - (rows > 0 ? rows : 1);
}

/* Labels powers of ten: every one, or fewer if they do not fit. */
static void label_decades(const struct frame *f)
{
	double decades = f->to - f->from;
	int step = decades > f->rows ? 3 : decades * 2 > f->rows ? 2 : 1, d;
	unsigned last = f->rows + 1;

	for (d = (int)ceil(f->from - 1e-9); d <= (int)floor(f->to + 1e-9); d += step) {
		unsigned row = row_of(f, pow(10, d));

		if (row < last)
			value_label(f, row, pow(10, d));
		last = row;
	}
	if (last > 1 && f->rows > 2)
		value_label(f, 0, pow(10, f->to));
}

static void label_values(const struct frame *f)
{
	unsigned middle = f->rows / 2;

	for (unsigned row = 0; row < f->rows; row++)
		canvas_fill(f->canvas, f->top + row, PLOT_GUTTER - 1, 1, FACE_DIM,
			    f->canvas->glyphs->vertical);
	switch (f->axis) {
	case AXIS_LOGARITHMIC:
		label_decades(f);
		break;
	case AXIS_SYMMETRIC:
		value_label(f, 0, f->to);
		value_label(f, middle, 0);
		value_label(f, f->rows - 1, -f->to);
		break;
	case AXIS_LINEAR:
	case AXIS_SHARE:
		value_label(f, 0, f->to);
		if (f->rows >= 4)
			value_label(f, row_of(f, f->to / 2), f->to / 2);
		break;
	}
}

/* --- the axis below ------------------------------------------------------------------- */

static double low_edge(const struct chart *c, size_t k)
{
	/* The bucket that contains zero begins at its lower edge. */
	if (c->column[k].low <= 0 && c->column[k].high > c->column[k].low)
		return c->column[k].low;
	return exp2(c->from + (double)k * c->step);
}

/* Returns the number of columns from one label to the next; the leftmost column has one. */
static size_t label_every(const struct frame *f)
{
	return (LABEL_WIDTH + f->width - 1) / f->width;
}

static void label_times(const struct frame *f)
{
	unsigned row = f->top + f->rows;
	struct out *o = out_to_memory();
	size_t every = label_every(f);

	canvas_fill(f->canvas, row, PLOT_GUTTER - 1, 1, FACE_DIM, f->canvas->glyphs->corner);
	canvas_fill(f->canvas, row, f->left, (unsigned)f->chart->n * f->width, FACE_DIM,
		    f->canvas->glyphs->horizontal);
	for (size_t k = 0; k < f->chart->n; k += every) {
		unsigned col = f->left + (unsigned)k * f->width;

		out_reset(o);
		quantity_latency(o, low_edge(f->chart, k), f->chart->scale);
		canvas_fill(f->canvas, row, col, 1, FACE_DIM, f->canvas->glyphs->tick);
		if (col + text_width(out_memory(o)) <= f->canvas->cols)
			canvas_text(f->canvas, row + 1, col, FACE_PLAIN, out_memory(o));
	}
	out_free(o);
}

static void label_buckets(const struct frame *f)
{
	unsigned row = f->top + f->rows + 2;
	size_t every = label_every(f);

	canvas_text(f->canvas, row, 0, FACE_DIM, STR("bucket"));
	for (size_t k = 0; k < f->chart->n; k += every) {
		double position = f->chart->from + (double)k * f->chart->step;

		canvas_printf(f->canvas, row, f->left + (unsigned)k * f->width, FACE_DIM, "%.0f",
			      floor(position * f->chart->resolution + 1e-6));
	}
}

static void mark_cursor(const struct frame *f, size_t cursor)
{
	if (cursor >= f->chart->n)
		return;
	for (unsigned i = 0; i < f->width; i++)
		canvas_fill(f->canvas, f->top + f->rows, f->left + (unsigned)cursor * f->width + i,
			    1, FACE_KEY, f->canvas->glyphs->cursor);
}

/* --- peaks ----------------------------------------------------------------------------- */

static unsigned column_at(const struct frame *f, double latency)
{
	double at = floor(chart_at(f->chart, latency) + 1e-9), last = (double)f->chart->n - 1;

	return f->left + (unsigned)(fmin(fmax(at, 0), last)) * f->width;
}

static bool is_seen(const struct frame *f, double low, double high)
{
	return chart_at(f->chart, high) > 0.5 &&
	       (low <= 0 || chart_at(f->chart, low) < (double)f->chart->n);
}

/* Draws "├─2─┤" across the middle 90 % of a peak's calls. */
static void draw_peak(const struct frame *f, unsigned row, enum face face, size_t number,
		      double low, double high)
{
	unsigned from = column_at(f, low), to = column_at(f, high * (1 - 1e-9)) + f->width - 1;
	unsigned middle;

	if (isinf(high))
		to = f->left + (unsigned)f->chart->n * f->width - 1;
	middle = from + (to - from) / 2;
	if (to > from + 1) {
		canvas_fill(f->canvas, row, from, to - from + 1, face,
			    f->canvas->glyphs->horizontal);
		canvas_fill(f->canvas, row, from, 1, face, f->canvas->glyphs->left_end);
		canvas_fill(f->canvas, row, to, 1, face, f->canvas->glyphs->right_end);
	}
	canvas_printf(f->canvas, row, middle, face, "%zu", number);
}

static void draw_peaks(const struct frame *f, const struct plot *p)
{
	unsigned row = 0;

	for (int side = 0; side < N_SIDES && f->peak_rows > 0; side++) {
		const struct peaks *peaks = p->peaks[side];

		if (peaks == NULL)
			continue;
		canvas_text(f->canvas, row, 0, FACE_DIM,
			    f->peak_rows == 1	  ? STR("peaks")
			    : side == SIDE_BEFORE ? STR("before")
						  : STR("after"));
		for (size_t i = 0; i < peaks->n; i++) {
			const struct peak *at = &peaks->v[i];

			if (is_seen(f, at->core_low, at->core_high))
				draw_peak(f, row, side == SIDE_AFTER ? FACE_AFTER : FACE_BEFORE,
					  i + 1, at->core_low, at->core_high);
		}
		row++;
	}
}

void frame_draw(const struct frame *f, const struct plot *p)
{
	label_values(f);
	label_times(f);
	if (f->label_rows > 2)
		label_buckets(f);
	draw_peaks(f, p);
	mark_cursor(f, p->cursor);
}
