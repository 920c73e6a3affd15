/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/histogram.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

double histogram_total(const struct histogram *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += (double)h->bucket[i].count * bucket_mean(&h->bucket[i]);
	return sum;
}

double histogram_total_least(const struct histogram *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += (double)h->bucket[i].count * h->bucket[i].low;
	return sum;
}

double histogram_total_most(const struct histogram *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += (double)h->bucket[i].count * h->bucket[i].high;
	return sum;
}

void histogram_quantiles(const struct histogram *h, const double *q, size_t n,
			 const struct bucket **ret)
{
	size_t at = 0;
	double seen = h->n > 0 ? (double)h->bucket[0].count : 0;

	for (size_t i = 0; i < n; i++) {
		double wanted = ceil(q[i] * (double)h->count);

		while (seen < wanted && at + 1 < h->n)
			seen += (double)h->bucket[++at].count;
		ret[i] = h->n > 0 ? &h->bucket[at] : NULL;
	}
}

const struct bucket *histogram_quantile(const struct histogram *h, double q)
{
	const struct bucket *b;

	histogram_quantiles(h, &q, 1, &b);
	return b;
}

static void push(struct histogram *h, int index, uint64_t count)
{
	struct bucket *last = h->n > 0 ? &h->bucket[h->n - 1] : NULL;

	h->count += count;
	if (last != NULL && last->index == index) {
		last->count += count;
		return;
	}
	h->bucket[h->n++] = (struct bucket){
		.low = bucket_low(h->scheme, index),
		.high = bucket_high(h->scheme, index),
		.count = count,
		.index = index,
	};
}

bool histogram_can_hold(const struct histogram *h, double low, double high)
{
	double g = h->granularity;

	/* A multiple that was computed may lie a hair beside its edge. */
	return !(g > 0) || isinf(low) || ceil(low / g - 1e-6) * g < high * (1 - 1e-9);
}

struct histogram histogram_copy(struct arena *a, const struct histogram *h,
				const struct bucket_scheme *last)
{
	struct histogram copy = *h;

	copy.scheme = bucket_scheme_keep(a, h->scheme, last);
	copy.bucket = arena_make(a, struct bucket, h->n);
	if (h->n > 0)
		memcpy(copy.bucket, h->bucket, h->n * sizeof(*h->bucket));
	return copy;
}

/* Edges stay where they are. */
static const struct bucket_scheme *scheme_in(struct arena *a, const struct bucket_scheme *s)
{
	struct bucket_scheme *copy = arena_make(a, struct bucket_scheme, 1);

	*copy = *s;
	return copy;
}

bool histogram_rebin(struct arena *a, const struct histogram *h, const struct bucket_scheme *to,
		     struct histogram *ret)
{
	struct histogram r = { .scheme = scheme_in(a, to),
			       .approximate = h->approximate,
			       .granularity = h->granularity };

	r.bucket = arena_make(a, struct bucket, h->n);
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];
		int index = isinf(b->low) ? bucket_lowest(to) : bucket_find(to, b->low);

		if (bucket_low(to, index) > b->low || bucket_high(to, index) < b->high)
			return false;
		push(&r, index, b->count);
	}
	*ret = r;
	return true;
}

/* The finite stretch over which a bucket's calls are spread: of an open one, where
 * it begins or ends. */
static void stretch(const struct bucket *b, double *ret_low, double *ret_high)
{
	*ret_low = isinf(b->low) ? nextafter(b->high, -HUGE_VAL) : b->low;
	*ret_high = isinf(b->high) ? b->low : b->high;
}

static uint64_t part_of(uint64_t count, double share)
{
	double part = round(share * (double)count);

	return part < (double)count ? (uint64_t)part : count;
}

struct histogram histogram_rebin_split(struct arena *a, const struct histogram *h,
				       const struct bucket_scheme *to)
{
	struct histogram r = { .scheme = scheme_in(a, to),
			       .approximate = true,
			       .granularity = h->granularity };
	size_t room = 0;

	for (size_t i = 0; i < h->n; i++) {
		double low, high;

		stretch(&h->bucket[i], &low, &high);
		room += (size_t)(bucket_find(to, high) - bucket_find(to, low)) + 1;
	}
	r.bucket = arena_make(a, struct bucket, room);
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];
		uint64_t placed = 0;
		double low, high;
		int last;

		stretch(b, &low, &high);
		last = low < high ? bucket_find(to, nextafter(high, low)) : bucket_find(to, low);
		for (int k = bucket_find(to, low); k <= last; k++) {
			double share = (fmin(bucket_high(to, k), high) - low) / (high - low);
			uint64_t until = k == last ? b->count : part_of(b->count, share);

			if (until > placed)
				push(&r, k, until - placed);
			placed = until > placed ? until : placed;
		}
	}
	return r;
}

