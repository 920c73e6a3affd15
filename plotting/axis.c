/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/axis.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/attr.h"
#include "base/out.h"

enum { LABELS_BELOW = 20, LABELS_ABOVE = 9, LABELS_OF_Y = 6 };

double frame_left(const struct frame *f, const struct bucket *b)
{
	return b->edges->low > 0 ? b->edges->low : exp2(octaves_left(&f->at, b));
}

double frame_right(const struct frame *f, const struct bucket *b)
{
	return b->edges->high > 0 && isfinite(b->edges->high) ? b->edges->high
							      : exp2(octaves_right(&f->at, b));
}

static struct str kept_text(struct arena *a, struct out *text)
{
	struct str s = arena_str(a, out_memory(text));

	out_free(text);
	return s;
}

/* Finds the factor that converts values to the unit of the labels; false when there is none. */
static bool factor_to_shown(const struct measure *m, double *ret)
{
	double from, to;

	if (m->shown == UNIT_UNKNOWN)
		return false;
	if (m->shown == m->scale.unit)
		*ret = 1;
	else if (unit_seconds(m->scale.unit, m->scale.hz, &from) &&
		 unit_seconds(m->shown, m->scale.hz, &to))
		*ret = from / to;
	else
		return false;
	return true;
}

/* Returns the factor that converts values to the unit in which labels should be round numbers. */
static double factor_to_seconds(const struct measure *m)
{
	double factor;

	return factor_to_shown(m, &factor) || unit_seconds(m->scale.unit, m->scale.hz, &factor)
		       ? factor
		       : 1;
}

/* Prints three significant digits, without an exponent up to seven digits. */
static void number_of_three_digits(struct out *text, double v)
{
	double unit = v != 0 ? pow(10, floor(log10(fabs(v))) - 2) : 1;

	out_digits(text, round(v / unit) * unit, 7);
}

static struct str latency_label(struct arena *a, double value, const struct measure *m)
{
	struct out *text = out_to_memory();
	double factor;

	if (factor_to_shown(m, &factor)) {
		number_of_three_digits(text, value * factor);
		out_printf(text, " %s", unit_name(m->shown));
	} else {
		quantity_latency(text, value, m->scale);
	}
	return kept_text(a, text);
}

static struct str number_label(struct arena *a, double value, const char *suffix)
{
	struct out *text = out_to_memory();

	if (fabs(value) >= 1e6)
		quantity_count(text, value);
	else
		out_digits(text, value, 6);
	out_text(text, suffix);
	return kept_text(a, text);
}

static void add_tick(struct axis *x, double at, struct str label)
{
	x->tick[x->n_ticks++] = (struct tick){ at, label };
}

/* --- latency --------------------------------------------------------------------------- */

static const char *word_for(const struct frame *f, const char *latency, const char *value)
{
	return f->measure.scale.unit == UNIT_PLAIN ? value : latency;
}

static int labels_for(const struct frame *f, int usual)
{
	return f->n_across > 1 ? usual / (int)f->n_across : usual;
}

static struct axis logarithmic_axis(struct arena *a, const struct frame *f, const char *label,
				    size_t max_ticks)
{
	return (struct axis){ .label = str_from(label),
			      .logarithmic = true,
			      .from = f->from,
			      .to = f->to,
			      .baseline = f->from,
			      .tick = arena_make(a, struct tick, max_ticks + 3) };
}

/* Labels buckets without a finite edge.  `zero` labels the bucket of zero, because "0" would be
 * mistaken for a bucket number. */
static void add_open_ends(struct axis *x, const struct frame *f, struct str zero)
{
	if (f->at.has_negative)
		add_tick(x, exp2(f->at.lowest - 1.5), STR("below"));
	if (f->at.has_zero)
		add_tick(x, exp2(f->at.lowest - 0.5), zero);
}

static void add_open_top(struct axis *x, const struct frame *f)
{
	if (f->at.has_top)
		add_tick(x, exp2(f->at.highest + 0.5), STR("above"));
}

/* The visible bucket numbers, and the step from one label to the next. */
struct numbered {
	int first, last, step;
};

static struct numbered numbered_buckets(const struct frame *f, int max)
{
	double resolution = f->scheme->resolution;
	double low = f->at.has_zero || f->at.has_negative ? exp2(f->at.lowest) : f->from;
	double high = f->at.has_top ? exp2(f->at.highest) : f->to;
	struct numbered n = { (int)ceil(log2(low) * resolution - 1e-6),
			      (int)floor(log2(high) * resolution + 1e-6) - 1, 1 };

	while ((n.last - n.first) / n.step >= max)
		n.step = n.step == 1 ? 2 : n.step == 2 ? 4 : n.step == 4 ? 5 : n.step * 2;
	return n;
}

/* Adds ticks that are round numbers in the unit of the labels: powers of ten; if these are few,
 * also 2 and 5 times them; and in less than a decade, any multiple. */
