/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a ranking: reported operations first, both parts by falling scores. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rank.h"
#include "base/xalloc.h"

struct tie {
	double change;
	size_t at;
};

static int by_falling_change(const void *pa, const void *pb)
{
	const struct tie *a = pa, *b = pb;

	if (a->change != b->change)
		return a->change > b->change ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Operations of equal score: by what they changed, then as the files have them. */
static void break_ties(const struct ranking *all, size_t *place, size_t n)
{
	struct tie *tie = xcalloc(n, sizeof(*tie));

	for (size_t from = 0, to; from < n; from = to) {
		const double score = all->v[place[from]].score;

		for (to = from; to < n && all->v[place[to]].score == score; to++)
			tie[to] = (struct tie){ fabs(ranked_change(all, &all->v[place[to]])),
						place[to] };
		qsort(tie + from, to - from, sizeof(*tie), by_falling_change);
		for (size_t i = from; i < to; i++)
			place[i] = tie[i].at;
	}
	free(tie);
}

/* Puts the numbers of n operations into the order of falling scores. */
static void sort_part(const struct ranking *all, size_t *place, size_t n)
{
	double *key = xcalloc(n, sizeof(*key));
	size_t *order = xcalloc(n, sizeof(*order));

	for (size_t i = 0; i < n; i++)
		key[i] = -all->v[place[i]].score;
	gsl_sort_index(order, key, 1, n);
	for (size_t i = 0; i < n; i++)
		order[i] = place[order[i]];
	memcpy(place, order, n * sizeof(*place));
	break_ties(all, place, n);
	free(order);
	free(key);
}

/* Moves v[place[i]] to v[i], cycle by cycle. */
static void permute(struct ranked *v, size_t *place, size_t n)
{
	for (size_t start = 0; start < n; start++) {
		struct ranked first = v[start];
		size_t to = start, from = place[start];

		if (from == start)
			continue;
		while (from != start) {
			v[to] = v[from];
			place[to] = to;
			to = from;
			from = place[to];
		}
		v[to] = first;
		place[to] = to;
	}
}

void rank_order(struct ranking *all)
{
	size_t *place = xcalloc(all->n, sizeof(*place)), n = 0, n_reported;

	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].reported)
			place[n++] = i;
	}
	n_reported = all->n_reported = n;
	for (size_t i = 0; i < all->n; i++) {
		if (!all->v[i].reported)
			place[n++] = i;
	}
	sort_part(all, place, n_reported);
	sort_part(all, place + n_reported, n - n_reported);
	permute(all->v, place, n);
	free(place);
}
