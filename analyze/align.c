/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/align.h"

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
	free(a->index);
	arena_free(a->scratch);
}

static void reserve_buckets(struct aligned *a, size_t n)
{
	if (n > a->cap) {
		a->cap = n * 2;
		a->room = xreallocarray(a->room, a->cap, N_ARRAYS * sizeof(*a->room));
		a->index = xreallocarray(a->index, a->cap, sizeof(*a->index));
	}
	a->before = a->room;
	a->after = a->room + a->cap;
	a->p = a->room + 2 * a->cap;
	a->q = a->room + 3 * a->cap;
	a->diff = a->room + 4 * a->cap;
	a->position = a->room + 5 * a->cap;
}

static void add_cell(struct aligned *a, const struct bucket *any, double before, double after)
{
	double mean = bucket_middle(any);
	size_t i = a->n++;

	a->before[i] = before;
	a->after[i] = after;
	a->index[i] = any->edges->index;
	a->total_before += before * mean;
	a->total_after += after * mean;
}

/* Merges two histograms on one scheme by bucket number. */
static void merge_buckets(struct aligned *a, const struct histogram *before,
			  const struct histogram *after)
{
	const struct bucket *b = before->bucket, *b_end = b + before->n;
	const struct bucket *c = after->bucket, *c_end = c + after->n;

	while (b < b_end && c < c_end) {
		if (b->edges->index == c->edges->index) {
			add_cell(a, b, (double)b->count, (double)c->count);
			b++;
			c++;
		} else if (b->edges->index < c->edges->index) {
			add_cell(a, b, (double)b->count, 0);
			b++;
		} else {
			add_cell(a, c, 0, (double)c->count);
			c++;
		}
	}
	for (; b < b_end; b++)
		add_cell(a, b, (double)b->count, 0);
	for (; c < c_end; c++)
		add_cell(a, c, 0, (double)c->count);
}

static void set_positions(struct aligned *a, const struct bucket_scheme *s)
{
	if (s->kind == BUCKET_LOG2 && s->resolution == 1) {
		for (size_t i = 0; i < a->n; i++)
			a->position[i] = a->index[i];
		return;
	}
	for (size_t i = 0; i < a->n; i++)
		a->position[i] = bucket_position(s, a->index[i]);
}

/* p - q = (before n_after - after n_before) / (n_before n_after).  The difference is taken in
 * long double, so that nearly equal shares do not cancel. */
static void normalise_shares(struct aligned *a)
{
	long double nb = a->n_before, na = a->n_after;
	double per_b = nb > 0 ? 1 / a->n_before : 0, per_a = na > 0 ? 1 / a->n_after : 0;
	double both = per_b * per_a;

	for (size_t i = 0; i < a->n; i++) {
		a->p[i] = a->before[i] * per_b;
		a->q[i] = a->after[i] * per_a;
		a->diff[i] = (double)(a->before[i] * na - a->after[i] * nb) * both;
	}
}

/* Returns h on another scheme; sets *split when buckets had to be split. */
static struct histogram put_on(struct aligned *a, const struct histogram *h,
			       const struct bucket_scheme *to, bool *split)
{
	struct histogram r;

	if (bucket_scheme_eq(h->scheme, to))
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
	edges = arena_make(a->scratch, double, before->scheme->n_edges);
	if (scale_after != 1)
		*after = histogram_scaled(a->scratch, after, scale_after);
	if (bucket_scheme_common(before->scheme, after->scheme, edges, &to) == COMMON_SAME)
		return;
	*before = put_on(a, before, &to, &a->approximated);
	*after = put_on(a, after, &to, &a->approximated);
}

void align(struct aligned *a, const struct histogram *before, const struct histogram *after,
	   double scale_after)
{
	struct histogram none = { .scheme = before != NULL ? before->scheme : after->scheme };
	struct histogram b, c;

	b = before != NULL ? *before : none;
	c = after != NULL ? *after : none;
	a->approximated = false;
	if (scale_after != 1 || !bucket_scheme_eq(b.scheme, c.scheme))
		put_on_common(a, &b, &c, scale_after);
	a->n = 0;
	a->total_before = a->total_after = 0;
	a->n_before = (double)b.count;
	a->n_after = (double)c.count;
	reserve_buckets(a, b.n + c.n);
	merge_buckets(a, &b, &c);
	set_positions(a, b.scheme);
	normalise_shares(a);
}
