/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts a ranking: reported operations first, then the others, each part by the given key.  One is how
 * much latency an operation gained, which judging uses, too. */
#include <math.h>
#include <stdlib.h>

#include "analyze/body.h"
#include "analyze/rank/rank.h"
#include "base/xalloc.h"

const char *const rank_sort_names[] = { "total", "mean", "p99", "score", "name", NULL };

double ranked_change(const struct ranking *all, const struct ranked *r)
{
	return r->compared_after * all->runs_ratio - r->compared_before;
}

/* Own time, in the operation's unit; 0 when it is absent. */
static double own_of(const struct operation *op)
{
	return op != NULL ? operation_own(op) : 0;
}

static bool is_nested(const struct operation *op)
{
	return op != NULL && op->own_known != OWN_TOTAL;
}

double ranked_own_change(const struct ranking *all, const struct ranked *r)
{
	if (r->fixed_duration || !(is_nested(r->before) || is_nested(r->after)))
		return ranked_change(all, r);
	return own_of(r->after) * r->scale_after * all->runs_ratio - own_of(r->before);
}

double ranking_busy(const struct ranking *all)
{
	return fmax(totals_busy(&all->before),
		    totals_busy(&all->after) * all->scale_after * all->runs_ratio);
}

/* Idle time does not count, however much longer an operation waits. */
static double impact_of(const struct ranking *all, const struct ranked *r)
{
	return r->idle ? 0 : fabs(ranked_own_change(all, r));
}

static double known_size(double octaves)
{
	return isnan(octaves) ? 0 : fabs(octaves);
}

static double change_of_p99(const struct ranked *r)
{
	if (r->before == NULL || r->after == NULL)
		return HUGE_VAL;
	return known_size(body_quantile(&r->after->hist, 0.99) + log2(r->scale_after) -
			  body_quantile(&r->before->hist, 0.99));
}

/* The primary key, and the key that breaks ties. */
struct sort_key {
	double first, second;
	size_t at;
	const struct operation *op; /* to sort by name; NULL: by the keys alone */
};

static struct sort_key key_of(const struct ranking *all, size_t at, enum rank_sort sort)
{
	const struct ranked *r = &all->v[at];
	struct sort_key k = { .second = impact_of(all, r), .at = at };

	switch (sort) {
	case SORT_TOTAL:
		k.first = k.second;
		k.second = r->score;
		break;
	case SORT_MEAN:
		k.first = r->before != NULL && r->after != NULL ? known_size(r->mean_octaves)
								: HUGE_VAL;
		break;
	case SORT_P99:
		k.first = change_of_p99(r);
		break;
	case SORT_SCORE:
		k.first = r->score;
		break;
	case SORT_NAME:
		k.op = ranked_operation(r);
		break;
	}
	return k;
}

static int by_key(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;
	int names = a->op != NULL ? operation_cmp_key(a->op, b->op) : 0;

	if (names != 0)
		return names;
	if (a->first != b->first)
		return a->first > b->first ? -1 : 1;
	if (a->second != b->second)
		return a->second > b->second ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Sorts the numbers of n operations. */
static void sort_part(const struct ranking *all, size_t *number, size_t n, enum rank_sort sort)
{
	struct sort_key *key = xcalloc(n + 1, sizeof(*key));

	for (size_t i = 0; i < n; i++)
		key[i] = key_of(all, number[i], sort);
	qsort(key, n, sizeof(*key), by_key);
	for (size_t i = 0; i < n; i++)
		number[i] = key[i].at;
	free(key);
}

/* Moves v[number[i]] to v[i], cycle by cycle. */
static void permute_operations(struct ranked *v, size_t *number, size_t n)
{
	for (size_t start = 0; start < n; start++) {
		struct ranked first = v[start];
		size_t to = start, from = number[start];

		if (from == start)
			continue;
		while (from != start) {
			v[to] = v[from];
			number[to] = to;
			to = from;
			from = number[to];
		}
		v[to] = first;
		number[to] = to;
	}
}

void rank_order(struct ranking *all, enum rank_sort sort)
{
	size_t *number = xcalloc(all->n, sizeof(*number)), n = 0, n_reported;

	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].reported)
			number[n++] = i;
	}
	n_reported = all->n_reported = n;
	for (size_t i = 0; i < all->n; i++) {
		if (!all->v[i].reported)
			number[n++] = i;
	}
	sort_part(all, number, n_reported, sort);
	sort_part(all, number + n_reported, n - n_reported, sort);
	permute_operations(all->v, number, n);
	free(number);
}
