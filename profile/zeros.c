/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A latency that a clock reads as zero took less than the clock's first step, so the bucket of
 * zero has to reach up to that step: a clock of milliseconds cannot tell the buckets below 1 ms
 * apart.
 */
#include <limits.h>

#include "profile/builder/builder_parts.h"

static size_t n_hists(const struct builder *b, size_t op)
{
	const struct series *s = b->op_builder[op].series;

	return s == NULL ? 1 : series_n_to_read(s);
}

static struct histogram *hist_at(struct builder *b, size_t op, size_t k)
{
	const struct series *s = b->op_builder[op].series;

	return s == NULL ? &b->profile->op[op].hist : &s->interval[k].hist;
}

/* The number of the lowest bucket above zero; INT_MAX where there is none. */
static int lowest_above_zero(const struct histogram *h)
{
	for (size_t i = 0; i < h->n; i++) {
		if (h->bucket[i].edges->low > 0)
			return h->bucket[i].edges->index;
	}
	return INT_MAX;
}

/* Returns the bucket of a latency of one clock step. */
static int first_of(const struct histogram *h)
{
	return h->granularity > 0 ? bucket_find(h->scheme, h->granularity) : h->scheme->first;
}

/* Whether the bucket of zero can be raised: no latency may lie between zero and the clock's first
 * step. */
static bool can_raise(struct builder *b, size_t op)
{
	size_t n_buckets = 0;

	for (size_t k = 0; k < n_hists(b, op); k++) {
		const struct histogram *h = hist_at(b, op, k);
		int first = first_of(h);

		n_buckets += h->n;
		if (h->scheme->kind != BUCKET_LOG2 || first <= h->scheme->first ||
		    lowest_above_zero(h) < first)
			return false;
	}
	return n_buckets > 0; /* without buckets the scheme means nothing */
}

static void raise_first(struct builder *b, struct histogram *h, int first,
			const struct bucket_scheme **last)
{
	struct bucket_scheme s = *h->scheme;
	int below = s.first - first; /* subtracted from the numbers of buckets up to zero */

	s.first = first;
	h->scheme = *last = bucket_scheme_keep(b->arena, &s, *last);
	for (size_t i = 0; i < h->n && h->bucket[i].edges->low <= 0; i++)
		h->bucket[i].edges =
			edges_of_number(&b->edges, h->scheme, h->bucket[i].edges->index - below);
}

void raise_zeros(struct builder *b)
{
	const struct bucket_scheme *last = NULL;

	for (size_t i = 0; i < b->profile->n_ops && !b->keep_zeros; i++) {
		if (!can_raise(b, i))
			continue;
		for (size_t k = 0; k < n_hists(b, i); k++) {
			struct histogram *h = hist_at(b, i, k);

			raise_first(b, h, first_of(h), &last);
		}
	}
}
