/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sparkline.h"

#include <assert.h>
#include <math.h>

#include "analyze/significance.h"
#include "base/attr.h"
#include "base/out.h"

enum { MOST_COLUMNS = 64 };

static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };
enum { LEVELS = COUNT_OF(blocks) - 1 };

struct span_of_octaves sparkline_span(const struct histogram *const *h, size_t n)
{
	struct span_of_octaves span = { HUGE_VAL, -HUGE_VAL };

	for (size_t i = 0; i < n; i++) {
		if (h[i] == NULL || h[i]->n == 0)
			continue;
		span.from = fmin(span.from, bucket_place(h[i]->scheme, h[i]->bucket[0].index));
		span.to =
			fmax(span.to, bucket_place(h[i]->scheme, h[i]->bucket[h[i]->n - 1].index));
	}
	return span;
}

static size_t columns_of(struct span_of_octaves span, size_t width)
{
	double octaves = floor(span.to - span.from) + 1;

	if (width > MOST_COLUMNS)
		width = MOST_COLUMNS;
	return octaves < (double)width ? (size_t)octaves : width;
}

void sparkline(struct out *o, const struct style *s, const struct histogram *h,
	       struct span_of_octaves span, size_t width)
{
	const char *const *glyph = s->unicode ? blocks : ascii;
	double height[MOST_COLUMNS] = { 0 }, highest = 0, top;
	size_t n;

	if (h == NULL || span.from > span.to)
		return;
	n = columns_of(span, width);
	for (size_t i = 0; i < h->n; i++) {
		double place = bucket_place(h->scheme, h->bucket[i].index) - span.from;
		double at = place / (floor(span.to - span.from) + 1) * (double)n;
		size_t column = at < 0 ? 0 : (size_t)at;

		if (column >= n)
			column = n - 1;
		height[column] += (double)h->bucket[i].count;
		highest = fmax(highest, height[column]);
	}
	top = log1p(highest);
	for (size_t i = 0; i < n; i++) {
		double level = height[i] > 0 ? 1 + (LEVELS - 1) * log1p(height[i]) / top : 0;

		out_text(o, glyph[(size_t)level]);
	}
}

static double mean_of(const double *v, size_t from, size_t to)
{
	double sum = 0, n = 0;

	for (size_t i = from; i < to; i++) {
		if (!isnan(v[i])) {
			sum += v[i];
			n++;
		}
	}
	return n > 0 ? sum / n : NAN;
}

/* Where most of the numbers lie, with as much room again: a few odd ones do not flatten
 * all others. */
static void usual_range(const double *v, size_t n, double *ret_low, double *ret_high)
{
	double sorted[MOST_COLUMNS], spread;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(v[i]))
			sorted[m++] = v[i];
	}
	*ret_low = *ret_high = 0;
	if (m == 0)
		return;
	(void)median_of(sorted, m); /* sorts */
	spread = sorted[m - 1 - m / 10] - sorted[m / 10];
	*ret_low = fmax(sorted[0], sorted[m / 10] - spread / 2);
	*ret_high = fmin(sorted[m - 1], sorted[m - 1 - m / 10] + spread / 2);
}

void sparkline_values(struct out *o, const struct style *s, const double *v, size_t n, double least,
		      size_t width)
{
	const char *const *glyph = s->unicode ? blocks : ascii;
	double column[MOST_COLUMNS], low, high;
	size_t columns = n < width ? n : width;

	assert(width <= MOST_COLUMNS);
	for (size_t i = 0; i < columns; i++)
		column[i] = mean_of(v, i * n / columns, (i + 1) * n / columns);
	usual_range(column, columns, &low, &high);
	for (size_t i = 0; i < columns; i++) {
		double part = (column[i] - low) / fmax(high - low, least);
		double level = 1 + round(fmin(fmax(part, 0), 1) * (LEVELS - 1));

		out_text(o, glyph[isnan(column[i]) ? 0 : (size_t)level]);
	}
}

void sparkline_heights(struct out *o, const struct style *s, const double *v, size_t n,
		       size_t width)
{
	const char *const *glyph = s->unicode ? blocks : ascii;
	double height[MOST_COLUMNS] = { 0 }, highest = 0;
	size_t columns = width < MOST_COLUMNS ? width : MOST_COLUMNS;

	columns = n < columns ? n : columns;
	for (size_t i = 0; i < n; i++) {
		size_t column = i * columns / n;

		height[column] = fmax(height[column], v[i]);
		highest = fmax(highest, v[i]);
	}
	for (size_t i = 0; i < columns; i++)
		out_text(o, glyph[height[i] > 0 ? 1 + (size_t)((LEVELS - 1) * height[i] / highest)
						: 0]);
}
