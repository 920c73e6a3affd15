/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means estimated from buckets, against samples whose mean is known, and tests/oracle/means.py. */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/attr.h"
#include "profile/profile.h"
#include "tests/mean_alone.h"
#include "tests/unit/cells.h"

static struct histogram make(struct arena *a, struct bucket_scheme s)
{
	return histogram_in(arena_make(a, struct cells, 1), bucket_scheme_copy(a, &s));
}

/* --- worked cases --------------------------------------------------------------------------- */

static void as_the_oracle_has_it(void **state)
{
	static const struct {
		int bucket;
		uint64_t calls;
		double mean;
	} of[] = { { 3, 5, 13.5714137297 }, { 4, 100, 24.0190373813 }, { 5, 60, 43.2903369013 },
		   { 6, 9, 77.7150471391 }, { 7, 2, 176.225019474 },   { 12, 40, 5862.49491341 } };
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_log2(1));
	double total = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(of); i++) {
		put_bucket(&h, of[i].bucket, of[i].calls);
		total += (double)of[i].calls * of[i].mean;
	}
	for (size_t i = 0; i < COUNT_OF(of); i++)
		assert_true(fabs(histogram_bucket_mean(&h, i) / of[i].mean - 1) < 1e-10);
	assert_true(fabs(histogram_total(&h) / total - 1) < 1e-10);
	assert_true(is_near(histogram_bucket_mean(&h, 5), 4096 * mean_alone));
	arena_free(a);
}

/* As many calls in each octave: a density of 1 / v, whose mean from low to 2 low is
 * low / ln 2. */
static void a_constant_density(void **state)
{
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_log2(1)), le;
	const double edge[] = { 0.1, 0.25, 0.5, 1, 2.5, 5, 10 };

	(void)state;
	for (int i = 0; i < 7; i++)
		put_bucket(&h, i, 12);
	assert_true(is_near(histogram_bucket_mean(&h, 3), 8 / M_LN2));
	/* The same, a million calls to an e-fold, by the edges of Prometheus. */
	le = make(a, bucket_edges(edge, COUNT_OF(edge)));
	for (int i = 0; i < 6; i++)
		put_bucket(&le, i, (uint64_t)(1e6 * log(edge[i + 1] / edge[i]) + 0.5));
	assert_true(fabs(histogram_bucket_mean(&le, 2) / (0.5 / M_LN2) - 1) < 1e-6);
	assert_true(fabs(histogram_bucket_mean(&le, 3) / (1.5 / log(2.5)) - 1) < 1e-6);
	arena_free(a);
}

/* A clock of 1 us in ns: between 1000 and 2000 there is only 1000, between 4096 and 8192 there are
 * 5000 to 8000.  The bucket of zero holds only 0. */
static void multiples_of_a_step(void **state)
{
	struct arena *a = arena_new();
	struct bucket_scheme s = bucket_log2(1);
	struct histogram h;

	(void)state;
	s.first = 0;
	h = make(a, s);
	put_bucket(&h, -1, 3);
	put_bucket(&h, 9, 5);
	put_bucket(&h, 12, 5);
	h.granularity = 1000;
	assert_true(histogram_bucket_mean(&h, 0) == 0);
	assert_true(histogram_bucket_mean(&h, 1) == 1000);
	assert_true(histogram_bucket_mean(&h, 2) > 5000 && histogram_bucket_mean(&h, 2) < 7000);
	arena_free(a);
}

static void open_and_negative_buckets(void **state)
{
	struct arena *a = arena_new();
	struct bucket_scheme s = bucket_linear(0, 10);
	struct histogram h;

	(void)state;
	s.limit = 3;
	h = make(a, s);
	put_bucket(&h, -1, 8);
	put_bucket(&h, 0, 4);
	put_bucket(&h, 3, 2);
	assert_true(histogram_bucket_mean(&h, 0) > -5 && histogram_bucket_mean(&h, 0) < 0);
	assert_true(histogram_bucket_mean(&h, 1) > 0 && histogram_bucket_mean(&h, 1) < 5);
	assert_true(histogram_bucket_mean(&h, 2) == 30);
	arena_free(a);
}

