/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bucket schemes: where edges are, and which bucket a latency falls into. */
#include "tests/unit/unit.h"

#include <math.h>

#include "profile/bucket.h"

typedef void on_scheme(const struct bucket_scheme *s, int from, int to);

static const double some_edges[] = { -7.5, -1, 0, 0.25, 1, 1.5, 100, 1e6, 1e300 };

static struct bucket_scheme from_to(struct bucket_scheme s, int first, int limit)
{
	s.first = first;
	s.limit = limit;
	return s;
}

/* Every kind, many resolutions, with and without ends. */
static void on_every_scheme(on_scheme *check)
{
	static const double step[] = { 1, 0.5, 0.1, 0.7, 3, 1e-9, 1000, 1.0 / 3, 1e12 };
	struct bucket_scheme s;

	for (unsigned r = 1; r <= BUCKET_MAX_RESOLUTION; r = r < 20 ? r + 1 : r * 3 / 2) {
		int far = (int)(r > 60 ? 60 * 60 : 60 * r);

		s = from_to(bucket_log2(r), -far, BUCKET_NO_LIMIT);
		check(&s, -far - 2, far);
		s = from_to(bucket_log2(r), 3, 40);
		check(&s, 1, 40);
	}
	for (size_t i = 0; i < COUNT_OF(step); i++) {
		for (unsigned r = 1; r <= 4096; r *= 2) {
			s = bucket_log_linear(r, step[i]);
			check(&s, -1, (int)(r > 200 ? 8 * r : 30 * r));
		}
		s = bucket_linear(step[i] * 2 / 7, step[i]);
		check(&s, -500, 500);
		s = from_to(bucket_linear(-3 * step[i], step[i]), 2, 300);
		check(&s, 1, 300);
	}
	for (size_t n = 1; n <= COUNT_OF(some_edges); n++) {
		s = bucket_edges(some_edges, n);
		check(&s, -1, (int)n - 1);
	}
}

/* --- edges --------------------------------------------------------------------------- */

static void check_edges(const struct bucket_scheme *s, int from, int to)
{
	for (int i = from; i <= to; i++) {
		double low = bucket_low(s, i), high = bucket_high(s, i);
		double last = isinf(high) ? 1e308 : nextafter(high, -HUGE_VAL);

		if (!bucket_exists(s, i))
			fail_msg("no bucket %d", i);
		if (!(low < high))
			fail_msg("bucket %d from %.17g to %.17g", i, low, high);
		if (i < to && bucket_low(s, i + 1) != high)
			fail_msg("bucket %d ends at %.17g, the next begins at %.17g", i, high,
				 bucket_low(s, i + 1));
		if (!isinf(low) && bucket_find(s, low) != i)
			fail_msg("kind %d r %u step %g: low edge %.17g of %d is in %d",
				 (int)s->kind, s->resolution, s->step, low, i, bucket_find(s, low));
		if (bucket_find(s, last) != i && !(isinf(high) && s->limit == BUCKET_NO_LIMIT))
			fail_msg("kind %d r %u step %g: %.17g, the last of %d, is in %d",
				 (int)s->kind, s->resolution, s->step, last, i,
				 bucket_find(s, last));
	}
}

static void every_bucket_holds_its_low_edge_and_not_its_high_one(void **state)
{
	(void)state;
	on_every_scheme(check_edges);
}

static void check_ends(const struct bucket_scheme *s, int from, int to)
{
	(void)from;
	(void)to;
	assert_int_equal(bucket_find(s, HUGE_VAL), s->limit);
	if (s->first == BUCKET_NO_FIRST)
		return;
	assert_int_equal(bucket_find(s, -1e300), bucket_lowest(s));
	assert_true(isinf(bucket_low(s, bucket_lowest(s))));
	assert_false(bucket_exists(s, bucket_lowest(s) - 1));
	if (s->limit == BUCKET_NO_LIMIT)
		return;
	assert_int_equal(bucket_find(s, 1e301), s->limit);
	assert_true(isinf(bucket_high(s, s->limit)));
	assert_false(bucket_exists(s, s->limit + 1));
}

static void ends_are_open_and_nothing_lies_beyond(void **state)
{
	(void)state;
	on_every_scheme(check_ends);
}

/* --- the single schemes ------------------------------------------------------------------ */

