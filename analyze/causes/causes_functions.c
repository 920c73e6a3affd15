/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/causes/causes_functions.h"

#include <stdlib.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "profile/profile.h"

static int by_added(const void *a, const void *b)
{
	const struct cause_function *x = a, *y = b;

	return x->added > y->added ? -1 : x->added < y->added;
}

size_t cause_functions(struct arena *a, const struct profile *p, const struct peaks *peaks,
		       struct cause_function **ret)
{
	struct cause_function *f = arena_alloc(a, p->n_ops + 1, sizeof(*f));
	const struct operation **op = order_by_latency(a, p);
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		struct cause_function one = { .op = op[i] };

		one.peaks = peaks != NULL ? peaks[op[i] - p->op]
					  : peaks_find(a, &op[i]->hist, &peak_rules_default);
		for (size_t k = 1; k < one.peaks.n; k++) {
			const struct peak *slow = &one.peaks.v[k], *fast = slow - 1;
			double added = (double)slow->count * (slow->mean - fast->mean);

			if (added > one.added) {
				one.added = added;
				one.slow = k;
			}
		}
		if (one.peaks.n > 1)
			f[n++] = one;
	}
	qsort(f, n, sizeof(*f), by_added);
	*ret = f;
	return n;
}
