/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/rebin.h"

#include "profile/profile.h"

static bool rebin(struct arena *a, struct histogram *h, unsigned resolution)
{
	struct bucket_scheme to = bucket_log2(resolution);
	struct histogram exact;

	if (h->scheme.kind == BUCKET_LOG2) { /* the bottom and an open top stay where they are */
		double scale = (double)resolution / h->scheme.resolution;

		to.first = (int)(h->scheme.first * scale);
		if (h->scheme.limit != BUCKET_NO_LIMIT)
			to.limit = (int)(h->scheme.limit * scale);
	}
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

		split |= rebin(p->arena, &op->hist, resolution);
		for (size_t k = 0; k < op->n_intervals; k++)
			split |= rebin(p->arena, &op->interval[k].hist, resolution);
	}
	return split;
}
