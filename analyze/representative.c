/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/representative.h"

#include <stdlib.h>

#include "analyze/totals.h"
#include "base/xalloc.h"

struct run_value {
	double latency;
	size_t run;
};

static int by_latency(const void *pa, const void *pb)
{
	const struct run_value *a = pa, *b = pb;

	if (a->latency != b->latency)
		return a->latency < b->latency ? -1 : 1;
	return (a->run > b->run) - (a->run < b->run);
}

size_t representative(const struct profile *const *run, size_t n)
{
	struct run_value *v;
	size_t median;

	if (n == 1)
		return 0;
	v = xcalloc(n, sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = (struct run_value){ totals_of(run[i]).latency, i };
	qsort(v, n, sizeof(*v), by_latency);
	median = v[(n - 1) / 2].run;
	free(v);
	return median;
}
