/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/rebin.h"

#include <math.h>

#include "profile/profile.h"

/* Returns the lowest positive edge; 1 if there is none. */
static double lowest_edge(const struct bucket_scheme *s)
{
	double high = bucket_high(s, bucket_find(s, 0));

	return isinf(high) ? 1 : high;
}

/* Keeps the bottom and an open top, or moves them inwards to the next edge. */
static struct bucket_scheme scheme_for(const struct bucket_scheme *s, unsigned resolution)
{
	struct bucket_scheme to = bucket_log2(resolution);
	double scale = (double)resolution / s->resolution;

	if (s->kind != BUCKET_LOG2) {
		to.first = (int)fmin(0, floor(log2(lowest_edge(s)) * resolution));
		return to;
	}
	to.first = (int)ceil(s->first * scale);
	if (s->limit != BUCKET_NO_LIMIT)
		to.limit = (int)floor(s->limit * scale);
	if (to.limit < to.first)
		to.limit = to.first;
	return to;
}

static bool rebin_histogram(struct arena *a, struct histogram *h, unsigned resolution)
{
	struct bucket_scheme to = scheme_for(h->scheme, resolution);
	struct histogram exact;

	if (histogram_rebin(a, h, &to, &exact)) {
		*h = exact;
		return false;
	}
	*h = histogram_rebin_split(a, h, &to);
	return true;
}

bool profile_rebin(struct profile *p, unsigned resolution)
{
	bool split = false;

	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		split |= rebin_histogram(p->arena, &op->hist, resolution);
		for (size_t k = 0; k < op->n_intervals; k++)
			split |= rebin_histogram(p->arena, &op->interval[k].hist, resolution);
	}
	return split;
}
