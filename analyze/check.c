/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/check.h"

#include "base/arena.h"

enum { CHECKS = CHECK_INTERVALS + 1 };

const char *inconsistency_name(enum inconsistency i)
{
	static const char *const names[] = { "count", "total", "min", "max", "intervals" };

	return names[i];
}

static void add_finding(struct consistency *c, enum inconsistency what, const struct operation *op,
			double stated, double low, double high)
{
	c->finding[c->n++] = (struct finding){ what, op, stated, low, high };
}

static void check_extremes(struct consistency *c, const struct operation *op)
{
	const struct stated *s = &op->stated;
	const struct bucket *first, *last;

	if (op->hist.n == 0)
		return;
	first = &op->hist.bucket[0];
	last = &op->hist.bucket[op->hist.n - 1];
	if (s->has_min && !(s->min >= first->edges->low && s->min < first->edges->high))
		add_finding(c, CHECK_MIN, op, s->min, first->edges->low, first->edges->high);
	/* Some collectors include the upper edge in the bucket. */
	if (s->has_max && !(s->max >= last->edges->low && s->max <= last->edges->high))
		add_finding(c, CHECK_MAX, op, s->max, last->edges->low, last->edges->high);
}

static void check_intervals(struct consistency *c, const struct operation *op)
{
	double sum = 0;

	for (size_t i = 0; i < op->n_intervals; i++)
		sum += (double)op->interval[i].hist.count;
	if (op->n_intervals > 0 && sum != (double)op->hist.count)
		add_finding(c, CHECK_INTERVALS, op, sum, (double)op->hist.count,
			    (double)op->hist.count);
}

static void check_operation(struct consistency *c, const struct operation *op)
{
	const struct stated *s = &op->stated;

	c->n_counts += s->has_count;
	c->n_totals += s->has_total;
	if (!s->count_agrees)
		add_finding(c, CHECK_COUNT, op, (double)s->count, (double)op->hist.count,
			    (double)op->hist.count);
	if (!s->total_agrees)
		add_finding(c, CHECK_TOTAL, op, decimal_f64(s->total),
			    histogram_total_min(&op->hist), histogram_total_max(&op->hist));
	check_extremes(c, op);
	check_intervals(c, op);
}

struct consistency check(struct arena *a, const struct profile *p)
{
	struct consistency c = { .finding = arena_make(a, struct finding, p->n_ops * CHECKS + 1) };

	for (size_t i = 0; i < p->n_ops; i++)
		check_operation(&c, &p->op[i]);
	return c;
}
