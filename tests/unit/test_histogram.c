/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms: other buckets, quantiles, sums and differences. */
#include "tests/unit/unit.h"

#include <math.h>

#include "base/arena.h"
#include "profile/profile.h"
#include "profile/rebin.h"
#include "tests/mean_alone.h"
#include "tests/unit/cells.h"

static struct histogram make(struct arena *a, struct bucket_scheme s)
{
	return histogram_in(arena_make(a, struct cells, 1), bucket_scheme_copy(a, &s));
}

static struct histogram random_histogram(struct rng *r, struct arena *a, unsigned resolution)
{
	struct bucket_scheme s = bucket_log2(resolution);
	int top = (int)(20 * resolution);
	struct histogram h;

	if (rng_below(r, 2))
		s.limit = top - (int)rng_below(r, 10);
	if (rng_below(r, 2))
		s.first = (int)rng_below(r, 5);
	h = make(a, s);
	for (int i = s.first - 2; i <= top && i <= s.limit; i++) {
		if (rng_below(r, 3) == 0)
			put_bucket(&h, i, 1 + (rng_u64(r) >> (20 + rng_below(r, 44))));
	}
	return h;
}

static void assert_sound(const struct histogram *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];

		assert_true(b->count > 0);
		assert_true(i == 0 || b->edges->index > h->bucket[i - 1].edges->index);
		assert_true(b->edges->low == bucket_low(h->scheme, b->edges->index));
		assert_true(b->edges->high == bucket_high(h->scheme, b->edges->index));
		sum += b->count;
	}
	assert_true(sum == h->count);
}

static void assert_same(const struct histogram *a, const struct histogram *b)
{
	assert_true(bucket_scheme_eq(a->scheme, b->scheme));
	assert_true(a->n == b->n && a->count == b->count && a->approximate == b->approximate);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(a->bucket[i].edges->index, b->bucket[i].edges->index);
		assert_true(a->bucket[i].count == b->bucket[i].count);
		assert_true(a->bucket[i].edges->low == b->bucket[i].edges->low);
		assert_true(a->bucket[i].edges->high == b->bucket[i].edges->high);
	}
}

/* --- other buckets ---------------------------------------------------------------- */

/* Calls below `edge`, where it is an edge of h. */
static uint64_t calls_below(const struct histogram *h, double edge)
{
	uint64_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		if (h->bucket[i].edges->high <= edge)
			n += h->bucket[i].count;
	}
	return n;
}

static void exact_rebinning_keeps_every_count(void **state)
{
	struct rng r = rng_start(40);
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct histogram h = random_histogram(&r, a, 12), to;
		struct bucket_scheme s = bucket_log2(4);

		s.first = 3;
		s.limit = 30;
		if (!histogram_rebin(a, &h, &s, &to)) {
			assert_true(h.scheme->limit != BUCKET_NO_LIMIT || h.scheme->first > 9);
			continue;
		}
		assert_sound(&to);
		assert_true(to.count == h.count);
		for (int k = s.first; k <= s.limit; k++)
			assert_true(calls_below(&to, bucket_low(&s, k)) ==
				    calls_below(&h, bucket_low(&s, k)));
	}
	arena_free(a);
}

static void what_does_not_nest_is_refused_and_nothing_touched(void **state)
{
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_log2(2)), to = { .n = 77 };
	struct bucket_scheme s = bucket_log2(3);

	(void)state;
	put_bucket(&h, 0, 1);
	put_bucket(&h, 3, 5); /* from 2.83 to 4, across 3.17 */
	assert_false(histogram_rebin(a, &h, &s, &to));
	assert_int_equal(to.n, 77);
	arena_free(a);
}

/* Everything below an edge of the source that is also one of the target stays
 * below it, the sum stays, and order is kept. */
