/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/cluster.h"
#include "base/attr.h"

enum { MAX = 8 };

/* Distances of points on a line. */
static size_t on_a_line(const double *x, size_t n, double max, size_t *ret)
{
	double d[MAX * MAX];

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n; k++)
			d[i * n + k] = fabs(x[i] - x[k]);
	}
	return cluster(d, n, max, ret);
}

static void by_hand(void **state)
{
	static const double x[] = { 0, 10, 0.3, 20, 10.4, 0.1 };
	static const size_t expected[] = { 0, 1, 0, CLUSTER_NONE, 1, 0 };
	size_t c[MAX];

	(void)state;
	assert_int_equal(on_a_line(x, COUNT_OF(x), 0.5, c), 2);
	assert_memory_equal(c, expected, sizeof(expected));
	/* 0.3 is 0.25 from the pair (0, 0.1) on average: one more or one less. */
	assert_int_equal(on_a_line(x, COUNT_OF(x), 0.2, c), 1);
	assert_int_equal(c[2], CLUSTER_NONE);
	assert_int_equal(on_a_line(x, COUNT_OF(x), 0.25, c), 1);
	assert_int_equal(c[2], 0);
	assert_int_equal(on_a_line(x, COUNT_OF(x), 0, c), 0);
	assert_int_equal(on_a_line(x, COUNT_OF(x), 100, c), 1);
	assert_int_equal(on_a_line(x, 1, 100, c), 0);
	assert_int_equal(c[0], CLUSTER_NONE);
	assert_int_equal(cluster(NULL, 0, 100, NULL), 0);
}

/* Single linkage would call all of a chain alike. */
static void a_chain_is_not_one_group(void **state)
{
	static const double x[] = { 0, 0.4, 0.8, 1.2, 1.6, 2.0 };
	size_t c[MAX];

	(void)state;
	assert_true(on_a_line(x, COUNT_OF(x), 0.5, c) > 1);
}

/* The larger of both directions counts, signs do not; NAN never joins. */
static void outlier_distances(void **state)
{
	static const double d[] = { 0, 0.1, NAN, 0.9, 0, -0.2, 0.1, 0.2, 0 };
	size_t c[3];

	(void)state;
	assert_int_equal(cluster(d, 3, 0.5, c), 1);
	assert_int_equal(c[0], CLUSTER_NONE);
	assert_int_equal(c[1], 0);
	assert_int_equal(c[2], 0);
	assert_int_equal(cluster(d, 3, NAN, c), 0);
	assert_int_equal(cluster(d, 3, 1e300, c), 1);
	assert_int_equal(c[0], CLUSTER_NONE);
}

/* The next pair to join is found by going through all of them. */
static void plainly(double *d, size_t n, double max, size_t *group)
{
	size_t size[MAX], left = n;

	for (size_t i = 0; i < n; i++) {
		group[i] = i;
		size[i] = 1;
	}
	for (; left > 1; left--) {
		size_t a = 0, b = 0;

		for (size_t i = 0; i < n; i++) {
			for (size_t k = i + 1; k < n; k++) {
				if (size[i] > 0 && size[k] > 0 &&
				    (a == b || d[i * n + k] < d[a * n + b])) {
					a = i;
					b = k;
				}
			}
		}
		if (d[a * n + b] > max)
			return;
		for (size_t k = 0; k < n; k++)
			d[a * n + k] = d[k * n + a] =
				((double)size[a] * d[a * n + k] + (double)size[b] * d[b * n + k]) /
				(double)(size[a] + size[b]);
		for (size_t k = 0; k < n; k++)
			group[k] = group[k] == b ? a : group[k];
		size[a] += size[b];
		size[b] = 0;
	}
}

static void as_by_trying_all_pairs(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 500; round++) {
		double d[MAX * MAX] = { 0 }, copy[MAX * MAX];
		size_t c[MAX], group[MAX];

		for (size_t i = 0; i < MAX; i++) {
			for (size_t k = 0; k < i; k++) {
				seed = seed * 1664525 + 1013904223;
				d[i * MAX + k] = d[k * MAX + i] = (double)(seed >> 8) / (1 << 24);
			}
		}
		memcpy(copy, d, sizeof(d));
		(void)cluster(d, MAX, 0.4, c);
		plainly(copy, MAX, 0.4, group);
		for (size_t i = 0; i < MAX; i++) {
			for (size_t k = 0; k < i; k++)
				assert_int_equal(group[i] == group[k],
						 c[i] == c[k] && c[i] != CLUSTER_NONE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(a_chain_is_not_one_group),
		cmocka_unit_test(outlier_distances),
		cmocka_unit_test(as_by_trying_all_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
