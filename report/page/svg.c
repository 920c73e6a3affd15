/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/svg.h"

#include <math.h>

#include "analyze/peaks.h"
#include "base/attr.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/octaves.h"

enum {
	WIDTH = 760,
	HEIGHT = 232,
	LEFT = 84,
	RIGHT = WIDTH - 36,
	TOP = 40,
	BOTTOM = 190,
	ROW_BEFORE = 10, /* rows of the peak marks of each side */
	ROW_AFTER = 26,
	ROW_LATENCY = 206,
	ROW_BUCKET = 222,
	ROOM_FOR_LABEL = 74,
	MAX_BUCKETS = 512, /* more buckets are merged for drawing */
	DRAWN_RESOLUTION = 8,
};

/* The ranges of the axes: octaves of latency, decades of calls. */
struct frame {
	struct octaves at;
	double from, to; /* ends of the latency axis */
	double decades;
};

static const double below_one = 0.3; /* decades below 1, so that a single call is visible */

/* --- layout ------------------------------------------------------------------------------ */

/* A histogram with the runs that are added up in it. */
struct drawn {
	const struct histogram *hist;
	double n_runs;
};

static double calls_of(const struct drawn *d, const struct bucket *b)
{
	return (double)b->count / d->n_runs;
}

static double max_decades(const struct drawn *d, double min)
{
	const struct histogram *h = d->hist;

	for (size_t i = 0; h != NULL && i < h->n; i++)
		min = fmax(min, log10(calls_of(d, &h->bucket[i])));
	return min;
}

static struct frame frame_around(const struct drawn *before, const struct drawn *after)
{
	const struct histogram *const both[] = { before->hist, after->hist };
	struct frame f = { .at = octaves_around(both, COUNT_OF(both)),
			   .decades = max_decades(after, max_decades(before, 1)) };
	double width = f.at.to - f.at.from, margin = width < 3 ? width : 0;

	f.from = f.at.from - margin;
	f.to = f.at.to + margin;
	return f;
}

static double x_at(const struct frame *f, double octave)
{
	return LEFT + (octave - f->from) / (f->to - f->from) * (RIGHT - LEFT);
}

static double y_at(const struct frame *f, double count)
{
	return BOTTOM - (log10(count) + below_one) / (f->decades + below_one) * (BOTTOM - TOP);
}

/* --- axes --------------------------------------------------------------------------- */

static void write_coordinate(struct out *o, double v)
{
	out_f64(o, round(v * 10) / 10);
}

static void text_at(struct out *o, double x, int y, const char *anchor)
{
	out_text(o, "<text x=\"");
	write_coordinate(o, x);
	out_printf(o, "\" y=\"%d\" class=\"%s\">", y, anchor);
}

static void grid_line(struct out *o, double y)
{
	out_printf(o, "<path class=\"grid\" d=\"M%d ", LEFT);
	write_coordinate(o, y);
	out_printf(o, "H%d\"/>", RIGHT);
}

static void axis_of_calls(struct out *o, const struct frame *f, const char *label)
{
	int n = (int)f->decades, step = n / 5 + 1;

	out_text(o, "<g class=\"counts\">");
	for (int d = 0; d <= n; d++) {
		double y = y_at(f, pow(10, d));

		grid_line(o, y);
		if (d % step != 0)
			continue;
		text_at(o, LEFT - 6, (int)lround(y) + 4, "end");
		quantity_count(o, pow(10, d));
		out_text(o, "</text>");
	}
	out_text(o, "</g>");
	out_printf(o, "<text transform=\"translate(12 %d) rotate(-90)\" class=\"mid\">%s</text>",
		   (TOP + BOTTOM) / 2, label);
	out_printf(o, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, BOTTOM, RIGHT);
}

/* Bucket numbers of other schemes are internal and mean nothing to readers. */
static bool has_numbers(const struct bucket_scheme *scheme)
{
	return scheme->kind == BUCKET_LOG2;
}

