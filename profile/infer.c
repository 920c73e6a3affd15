/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/infer.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

void inference_start(struct inference *f)
{
	*f = (struct inference){
		.log2_fits = true,
		.log_linear_fits = true,
		.linear_fits = true,
		.min = HUGE_VAL,
		.under = HUGE_VAL,
		.over = HUGE_VAL,
		.lowest = HUGE_VAL,
		.highest = -HUGE_VAL,
	};
}

static bool is_power_of_two(double v)
{
	int exponent;

	return v > 0 && frexp(v, &exponent) == 0.5;
}

/* Whether v is the lower edge of a LOG2 bucket, within the rounding of printed edges. */
static bool is_log2_edge(unsigned r, double v)
{
	struct bucket_scheme s = bucket_log2(r);
	double edge;

	if (r == 1)
		return is_power_of_two(v);
	s.first = (int)lround(log2(v) * r); /* below 0 for edges below 1 */
	edge = bucket_low(&s, s.first);
	return fabs(edge - v) <= 1e-9 * v;
}

static bool log2_takes(struct inference *f, double low, double high)
{
	double octaves;

	if (low <= 0)
		return low == 0 || (isinf(low) && high == 0);
	if (isinf(high))
		return true; /* infer_log2() checks its edge when the resolution is known */
	if (high == 2 * low) {
		bool is_octave = low == f->octave_high || is_power_of_two(low);

		f->octave_high = is_octave ? high : 0;
		if (f->log2_resolution == 0)
			f->log2_resolution = 1;
		return f->log2_resolution == 1 && is_octave;
	}
	octaves = log2(high / low);
	if (f->log2_resolution == 0) {
		double r = round(1 / octaves);

		if (!(r >= 1 && r <= BUCKET_MAX_RESOLUTION))
			return false;
		f->log2_resolution = (unsigned)r;
	}
	return fabs(octaves * f->log2_resolution - 1) < 1e-6 &&
	       is_log2_edge(f->log2_resolution, low);
}

/* Rows of width 1 up to twice the resolution, then width doubles with the octave. */
static bool log_linear_takes(struct inference *f, double low, double high)
{
	double width = high - low, ratio;
	int exponent;

	if (low < 0)
		return isinf(low) && high == 0;
	if (width == 1) {
		if (low > f->widest_unit)
			f->widest_unit = low;
		return low == floor(low);
	}
	ratio = low / width;
	if (isinf(high) || !is_power_of_two(width) || ratio != floor(ratio))
		return false;
	if (width < 1)
		return false;
	(void)frexp(ratio, &exponent);
	if (exponent < 2 || exponent > 20)
		return false;
	if (f->part == 0)
		f->part = 1U << (exponent - 1);
	return f->part == 1U << (exponent - 1);
}

/* Returns the first edge from zero on, for rows of this width. */
static double origin_of(double low, double width)
{
	double origin = width == 1 && low >= 0 ? low - floor(low) : fmod(low, width);

	return origin < 0 ? origin + width : origin;
}

static bool linear_takes(struct inference *f, double low, double high)
{
	double width = high - low;

	if (isinf(low) || isinf(high))
		return true; /* infer_linear() checks it when the step is known */
	if (width == f->step && low == f->linear_high) {
		f->linear_high = high; /* the row follows the last one */
		return true;
	}
	if (f->step == 0) {
		f->step = width;
		f->origin = origin_of(low, width);
	}
	f->linear_high = high;
	return width == f->step && origin_of(low, width) == f->origin;
}

void inference_row(struct inference *f, double low, double high)
{
	f->seen = true;
	f->log2_fits = f->log2_fits && log2_takes(f, low, high);
	f->log_linear_fits = f->log_linear_fits && log_linear_takes(f, low, high);
	f->linear_fits = f->linear_fits && linear_takes(f, low, high);
	if (isinf(low) && (f->under == HUGE_VAL || f->under == high))
		f->under = high;
	else if (isinf(low))
		f->log2_fits = f->log_linear_fits = f->linear_fits = false;
	if (isinf(high) && (f->over == HUGE_VAL || f->over == low))
		f->over = low;
	else if (isinf(high))
		f->log2_fits = f->log_linear_fits = f->linear_fits = false;
	if (low == 0 && !isinf(high)) {
		if (f->zero_high != 0 && f->zero_high != high)
			f->log2_fits = f->log_linear_fits = false;
		f->zero_high = high;
	}
	if (low > 0 && low < f->min)
		f->min = low;
	if (!isinf(low) && low < f->lowest)
		f->lowest = low;
	if (!isinf(high) && high > f->highest)
		f->highest = high;
}

