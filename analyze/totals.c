/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "base/xalloc.h"

struct totals totals_of(const struct profile *p)
{
	struct totals t = { .n_ops = p->n_ops };

	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].unit != p->unit)
			continue;
		t.latency += operation_own(&p->op[i]);
		if (p->op[i].idle)
			t.idle += operation_own(&p->op[i]);
		t.count += (double)operation_count(&p->op[i]);
	}
	return t;
}

double totals_busy(const struct totals *t)
{
	return t->latency - t->idle;
}

double share_of_latency(const struct totals *run, const struct profile *p,
			const struct operation *op)
{
	double of = op->idle ? run->latency : totals_busy(run);

	if (op->unit != p->unit)
		return NAN;
	return of > 0 ? operation_own(op) / of : 0;
}

/* Maps a double to an integer that sorts the largest double first. */
static uint64_t falling_key(double v)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	v += 0; /* -0 is 0 */
	memcpy(&bits, &v, sizeof(bits));
	return (bits & sign) != 0 ? bits : ~(bits | sign);
}

static const struct operation **order_by(struct arena *a, const struct profile *p,
					 double (*key)(const struct operation *op))
{
	const struct operation **order = arena_make(a, const struct operation *, p->n_ops);
	struct sort_item *item = xcalloc(p->n_ops, sizeof(*item));

	for (size_t i = 0; i < p->n_ops; i++)
		item[i] = (struct sort_item){ falling_key(key(&p->op[i])), i };
	sort_by_key(item, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++)
		order[i] = &p->op[item[i].number];
	free(item);
	return order;
}

const struct operation **order_by_latency(struct arena *a, const struct profile *p)
{
	return order_by(a, p, operation_own);
}

const struct operation **order_by_inclusive(struct arena *a, const struct profile *p)
{
	return order_by(a, p, operation_inclusive);
}