static void splitting_keeps_sum_and_order(void **state)
{
	struct rng r = rng_start(41);

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct arena *a = arena_new();
		struct histogram h = random_histogram(&r, a, 1 + rng_below(&r, 6)), to;
		struct bucket_scheme s = bucket_log2(1 + rng_below(&r, 7));

		to = histogram_rebin_split(a, &h, &s);
		assert_sound(&to);
		assert_true(to.count == h.count);
		assert_true(to.approximate);
		for (int octave = 5; octave < 18; octave++) {
			double edge = ldexp(1, octave);

			if (h.scheme->limit == BUCKET_NO_LIMIT ||
			    edge < bucket_low(h.scheme, h.scheme->limit))
				assert_true(calls_below(&to, edge) == calls_below(&h, edge));
		}
		arena_free(a);
	}
}

/* [0, 8) with 8 calls, spread evenly over [0, 1) [1, 2) [2, 4) [4, 8): 1 1 2 4. */
static void splitting_by_hand(void **state)
{
	static const double edge[] = { 0, 8 };
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_edges(edge, 2)), to;
	struct bucket_scheme s = bucket_log2(1);

	(void)state;
	put_bucket(&h, 0, 8);
	to = histogram_rebin_split(a, &h, &s);
	assert_int_equal(to.n, 4);
	assert_true(to.bucket[0].count == 1 && to.bucket[1].count == 1);
	assert_true(to.bucket[2].count == 2 && to.bucket[3].count == 4);
	assert_int_equal(to.bucket[0].edges->index, -1);
	arena_free(a);
}

static void splitting_the_largest_count_is_even_too(void **state)
{
	static const double edge[] = { 4, 12 };
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_edges(edge, 2)), to;
	struct bucket_scheme s = bucket_linear(0, 4);

	(void)state;
	put_bucket(&h, 0, UINT64_MAX);
	to = histogram_rebin_split(a, &h, &s);
	assert_int_equal(to.n, 2);
	assert_true(to.count == UINT64_MAX);
	assert_true(fabs((double)to.bucket[0].count / 9223372036854775808.0 - 1) < 1e-9);
	s = bucket_linear(0,
			  2.5); /* [2.5, 5) [5, 7.5) [7.5, 10) [10, 12.5): 1/8, 5/16, 5/16, 1/4 */
	to = histogram_rebin_split(a, &h, &s);
	assert_int_equal(to.n, 4);
	assert_true(fabs((double)to.bucket[2].count / 18446744073709551616.0 - 0.3125) < 1e-9);
	arena_free(a);
}

/* Below 10 is all that is known: not into a bucket that begins at 10. */
static void what_is_open_below_stays_below(void **state)
{
	static const double edge[] = { 10, 20 };
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_edges(edge, 2)), to;
	struct bucket_scheme s = bucket_linear(0, 5);

	(void)state;
	put_bucket(&h, -1, 3);
	put_bucket(&h, 1, 4);
	to = histogram_rebin_split(a, &h, &s);
	assert_int_equal(to.n, 2);
	assert_true(to.bucket[0].edges->high == 10 && to.bucket[0].count == 3);
	assert_true(to.bucket[1].edges->low == 20 && to.bucket[1].count == 4);
	arena_free(a);
}

static void scaling_multiplies_every_edge(void **state)
{
	struct rng r = rng_start(42);
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct histogram h = random_histogram(&r, a, 3), to;

		h.granularity = 0.5; /* of the clock: in the same unit as the edges */
		to = histogram_scaled(a, &h, 1000);
		assert_sound(&to);
		assert_true(h.n == 0 || to.granularity == 500);
		assert_int_equal(to.n, h.n);
		for (size_t k = 0; k < h.n; k++) {
			assert_true(to.bucket[k].edges->low == h.bucket[k].edges->low * 1000);
			assert_true(to.bucket[k].edges->high == h.bucket[k].edges->high * 1000);
			assert_true(to.bucket[k].count == h.bucket[k].count);
		}
		to = histogram_scaled(a, &h, 1);
		assert_same(&to, &h);
	}
	arena_free(a);
}

/* --- whole profiles on another resolution -------------------------------------------- */

