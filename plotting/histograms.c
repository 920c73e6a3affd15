/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars over buckets: calls (OSprof figures 1, 3, 6, 7, 10), latency (FSprof figure 2), and the
 * difference between two runs. */
#include <math.h>
#include <stdlib.h>

#include "analyze/align.h"
#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

/* Parts of the height above the bars: of a margin, and of a row of peaks. */
static const double head_of_bars = 0.04, head_of_peaks = 0.12;

/* The quantity that the height of a bar shows. */
enum height { HEIGHT_CALLS, HEIGHT_SHARE, HEIGHT_LATENCY };

/* Runs whose sizes differ by more are compared by shares of their calls. */
static const double max_ratio_of_counts = 2;

/* The state of building the panels. */
struct drawing {
	struct arena *a;
	const struct subject *s;
	const struct frame *f;
	enum height height;
	double min, max;   /* range of heights other than 0 */
	size_t n_unmarked; /* peaks without a mark */
};

/* Returns the height of a bucket's bar.  `h` holds the calls of n_runs runs. */
static double height_of(const struct drawing *d, const struct histogram *h, const struct bucket *b,
			size_t n_runs)
{
	double count = (double)b->count / (double)n_runs;

	if (d->height == HEIGHT_SHARE)
		return 100 * (double)b->count / (double)h->count;
	return d->height == HEIGHT_CALLS ? count : count * bucket_middle(b);
}

static void widen_heights(struct drawing *d, double height)
{
	if (height > 0)
		d->min = fmin(d->min, height);
	d->max = fmax(d->max, height);
}

/* With two runs, the second has narrow bars in front of the wide ones of the first.  With more,
 * bars are side by side. */
static void place_bars(struct series *bars, size_t run, size_t n_runs)
{
	bars->from = n_runs < 3 ? 0.22 * (double)run : 0.04 + 0.92 * (double)run / (double)n_runs;
	bars->to = n_runs < 3 ? 1 - 0.22 * (double)run
			      : 0.04 + 0.92 * (double)(run + 1) / (double)n_runs;
	if (n_runs < 3 && run == 0) {
		bars->from = 0.04;
		bars->to = 0.96;
	}
}

static struct series bars_of(struct drawing *d, const struct plotted_op *op, size_t run)
{
	const struct plotted_run *r = &d->s->run[run];
	struct histogram h = plotted_histogram(d->a, d->s, op, run);
	struct series s = { .name = "run",
			    .title = d->s->n_runs > 1 || r->n_single > 1 ? r->title : STR(""),
			    .columns = d->height == HEIGHT_CALLS   ? "low high calls"
				       : d->height == HEIGHT_SHARE ? "low high percent"
								   : "low high latency",
			    .shape = SHAPE_BARS,
			    .colour = colour_of_run(run),
			    .n_rows = h.n };

	place_bars(&s, run, d->s->n_runs);
	s.cell = arena_make(d->a, double, 3 * h.n);
	for (size_t i = 0; i < h.n; i++) {
		double *row = s.cell + 3 * i;

		row[0] = frame_left(d->f, &h.bucket[i]);
		row[1] = frame_right(d->f, &h.bucket[i]);
		row[2] = height_of(d, &h, &h.bucket[i], r->n_single);
		widen_heights(d, row[2]);
	}
	return s;
}

/* --- repeated runs as a band ------------------------------------------------------------- */

static double height_at(const struct drawing *d, const struct histogram *h, int index)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (h->bucket[mid].edges->index < index)
			low = mid + 1;
		else
			high = mid;
	}
	return low < h->n && h->bucket[low].edges->index == index
		       ? height_of(d, h, &h->bucket[low], 1)
		       : 0;
}