/* Bucket i r of resolution r begins at exactly 2^i: built by doubling. */
static void log2_edges_are_exact_at_powers_of_two(void **state)
{
	(void)state;
	for (unsigned r = 1; r <= 300; r++) {
		struct bucket_scheme s = bucket_log2(r);
		double power = 1;

		for (int i = 0; i < 200; i++, power *= 2) {
			assert_true(bucket_low(&s, i * (int)r) == power);
			assert_int_equal(bucket_find(&s, power), i * (int)r);
			if (i > 0) /* a double just below */
				assert_int_equal(bucket_find(&s, nextafter(power, 0)),
						 i * (int)r - 1);
		}
	}
}

/* r = 2: 1, 1.414, 2, 2.828, 4, 5.657, 8.  So 1.41 is in 0, 1.42 in 1, 5.65 in 4, 5.66 in 5. */
static void log2_by_hand(void **state)
{
	struct bucket_scheme s = bucket_log2(2);

	(void)state;
	assert_int_equal(bucket_find(&s, 1.41), 0);
	assert_int_equal(bucket_find(&s, 1.42), 1);
	assert_int_equal(bucket_find(&s, 5.65), 4);
	assert_int_equal(bucket_find(&s, 5.66), 5);
	assert_int_equal(bucket_find(&s, 0.99), -1);
	assert_int_equal(bucket_find(&s, 0), -1);
	assert_int_equal(bucket_find(&s, -0.001), -2);
	assert_true(bucket_low(&s, -1) == 0 && bucket_high(&s, -1) == 1);
	assert_true(bucket_high(&s, -2) == 0 && isinf(bucket_low(&s, -2)));
}

/* The position of the highest bit, for whole numbers. */
static void log2_of_resolution_1_is_the_highest_bit(void **state)
{
	struct bucket_scheme s = bucket_log2(1);
	struct rng r = rng_start(20);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t v = rng_u64(&r) >> (11 + rng_below(&r, 52)); /* exact as a double */
		int bit = -1;

		for (uint64_t rest = v; rest > 0; rest >>= 1)
			bit++;
		assert_int_equal(bucket_find(&s, (double)v), bit);
	}
}

/* bpftrace's hist(x, k) counts x in slot 0 below 0, x + 1 below 2^k, else with l
 * the highest bit less k in ((l + 1) << k) + the k bits below the highest + 1.
 * By k = 2 its rows begin at 0 1 2 3 | 4 5 6 7 | 8 10 12 14 | 16 20 24 28 | 32. */
static void log_linear_rows_are_those_of_bpftrace(void **state)
{
	static const double begin[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32 };
	struct bucket_scheme s = bucket_log_linear(4, 1);

	(void)state;
	for (int i = 0; i < (int)COUNT_OF(begin); i++)
		assert_true(bucket_low(&s, i) == begin[i]);
	assert_int_equal(bucket_find(&s, -1), -1);
	for (unsigned k = 1; k <= 5; k++) {
		s = bucket_log_linear(1U << k, 1);
		for (uint64_t v = 0; v < 100000; v++) {
			int bit = v == 0 ? 0 : 63 - __builtin_clzll(v), l = bit - (int)k;
			uint64_t slot = v < 1U << k ? v + 1
						    : ((uint64_t)(l + 1) << k) +
							      (v >> l & ((1U << k) - 1)) + 1;

			assert_int_equal(bucket_find(&s, (double)v), (int)slot - 1);
		}
	}
}

/* fio, stat.c: groups of 64; the first two have width 1, each next one twice the
 * width of the one before.  Index = group x 64 + offset, found here by walking. */
static void log_linear_of_64_is_fio(void **state)
{
	struct bucket_scheme s = bucket_log_linear(64, 1);
	double low = 0, width = 1;

	(void)state;
	for (int i = 0; i < 29 * 64; i++) {
		if (i >= 128 && i % 64 == 0)
			width *= 2;
		assert_true(bucket_low(&s, i) == low);
		assert_true(bucket_high(&s, i) == low + width);
		assert_int_equal(bucket_find(&s, low + width / 2), i);
		low += width;
	}
}

/* HdrHistogram with 2 significant digits: 256 sub-buckets, half of them new in
 * each doubling.  Worked by hand: 255 -> 255; 256 and 257 share 256, 258 is 257;
 * 511 -> 128 + 256 - 1 = 383; 512..515 -> 384. */