/* 3 calls in [4, 8) and 1 from 32 on: (3x4 + 32) / 4 = 11 or more. */
static void bounds_of_a_mean(void **state)
{
	struct arena *a = arena_new();
	struct bucket_scheme s = bucket_log2(1);
	struct operation op = { .hist = { 0 } };
	double low, high;

	(void)state;
	assert_false(operation_mean_bounds(&op, &low, &high));
	s.limit = 5;
	op.hist = make(a, s);
	put_bucket(&op.hist, 2, 3);
	put_bucket(&op.hist, 5, 1);
	assert_true(operation_mean_bounds(&op, &low, &high));
	assert_true(low == 11 && isinf(high));
	op.stated = (struct stated){ .has_min = true, .has_max = true, .min = 5, .max = 40 };
	assert_true(operation_mean_bounds(&op, &low, &high));
	assert_true(low == (3 * 5 + 32) / 4. && high == (3 * 8 + 40) / 4.);
	op.stated.has_total = op.stated.total_agrees = true;
	op.stated.total = decimal_from_u64(60);
	assert_true(operation_mean_bounds(&op, &low, &high));
	assert_true(low == 15 && high == 15);
	arena_free(a);
}

/* --- properties ----------------------------------------------------------------------------- */

static struct bucket_scheme any_scheme(struct rng *r)
{
	static const double edge[] = { 0.5, 1, 3, 10, 11, 40, 100, 1000, 5000, 10000, 11000 };

	switch (rng_below(r, 4)) {
	case 0:
		return bucket_log2(1 + rng_below(r, 3000));
	case 1:
		return bucket_linear(0, 1 + rng_below(r, 100));
	case 2:
		return bucket_log_linear(1U << rng_below(r, 6), 1);
	default:
		return bucket_edges(edge, COUNT_OF(edge));
	}
}

/* A mean lies in its bucket, the sum of all is the total, and in another unit all are multiplied
 * alike. */
static void properties(void **state)
{
	struct rng r = rng_start(20061106);

	(void)state;
	for (int trial = 0; trial < 2000; trial++) {
		struct arena *a = arena_new();
		struct histogram h = make(a, any_scheme(&r)), twice;
		double sum = 0;

		for (int i = 0; i < 10; i++) {
			if (rng_below(&r, 4) > 0 && bucket_exists(h.scheme, i))
				put_bucket(&h, i, 1 + (rng_u64(&r) >> (24 + rng_below(&r, 40))));
		}
		twice = histogram_scaled(a, &h, 8);
		for (size_t i = 0; i < h.n; i++) {
			const struct edges *e = h.bucket[i].edges;
			double mean = histogram_bucket_mean(&h, i);

			assert_true(mean >= e->low && mean <= e->high);
			assert_true(fabs(histogram_bucket_mean(&twice, i) / mean / 8 - 1) < 1e-9);
			sum += (double)h.bucket[i].count * mean;
		}
		assert_true(fabs(histogram_total(&h) - sum) <= 1e-12 * fabs(sum));
		arena_free(a);
	}
}

/* --- samples -------------------------------------------------------------------------------- */