/* Returns the band from the lowest to the highest of the repeated runs in each bucket. */
static struct series band_of(struct drawing *d, const struct plotted_op *op, size_t run,
			     const struct series *bars)
{
	const struct plotted_run *r = &d->s->run[run];
	struct histogram sum = plotted_histogram(d->a, d->s, op, run);
	struct histogram *single = plotted_singles(d->a, d->s, op, run);
	struct series s = { .name = "spread",
			    .columns = "low high least most",
			    .shape = SHAPE_BAND,
			    .colour = bars->colour };
	double width = bars->to - bars->from;

	s.from = bars->from + 0.35 * width;
	s.to = bars->to - 0.35 * width;

	s.cell = arena_make(d->a, double, 4 * sum.n);
	for (size_t i = 0; i < sum.n; i++) {
		double *row = s.cell + 4 * s.n_rows;

		row[0] = frame_left(d->f, &sum.bucket[i]);
		row[1] = frame_right(d->f, &sum.bucket[i]);
		row[2] = HUGE_VAL;
		row[3] = 0;
		for (size_t k = 0; k < r->n_single; k++) {
			double height = height_at(d, &single[k], sum.bucket[i].edges->index);

			row[2] = fmin(row[2], height);
			row[3] = fmax(row[3], height);
		}
		widen_heights(d, row[3]);
		s.n_rows += row[3] > row[2];
	}
	return s;
}

/* There is no band for repeated runs that were converted to another scheme to be added up, because
 * they do not share buckets. */
static bool has_band(const struct drawing *d, const struct plotted_op *op, size_t run)
{
	const struct plotted_run *r = &d->s->run[run];
	struct histogram sum = plotted_histogram(d->a, d->s, op, run), *single;

	if (r->n_single < 2)
		return false;
	single = plotted_singles(d->a, d->s, op, run);
	for (size_t i = 0; i < r->n_single; i++) {
		if (single[i].n > 0 && !bucket_scheme_eq(single[i].scheme, sum.scheme))
			return false;
	}
	return true;
}

/* --- peaks ----------------------------------------------------------------------------------- */

/* MAX_MARKED: marked peaks of one run in a panel; more would overlap. */
enum { MAX_MARKED = 40 };

static int by_calls(const void *pa, const void *pb)
{
	const struct peak *a = *(const struct peak *const *)pa,
			  *b = *(const struct peak *const *)pb;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int by_latency(const void *pa, const void *pb)
{
	const struct peak *a = *(const struct peak *const *)pa,
			  *b = *(const struct peak *const *)pb;

	return (a->first > b->first) - (a->first < b->first);
}

/* Returns the peaks with the most calls, by latency. */
static const struct peak **marked_of(struct arena *a, const struct peaks *all, size_t *ret_n)
{
	const struct peak **v = arena_make(a, const struct peak *, all->n);

	for (size_t i = 0; i < all->n; i++)
		v[i] = &all->v[i];
	*ret_n = all->n < MAX_MARKED ? all->n : MAX_MARKED;
	if (*ret_n < all->n) {
		qsort((void *)v, all->n, sizeof(*v), by_calls);
		qsort((void *)v, *ret_n, sizeof(*v), by_latency);
	}
	return v;
}

static struct mark mark_of(const struct drawing *d, const struct histogram *h, const struct peak *k,
			   size_t run)
{
	const struct bucket *mode = &h->bucket[k->mode];
	struct mark m = { .shape = MARK_PEAK, .colour = colour_of_run(run) };
	struct out *words = out_to_memory();

	m.at = sqrt(frame_left(d->f, mode) * frame_right(d->f, mode));
	m.low = frame_left(d->f, &h->bucket[k->first]);
	m.high = frame_right(d->f, &h->bucket[k->last]);
	m.height = (double)run;
	quantity_percent(words, k->share);
	m.words = arena_str(d->a, out_memory(words));
	out_free(words);
	return m;
}

static void mark_peaks(struct drawing *d, struct panel *p, const struct plotted_op *op, size_t run)
{
	struct histogram h = plotted_histogram(d->a, d->s, op, run);
	struct peaks peaks = peaks_find(d->a, &h, &peak_rules_default);
	size_t n;
	const struct peak **marked = marked_of(d->a, &peaks, &n);

	for (size_t i = 0; i < n; i++)
		p->mark[p->n_marks++] = mark_of(d, &h, marked[i], run);
	d->n_unmarked += peaks.n - n;
}

/* Peaks of three or more runs would clutter the figure. */
static bool marks_peaks(const struct drawing *d)
{
	return d->height != HEIGHT_LATENCY && d->s->n_runs < 3;
}

/* --- the panel --------------------------------------------------------------------------- */

static struct panel panel_of_bars(struct drawing *d, const struct plotted_op *op)
{
	const struct subject *s = d->s;
	struct panel p = panel_of(d->a, op);

	p.x = axis_of_buckets(d->a, d->f);
	p.above = axis_above_buckets(d->a, d->f);
	p.series = arena_make(d->a, struct series, 2 * s->n_runs);
	p.mark = arena_make(d->a, struct mark, s->n_runs * MAX_MARKED);
	for (size_t r = 0; r < s->n_runs; r++) {
		if (op->of[r] == NULL || op->of[r]->hist.n == 0)
			continue;
		p.series[p.n_series++] = bars_of(d, op, r);
		if (has_band(d, op, r)) {
			p.series[p.n_series] = band_of(d, op, r, &p.series[p.n_series - 1]);
			p.n_series++;
		}
		if (marks_peaks(d))
			mark_peaks(d, &p, op, r);
	}
	p.has_key = s->n_runs > 1;
	if (p.n_series == 0)
		p.empty = STR("no calls in buckets");
	return p;
}

static double head_of(const struct drawing *d)
{
	return head_of_bars + (marks_peaks(d) ? head_of_peaks * (double)d->s->n_runs : 0);
}

static struct axis axis_of_heights(const struct drawing *d)
{
	if (d->height == HEIGHT_LATENCY)
		return axis_of_quantity(d->a,
					any_repeated(d->s) ? STR("total latency a run")
							   : STR("total latency"),
					0, d->max, head_of_bars, &d->f->measure);
	if (d->height == HEIGHT_SHARE)
		return axis_of_shares(d->a, STR("share of the calls"), fmin(d->min, 1), d->max,
				      head_of(d));
	return axis_of_counts(d->a, any_repeated(d->s) ? STR("calls a run") : STR("calls"),
			      fmin(d->min, 1), d->max, head_of(d));
}

static struct figure figure_of_bars(struct arena *a, const struct subject *s, enum height height)
{
	struct frame f = plotted_frame(a, s);
	struct drawing d = { .a = a, .s = s, .f = &f, .height = height, .min = HUGE_VAL };
	struct figure figure = { .n_panels = s->n_ops,
				 .n_across = columns_for_panels(s->n_ops),
				 .shared_x = true };
	struct axis y;

	figure.panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++)
		figure.panel[i] = panel_of_bars(&d, &s->op[i]);
	figure.n_unmarked = d.n_unmarked;
	y = axis_of_heights(&d);
	for (size_t i = 0; i < s->n_ops; i++) {
		figure.panel[i].y = y;
		limit_axes(&figure.panel[i], s);
	}
	return figure;
}