static void draw_tick(struct out *o, const struct frame *f, double octave,
		      const struct bucket_scheme *scheme, struct scale scale)
{
	double x = x_at(f, octave);

	out_text(o, "<path class=\"axis\" d=\"M");
	write_coordinate(o, x);
	out_printf(o, " %dv4\"/>", BOTTOM);
	text_at(o, x, ROW_LATENCY, "mid");
	quantity_latency(o, exp2(octave), scale);
	out_text(o, "</text>");
	if (!has_numbers(scheme))
		return;
	text_at(o, x, ROW_BUCKET, "mid");
	out_printf(o, "%d</text>", bucket_find(scheme, exp2(octave)));
}

/* Labels buckets without a finite edge. */
static void label_open_ends(struct out *o, const struct frame *f)
{
	if (f->at.has_zero) {
		text_at(o, x_at(f, f->at.lowest - 0.5), ROW_LATENCY, "mid");
		out_text(o, "0</text>");
	}
	if (f->at.has_negative) {
		text_at(o, x_at(f, f->at.lowest - 1.5), ROW_LATENCY, "mid");
		out_text(o, "below</text>");
	}
	if (f->at.has_top) {
		text_at(o, x_at(f, f->at.highest + 0.5), ROW_LATENCY, "mid");
		out_text(o, "above</text>");
	}
}

static void axis_of_latency(struct out *o, const struct frame *f,
			    const struct bucket_scheme *scheme, struct scale scale)
{
	double max = (RIGHT - LEFT) / ROOM_FOR_LABEL;
	double span = f->to - f->from;
	double step = span >= 3 ? ceil(span / max) : span / 5;
	double first = span >= 3 ? ceil(fmax(f->from, f->at.lowest) / step) * step : f->at.lowest;
	double last = f->at.has_top ? f->at.highest : f->to;
	/* Edges may be too close together for a step between them. */
	double n = first + step > first ? floor((last - first) / step + 1e-9) : 0;

	for (int i = 0; i <= n; i++)
		draw_tick(o, f, first + i * step, scheme, scale);
	text_at(o, 2, ROW_LATENCY, "start");
	out_text(o, scale.unit == UNIT_PLAIN ? "value</text>" : "latency</text>");
	if (has_numbers(scheme)) {
		text_at(o, 2, ROW_BUCKET, "start");
		out_text(o, "bucket</text>");
	}
	label_open_ends(o, f);
}

/* --- the data ------------------------------------------------------------------------ */

static void draw_bars(struct out *o, const struct frame *f, const struct drawn *d,
		      const char *class_name)
{
	const struct histogram *h = d->hist;

	if (h == NULL || h->n == 0)
		return;
	out_printf(o, "<path class=\"%s\" d=\"", class_name);
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];
		double left = x_at(f, octaves_left(&f->at, b)),
		       right = x_at(f, octaves_right(&f->at, b));
		double gap = right - left > 6 ? 1 : 0;

		out_char(o, 'M');
		write_coordinate(o, left + gap);
		out_printf(o, " %dV", BOTTOM);
		write_coordinate(o, fmin(y_at(f, calls_of(d, b)), BOTTOM - 1));
		out_char(o, 'H');
		write_coordinate(o, right - gap);
		out_printf(o, "V%dz", BOTTOM);
	}
	out_text(o, "\"/>");
}

/* Prints the bars for the page's script: "left right count range|...". */
static void bar_data(struct out *o, const struct frame *f, const struct drawn *d,
		     const char *attribute, struct scale scale)
{
	const struct histogram *h = d->hist;
	struct out *range = out_to_memory();

	out_printf(o, " data-%s=\"", attribute);
	for (size_t i = 0; h != NULL && i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];

		out_text(o, i > 0 ? "|" : "");
		write_coordinate(o, x_at(f, octaves_left(&f->at, b)));
		out_char(o, ' ');
		write_coordinate(o, x_at(f, octaves_right(&f->at, b)));
		out_char(o, ' ');
		write_coordinate(o, calls_of(d, b));
		out_char(o, ' ');
		out_reset(range);
		quantity_range(range, b->edges->low, b->edges->high, scale);
		escape_html(o, out_memory(range));
	}
	out_char(o, '"');
	out_free(range);
}

