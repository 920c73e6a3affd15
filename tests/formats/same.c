/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/formats/same.h"

#include <math.h>

static bool same_f64(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void differ(struct out *o, const struct operation *op, const char *what)
{
	out_printf(o, "%.*s: %s\n", STR_ARG(op->name), what);
}

static bool same_stated(const struct stated *a, const struct stated *b)
{
	return a->has_count == b->has_count && a->has_total == b->has_total &&
	       a->has_min == b->has_min && a->has_max == b->has_max &&
	       a->count_agrees == b->count_agrees && a->total_agrees == b->total_agrees &&
	       (!a->has_count || a->count == b->count) &&
	       (!a->has_total || decimal_eq(a->total, b->total)) &&
	       (!a->has_min || same_f64(a->min, b->min)) &&
	       (!a->has_max || same_f64(a->max, b->max)) && a->has_deviation == b->has_deviation &&
	       (!a->has_deviation || same_f64(a->deviation, b->deviation));
}

static bool same_bucket(const struct bucket *a, const struct bucket *b)
{
	return same_f64(a->edges->low, b->edges->low) && same_f64(a->edges->high, b->edges->high) &&
	       a->count == b->count && a->edges->index == b->edges->index;
}

static bool same_histogram(const struct histogram *a, const struct histogram *b)
{
	if (a->n != b->n || a->count != b->count || a->approximate != b->approximate ||
	    !same_f64(a->granularity, b->granularity) ||
	    (a->n > 0 && !bucket_scheme_eq(a->scheme, b->scheme)))
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (!same_bucket(&a->bucket[i], &b->bucket[i]))
			return false;
	}
	return true;
}

static void compare_intervals(struct out *o, const struct operation *a, const struct operation *b)
{
	if (a->n_intervals != b->n_intervals)
		differ(o, a, "number of intervals");
	for (size_t i = 0; i < a->n_intervals && i < b->n_intervals; i++) {
		const struct interval *x = &a->interval[i], *y = &b->interval[i];

		if (!same_f64(x->start, y->start) || !same_f64(x->end, y->end))
			differ(o, a, "when an interval was");
		if (!same_histogram(&x->hist, &y->hist))
			differ(o, a, "buckets of an interval");
		if (!same_stated(&x->stated, &y->stated))
			differ(o, a, "what was stated of an interval");
	}
}

static bool same_floor(const struct operation *a, const struct operation *b)
{
	if (a->floor == NULL || b->floor == NULL)
		return a->floor == b->floor;
	return same_f64(a->floor->shift, b->floor->shift) &&
	       same_f64(a->floor->mean, b->floor->mean) &&
	       same_f64(a->floor->tail, b->floor->tail) &&
	       same_f64(a->floor->calls, b->floor->calls);
}

static void compare_operations(struct out *o, const struct operation *a, const struct operation *b)
{
	if (!str_eq(a->name, b->name) || !str_eq(a->layer, b->layer))
		differ(o, a, "name or layer");
	if (a->unit != b->unit)
		differ(o, a, "unit");
	if (!same_histogram(&a->hist, &b->hist))
		differ(o, a, "buckets");
	if (!same_stated(&a->stated, &b->stated))
		differ(o, a, "what was stated");
	if (a->lost != b->lost || a->rounded_totals != b->rounded_totals ||
	    a->fixed_duration != b->fixed_duration || !same_f64(a->threshold, b->threshold))
		differ(o, a, "losses, threshold or rounding");
	if (!same_floor(a, b))
		differ(o, a, "noise floor");
	compare_intervals(o, a, b);
}

void report_differences(struct out *o, const struct profile *a, const struct profile *b)
{
	if (a->unit != b->unit || !same_f64(a->hz, b->hz) || !same_f64(a->elapsed, b->elapsed) ||
	    !same_f64(a->started, b->started) || !same_f64(a->cpu_speed, b->cpu_speed) ||
	    a->elapsed_source != b->elapsed_source || !same_f64(a->concurrency, b->concurrency) ||
	    a->fixed_duration != b->fixed_duration || a->untimed != b->untimed ||
	    a->lost != b->lost)
		out_text(o, "unit, clock, length or losses of the run\n");
	if (!str_eq(a->machine, b->machine) || !str_eq(a->kernel, b->kernel))
		out_text(o, "machine or kernel\n");
	if (memcmp(&a->contention, &b->contention, sizeof(a->contention)) != 0)
		out_text(o, "contention\n");
	if (a->baseline.n_runs != b->baseline.n_runs || a->baseline.alarms != b->baseline.alarms ||
	    a->baseline.replays != b->baseline.replays)
		out_text(o, "what a baseline says of itself\n");
	if (a->n_ops != b->n_ops)
		out_text(o, "number of operations\n");
	for (size_t i = 0; i < a->n_ops && i < b->n_ops; i++)
		compare_operations(o, &a->op[i], &b->op[i]);
}
