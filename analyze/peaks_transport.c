/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where the calls went that did not stay where they were. */
#include <math.h>
#include <stdlib.h>

#include "analyze/peaks_parts.h"
#include "base/xalloc.h"

/* Smaller shares of the calls are rounding errors. */
static const double nothing = 1e-9;

static double link_distance(const struct peak_link *l)
{
	return fabs(l->after->position - l->before->position);
}

size_t peaks_transport(const struct peaks *before, const struct peaks *after, double *left_before,
		       double *left_after, const struct match_rules *rules, struct peak_link *ret)
{
	size_t i = 0, k = 0, n = 0;

	while (i < before->n && k < after->n) {
		struct peak_link l = { &before->v[i], &after->v[k], 0 };

		l.share = fmin(left_before[i], left_after[k]);
		left_before[i] -= l.share;
		left_after[k] -= l.share;
		if (l.share > nothing && link_distance(&l) <= rules->max_octaves)
			ret[n++] = l;
		if (left_before[i] <= left_after[k])
			i++;
		else
			k++;
	}
	return n;
}

/* The weight of a link; of two that carry the same share, the shorter one has more. */
static double link_weight(const struct peak_link *l, const struct match_rules *rules)
{
	return l->share * (1 - link_distance(l) / (4 * rules->max_octaves));
}

static bool is_eligible(const struct peak_link *l, const struct match_rules *rules)
{
	return l->share >= rules->min_part * fmax(l->before->share, l->after->share);
}

/* Returns how many of the first links share no peak with link i.  Both sides of the links ascend,
 * so links that share a peak with it come right before it. */
static size_t last_apart(const struct peak_link *link, size_t i)
{
	size_t k = i;

	while (k > 0 &&
	       (link[k - 1].before == link[i].before || link[k - 1].after == link[i].after))
		k--;
	return k;
}

void peaks_mate(const struct peak_link *link, size_t n, const struct match_rules *rules,
		bool *ret_mates)
{
	/* best[i]: the largest total weight among the first i links. */
	double *best = xcalloc(n + 1, sizeof(*best));

	for (size_t i = 0; i < n; i++) {
		double with = is_eligible(&link[i], rules)
				      ? link_weight(&link[i], rules) + best[last_apart(link, i)]
				      : 0;

		ret_mates[i] = with > best[i];
		best[i + 1] = fmax(best[i], with);
	}
	for (size_t i = n; i > 0;) {
		size_t next = ret_mates[i - 1] ? last_apart(link, i - 1) : i - 1;

		while (--i > next)
			ret_mates[i - 1] = false;
	}
	free(best);
}