static bool on_resolution(struct arena *a, const struct histogram *h, unsigned resolution,
			  struct histogram *ret)
{
	struct operation op = { .hist = *h };
	struct profile p = { .arena = a, .op = &op, .n_ops = 1 };
	bool split = profile_rebin(&p, resolution);

	*ret = op.hist;
	return split;
}

/* Also where the lowest bucket and the open top are no whole number of wider ones. */
static void a_coarser_resolution_is_exact(void **state)
{
	struct rng r = rng_start(43);
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct histogram h = random_histogram(&r, a, 6), to;

		assert_false(on_resolution(a, &h, 2, &to));
		assert_sound(&to);
		assert_true(to.count == h.count && !to.approximate);
	}
	arena_free(a);
}

/* Prometheus in seconds: 5 ms and 10 ms are not both "below 1". */
static void fractions_of_a_unit_stay_apart(void **state)
{
	static const double edge[] = { 0, 0.005, 0.01, 0.025, 0.05 };
	struct arena *a = arena_new();
	struct histogram h = make(a, bucket_edges(edge, 5)), to;

	(void)state;
	put_bucket(&h, 0, 10);
	put_bucket(&h, 1, 20);
	put_bucket(&h, 3, 30);
	(void)on_resolution(a, &h, 1, &to);
	assert_sound(&to);
	assert_true(to.n >= 3);
	assert_true(to.bucket[to.n - 1].edges->high < 0.1);
	arena_free(a);
}

/* --- quantiles and totals ------------------------------------------------------------- */

/* All calls in a row, the one at q looked up: number ceil(q n), from 1. */
static void quantiles_are_those_of_the_expanded_list(void **state)
{
	struct rng r = rng_start(44);
	static size_t bucket_of[20000];
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct histogram h = make(a, bucket_log2(1));
		size_t n = 0;

		for (int k = 0; k < 12; k++) {
			uint64_t count = 1 + rng_below(&r, 50);

			for (uint64_t c = 0; c < count; c++)
				bucket_of[n++] = (size_t)k;
			put_bucket(&h, k * 2, count);
		}
		for (size_t part = 0; part <= 64; part++) {
			size_t call = (part * n + 63) / 64; /* ceil, in whole numbers */
			const struct bucket *b = histogram_quantile(&h, (double)part / 64);

			assert_ptr_equal(b, &h.bucket[bucket_of[call > 0 ? call - 1 : 0]]);
		}
	}
	arena_free(a);
}

static void quantiles_at_once_are_those_one_by_one(void **state)
{
	static const double q[] = { 0, 0.1, 0.5, 0.5, 0.9, 0.99, 1 };
	const struct bucket *at[COUNT_OF(q)];
	struct rng r = rng_start(45);
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct histogram h = make(a, bucket_log2(1));

		for (int k = 0; k < 1 + i % 12; k++)
			put_bucket(&h, k * 2, 1 + rng_below(&r, i % 2 == 0 ? 3 : 5000));
		histogram_quantiles(&h, q, COUNT_OF(q), at);
		for (size_t k = 0; k < COUNT_OF(q); k++)
			assert_ptr_equal(at[k], histogram_quantile(&h, q[k]));
	}
	arena_free(a);
}

static void an_empty_histogram_has_no_quantile(void **state)
{
	static const double q[] = { 0, 1 };
	const struct bucket *at[] = { &(struct bucket){ 0 }, &(struct bucket){ 0 } };
	struct histogram h = { .scheme = &bucket_octaves };

	(void)state;
	assert_null(histogram_quantile(&h, 0.5));
	histogram_quantiles(&h, q, COUNT_OF(q), at);
	assert_null(at[0]);
	assert_null(at[1]);
	assert_true(histogram_total(&h) == 0);
}

