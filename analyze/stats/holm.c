/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/holm.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct numbered {
	double p;
	size_t at;
};

static int by_p(const void *pa, const void *pb)
{
	const struct numbered *a = pa, *b = pb;

	if (a->p != b->p)
		return a->p > b->p ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

void holm_adjust(const double *p, size_t n, double *adjusted)
{
	struct numbered *v = xcalloc(n + 1, sizeof(*v));
	double max = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		adjusted[i] = NAN;
		if (!isnan(p[i]))
			v[m++] = (struct numbered){ p[i], i };
	}
	qsort(v, m, sizeof(*v), by_p);
	for (size_t i = 0; i < m; i++) {
		max = fmax(max, fmin(1, v[i].p * (double)(m - i)));
		adjusted[v[i].at] = max;
	}
	free(v);
}