static void peak_title(struct out *o, const struct peak *p, double n_runs, struct scale scale)
{
	struct out *t = out_to_memory();

	out_text(t, "peak at ");
	quantity_range(t, p->core_low, p->core_high, scale);
	out_text(t, ": ");
	quantity_count(t, (double)p->count / n_runs);
	out_text(t, n_runs > 1 ? " calls a run, " : p->count == 1 ? " call, " : " calls, ");
	quantity_percent(t, p->share);
	out_text(o, "<title>");
	escape_html(o, out_memory(t));
	out_text(o, "</title>");
	out_free(t);
}

/* Draws a line along the peak's extent, and a triangle at its mode. */
static void draw_peak(struct out *o, const struct frame *f, const struct drawn *d,
		      const struct peak *p, int row, struct scale scale)
{
	const struct histogram *h = d->hist;
	const struct bucket *mode = &h->bucket[p->mode];
	double summit = x_at(f, (octaves_left(&f->at, mode) + octaves_right(&f->at, mode)) / 2);

	out_text(o, "<g>");
	peak_title(o, p, d->n_runs, scale);
	out_text(o, "<path class=\"extent\" d=\"M");
	write_coordinate(o, x_at(f, octaves_left(&f->at, &h->bucket[p->first])) + 1);
	out_printf(o, " %dH", row);
	write_coordinate(o, x_at(f, octaves_right(&f->at, &h->bucket[p->last])) - 1);
	out_text(o, "\"/><path class=\"summit\" d=\"M");
	write_coordinate(o, summit - 5);
	out_printf(o, " %dh10l-5 9z\"/></g>", row - 5);
}

static void peak_row(struct out *o, const struct frame *f, const struct drawn *d,
		     const struct peaks *peaks, int row, bool before, struct scale scale)
{
	out_printf(o, "<g class=\"%s\">", before ? "pb" : "pa");
	text_at(o, 2, row + 4, "start");
	out_printf(o, "%s</text><rect class=\"%s\" x=\"50\" y=\"%d\" width=\"20\" height=\"10\"/>",
		   before ? "before" : "after", before ? "b" : "a", row - 5);
	for (size_t i = 0; d->hist != NULL && i < peaks->n; i++)
		draw_peak(o, f, d, &peaks->v[i], row, scale);
	out_text(o, "</g>");
}

static const struct histogram *drawable_buckets(struct arena *a, const struct histogram *h,
						struct histogram *room)
{
	struct bucket_scheme coarse = bucket_log2(DRAWN_RESOLUTION);

	if (h == NULL || h->n <= MAX_BUCKETS)
		return h;
	*room = histogram_rebin_split(a, h, &coarse);
	return room;
}

void svg_definitions(struct out *o)
{
	out_text(o, "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
		    "<pattern id=\"hatch\" width=\"5\" height=\"5\" "
		    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
		    "<path class=\"stripe\" d=\"M0 0V5\"/></pattern></defs></svg>\n");
}

void svg_histograms(struct out *o, struct arena *a, const struct drawing *d)
{
	struct histogram room[2];
	double n_before = (double)d->n_before, n_after = (double)d->n_after;
	struct drawn before = { drawable_buckets(a, d->before, &room[0]), n_before };
	struct drawn after = { drawable_buckets(a, d->after, &room[1]), n_after };
	const struct histogram *named =
		d->before != NULL && d->before->n > 0 ? d->before : d->after;
	struct frame f = frame_around(&before, &after);

	out_printf(o,
		   "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"histograms before and "
		   "after, calls over latency, both logarithmic\" data-left=\"%d\" "
		   "data-top=\"%d\" data-bottom=\"%d\"",
		   WIDTH, HEIGHT, LEFT, TOP, BOTTOM);
	bar_data(o, &f, &before, "b", d->scale);
	bar_data(o, &f, &after, "a", d->scale);
	out_char(o, '>');
	axis_of_calls(o, &f, n_before > 1 || n_after > 1 ? "calls a run" : "calls");
	axis_of_latency(o, &f, named->scheme, d->scale);
	draw_bars(o, &f, &before, "b");
	draw_bars(o, &f, &after, "a");
	peak_row(o, &f, &(struct drawn){ d->before, n_before }, d->peaks_before, ROW_BEFORE, true,
		 d->scale);
	peak_row(o, &f, &(struct drawn){ d->after, n_after }, d->peaks_after, ROW_AFTER, false,
		 d->scale);
	out_text(o, "</svg>\n");
}