/* 3 in [2, 4), 2 in [8, 16), 1 from 32 on: 6 + 16 + 32 = 54, 12 + 32 = 44. */
static void totals_by_hand(void **state)
{
	struct arena *a = arena_new();
	struct bucket_scheme s = bucket_log2(1);
	struct histogram h;

	(void)state;
	s.limit = 5;
	h = make(a, s);
	put_bucket(&h, 1, 3);
	put_bucket(&h, 3, 2);
	assert_true(histogram_total_max(&h) == 44);
	put_bucket(&h, 5, 1);
	assert_true(is_near(histogram_total(&h), (3 * 2 + 2 * 8) * mean_alone + 32));
	assert_true(histogram_total_min(&h) == 54);
	assert_true(isinf(histogram_total_max(&h)));
	arena_free(a);
}

/* --- sums ----------------------------------------------------------------------------------- */

static struct histogram sum_of(struct arena *a, const struct histogram *x,
			       const struct histogram *y)
{
	struct histogram sum;

	assert_int_equal(histogram_merge(a, x, y, &sum), MERGE_DONE);
	assert_sound(&sum);
	assert_true(sum.count == x->count + y->count);
	return sum;
}

static void sums_are_the_same_in_every_order(void **state)
{
	static const unsigned resolution[] = { 1, 2, 3, 4, 6, 12 };
	struct rng r = rng_start(45);

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct arena *a = arena_new();
		struct histogram h[3], one, two, three;

		for (size_t k = 0; k < 3; k++) {
			h[k] = random_histogram(&r, a, resolution[rng_below(&r, 6)]);
			h[k].approximate = rng_below(&r, 4) == 0;
			if (rng_below(&r, 6) == 0)
				h[k].n = 0, h[k].count = 0;
		}
		one = sum_of(a, &h[0], &h[1]);
		two = sum_of(a, &h[1], &h[0]);
		assert_same(&one, &two);
		one = sum_of(a, &one, &h[2]);
		two = sum_of(a, &h[1], &h[2]);
		two = sum_of(a, &h[0], &two);
		three = sum_of(a, &h[2], &h[0]);
		three = sum_of(a, &h[1], &three);
		assert_same(&one, &two);
		assert_same(&one, &three);
		arena_free(a);
	}
}

/* Of many at once: what comes of one after the other. */
static void a_sum_of_many_is_that_of_all(void **state)
{
	enum { MAX = 12 };
	static const unsigned resolution[] = { 1, 2, 3, 4, 6, 12 };
	struct rng r = rng_start(46);

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct arena *a = arena_new();
		size_t n = 1 + rng_below(&r, MAX);
		struct histogram h[MAX], all, one_by_one;

		for (size_t k = 0; k < n; k++) {
			h[k] = random_histogram(&r, a, resolution[rng_below(&r, 1 + i % 6)]);
			h[k].approximate = rng_below(&r, 8) == 0;
			h[k].granularity = rng_below(&r, 8) == 0 ? 3 : 2;
			if (rng_below(&r, 4) == 0)
				h[k].n = 0, h[k].count = 0;
		}
		one_by_one = h[0];
		for (size_t k = 1; k < n; k++)
			one_by_one = sum_of(a, &one_by_one, &h[k]);
		assert_int_equal(histogram_sum(a, h, n, &all), MERGE_DONE);
		assert_sound(&all);
		assert_same(&all, &one_by_one);
		assert_true(all.granularity == one_by_one.granularity);
		arena_free(a);
	}
}

static void a_sum_past_64_bits_is_refused_not_wrapped(void **state)
{
	struct arena *a = arena_new();
	struct histogram x = make(a, bucket_log2(1)), y = make(a, bucket_log2(1)),
			 sum = { .n = 77 };

	(void)state;
	put_bucket(&x, 3, UINT64_MAX);
	put_bucket(&y, 4, 1); /* another bucket: the count of all passes */
	assert_int_equal(histogram_merge(a, &x, &y, &sum), MERGE_OVERFLOW);
	y.bucket[0].edges = x.bucket[0].edges;
	assert_int_equal(histogram_merge(a, &x, &y, &sum), MERGE_OVERFLOW);
	assert_int_equal(histogram_sum(a, (struct histogram[]){ x, y }, 2, &sum), MERGE_OVERFLOW);
	assert_int_equal(sum.n, 77);
	x.bucket[0].count = x.count = UINT64_MAX - 1;
	assert_int_equal(histogram_merge(a, &x, &y, &sum), MERGE_DONE);
	assert_true(sum.count == UINT64_MAX);
	arena_free(a);
}

