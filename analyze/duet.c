/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/duet.h"

#include <math.h>

#include "base/arena.h"
#include "profile/profile.h"

/* --- partners ------------------------------------------------------------------------------- */

/* Returns the number of the run that states the same duet; side->n if there is none. */
static size_t partner_of(const struct profile *p, const struct runs_side *side)
{
	size_t k = 0;

	while (k < side->n && (p->duet.n == 0 || !str_eq(side->run[k]->duet, p->duet)))
		k++;
	return k;
}

static double end_of_intervals(const struct profile *p)
{
	double end = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].n_intervals > 0)
			end = fmax(end, p->op[i].interval[p->op[i].n_intervals - 1].end);
	}
	return end;
}

struct duets duets_of(struct arena *a, const struct runs_side *before,
		      const struct runs_side *after)
{
	size_t *partner = arena_make(a, size_t, before->n + 1);
	double *until = arena_make(a, double, before->n + 1);

	if (before->n != after->n)
		return (struct duets){ .n = 0 };
	for (size_t k = 0; k < before->n; k++) {
		partner[k] = partner_of(before->run[k], after);
		if (partner[k] == after->n ||
		    partner_of(before->run[k], &(struct runs_side){ before->run, k, false }) < k)
			return (struct duets){ .n = 0 };
		until[k] = fmin(end_of_intervals(before->run[k]),
				end_of_intervals(after->run[partner[k]]));
	}
	return (struct duets){ before->n, partner, until };
}

/* --- the time in which both ran ------------------------------------------------------------- */

const struct operation *duet_part(struct arena *a, const struct operation *op, double until)
{
	struct operation *part;
	struct histogram *h, sum;
	size_t n = 0;

	if (op == NULL || until <= 0 || op->n_intervals == 0 ||
	    op->interval[op->n_intervals - 1].end <= until)
		return op;
	h = arena_make(a, struct histogram, op->n_intervals);
	while (op->interval[n].end <= until) {
		h[n] = op->interval[n].hist;
		n++;
	}
	if (n == 0 || histogram_sum(a, h, n, &sum) != MERGE_DONE || sum.n == 0)
		return op;
	part = arena_make(a, struct operation, 1);
	*part = *op;
	part->hist = sum;
	part->stated = (struct stated){ .has_count = false };
	part->interval = NULL;
	part->n_intervals = 0;
	return part;
}