static void add_round_latencies(struct arena *a, struct axis *x, const struct frame *f, double low,
				double high)
{
	static const double usual[] = { 1, 2, 5 }, narrow[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const double narrow_span = 6; /* a wider span contains two of `usual` */
	const double *parts = high / low < narrow_span ? narrow : usual;
	double factor = factor_to_seconds(&f->measure);
	int first = (int)floor(log10(low * factor)), last = (int)ceil(log10(high * factor));
	int step = (last - first) / labels_for(f, LABELS_ABOVE) + 1;
	size_t n_parts = last - first > 3  ? 1
			 : parts == narrow ? COUNT_OF(narrow)
					   : COUNT_OF(usual);

	for (int d = first; d <= last; d += step) {
		for (size_t i = 0; i < n_parts; i++) {
			double at = parts[i] * pow(10, d) / factor;

			if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9))
				add_tick(x, at, latency_label(a, at, &f->measure));
		}
	}
}

/* Returns the ratio of two latencies whose labels do not touch. */
static double label_room(const struct frame *f)
{
	static const double room = 0.05; /* fraction of a figure: half of each label, and a blank */
	double across = f->n_across > 1 ? (double)f->n_across : 1;

	return pow(f->to / f->from, room * across);
}

/* Return the smallest and the largest latency whose label does not touch the label of an
 * open-ended bucket. */
static double min_labelled(const struct axis *x, const struct frame *f)
{
	if (x->n_ticks == 0)
		return f->from;
	return fmax(exp2(f->at.lowest), x->tick[x->n_ticks - 1].at * label_room(f));
}

static double max_labelled(const struct frame *f)
{
	if (!f->at.has_top)
		return f->to;
	return fmin(exp2(f->at.highest), exp2(f->at.highest + 0.5) / label_room(f));
}

struct axis axis_of_latency(struct arena *a, const struct frame *f)
{
	struct axis x = logarithmic_axis(a, f, word_for(f, "latency", "value"), 3 * LABELS_ABOVE);

	add_open_ends(&x, f, STR("0"));
	add_round_latencies(a, &x, f, min_labelled(&x, f), max_labelled(f));
	add_open_top(&x, f);
	return x;
}

struct axis axis_of_buckets(struct arena *a, const struct frame *f)
{
	struct numbered n;
	struct axis x;

	if (f->scheme == NULL)
		return axis_of_latency(a, f);
	n = numbered_buckets(f, labels_for(f, LABELS_BELOW));
	x = logarithmic_axis(a, f, "bucket number", LABELS_BELOW + 2);
	add_open_ends(&x, f, STR("zero"));
	for (int i = n.first; i <= n.last; i++) {
		if (i % n.step == 0)
			add_tick(&x, exp2((i + 0.5) / f->scheme->resolution),
				 arena_printf(a, "%d", i));
	}
	add_open_top(&x, f);
	return x;
}

struct axis axis_above_buckets(struct arena *a, const struct frame *f)
{
	if (f->scheme == NULL)
		return (struct axis){ .n_ticks = 0 };
	return axis_of_latency(a, f);
}

/* --- counts and quantities -------------------------------------------------------------- */

static struct axis decade_axis(struct arena *a, struct str label, double min, double max,
			       double head, const char *suffix)
{
	int first = min < 1 ? (int)floor(log10(min)) : 0;
	int last = (int)ceil(log10(fmax(max, 1)) - 1e-9);
	int step = (last - first) / 10 + 1;
	struct axis y = { .label = label, .logarithmic = true };

	y.from = y.baseline = pow(10, first) / 2;
	y.to = y.from * pow(fmax(max, 1) * 1.3 / y.from, 1 / (1 - head));
	y.tick = arena_make(a, struct tick, (size_t)(last - first) + 1);
	for (int d = first; d <= last; d += step) {
		if (pow(10, d) <= fmax(max, 1) * 1.3)
			add_tick(&y, pow(10, d), number_label(a, pow(10, d), suffix));
	}
	return y;
}

struct axis axis_of_counts(struct arena *a, struct str label, double min, double max, double head)
{
	return decade_axis(a, label, min, max, head, "");
}

struct axis axis_of_shares(struct arena *a, struct str label, double min, double max, double head)
{
	return decade_axis(a, label, min, max, head, " %");
}

/* --- ratios and quantiles -------------------------------------------------------------------- */

enum { MAX_RATIO_TICKS = 24 };

/* Adds both directions of a change. */
static void add_ratio(struct arena *a, struct axis *x, double ratio, const char *more,
		      const char *less)
{
	if (log2(ratio) <= x->to)
		add_tick(x, log2(ratio), arena_printf(a, "%s", more));
	if (-log2(ratio) >= x->from)
		add_tick(x, -log2(ratio), arena_printf(a, "%s", less));
}

static int by_position(const void *pa, const void *pb)
{
	const struct tick *x = pa, *y = pb;

	return (x->at > y->at) - (x->at < y->at);
}

