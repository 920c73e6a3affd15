/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/facts_parts.h"

#include <math.h>

#include "analyze/body.h"

struct fact fact_unknown(enum fact_kind kind)
{
	return (struct fact){ .kind = kind,
			      .before.value = NAN,
			      .after.value = NAN,
			      .change_low = NAN,
			      .change_high = NAN,
			      .p = NAN };
}

/* No call is longer than the largest latency, nor shorter than the smallest. */
static void clamp_to_stated(struct fact_side *s, const struct stated *stated, double scale)
{
	if (stated->has_max && stated->max * scale >= s->low)
		s->high = fmin(s->high, stated->max * scale);
	if (stated->has_min && stated->min * scale <= s->high)
		s->low = fmax(s->low, stated->min * scale);
}

struct fact_side fact_quantile_side(const struct operation *op, double q, double low, double high,
				    double scale)
{
	struct fact_side s = { NAN, low, high, NAN, NAN };

	if (op == NULL || op->hist.n == 0)
		return s;
	clamp_to_stated(&s, &op->stated, scale);
	s.value = exp2(body_quantile(&op->hist, q)) * scale;
	/* The interpolation counts calls on the edge of two buckets to either. */
	s.value = fmin(fmax(s.value, fmax(s.low, 0)), s.high);
	return s;
}

double fact_highest(const struct operation *op)
{
	const struct edges *last;

	if (op == NULL || op->hist.n == 0)
		return 0;
	last = op->hist.bucket[op->hist.n - 1].edges;
	return op->stated.has_max && op->stated.max >= last->low ? fmin(op->stated.max, last->high)
								 : last->high;
}

static double calls_within(const struct operation *op, double low, double high)
{
	double sum = 0, highest = fact_highest(op);

	for (size_t i = 0; op != NULL && i < op->hist.n; i++) {
		const struct bucket *b = &op->hist.bucket[i];
		double from = b->edges->low, to = fmin(b->edges->high, highest);
		double part = from >= low && to <= high ? 1 : 0;

		if (part == 0 && from < high && to > low && isfinite(from) && isfinite(to))
			part = (fmin(to, high) - fmax(from, low)) / (to - from);
		sum += part * (double)b->count;
	}
	return sum;
}

struct fact_side fact_range_side(const struct operation *op, size_t n_runs, double low, double high)
{
	double calls = calls_within(op, low, high);

	return (struct fact_side){ .value = calls / (double)n_runs,
				   .share = op != NULL && op->hist.count > 0
						    ? calls / (double)op->hist.count
						    : 0 };
}

static const double trimmed = 0.05; /* share of a peak's calls outside its range, on either end */

/* The buckets of a peak without those that hold its outermost calls. */
bool fact_trim_peak(const struct operation *op, const struct peak *p, double *ret_low,
		    double *ret_high)
{
	double all = calls_within(op, p->low, p->high), below = 0, from = NAN, to = NAN;

	for (size_t i = 0; i < op->hist.n; i++) {
		const struct bucket *b = &op->hist.bucket[i];
		double upto;

		if (b->edges->low < p->low || b->edges->high > p->high)
			continue;
		upto = below + (double)b->count;
		if (isnan(from) && upto > trimmed * all)
			from = b->edges->low;
		if (isnan(to) && upto >= (1 - trimmed) * all)
			to = b->edges->high;
		below = upto;
	}
	*ret_low = from;
	*ret_high = to;
	return to > from && isfinite(to) && from > 0;
}