static void log_linear_of_128_is_hdr_histogram(void **state)
{
	struct bucket_scheme s = bucket_log_linear(128, 1);

	(void)state;
	assert_int_equal(bucket_find(&s, 255), 255);
	assert_int_equal(bucket_find(&s, 256), 256);
	assert_int_equal(bucket_find(&s, 257), 256);
	assert_int_equal(bucket_find(&s, 258), 257);
	assert_int_equal(bucket_find(&s, 511), 383);
	assert_int_equal(bucket_find(&s, 512), 384);
	assert_int_equal(bucket_find(&s, 515), 384);
	assert_int_equal(bucket_find(&s, 516), 385);
}

static void linear_by_hand(void **state)
{
	struct bucket_scheme s = from_to(bucket_linear(10, 5), 0, 4);

	(void)state; /* below 10, [10,15) [15,20) [20,25) [25,30), from 30 on */
	assert_int_equal(bucket_find(&s, 9.999), -1);
	assert_int_equal(bucket_find(&s, 10), 0);
	assert_int_equal(bucket_find(&s, 29), 3);
	assert_int_equal(bucket_find(&s, 30), 4);
	assert_int_equal(bucket_find(&s, 1e9), 4);
}

/* More buckets away than there are numbers for: the last one there is. */
static void values_out_of_reach_fall_into_the_last_bucket(void **state)
{
	struct bucket_scheme s = bucket_linear(0, 1);

	(void)state;
	assert_int_equal(bucket_find(&s, 1e300), BUCKET_NO_LIMIT);
	assert_int_equal(bucket_find(&s, 1e10), BUCKET_NO_LIMIT);
	assert_int_equal(bucket_find(&s, -1e10), BUCKET_NO_FIRST - 1);
	assert_true(bucket_high(&s, BUCKET_NO_LIMIT) == HUGE_VAL);
	assert_true(bucket_low(&s, BUCKET_NO_FIRST - 1) == -HUGE_VAL);
}

/* --- places -------------------------------------------------------------------------------- */

static void check_places(const struct bucket_scheme *s, int from, int to)
{
	for (int i = from; i < to; i++) {
		if (!(bucket_position(s, i) < bucket_position(s, i + 1)))
			fail_msg("kind %d r %u step %g: %d at %.17g, the next at %.17g",
				 (int)s->kind, s->resolution, s->step, i, bucket_position(s, i),
				 bucket_position(s, i + 1));
	}
}

static void places_ascend(void **state)
{
	(void)state;
	on_every_scheme(check_places);
}

static double gap(const struct bucket_scheme *s, int i)
{
	return bucket_position(s, i + 1) - bucket_position(s, i);
}

static void places_are_in_octaves(void **state)
{
	struct bucket_scheme s = bucket_log2(4);

	(void)state;
	assert_true(bucket_position(&s, 12) - bucket_position(&s, 8) == 1);
	assert_true(gap(&s, -1) == 0.25); /* the zero bucket: one below the lowest */
	s = bucket_linear(0, 10);	  /* centres 95 and 195 */
	assert_true(fabs(bucket_position(&s, 19) - bucket_position(&s, 9) - log2(195.0 / 95)) <
		    1e-12);
	s = bucket_log_linear(16, 1); /* 16.5 and 33 */
	assert_true(fabs(bucket_position(&s, 32) - bucket_position(&s, 16) - 1) < 1e-12);
}

/* A map of values may begin a hundred million steps below zero. */
static void places_far_below_zero_are_found_at_once(void **state)
{
	struct bucket_scheme s = bucket_linear(0, 1);
	int far = -100000000;

	(void)state;
	assert_true(bucket_position(&s, -1) < bucket_position(&s, 0));
	assert_true(gap(&s, far) == 1);
	assert_true(bucket_position(&s, 0) - bucket_position(&s, far) == 1e8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bucket_holds_its_low_edge_and_not_its_high_one),
		cmocka_unit_test(ends_are_open_and_nothing_lies_beyond),
		cmocka_unit_test(log2_edges_are_exact_at_powers_of_two),
		cmocka_unit_test(log2_by_hand),
		cmocka_unit_test(log2_of_resolution_1_is_the_highest_bit),
		cmocka_unit_test(log_linear_rows_are_those_of_bpftrace),
		cmocka_unit_test(log_linear_of_64_is_fio),
		cmocka_unit_test(log_linear_of_128_is_hdr_histogram),
		cmocka_unit_test(linear_by_hand),
		cmocka_unit_test(values_out_of_reach_fall_into_the_last_bucket),
		cmocka_unit_test(places_ascend),
		cmocka_unit_test(places_are_in_octaves),
		cmocka_unit_test(places_far_below_zero_are_found_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