struct histogram histogram_scaled(struct arena *a, const struct histogram *h, double factor)
{
	struct histogram r = *h;
	struct bucket_scheme edges;
	double *edge;
	size_t n = 0;

	if (factor == 1 || h->n == 0)
		return r;
	edge = arena_make(a, double, 2 * h->n);
	r.bucket = arena_make(a, struct bucket, h->n);
	r.approximate = true;
	r.granularity *= factor;
	for (size_t i = 0; i < h->n; i++) {
		double low = h->bucket[i].low * factor, high = h->bucket[i].high * factor;

		if (!isinf(low) && (n == 0 || edge[n - 1] < low))
			edge[n++] = low;
		r.bucket[i] = h->bucket[i];
		r.bucket[i].low = low;
		r.bucket[i].high = high;
		r.bucket[i].index = (int)n - 1;
		if (!isinf(high))
			edge[n++] = high;
	}
	edges = bucket_edges(edge, n);
	r.scheme = scheme_in(a, &edges);
	return r;
}

/* Two histograms of one scheme; room for both in ret->bucket. */
static bool add(const struct histogram *a, const struct histogram *b, struct histogram *ret)
{
	size_t i = 0, k = 0;
	uint64_t sum;

	if (__builtin_add_overflow(a->count, b->count, &sum))
		return false;
	while (i < a->n || k < b->n) {
		if (k == b->n || (i < a->n && a->bucket[i].index < b->bucket[k].index)) {
			ret->bucket[ret->n++] = a->bucket[i++];
		} else if (i == a->n || b->bucket[k].index < a->bucket[i].index) {
			ret->bucket[ret->n++] = b->bucket[k++];
		} else {
			ret->bucket[ret->n] = a->bucket[i++];
			ret->bucket[ret->n++].count += b->bucket[k++].count;
		}
	}
	ret->count = sum;
	return true;
}

enum merge histogram_merge(struct arena *arena, const struct histogram *a,
			   const struct histogram *b, struct histogram *ret)
{
	struct histogram r = { .approximate = a->approximate || b->approximate,
			       .granularity =
				       a->granularity == b->granularity ? a->granularity : 0 };
	struct histogram on_a = *a, on_b = *b;
	struct bucket_scheme common;
	double *edges = NULL;

	if (a->n == 0 || b->n == 0) { /* an empty one says nothing of the scheme */
		*ret = a->n > 0 ? *a : *b;
		ret->approximate = r.approximate;
		if (a->n == 0 && b->n == 0)
			ret->scheme = &bucket_octaves;
		return MERGE_DONE;
	}
	if (a->scheme->kind == BUCKET_EDGES && b->scheme->kind == BUCKET_EDGES)
		edges = arena_make(arena, double, a->scheme->n_edges);
	switch (bucket_scheme_common(a->scheme, b->scheme, edges, &common)) {
	case COMMON_SAME:
		break;
	case COMMON_EXACT:
		if (!histogram_rebin(arena, a, &common, &on_a) ||
		    !histogram_rebin(arena, b, &common, &on_b))
			return MERGE_INEXACT;
		break;
	case COMMON_SPLIT:
		return MERGE_INEXACT;
	}
	r.scheme = on_a.scheme;
	r.bucket = arena_make(arena, struct bucket, on_a.n + on_b.n);
	if (!add(&on_a, &on_b, &r))
		return MERGE_OVERFLOW;
	*ret = r;
	return MERGE_DONE;
}

bool histogram_contains(const struct histogram *later, const struct histogram *earlier)
{
	size_t i = 0;

	if (!bucket_scheme_eq(later->scheme, earlier->scheme))
		return false;
	for (size_t k = 0; k < earlier->n; k++) {
		while (i < later->n && later->bucket[i].index < earlier->bucket[k].index)
			i++;
		if (i == later->n || later->bucket[i].index != earlier->bucket[k].index ||
		    later->bucket[i].count < earlier->bucket[k].count)
			return false;
	}
	return true;
}

void histogram_take_away(struct histogram *from, const struct histogram *earlier)
{
	size_t k = 0, left = 0;

	for (size_t i = 0; i < from->n; i++) {
		struct bucket b = from->bucket[i];

		while (k < earlier->n && earlier->bucket[k].index < b.index)
			k++;
		if (k < earlier->n && earlier->bucket[k].index == b.index)
			b.count -= earlier->bucket[k].count;
		if (b.count > 0)
			from->bucket[left++] = b;
	}
	from->n = left;
	from->count -= earlier->count;
}