/* Whether some operation has many more calls in one run than in another. */
static bool sizes_differ(const struct subject *s)
{
	for (size_t i = 0; i < s->n_ops; i++) {
		double min = HUGE_VAL, max = 0;

		for (size_t r = 0; r < s->n_runs; r++) {
			double calls;

			if (s->op[i].of[r] == NULL || s->op[i].of[r]->hist.count == 0)
				continue;
			calls = (double)s->op[i].of[r]->hist.count / (double)s->run[r].n_single;
			min = fmin(min, calls);
			max = fmax(max, calls);
		}
		if (max > max_ratio_of_counts * min)
			return true;
	}
	return false;
}

/* Explains what no key explains. */
static struct str note_of_bars(struct arena *a, const struct subject *s, bool marked)
{
	struct out *o = out_to_memory();
	struct str note;

	if (any_repeated(s))
		out_text(o, "Bars: mean of the runs; thin: from the lowest to the highest run. ");
	if (marked)
		out_text(o, "Triangles: peaks, with their extent and share of the calls.");
	note = arena_str(a, out_memory(o));
	out_free(o);
	return note;
}

bool figure_histogram(struct arena *a, const struct subject *s, struct figure *ret)
{
	bool share = s->share || (s->n_runs > 1 && sizes_differ(s));

	*ret = figure_of_bars(a, s, share ? HEIGHT_SHARE : HEIGHT_CALLS);
	ret->note = note_of_bars(a, s, s->n_runs < 3);
	ret->caption = s->n_runs > 1
			       ? STR("Calls by latency, both on logarithmic scales. Above, each "
				     "peak's extent and its share of the calls.")
			       : STR("Calls by latency, both on logarithmic scales. Above, the "
				     "peaks and their shares of the calls.");
	return true;
}