static double uniform(struct rng *r)
{
	return ((double)(rng_u64(r) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *r)
{
	double radius = sqrt(-2 * log(uniform(r)));

	return radius * cos(2 * M_PI * uniform(r));
}

/* Up to four modes that are normal in log2 latency. */
struct mixture {
	struct mode {
		double share, median, deviation; /* octaves */
	} mode[4];
};

static double draw_mixture(struct rng *r, const struct mixture *m)
{
	double at = uniform(r);
	const struct mode *k = m->mode;

	while (at >= k->share && k[1].share > 0)
		at -= (k++)->share;
	return k->median * exp2(k->deviation * normal(r));
}

static const struct mixture mixtures[] = {
	{ { { 1, 3000, 0.3 } } },
	{ { { 1, 3000, 1.5 } } },
	{ { { 0.5, 2000, 0.3 }, { 0.5, 8000, 0.3 } } },
	{ { { 0.5, 2000, 0.2 }, { 0.5, 4000, 0.2 } } },
	{ { { 0.5, 2000, 0.4 }, { 0.5, 4000, 0.4 } } },
	{ { { 0.5, 2300, 0.1 }, { 0.5, 3250, 0.1 } } },
	{ { { 0.98, 2000, 0.3 }, { 0.02, 128000, 0.5 } } },
	{ { { 0.999, 2000, 0.3 }, { 0.001, 2e6, 0.3 } } },
	{ { { 0.9995, 2000, 0.3 }, { 0.0005, 2.1e6, 0 } } },
	{ { { 0.99975, 2000, 0.3 }, { 0.00025, 2.1e6, 0 } } },
	{ { { 0.7, 8000, 1.5 }, { 0.3, 8000, 0.05 } } },
	{ { { 0.8, 8000, 1.2 }, { 0.2, 25000, 0.05 } } },
	{ { { 0.8, 1500, 0.3 }, { 0.15, 60000, 0.4 }, { 0.05, 5e6, 0.6 } } },
	{ { { 0.25, 1000, 0.3 }, { 0.25, 2828, 0.3 }, { 0.25, 8000, 0.3 }, { 0.25, 22627, 0.3 } } },
};

/* Then exponential, gamma of shape 3, Pareto of shape 1.5, uniform. */
enum { N_SHAPES = COUNT_OF(mixtures) + 4 };

static double draw(struct rng *r, size_t shape)
{
	double u = uniform(r);

	switch (shape - COUNT_OF(mixtures)) {
	case 0:
		return 1 - 5000 * log(u);
	case 1:
		return 1 - 2000 * log(u * uniform(r) * uniform(r));
	case 2:
		return 1000 * pow(u, -1 / 1.5);
	case 3:
		return 1000 + 99000 * u;
	default:
		return draw_mixture(r, &mixtures[shape]);
	}
}

/* The relative error of the mean of 20,000 calls. */
static double error_of(struct rng *r, size_t shape, unsigned resolution)
{
	enum { CALLS = 20000 };
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_log2(resolution));
	uint64_t *count = arena_make(a, uint64_t, CELLS);
	double sum = 0, error;

	for (int i = 0; i < CALLS; i++) {
		double v = draw(r, shape);

		sum += v;
		count[bucket_find(h.scheme, v)]++;
	}
	for (int i = 0; i < CELLS; i++) {
		if (count[i] > 0)
			put_bucket(&h, i, count[i]);
	}
	error = histogram_total(&h) / sum - 1;
	arena_free(a);
	return error;
}

static int by_value(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* With the middles of buckets the medians are 8.6, 2.1 and 0.3 %. */
static void means_of_samples(void **state)
{
	static const struct {
		unsigned resolution;
		double median;
	} wanted[] = { { 1, 0.02 }, { 2, 0.004 }, { 5, 0.001 } };
	struct rng r = rng_start(14);

	(void)state;
	for (size_t k = 0; k < COUNT_OF(wanted); k++) {
		double error[N_SHAPES], median;

		for (size_t i = 0; i < N_SHAPES; i++)
			error[i] = fabs(error_of(&r, i, wanted[k].resolution));
		qsort(error, N_SHAPES, sizeof(*error), by_value);
		median = (error[N_SHAPES / 2 - 1] + error[N_SHAPES / 2]) / 2;
		print_message("resolution %u: median %.4f, largest %.4f\n", wanted[k].resolution,
			      median, error[N_SHAPES - 1]);
		assert_true(median <= wanted[k].median);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_the_oracle_has_it), cmocka_unit_test(a_constant_density),
		cmocka_unit_test(multiples_of_a_step),	cmocka_unit_test(open_and_negative_buckets),
		cmocka_unit_test(bounds_of_a_mean),	cmocka_unit_test(properties),
		cmocka_unit_test(means_of_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
