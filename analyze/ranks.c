/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ranks.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct run_value {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct run_value *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

void ranks_of(const double *x, size_t n, double *ret_rank)
{
	struct run_value *v = xcalloc(n + 1, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = (struct run_value){ x[i], i };
	qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].value == v[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			ret_rank[v[k].at] = (double)(i + 1 + end) / 2;
	}
	free(v);
}
