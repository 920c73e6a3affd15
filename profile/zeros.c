/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a clock reads as zero took less than its first step, and the bucket of zero reaches
 * up to there: a clock of milliseconds tells nothing of what the buckets below one hold.
 */
#include <limits.h>

#include "profile/builder_parts.h"

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

/* The bucket that a latency of one step is in. */
static int first_of(const struct histogram *h)
{
	return h->granularity > 0 ? bucket_find(h->scheme, h->granularity) : h->scheme->first;
}

/* Whether there is something to raise, and no latency that the clock is said not to tell. */
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
	return n_buckets > 0; /* none says nothing of a scheme */
}

static void raise(struct builder *b, struct histogram *h, int first,
		  const struct bucket_scheme **last)
{
	struct bucket_scheme s = *h->scheme;
	int below = s.first - first; /* what numbers up to zero become less */

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

			raise(b, h, first_of(h), &last);
		}
	}
}
