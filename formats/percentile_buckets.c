/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/percentile_buckets.h"

#include <math.h>
#include <stdlib.h>

#include "profile/builder/builder.h"

static int by_percent(const void *pa, const void *pb)
{
	const struct percentile_point *a = pa, *b = pb;

	if (a->percent != b->percent)
		return a->percent < b->percent ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* The value was rounded, so what it bounds may be half a digit above. */
static double edge_above(const struct percentile_point *q)
{
	return q->value + q->step / 2;
}

static double lowest_edge(const struct percentile_list *q)
{
	double low = q->min != NULL ? q->min->value - q->min->step / 2 : 0;

	/* A rounded percentile may be below the minimum. */
	if (q->n > 0)
		low = fmin(low, q->point[0].value - q->point[0].step / 2);
	return fmax(low, 0);
}

/* The calls that are not pushed yet: those above `low`. */
struct gathering {
	struct builder *to;
	double low;
	uint64_t below; /* calls up to `low` */
};

static bool push_up_to(struct gathering *g, double high, uint64_t up_to, struct str where)
{
	if (high <= g->low || up_to <= g->below)
		return true;
	if (!build_range(g->to, g->low, high, up_to - g->below, where))
		return false;
	g->low = high;
	g->below = up_to;
	return true;
}

static bool list_ascends(const struct percentile_list *q, struct builder *to)
{
	for (size_t i = 1; i < q->n; i++) {
		if (q->point[i].value < q->point[i - 1].value)
			return build_fail(to, DIAG_BUCKET_ORDER, q->point[i].where,
					  "the %.12gth percentile is below the %.12gth",
					  q->point[i].percent, q->point[i - 1].percent);
	}
	return true;
}

/* The last bucket ends at the maximum, or is open. */
static bool push_rest(struct gathering *g, const struct percentile_list *q, struct str where)
{
	double high = q->max != NULL ? edge_above(q->max) : HUGE_VAL;

	if (g->below == q->calls)
		return true;
	if (high <= g->low) /* the maximum was printed with more digits than the percentiles */
		g->low = nextafter(high, 0);
	return build_range(g->to, g->low, high, q->calls - g->below, where);
}

/* Where the bucket of a point ends. */
static double end_of(const struct percentile_list *q, size_t i)
{
	double highest = q->max != NULL ? edge_above(q->max) : HUGE_VAL;

	return fmin(edge_above(&q->point[i]), highest);
}

/* Returns how many calls took no more than point i. */
static uint64_t calls_up_to(const struct percentile_list *q, size_t i)
{
	double calls = round(q->point[i].percent / 100 * (double)q->calls);

	return calls < (double)q->calls ? (uint64_t)calls : q->calls;
}

bool percentile_buckets_push(struct percentile_list *q, struct builder *to, struct str where)
{
	struct gathering g = { .to = to };

	qsort(q->point, q->n, sizeof(*q->point), by_percent);
	g.low = lowest_edge(q);
	if (!list_ascends(q, to) || !build_histogram(to, where))
		return false;
	build_approximate(to);
	for (size_t i = 0; i < q->n; i++) {
		double end = end_of(q, i);

		/* Of points at the same edge the last has all calls up to it, and of those at the
		 * maximum none has. */
		if ((i + 1 < q->n && end_of(q, i + 1) == end) ||
		    (q->max != NULL && end == edge_above(q->max)))
			continue;
		if (!push_up_to(&g, end, calls_up_to(q, i), q->point[i].where))
			return false;
	}
	return push_rest(&g, q, where);
}
