/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/histogram.h"

#include <limits.h>
#include <math.h>

#include "base/arena.h"

double histogram_total_min(const struct histogram *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += (double)h->bucket[i].count * h->bucket[i].edges->low;
	return sum;
}

double histogram_total_max(const struct histogram *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += (double)h->bucket[i].count * h->bucket[i].edges->high;
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

/* A histogram being made, whose buckets have edges of their own. */
struct making {
	struct histogram hist;
	struct edges *edges;
};

static struct making start_making(struct arena *a, const struct histogram *like, size_t room)
{
	struct making m = { .hist = { .approximate = like->approximate,
				      .granularity = like->granularity } };

	m.hist.bucket = arena_make(a, struct bucket, room);
	m.edges = arena_make(a, struct edges, room);
	return m;
}

static void add_bucket(struct making *m, struct edges edges, uint64_t count)
{
	struct histogram *h = &m->hist;

	m->edges[h->n] = edges;
	h->bucket[h->n] = (struct bucket){ &m->edges[h->n], count };
	h->n++;
	h->count += count;
}

/* Adds to the bucket of this number, which must be the last one or come after it. */
static void push_bucket(struct making *m, int index, uint64_t count)
{
	struct histogram *h = &m->hist;
	struct bucket *last = h->n > 0 ? &h->bucket[h->n - 1] : NULL;

	if (last == NULL || last->edges->index != index) {
		add_bucket(m, edges_at(h->scheme, index), count);
		return;
	}
	last->count += count;
	h->count += count;
}

bool histogram_can_hold(const struct histogram *h, double low, double high)
{
	double g = h->granularity;

	/* A computed multiple may miss its edge by a rounding error. */
	return !(g > 0) || isinf(low) || ceil(low / g - 1e-6) * g < high * (1 - 1e-9);
}

void histogram_narrow(const struct histogram *h, double *low, double *high)
{
	double g = h->granularity;
	double first = ceil(*low / g - 1e-6) * g, last = (ceil(*high / g - 1e-6) - 1) * g;

	if (!(g > 0) || !(last >= first))
		return;
	if (!isinf(first))
		*low = first - g / 2;
	if (!isinf(last))
		*high = last + g / 2;
}

struct histogram histogram_copy(struct edges_pool *to, const struct histogram *h)
{
	struct histogram copy = *h;

	copy.scheme = to->scheme = bucket_scheme_keep(to->arena, h->scheme, to->scheme);
	copy.bucket = arena_make(to->arena, struct bucket, h->n);
	for (size_t i = 0; i < h->n; i++)
		copy.bucket[i] = (struct bucket){
			.edges = edges_like(to, copy.scheme, h->bucket[i].edges),
			.count = h->bucket[i].count,
		};
	return copy;
}

/* Copies a scheme, but not its explicit edges. */
static const struct bucket_scheme *scheme_in(struct arena *a, const struct bucket_scheme *s)
{
	struct bucket_scheme *copy = arena_make(a, struct bucket_scheme, 1);

	*copy = *s;
	return copy;
}

bool histogram_rebin(struct arena *a, const struct histogram *h, const struct bucket_scheme *to,
		     struct histogram *ret)
{
	struct making m = start_making(a, h, h->n);

	m.hist.scheme = scheme_in(a, to);
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];
		int index =
			isinf(b->edges->low) ? bucket_lowest(to) : bucket_find(to, b->edges->low);

		if (bucket_low(to, index) > b->edges->low ||
		    bucket_high(to, index) < b->edges->high)
			return false;
		push_bucket(&m, index, b->count);
	}
	*ret = m.hist;
	return true;
}

/* Returns the finite range over which a bucket's calls are spread; for an open bucket, its finite
 * edge. */
static void bucket_stretch(const struct bucket *b, double *ret_low, double *ret_high)
{
	*ret_low = isinf(b->edges->low) ? nextafter(b->edges->high, -HUGE_VAL) : b->edges->low;
	*ret_high = isinf(b->edges->high) ? b->edges->low : b->edges->high;
}

static uint64_t part_of(uint64_t count, double share)
{
	double part = round(share * (double)count);

	return part < (double)count ? (uint64_t)part : count;
}

struct histogram histogram_rebin_split(struct arena *a, const struct histogram *h,
				       const struct bucket_scheme *to)
{
	struct making m;
	size_t room = 0;

	for (size_t i = 0; i < h->n; i++) {
		double low, high;

		bucket_stretch(&h->bucket[i], &low, &high);
		room += (size_t)(bucket_find(to, high) - bucket_find(to, low)) + 1;
	}
	m = start_making(a, h, room);
	m.hist.scheme = scheme_in(a, to);
	m.hist.approximate = true;
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];
		uint64_t placed = 0;
		double low, high;
		int last;

		bucket_stretch(b, &low, &high);
		last = low < high ? bucket_find(to, nextafter(high, low)) : bucket_find(to, low);
		for (int k = bucket_find(to, low); k <= last; k++) {
			double share = (fmin(bucket_high(to, k), high) - low) / (high - low);
			uint64_t until = k == last ? b->count : part_of(b->count, share);

			if (until > placed)
				push_bucket(&m, k, until - placed);
			placed = until > placed ? until : placed;
		}
	}
	return m.hist;
}