bool figure_latency(struct arena *a, const struct subject *s, struct figure *ret)
{
	*ret = figure_of_bars(a, s, HEIGHT_LATENCY);
	ret->note = note_of_bars(a, s, false);
	ret->caption = STR("Total latency by the latency of calls: calls times the middle of the "
			   "bucket's edges.");
	return true;
}

/* --- the difference of two runs ------------------------------------------------------------ */

static struct series side_of_difference(struct arena *a, const struct frame *f,
					const struct aligned *al, const struct histogram *grid,
					bool after, double *max)
{
	struct series s = { .name = after ? "more_after" : "more_before",
			    .title = after ? STR("more after") : STR("more before"),
			    .columns = "low high points",
			    .shape = SHAPE_BARS,
			    .colour = after ? COLOUR_SECOND : COLOUR_FIRST,
			    .from = 0.04,
			    .to = 0.96 };

	s.cell = arena_make(a, double, 3 * al->n);
	for (size_t i = 0; i < al->n; i++) {
		double *row = s.cell + 3 * s.n_rows, points = -100 * al->diff[i];

		if (after ? points <= 0 : points >= 0)
			continue;
		row[0] = frame_left(f, &grid->bucket[i]);
		row[1] = frame_right(f, &grid->bucket[i]);
		row[2] = points;
		*max = fmax(*max, fabs(points));
		s.n_rows++;
	}
	return s;
}

/* Returns the cells of an aligned pair as a histogram. */
static struct histogram grid_of(struct arena *a, const struct histogram *before,
				const struct histogram *after, const struct aligned *al)
{
	double *edges = arena_make(a, double, before->scheme->n_edges + after->scheme->n_edges + 2);
	struct bucket_scheme *common = arena_make(a, struct bucket_scheme, 1);
	struct histogram grid = { .scheme = common, .n = al->n };

	(void)bucket_scheme_common(before->scheme, after->scheme, edges, common);
	if (before->n == 0 || after->n == 0)
		grid.scheme = before->n > 0 ? before->scheme : after->scheme;
	grid.bucket = arena_make(a, struct bucket, al->n);
	for (size_t i = 0; i < al->n; i++)
		grid.bucket[i].edges = edges_make(a, grid.scheme, al->index[i]);
	return grid;
}

static struct panel panel_of_difference(struct arena *a, const struct subject *s,
					const struct frame *f, const struct plotted_op *op,
					double *max)
{
	struct histogram before = plotted_histogram(a, s, op, 0);
	struct histogram after = plotted_histogram(a, s, op, 1), grid;
	struct panel p = panel_of(a, op);
	struct aligned al;

	p.x = axis_of_buckets(a, f);
	p.above = axis_above_buckets(a, f);
	p.has_key = true;
	if (before.n == 0 || after.n == 0) {
		p.empty = before.n > 0 ? STR("no calls after") : STR("no calls before");
		return p;
	}
	aligned_init(&al);
	align(&al, &before, &after, 1);
	grid = grid_of(a, &before, &after, &al);
	p.series = arena_make(a, struct series, 2);
	p.series[0] = side_of_difference(a, f, &al, &grid, false, max);
	p.series[1] = side_of_difference(a, f, &al, &grid, true, max);
	p.n_series = 2;
	if (p.series[0].n_rows + p.series[1].n_rows == 0)
		p.empty = STR("no difference");
	aligned_release(&al);
	return p;
}

bool figure_difference(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct frame f = plotted_frame(a, s);
	struct axis y;
	double max = 0;

	*ret = (struct figure){ .n_panels = s->n_ops,
				.n_across = columns_for_panels(s->n_ops),
				.shared_x = true };
	ret->panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++)
		ret->panel[i] = panel_of_difference(a, s, &f, &s->op[i], &max);
	y = axis_of_numbers(a, STR("change of share"), -max, max, head_of_bars, " %");
	for (size_t i = 0; i < s->n_ops; i++) {
		ret->panel[i].y = y;
		limit_axes(&ret->panel[i], s);
	}
	ret->note =
		STR("Up: calls came to this latency; down: they left it. In percentage points of "
		    "the calls.");
	ret->caption = STR("What share of the calls came to a bucket (up) or left it (down), in "
			   "percentage points.");
	return true;
}
