/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/align.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

enum { N_ARRAYS = 6 };

void aligned_init(struct aligned *a)
{
	*a = (struct aligned){ 0 };
}

void aligned_release(struct aligned *a)
{
	free(a->room);
	arena_free(a->scratch);
}

static void reserve(struct aligned *a, size_t n)
{
	if (n > a->cap) {
		a->cap = n * 2;
		a->room = xreallocarray(a->room, a->cap, N_ARRAYS * sizeof(*a->room));
	}
	a->before = a->room;
	a->after = a->room + a->cap;
	a->p = a->room + 2 * a->cap;
	a->q = a->room + 3 * a->cap;
	a->diff = a->room + 4 * a->cap;
	a->place = a->room + 5 * a->cap;
}

static void add_cell(struct aligned *a, const struct bucket_scheme *s, const struct bucket *before,
		     const struct bucket *after)
{
	const struct bucket *any = before != NULL ? before : after;
	size_t i = a->n++;
	double mean = bucket_mean(any);

	a->before[i] = before != NULL ? (double)before->count : 0;
	a->after[i] = after != NULL ? (double)after->count : 0;
	a->place[i] = bucket_place(s, any->index);
	a->total_before += a->before[i] * mean;
	a->total_after += a->after[i] * mean;
}

/* Both histograms are on one scheme: a merge by bucket number. */
static void merge(struct aligned *a, const struct histogram *before, const struct histogram *after)
{
	size_t i = 0, k = 0;

	while (i < before->n || k < after->n) {
		const struct bucket *b = i < before->n ? &before->bucket[i] : NULL;
		const struct bucket *c = k < after->n ? &after->bucket[k] : NULL;

		if (c == NULL || (b != NULL && b->index < c->index)) {
			add_cell(a, &before->scheme, b, NULL);
			i++;
		} else if (b == NULL || c->index < b->index) {
			add_cell(a, &before->scheme, NULL, c);
			k++;
		} else {
			add_cell(a, &before->scheme, b, c);
			i++;
			k++;
		}
	}
}

/* before/n_before - after/n_after, as if calculated without rounding in between. */
static double difference(double before, double n_before, double after, double n_after)
{
	double left = before * n_after, left_error = fma(before, n_after, -left);
	double right = after * n_before, right_error = fma(after, n_before, -right);

	return ((left - right) + (left_error - right_error)) / (n_before * n_after);
}

static void normalise(struct aligned *a)
{
	for (size_t i = 0; i < a->n; i++) {
		a->p[i] = a->n_before > 0 ? a->before[i] / a->n_before : 0;
		a->q[i] = a->n_after > 0 ? a->after[i] / a->n_after : 0;
		a->diff[i] =
			a->n_before > 0 && a->n_after > 0
				? difference(a->before[i], a->n_before, a->after[i], a->n_after)
				: a->p[i] - a->q[i];
	}
}

/* One side on another scheme; *split tells whether that had to split buckets. */
static struct histogram put_on(struct aligned *a, const struct histogram *h,
			       const struct bucket_scheme *to, bool *split)
{
	struct histogram r;

	if (bucket_scheme_eq(&h->scheme, to))
		return *h;
	if (histogram_rebin(a->scratch, h, to, &r))
		return r;
	*split = true;
	return histogram_rebin_split(a->scratch, h, to);
}

static void put_on_common(struct aligned *a, struct histogram *before, struct histogram *after,
			  double scale_after)
{
	struct bucket_scheme to;
	double *edges;

	arena_free(a->scratch);
	a->scratch = arena_new();
	edges = arena_make(a->scratch, double, before->scheme.n_edges);
	if (scale_after != 1)
		*after = histogram_scaled(a->scratch, after, scale_after);
	if (bucket_scheme_common(&before->scheme, &after->scheme, edges, &to) == COMMON_SAME)
		return;
	*before = put_on(a, before, &to, &a->approximated);
	*after = put_on(a, after, &to, &a->approximated);
}

void align(struct aligned *a, const struct histogram *before, const struct histogram *after,
	   double scale_after)
{
	struct histogram none = { .n = 0 }, b, c;

	none.scheme = before != NULL ? before->scheme : after->scheme;
	b = before != NULL ? *before : none;
	c = after != NULL ? *after : none;
	a->approximated = false;
	if (scale_after != 1 || !bucket_scheme_eq(&b.scheme, &c.scheme))
		put_on_common(a, &b, &c, scale_after);
	a->n = 0;
	a->total_before = a->total_after = 0;
	a->n_before = (double)b.count;
	a->n_after = (double)c.count;
	reserve(a, b.n + c.n);
	merge(a, &b, &c);
	normalise(a);
}