struct histogram histogram_scaled(struct arena *a, const struct histogram *h, double factor)
{
	struct bucket_scheme edges;
	struct making m;
	double *edge;
	size_t n = 0;

	if (factor == 1 || h->n == 0)
		return *h;
	edge = arena_make(a, double, 2 * h->n);
	m = start_making(a, h, h->n);
	m.hist.approximate = true;
	m.hist.granularity *= factor;
	for (size_t i = 0; i < h->n; i++) {
		double low = h->bucket[i].edges->low * factor;
		double high = h->bucket[i].edges->high * factor;

		if (!isinf(low) && (n == 0 || edge[n - 1] < low))
			edge[n++] = low;
		add_bucket(&m, (struct edges){ low, high, (int)n - 1 }, h->bucket[i].count);
		if (!isinf(high))
			edge[n++] = high;
	}
	edges = bucket_edges(edge, n);
	m.hist.scheme = scheme_in(a, &edges);
	return m.hist;
}

/* Returns a sum without buckets: only `approximate` and the granularity are set. */
static struct histogram begin_sum(const struct histogram *a, const struct histogram *b)
{
	return (struct histogram){ .approximate = a->approximate || b->approximate,
				   .granularity =
					   a->granularity == b->granularity ? a->granularity : 0 };
}

/* Adds two histograms of one scheme; false when the count does not fit. */
static bool add_buckets(struct arena *arena, const struct histogram *a, const struct histogram *b,
			struct histogram *ret)
{
	size_t i = 0, k = 0;

	if (__builtin_add_overflow(a->count, b->count, &ret->count))
		return false;
	ret->scheme = a->scheme;
	ret->bucket = arena_make(arena, struct bucket, a->n + b->n);
	while (i < a->n || k < b->n) {
		if (k == b->n ||
		    (i < a->n && a->bucket[i].edges->index < b->bucket[k].edges->index)) {
			ret->bucket[ret->n++] = a->bucket[i++];
		} else if (i == a->n || b->bucket[k].edges->index < a->bucket[i].edges->index) {
			ret->bucket[ret->n++] = b->bucket[k++];
		} else {
			ret->bucket[ret->n] = a->bucket[i++];
			ret->bucket[ret->n++].count += b->bucket[k++].count;
		}
	}
	return true;
}

enum merge histogram_merge(struct arena *arena, const struct histogram *a,
			   const struct histogram *b, struct histogram *ret)
{
	struct histogram r = begin_sum(a, b), on_a = *a, on_b = *b;
	struct bucket_scheme common;
	double *edges = NULL;

	if (a->n == 0 || b->n == 0) { /* the scheme of an empty histogram does not matter */
		*ret = a->n > 0 ? *a : *b;
		ret->approximate = r.approximate;
		if (a->n == 0 && b->n == 0)
			ret->scheme = &bucket_octaves;
		return MERGE_DONE;
	}
	if (a->scheme->kind == BUCKET_EDGES && b->scheme->kind == BUCKET_EDGES)
		edges = arena_make(arena, double, a->scheme->n_edges);
	if (!bucket_scheme_eq(a->scheme, b->scheme) &&
	    (!bucket_scheme_join(a->scheme, b->scheme, edges, &common) ||
	     !histogram_rebin(arena, a, &common, &on_a) ||
	     !histogram_rebin(arena, b, &common, &on_b)))
		return MERGE_INEXACT;
	if (!add_buckets(arena, &on_a, &on_b, &r))
		return MERGE_OVERFLOW;
	*ret = r;
	return MERGE_DONE;
}

/* Adds up non-empty histograms of one scheme by halves, so that each bucket is moved only
 * log2(n) times. */
static bool sum_scattered(struct arena *arena, const struct histogram *h, size_t n,
			  struct histogram *ret)
{
	struct histogram half[2];

	if (n == 1) {
		*ret = *h;
		return true;
	}
	if (!sum_scattered(arena, h, n / 2, &half[0]) ||
	    !sum_scattered(arena, h + n / 2, n - n / 2, &half[1]))
		return false;
	*ret = begin_sum(&half[0], &half[1]);
	return add_buckets(arena, &half[0], &half[1], ret);
}

/* Returns the lowest bucket number, and in *ret_span how many numbers there are up to the
 * highest. */