/* A range that is open in one operation may be divided into rows in another of the same layer. */
static bool open_rows_are_outermost(const struct inference *f)
{
	return (f->under == HUGE_VAL || f->lowest >= f->under) && f->highest <= f->over;
}

static bool infer_log2(const struct inference *f, struct bucket_scheme *ret)
{
	unsigned r = f->log2_resolution > 0 ? f->log2_resolution : 1;
	struct bucket_scheme s = bucket_log2(r);
	double bottom = f->zero_high > 0 ? f->zero_high : fmin(f->min, 1);

	if (!f->log2_fits || !is_log2_edge(r, bottom))
		return false;
	if (f->min < bottom || (f->under != HUGE_VAL && f->under != 0))
		return false;
	s.first = (int)lround(log2(bottom) * r);
	if (f->over != HUGE_VAL) {
		if (!is_log2_edge(r, f->over))
			return false;
		s.limit = (int)lround(log2(f->over) * r);
	}
	*ret = s;
	return true;
}

static bool infer_log_linear(const struct inference *f, struct bucket_scheme *ret)
{
	if (!f->log_linear_fits || f->part == 0 || f->widest_unit >= 2 * f->part)
		return false;
	if (f->under != HUGE_VAL && f->under != 0)
		return false;
	*ret = bucket_log_linear(f->part, 1);
	return true;
}

static bool infer_linear(const struct inference *f, struct bucket_scheme *ret)
{
	enum { FURTHEST_OPEN = 1 << 24 }; /* highest number of an open bucket in osprof(5) */
	struct bucket_scheme s = bucket_linear(f->origin, f->step);

	if (!f->linear_fits || f->step == 0)
		return false;
	if (!(fabs(f->lowest / f->step) < BUCKET_NO_LIMIT) ||
	    !(fabs(f->highest / f->step) < BUCKET_NO_LIMIT))
		return false; /* too far apart to be numbered */
	if (f->under != HUGE_VAL && !(fabs(f->under / f->step) < FURTHEST_OPEN))
		return false;
	if (f->under != HUGE_VAL) {
		s.first = (int)((f->under - f->origin) / f->step);
		if (bucket_low(&s, s.first) != f->under)
			return false;
	}
	if (f->over != HUGE_VAL) {
		if (!(fabs(f->over / f->step) < FURTHEST_OPEN))
			return false;
		s.limit = (int)((f->over - f->origin) / f->step);
		if (s.origin + s.limit * s.step != f->over)
			return false;
	}
	*ret = s;
	return true;
}

bool inference_scheme(const struct inference *f, struct bucket_scheme *ret)
{
	if (!f->seen) {
		*ret = bucket_log2(1);
		return true;
	}
	if (!open_rows_are_outermost(f))
		return false;
	return infer_log2(f, ret) || infer_log_linear(f, ret) || infer_linear(f, ret);
}

static int by_low(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

bool inference_edges(struct arena *a, struct row *row, size_t n, struct bucket_scheme *ret)
{
	double *edge = arena_make(a, double, 2 * n + 1);
	double until = -HUGE_VAL;
	size_t n_edges = 0;

	qsort(row, n, sizeof(*row), by_low);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && row[i].low == row[i - 1].low && row[i].high == row[i - 1].high)
			continue;
		if (row[i].low < until)
			return false;
		if (!isinf(row[i].low) && (n_edges == 0 || edge[n_edges - 1] < row[i].low))
			edge[n_edges++] = row[i].low;
		if (!isinf(row[i].high))
			edge[n_edges++] = row[i].high;
		until = row[i].high;
	}
	if (n_edges == 0) /* one row, open at both ends */
		edge[n_edges++] = 0;
	*ret = bucket_edges(edge, n_edges);
	return true;
}
