/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peaks of a few slow calls far beyond all others.
 *
 * Seven calls in a bucket are usually noise, but not if they take nearly all of the latency
 * and lie twenty octaves beyond the others with nothing between.  Stray calls of a long tail
 * lie beyond gaps, too.  On a scale of octaves, most tails fall exponentially or faster: where
 * k calls are left, the gap below them is longer than g with probability exp(-k g / s), where
 * s is the mean distance of the tail's calls beyond a threshold.
 */
#include <math.h>

#include "analyze/peaks_parts.h"

/* The width of a bucket in octaves, at least one tick of the clock; a bucket that reaches to zero
 * or has no upper edge counts as 1. */
static double octaves_of(const struct histogram *h, const struct bucket *b)
{
	const struct edges *e = b->edges;

	if (!(e->low > 0) || isinf(e->high))
		return 1;
	return log2(fmax(e->high, e->low + h->granularity) / e->low);
}

/* The octaves between two buckets that could hold a latency but are empty. */
static double gap_between(const struct histogram *h, const struct bucket *below,
			  const struct bucket *above)
{
	double from = fmax(below->edges->high, below->edges->low + h->granularity);
	double to = above->edges->low;

	return from > 0 && to > from ? log2(to / from) : 0;
}

static double place_at(const struct histogram *h, size_t i)
{
	return bucket_position(h->scheme, h->bucket[i].edges->index);
}

/* The mean distance of the calls of these buckets beyond a threshold, for the threshold where it is
 * largest.  One more call, an octave away, is assumed, since a few calls tell little. */
static double tail_of(const struct histogram *h, size_t from, size_t to)
{
	double calls = 0, octaves = 0, max = 0;

	for (size_t i = to + 1; i-- > from;) {
		double n = (double)h->bucket[i].count, position = place_at(h, i);
		double half = octaves_of(h, &h->bucket[i]) / 2;

		if (calls > 0)
			max = fmax(max, octaves / calls - position - half);
		calls += n;
		octaves += n * position;
		if (i == from)
			max = fmax(max, (octaves + 1) / calls - position + half);
	}
	return max;
}

static size_t bucket_of_median(const struct histogram *h, size_t first, size_t last)
{
	uint64_t calls = 0, below = 0;
	size_t i;

	for (i = first; i <= last; i++)
		calls += h->bucket[i].count;
	for (i = first; i < last; i++) {
		below += h->bucket[i].count;
		if (below >= calls - calls / 2)
			break;
	}
	return i;
}

/* Latency and calls beyond a position. */
struct beyond {
	double latency, calls;
};

static struct beyond sum_of(const struct histogram *h, size_t from, size_t to)
{
	struct beyond s = { 0, 0 };

	for (size_t i = from; i <= to; i++) {
		s.latency += (double)h->bucket[i].count * histogram_bucket_mean(h, i);
		s.calls += (double)h->bucket[i].count;
	}
	return s;
}

/* Searches upwards from the median of a peak.  Calls beyond a gap are a peak if they have enough of
 * the latency; calls between two gaps that have not stay with the peak below. */
static void mark_within(const struct histogram *h, size_t first, size_t last, double min,
			const struct peak_rules *rules, bool *begins)
{
	size_t from = bucket_of_median(h, first, last);
	struct beyond up = sum_of(h, from + 1, last), between = { 0, 0 };
	bool marked = false;

	for (size_t i = from; i < last && up.latency >= min; i++) {
		const struct bucket *next = &h->bucket[i + 1];
		double latency = (double)next->count * histogram_bucket_mean(h, i + 1);
		double gap = gap_between(h, &h->bucket[i], next);

		if (gap >= rules->min_gap &&
		    up.calls * gap >= -log(rules->chance) * tail_of(h, from, i)) {
			if (marked && between.latency < min)
				begins[from] = false;
			begins[i + 1] = marked = true;
			between = (struct beyond){ 0, 0 };
			from = i + 1;
		}
		between.latency += latency;
		up.latency -= latency;
		up.calls -= (double)next->count;
	}
}

void peaks_mark_slow(const struct histogram *h, const struct peak_rules *rules, bool *begins)
{
	double min = rules->min_latency * histogram_total(h);
	size_t last;

	for (size_t first = 0; first < h->n && min > 0; first = last + 1) {
		last = first;
		while (last + 1 < h->n && !begins[last + 1])
			last++;
		mark_within(h, first, last, min, rules, begins);
	}
}