static int index_reach(const struct histogram *h, size_t n, size_t *ret_span)
{
	int low = INT_MAX, high = INT_MIN;

	for (size_t i = 0; i < n; i++) {
		int first = h[i].bucket[0].edges->index,
		    last = h[i].bucket[h[i].n - 1].edges->index;

		low = first < low ? first : low;
		high = last > high ? last : high;
	}
	*ret_span = (size_t)((int64_t)high - low) + 1;
	return low;
}

static size_t keep_filled(struct bucket *bucket, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (bucket[i].edges != NULL)
			bucket[kept++] = bucket[i];
	}
	return kept;
}

/* Adds up non-empty histograms of one scheme in an array indexed by bucket number, unless most of
 * it would stay empty. */
static bool sum_similar(struct arena *arena, const struct histogram *h, size_t n,
			struct histogram *ret)
{
	enum { PLACES_A_BUCKET = 4 };
	size_t span, n_buckets = 0;
	int low;

	for (size_t i = 0; i < n; i++)
		n_buckets += h[i].n;
	low = index_reach(h, n, &span);
	if (n == 1 || span > PLACES_A_BUCKET * n_buckets)
		return sum_scattered(arena, h, n, ret);
	*ret = h[0];
	ret->count = 0;
	ret->bucket = arena_make(arena, struct bucket, span);
	for (size_t i = 0; i < n; i++) {
		if (__builtin_add_overflow(ret->count, h[i].count, &ret->count))
			return false;
		ret->approximate |= h[i].approximate;
		if (h[i].granularity != ret->granularity)
			ret->granularity = 0;
		for (size_t k = 0; k < h[i].n; k++) {
			const struct bucket *b = &h[i].bucket[k];
			struct bucket *to = &ret->bucket[b->edges->index - low];

			to->edges = b->edges;
			to->count += b->count;
		}
	}
	ret->n = keep_filled(ret->bucket, span);
	return true;
}

/* Returns how many histograms have the same scheme as the first, up to one that has not. */
static size_t count_similar(const struct histogram *h, size_t n)
{
	size_t like = 1;

	while (like < n && bucket_scheme_eq(h[like].scheme, h->scheme))
		like++;
	return like;
}

static enum merge sum_filled(struct arena *arena, const struct histogram *h, size_t n,
			     struct histogram *ret)
{
	enum merge what = MERGE_DONE;
	struct histogram sum, part;
	size_t like = count_similar(h, n);

	if (!sum_similar(arena, h, like, &sum))
		return MERGE_OVERFLOW;
	for (size_t from = like; from < n && what == MERGE_DONE; from += like) {
		like = count_similar(h + from, n - from);
		if (!sum_similar(arena, h + from, like, &part))
			return MERGE_OVERFLOW;
		what = histogram_merge(arena, &sum, &part, &sum);
	}
	if (what == MERGE_DONE)
		*ret = sum;
	return what;
}

enum merge histogram_sum(struct arena *arena, const struct histogram *h, size_t n,
			 struct histogram *ret)
{
	struct histogram *filled = arena_make(arena, struct histogram, n), sum = h[n - 1];
	enum merge what = MERGE_DONE;
	bool approximate = false;
	size_t n_filled = 0;

	for (size_t i = 0; i < n; i++) {
		approximate |= h[i].approximate;
		if (h[i].n > 0)
			filled[n_filled++] = h[i];
	}
	if (n_filled > 0)
		what = sum_filled(arena, filled, n_filled, &sum);
	else if (n > 1)
		sum.scheme = &bucket_octaves;
	sum.approximate = approximate;
	if (what == MERGE_DONE)
		*ret = sum;
	return what;
}

const struct bucket *histogram_excess(const struct histogram *later,
				      const struct histogram *earlier, uint64_t *ret_later)
{
	size_t i = 0;

	for (size_t k = 0; k < earlier->n; k++) {
		const struct bucket *b = &earlier->bucket[k];

		while (i < later->n && later->bucket[i].edges->index < b->edges->index)
			i++;
		*ret_later = i < later->n && later->bucket[i].edges->index == b->edges->index
				     ? later->bucket[i].count
				     : 0;
		if (*ret_later < b->count)
			return b;
	}
	return NULL;
}

bool histogram_contains(const struct histogram *later, const struct histogram *earlier)
{
	uint64_t ignored;

	return bucket_scheme_eq(later->scheme, earlier->scheme) &&
	       histogram_excess(later, earlier, &ignored) == NULL;
}

void histogram_subtract(struct histogram *from, const struct histogram *earlier)
{
	size_t k = 0, left = 0;

	for (size_t i = 0; i < from->n; i++) {
		struct bucket b = from->bucket[i];

		while (k < earlier->n && earlier->bucket[k].edges->index < b.edges->index)
			k++;
		if (k < earlier->n && earlier->bucket[k].edges->index == b.edges->index)
			b.count -= earlier->bucket[k].count;
		if (b.count > 0)
			from->bucket[left++] = b;
	}
	from->n = left;
	from->count -= earlier->count;
}
