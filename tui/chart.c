/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/chart.h"

#include <math.h>

#include "base/arena.h"

/* RESOLUTION_OF_OTHERS: columns per octave for schemes without a resolution. */
enum { RESOLUTION_OF_OTHERS = 4, MAX_ZOOM = 12 };

/* A histogram to be added to a chart. */
struct source {
	const struct histogram *hist;
	double scale;  /* factor for its latencies */
	double weight; /* factor for its counts */
};

static bool is_logarithmic(const struct bucket_scheme *s)
{
	return s->kind == BUCKET_LOG2 || s->kind == BUCKET_LOG_LINEAR;
}

static double place_of(const struct source *s, const struct bucket *b)
{
	return bucket_position(s->hist->scheme, b->edges->index) + log2(s->scale);
}

static double width_of(const struct histogram *h)
{
	return 1.0 / (is_logarithmic(h->scheme) ? h->scheme->resolution : RESOLUTION_OF_OTHERS);
}

static void measure_source(struct chart *c, const struct source *s)
{
	double width;

	if (s->hist == NULL || s->hist->n == 0)
		return;
	width = width_of(s->hist);
	c->step = fmin(c->step, width);
	c->all_from = fmin(c->all_from, place_of(s, &s->hist->bucket[0]));
	c->all_to = fmax(c->all_to, place_of(s, &s->hist->bucket[s->hist->n - 1]) + width);
	if (s->hist->scheme->kind != BUCKET_LOG2 || s->scale != 1)
		c->resolution = 0;
	else if (c->resolution != 0)
		c->resolution = (int)s->hist->scheme->resolution;
}

/* Sets the visible range, and a step that gives at most `most` columns. */
static void look_at(struct chart *c, struct zoom zoom, size_t max)
{
	int level = zoom.level < MAX_ZOOM ? zoom.level : MAX_ZOOM;
	double span = c->all_to - c->all_from, from = c->all_from, finest = c->step;

	if (level > 0) {
		span = fmax(ldexp(span, -level), finest);
		from = fmax(fmin(zoom.centre - span / 2, c->all_to - span), c->all_from);
	} else if (level < 0) {
		c->step = ldexp(finest, level > -MAX_ZOOM ? -level : MAX_ZOOM);
	}
	while (max > 0 && span / c->step > (double)max)
		c->step *= 2;
	c->from = floor(from / c->step + 1e-9) * c->step;
	c->n = (size_t)ceil((from + span - c->from) / c->step - 1e-9);
	if (c->n > max)
		c->n = max;
}

static double bucket_amount(const struct chart *c, const struct source *s, const struct bucket *b)
{
	double latency = c->weight == WEIGH_LATENCY ? bucket_middle(b) * s->scale : 1;

	return (double)b->count * s->weight * latency;
}

/* Finds the column in which a bucket begins; false when it is not visible. */
static bool column_of(const struct chart *c, const struct source *s, const struct bucket *b,
		      size_t *ret)
{
	double at = floor((place_of(s, b) - c->from) / c->step + 1e-9);

	if (!(at >= 0 && at < (double)c->n))
		return false;
	*ret = (size_t)at;
	return true;
}

static void add_source(struct chart *c, enum side side, const struct source *s)
{
	size_t k;

	for (size_t i = 0; s->hist != NULL && i < s->hist->n; i++) {
		const struct bucket *b = &s->hist->bucket[i];

		if (!column_of(c, s, b, &k))
			continue;
		c->column[k].value[side] += bucket_amount(c, s, b);
		c->column[k].low = fmin(c->column[k].low, b->edges->low * s->scale);
		c->column[k].high = fmax(c->column[k].high, b->edges->high * s->scale);
	}
}

/* Widens the band to include one of the repeated runs. */
static void add_to_band(struct chart *c, enum side side, const struct source *s, double *room)
{
	size_t k;

	for (k = 0; k < c->n; k++)
		room[k] = 0;
	for (size_t i = 0; s->hist != NULL && i < s->hist->n; i++) {
		if (column_of(c, s, &s->hist->bucket[i], &k))
			room[k] += bucket_amount(c, s, &s->hist->bucket[i]);
	}
	for (k = 0; k < c->n; k++) {
		c->column[k].min[side] = fmin(c->column[k].min[side], room[k]);
		c->column[k].max[side] = fmax(c->column[k].max[side], room[k]);
	}
}