static void sums_that_would_need_a_split_are_refused(void **state)
{
	struct arena *a = arena_new();
	struct histogram x = make(a, bucket_log2(1)), y = make(a, bucket_linear(0, 10)), sum;

	(void)state;
	put_bucket(&x, 3, 1);
	put_bucket(&y, 3, 1);
	assert_int_equal(histogram_merge(a, &x, &y, &sum), MERGE_INEXACT);
	assert_int_equal(histogram_sum(a, (struct histogram[]){ x, x, y }, 3, &sum), MERGE_INEXACT);
	y.n = 0; /* empty: it says nothing of buckets */
	y.count = 0;
	assert_int_equal(histogram_merge(a, &x, &y, &sum), MERGE_DONE);
	assert_same(&sum, &x);
	arena_free(a);
}

/* --- differences ---------------------------------------------------------------------------- */

static void what_was_added_is_contained_and_taken_away_again(void **state)
{
	struct rng r = rng_start(46);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct arena *a = arena_new();
		struct histogram x = make(a, bucket_log2(3)), y = make(a, bucket_log2(3)), sum,
				 back;

		for (int k = 0; k < 60; k++) {
			if (rng_below(&r, 2))
				put_bucket(&x, k, 1 + rng_below(&r, 100));
			if (rng_below(&r, 2))
				put_bucket(&y, k, 1 + rng_below(&r, 100));
		}
		sum = sum_of(a, &x, &y);
		assert_true(histogram_contains(&sum, &x) && histogram_contains(&sum, &y));
		back = sum;
		back.bucket = arena_copy(a, sum.bucket, sum.n, sizeof(*sum.bucket));
		histogram_subtract(&back, &x);
		assert_sound(&back);
		assert_same(&back, &y);
		if (x.n > 0) { /* one call less in one bucket */
			sum.bucket[0].count = 0;
			assert_int_equal(histogram_contains(&sum, &x),
					 x.bucket[0].edges->index != sum.bucket[0].edges->index);
		}
		arena_free(a);
	}
}

static void other_buckets_are_not_contained(void **state)
{
	struct arena *a = arena_new();
	struct histogram x = make(a, bucket_log2(1)), y = make(a, bucket_log2(2));

	(void)state;
	put_bucket(&x, 1, 5);
	put_bucket(&y, 2, 5);
	assert_false(histogram_contains(&x, &y));
	assert_true(histogram_contains(&x, &x));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_rebinning_keeps_every_count),
		cmocka_unit_test(what_does_not_nest_is_refused_and_nothing_touched),
		cmocka_unit_test(splitting_keeps_sum_and_order),
		cmocka_unit_test(splitting_by_hand),
		cmocka_unit_test(splitting_the_largest_count_is_even_too),
		cmocka_unit_test(what_is_open_below_stays_below),
		cmocka_unit_test(scaling_multiplies_every_edge),
		cmocka_unit_test(a_coarser_resolution_is_exact),
		cmocka_unit_test(fractions_of_a_unit_stay_apart),
		cmocka_unit_test(quantiles_are_those_of_the_expanded_list),
		cmocka_unit_test(quantiles_at_once_are_those_one_by_one),
		cmocka_unit_test(an_empty_histogram_has_no_quantile),
		cmocka_unit_test(totals_by_hand),
		cmocka_unit_test(sums_are_the_same_in_every_order),
		cmocka_unit_test(a_sum_of_many_is_that_of_all),
		cmocka_unit_test(a_sum_past_64_bits_is_refused_not_wrapped),
		cmocka_unit_test(sums_that_would_need_a_split_are_refused),
		cmocka_unit_test(what_was_added_is_contained_and_taken_away_again),
		cmocka_unit_test(other_buckets_are_not_contained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
