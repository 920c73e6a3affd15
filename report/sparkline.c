/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sparkline.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analyze/stats/significance.h"
#include "base/attr.h"
#include "base/out.h"

enum { MAX_COLUMNS = 64 };

enum { LEVELS = 8, GLYPH_BYTES = 4 };

struct glyph {
	char text[GLYPH_BYTES];
	uint8_t n;
};

#define GLYPH(text)                                                                                \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}
static const struct glyph blocks[LEVELS + 1] = {
	GLYPH(" "), GLYPH("▁"), GLYPH("▂"), GLYPH("▃"), GLYPH("▄"),
	GLYPH("▅"), GLYPH("▆"), GLYPH("▇"), GLYPH("█"),
};
static const struct glyph ascii[LEVELS + 1] = {
	GLYPH(" "), GLYPH("."), GLYPH(":"), GLYPH("-"), GLYPH("="),
	GLYPH("+"), GLYPH("*"), GLYPH("#"), GLYPH("@"),
};

/* Prints n <= MAX_COLUMNS bars, each 0 (blank) to LEVELS high. */
static void put_bars(struct out *o, const struct style *s, const uint8_t *level, size_t n)
{
	const struct glyph *glyph = s->unicode ? blocks : ascii;
	char text[MAX_COLUMNS * GLYPH_BYTES], *end = text;

	for (size_t i = 0; i < n; i++) {
		memcpy(end, glyph[level[i]].text, GLYPH_BYTES);
		end += glyph[level[i]].n;
	}
	out_bytes(o, (struct str){ text, (size_t)(end - text) });
}

struct span_of_octaves sparkline_span(const struct histogram *const *h, size_t n)
{
	struct span_of_octaves span = { HUGE_VAL, -HUGE_VAL };

	for (size_t i = 0; i < n; i++) {
		if (h[i] == NULL || h[i]->n == 0)
			continue;
		span.from = fmin(span.from,
				 bucket_position(h[i]->scheme, h[i]->bucket[0].edges->index));
		span.to = fmax(span.to, bucket_position(h[i]->scheme,
							h[i]->bucket[h[i]->n - 1].edges->index));
	}
	return span;
}

/* log(1 + count) */
static double log_of(double count, struct known_logs *known)
{
	double *log;

	if (known == NULL || count >= COUNT_OF(known->of))
		return log1p(count);
	log = &known->of[(unsigned)count];
	if (*log == 0)
		*log = log1p(count);
	return *log;
}

void sparkline(struct out *o, const struct style *s, const struct histogram *h,
	       struct span_of_octaves span, size_t width, struct known_logs *known)
{
	const double octaves = floor(span.to - span.from) + 1;
	double height[MAX_COLUMNS], highest = 0, top;
	uint8_t level[MAX_COLUMNS];
	size_t n = width < MAX_COLUMNS ? width : MAX_COLUMNS;

	if (h == NULL || span.from > span.to)
		return;
	n = octaves < (double)n ? (size_t)octaves : n;
	for (size_t i = 0; i < n; i++)
		height[i] = 0;
	for (size_t i = 0; i < h->n; i++) {
		double position = bucket_position(h->scheme, h->bucket[i].edges->index) - span.from;
		double at = position / octaves * (double)n;
		size_t column = at < 0 ? 0 : at < (double)n ? (size_t)(int)at : n - 1;

		height[column] += (double)h->bucket[i].count;
		if (height[column] > highest)
			highest = height[column];
	}
	top = log_of(highest, known);
	for (size_t i = 0; i < n; i++) {
		level[i] = 0;
		if (height[i] > 0)
			level[i] = (uint8_t)(1 + (LEVELS - 1) * log_of(height[i], known) / top);
	}
	put_bars(o, s, level, n);
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

/* Returns the range of the middle 80 % of the numbers, extended by half its width on each side
 * but not beyond the data, so that a few outliers do not flatten all others. */
static void usual_range(const double *v, size_t n, double *ret_low, double *ret_high)
{
	double sorted[MAX_COLUMNS], spread;
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

void sparkline_values(struct out *o, const struct style *s, const double *v, size_t n, double min,
		      size_t width)
{
	double column[MAX_COLUMNS], low, high;
	uint8_t level[MAX_COLUMNS];
	size_t columns = n < width ? n : width;

	assert(width <= MAX_COLUMNS);
	for (size_t i = 0; i < columns; i++)
		column[i] = mean_of(v, i * n / columns, (i + 1) * n / columns);
	usual_range(column, columns, &low, &high);
	for (size_t i = 0; i < columns; i++) {
		double part = (column[i] - low) / fmax(high - low, min);
		double bar = 1 + round(fmin(fmax(part, 0), 1) * (LEVELS - 1));

		level[i] = isnan(column[i]) ? 0 : (uint8_t)bar;
	}
	put_bars(o, s, level, columns);
}

void sparkline_heights(struct out *o, const struct style *s, const double *v, size_t n,
		       size_t width)
{
	double height[MAX_COLUMNS] = { 0 }, highest = 0;
	uint8_t level[MAX_COLUMNS];
	size_t columns = width < MAX_COLUMNS ? width : MAX_COLUMNS;

	columns = n < columns ? n : columns;
	for (size_t i = 0; i < n; i++) {
		size_t column = i * columns / n;

		height[column] = fmax(height[column], v[i]);
		highest = fmax(highest, v[i]);
	}
	for (size_t i = 0; i < columns; i++)
		level[i] = height[i] > 0 ? 1 + (uint8_t)((LEVELS - 1) * height[i] / highest) : 0;
	put_bars(o, s, level, columns);
}