static void add_band(struct arena *a, struct chart *c, enum side side, const struct runs_side *runs,
		     const struct operation *op, double scale)
{
	double *room = arena_make(a, double, c->n);

	c->banded[side] = true;
	for (size_t k = 0; k < c->n; k++)
		c->column[k].min[side] = HUGE_VAL;
	for (size_t i = 0; i < runs->n; i++) {
		const struct operation *single = operation_in(runs->run[i], op);
		struct source s = { single != NULL ? &single->hist : NULL, scale, 1 };

		add_to_band(c, side, &s, room);
	}
}

static void make_columns(struct arena *a, struct chart *c)
{
	c->column = arena_make(a, struct chart_column, c->n);
	for (size_t k = 0; k < c->n; k++)
		c->column[k] = (struct chart_column){ .low = HUGE_VAL, .high = -HUGE_VAL };
}

/* Sets the edges of columns without calls. */
static void finish_columns(struct chart *c)
{
	for (size_t k = 0; k < c->n; k++) {
		if (c->column[k].low <= c->column[k].high)
			continue;
		c->column[k].low = exp2(c->from + (double)k * c->step);
		c->column[k].high = exp2(c->from + (double)(k + 1) * c->step);
	}
}

/* Finds the histograms of an item's chart, and its range. */
static struct chart measure_item(const struct study *s, const struct item *i,
				 const struct histogram *const slice[N_SIDES],
				 struct source source[N_SIDES])
{
	const struct operation *op[N_SIDES] = { i->before, i->after };
	const struct run *run[N_SIDES] = { &s->browsed.before, &s->browsed.after };
	struct chart c = { .step = 1,
			   .all_from = HUGE_VAL,
			   .all_to = -HUGE_VAL,
			   .resolution = 1,
			   .scale = item_scale(s, i) };

	for (int side = 0; side < N_SIDES; side++) {
		double scale = side == SIDE_AFTER ? item_scale_after(i) : 1;

		if (op[side] != NULL)
			source[side] = (struct source){ &op[side]->hist, scale,
							1.0 / (double)run[side]->n_runs };
		if (slice != NULL)
			source[side] = (struct source){ slice[side], scale, 1 };
		measure_source(&c, &source[side]);
		c.has[side] = source[side].hist != NULL && source[side].hist->n > 0;
		c.count[side] = c.has[side] ? (double)source[side].hist->count : 0;
	}
	return c;
}

void chart_share_axis(const struct study *s, const struct item *i,
		      const struct histogram *const slice[N_SIDES], struct zoom *zoom)
{
	struct source source[N_SIDES] = { 0 };
	struct chart c = measure_item(s, i, slice, source);
	bool first = !(zoom->from < zoom->to);

	if (!c.has[SIDE_BEFORE] && !c.has[SIDE_AFTER])
		return;
	zoom->from = first ? c.all_from : fmin(zoom->from, c.all_from);
	zoom->to = first ? c.all_to : fmax(zoom->to, c.all_to);
}

struct chart chart_of(struct arena *a, const struct study *s, const struct item *i,
		      const struct histogram *const slice[N_SIDES], enum weight weight,
		      struct zoom zoom, size_t max)
{
	const struct operation *op[N_SIDES] = { i->before, i->after };
	const struct runs_side *runs[N_SIDES] = { &s->browsed.runs_before, &s->browsed.runs_after };
	struct source source[N_SIDES] = { 0 };
	struct chart c = measure_item(s, i, slice, source);

	c.weight = weight;
	if (!c.has[SIDE_BEFORE] && !c.has[SIDE_AFTER])
		return c;
	if (zoom.from < zoom.to) {
		c.all_from = fmin(c.all_from, zoom.from);
		c.all_to = fmax(c.all_to, zoom.to);
	}
	look_at(&c, zoom, max);
	make_columns(a, &c);
	for (int side = 0; side < N_SIDES; side++) {
		add_source(&c, (enum side)side, &source[side]);
		if (slice == NULL && op[side] != NULL && runs[side]->n > 1)
			add_band(a, &c, (enum side)side, runs[side], op[side], source[side].scale);
	}
	finish_columns(&c);
	return c;
}

double chart_at(const struct chart *c, double latency)
{
	return latency > 0 ? (log2(latency) - c->from) / c->step : 0;
}

double quantile_position(const struct histogram *h, double q)
{
	double wanted = q * (double)h->count, seen = 0, width = width_of(h);

	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];
		double part = (wanted - seen) / (double)b->count;

		seen += (double)b->count;
		if (seen >= wanted)
			return bucket_position(h->scheme, b->edges->index) +
			       width * fmin(fmax(part, 0), 1);
	}
	return NAN;
}