/* Small changes are in percent, large ones in factors. */
static void add_percents(struct arena *a, struct axis *x)
{
	static const int percent[] = { 1, 2, 5, 10, 20, 50, 100 };
	double widest = fmax(fabs(x->from), fabs(x->to));

	for (size_t i = 0; i < COUNT_OF(percent); i++) {
		double up = log2(1 + percent[i] / 100.0);
		double down = percent[i] < 100 ? log2(1 - percent[i] / 100.0) : -HUGE_VAL;

		if (up < widest / 4)
			continue;
		if (up <= x->to)
			add_tick(x, up, arena_printf(a, "+%d %%", percent[i]));
		if (down >= x->from)
			add_tick(x, down, arena_printf(a, "−%d %%", percent[i]));
	}
}

struct axis axis_of_ratios(struct arena *a, struct str label, double min, double max)
{
	double margin = fmax(0.05, (max - min) * 0.06);
	struct axis x = { .label = label,
			  .from = fmin(min, 0) - margin,
			  .to = fmax(max, 0) + margin,
			  .tick = arena_make(a, struct tick, MAX_RATIO_TICKS) };
	int step = (int)ceil((x.to - x.from) / 8);

	add_tick(&x, 0, STR("same"));
	if (x.to - x.from < 2) {
		add_percents(a, &x);
	} else {
		for (int i = step; i < 64 && x.n_ticks + 2 < MAX_RATIO_TICKS; i += step)
			add_ratio(a, &x, exp2(i), arena_printf(a, "%.0fx", exp2(i)).p,
				  arena_printf(a, "1/%.0f", exp2(i)).p);
	}
	qsort(x.tick, x.n_ticks, sizeof(*x.tick), by_position);
	return x;
}

enum { MAX_NINES = 7 };

struct axis axis_of_nines(struct arena *a, double max)
{
	static const char *const labels[] = { "",	 "90 %",     "99 %",	  "99.9 %",
					      "99.99 %", "99.999 %", "99.9999 %", "99.99999 %" };
	struct axis x = { .label = STR("calls that are faster"),
			  .logarithmic = true,
			  .from = 1,
			  .to = fmax(fmin(max, pow(10, MAX_NINES)), 10),
			  .tick = arena_make(a, struct tick, MAX_NINES + 2) };

	for (int i = 0; i <= MAX_NINES && pow(10, i) <= x.to; i++) {
		if (i > 0)
			add_tick(&x, pow(10, i), str_from(labels[i]));
		else
			add_tick(&x, 2, STR("50 %"));
	}
	return x;
}

/* --- linear axes ------------------------------------------------------------------------------ */

/* Returns the smallest step of 1, 2 or 5 times a power of ten that gives few enough ticks. */
static double round_step(double span, int max)
{
	double step = pow(10, floor(log10(span / max)));

	if (span / (step * 1) > max)
		step *= span / (step * 2) <= max ? 2 : span / (step * 5) <= max ? 5 : 10;
	return step;
}

/* `factor` converts values to the unit in which ticks are round numbers. */
static struct axis linear_axis(struct arena *a, struct str label, double min, double max,
			       double head, double factor, double *ret_step)
{
	struct axis y = { .label = label };
	double span;

	if (!(max > min))
		max = min + (min != 0 ? fabs(min) : 1);
	span = (max - min) * factor;
	*ret_step = round_step(span, LABELS_OF_Y) / factor;
	y.from = min;
	y.to = min + (max - min) * 1.04 / (1 - head);
	y.baseline = 0;
	if (min < 0)
		y.from -= (max - min) * 0.04;
	y.tick = arena_make(a, struct tick, 2 * LABELS_OF_Y + 2);
	return y;
}

struct axis axis_of_quantity(struct arena *a, struct str label, double min, double max, double head,
			     const struct measure *measure)
{
	double step;
	struct axis y = linear_axis(a, label, min, max, head, factor_to_seconds(measure), &step);

	for (double k = ceil(min / step - 1e-9); k * step <= max * (1 + 1e-9) + step * 1e-6; k++)
		add_tick(&y, k * step, k == 0 ? STR("0") : latency_label(a, k * step, measure));
	return y;
}

static struct axis axis_in_steps(struct arena *a, struct str label, double min, double max,
				 double head, const char *suffix, double min_step)
{
	double step;
	struct axis y = linear_axis(a, label, min, max, head, 1, &step);

	step = fmax(step, min_step);
	for (double k = ceil(min / step - 1e-9); k * step <= max * (1 + 1e-9) + step * 1e-6; k++) {
		add_tick(&y, k * step, number_label(a, k * step, suffix));
	}
	return y;
}

struct axis axis_of_numbers(struct arena *a, struct str label, double min, double max, double head,
			    const char *suffix)
{
	return axis_in_steps(a, label, min, max, head, suffix, 0);
}

struct axis axis_of_whole_numbers(struct arena *a, struct str label, double min, double max)
{
	return axis_in_steps(a, label, min, max, 0, "", 1);
}

struct axis axis_of_names(struct arena *a, const struct str *name, size_t n)
{
	struct axis y = { .from = (double)n - 0.5, .to = -0.5, .named = true };

	y.tick = arena_make(a, struct tick, n);
	for (size_t i = 0; i < n; i++)
		add_tick(&y, (double)i, name[i]);
	return y;
}
