/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/breaks.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/ranks.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* Returns the split of x[from..to) with the largest |U|, where U = 2 sum - k (n + 1) compares the
 * sum of the first k ranks with its expectation. */
static struct level_break best_split(const double *x, size_t from, size_t to, double *rank)
{
	size_t n = to - from, best = 0;
	double sum = 0, most = 0, size = (double)n;

	ranks_of(x + from, n, rank);
	for (size_t k = 1; k + BREAKS_MIN_PART <= n; k++) {
		double u;

		sum += rank[k - 1];
		u = fabs(2 * sum - (double)k * (size + 1));
		if (k >= BREAKS_MIN_PART && u > most) {
			most = u;
			best = k;
		}
	}
	return (struct level_break){
		from + best,
		best == 0 ? 1 : fmin(1, 2 * exp(-6 * most * most / (size * size * (size + 1))))
	};
}

/* A part of the series that is still to be looked at. */
struct part {
	size_t from, to;
};

static int by_position(const void *a, const void *b)
{
	const struct level_break *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

struct breaks breaks_find(struct arena *a, const double *x, size_t n, double alpha)
{
	struct breaks found = { .v = arena_make(a, struct level_break, n / BREAKS_MIN_PART + 1) };
	struct part *todo = xcalloc(n / BREAKS_MIN_PART + 2, sizeof(*todo));
	double *rank = xcalloc(n + 1, sizeof(*rank));
	size_t n_todo = 0;

	todo[n_todo++] = (struct part){ 0, n };
	while (n_todo > 0) {
		struct part p = todo[--n_todo];
		struct level_break split;

		if (p.to - p.from < 2 * BREAKS_MIN_PART)
			continue;
		split = best_split(x, p.from, p.to, rank);
		if (split.at == p.from || split.p > alpha)
			continue;
		found.v[found.n++] = split;
		todo[n_todo++] = (struct part){ p.from, split.at };
		todo[n_todo++] = (struct part){ split.at, p.to };
	}
	qsort(found.v, found.n, sizeof(*found.v), by_position);
	free(rank);
	free(todo);
	return found;
}
