/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/peaks.h"
#include "base/arena.h"
#include "base/attr.h"
#include "tests/unit/cells.h"

static struct peaks find(struct arena *a, const struct profile *p, size_t op)
{
	return peaks_find(a, &p->op[op].hist, &peak_rules_default);
}

/* OSprof figure 7: four peaks of readdir, in buckets 6-7, 9-14, 16-17 and 18-23. */
static void readdir_of_figure_7(void **state)
{
	struct profile *p =
		made_profile("op readdir\n"
			     "6 900\n7 700\n"
			     "9 40\n10 500\n11 300\n12 60\n13 20\n14 8\n"
			     "16 300\n17 30\n18 90\n19 120\n20 200\n21 160\n22 60\n23 10\n");
	static const double low[] = { 64, 512, 65536, 131072 };
	struct arena *a = arena_new();
	struct peaks r = find(a, p, 0);

	(void)state;
	assert_int_equal(r.n, 4);
	assert_true(r.v[0].low == low[0] && r.v[0].high == 256);
	assert_true(r.v[1].low == low[1] && r.v[1].high == 32768);
	assert_true(r.v[2].low == low[2]);
	assert_true(r.v[3].high == 16777216);
	assert_int_equal(r.v[0].count, 1600);
	assert_int_equal(r.v[1].count, 928);
	/* The saddle's 30 calls belong to one of its two neighbours. */
	assert_int_equal(r.v[2].count + r.v[3].count, 970);
	arena_free(a);
	profile_free(p);
}

/* FSprof table 3: cache misses are the calls of the two slower peaks. */
static void miss_ratios_of_fsprof_table_3(void **state)
{
	struct profile *p = made_profile("op am-utils\n9 1817\n14 9\n22 25\n"
					 "op ssh\n9 2848\n14 48\n22 32\n"
					 "op linux\n9 10423\n14 79\n22 227\n");
	static const double miss[] = { 1.84, 2.73, 2.85 }; /* percent */
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(miss); i++) {
		struct peaks r = find(a, p, i);

		assert_int_equal(r.n, 3);
		assert_true(fabs(100 * (r.v[1].share + r.v[2].share) - miss[i]) < 0.005);
	}
	arena_free(a);
	profile_free(p);
}

static void noise_is_no_peak(void **state)
{
	/* Dents of counting noise: sqrt(1000) is 32. */
	struct profile *p = made_profile("op dented\n8 400\n9 1000\n10 970\n11 1010\n12 500\n"
					 "op few\n3 2\n5 1\n9 4\n"
					 "op one\n20 1\n");
	struct arena *a = arena_new();

	(void)state;
	assert_int_equal(find(a, p, 0).n, 1);
	assert_int_equal(find(a, p, 1).n, 1);
	assert_int_equal(find(a, p, 2).n, 1);
	arena_free(a);
	profile_free(p);
}

/* At a billion calls a dent of a tenth is beyond all noise and still no valley. */
static void huge_counts_need_a_ratio(void **state)
{
	struct profile *p = made_profile("op shallow\n8 1000000000\n9 900000000\n10 1000000000\n"
					 "op deep\n8 1000000000\n9 400000000\n10 1000000000\n");
	struct arena *a = arena_new();

	(void)state;
	assert_int_equal(find(a, p, 0).n, 1);
	assert_int_equal(find(a, p, 1).n, 2);
	arena_free(a);
	profile_free(p);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Every call lies in exactly one peak, whatever the histogram. */
static void peaks_cover_the_histogram_once(void **state)
{
	static double edge[150];
	uint64_t seed = 42;
	struct bucket_scheme schemes[] = { bucket_log2(4), bucket_log2(64),
					   bucket_log_linear(64, 1), bucket_linear(-10, 3),
					   bucket_edges(edge, COUNT_OF(edge)) };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(edge); i++)
		edge[i] = i == 0 ? -3 : edge[i - 1] + 1 + (double)(next_random(&seed) % (i * i));
	for (int round = 0; round < 5000; round++) {
		static struct cells room;
		struct bucket_scheme *scheme = &schemes[round % 5];
		struct histogram h = histogram_in(&room, scheme);
		int lowest = scheme->first == BUCKET_NO_FIRST ? -3 : bucket_lowest(scheme);
		struct arena *a = arena_new();
		struct peaks r;
		uint64_t count = 0;

		for (int i = lowest; i < lowest + 200 && bucket_exists(scheme, i); i++) {
			uint64_t x = next_random(&seed);

			if (x % 4 == 0)
				continue;
			put_bucket(&h, i, 1 + (x >> 10) % (1U << (round % 20)));
		}
		r = peaks_find(a, &h, &peak_rules_default);
		assert_true(r.n >= 1);
		assert_int_equal(r.v[0].first, 0);
		assert_int_equal(r.v[r.n - 1].last, h.n - 1);
		for (size_t i = 0; i < r.n; i++) {
			count += r.v[i].count;
			assert_true(i == 0 || r.v[i].first == r.v[i - 1].last + 1);
			assert_true(r.v[i].mode >= r.v[i].first && r.v[i].mode <= r.v[i].last);
		}
		assert_int_equal(count, h.count);
		arena_free(a);
	}
}

/* The definition, slowly: a summit's saddle is the higher of the two lowest points
 * that lie between it and higher ground (or its own summit's equal to the left). */
static uint64_t brute_saddle(const uint64_t *v, size_t n, size_t at)
{
	uint64_t best = 0;
	bool found = false;

	for (int side = -1; side <= 1; side += 2) {
		uint64_t min = v[at];

		for (long i = (long)at + side; i >= 0 && i < (long)n; i += side) {
			if (v[i] < min)
				min = v[i];
			if (v[i] > v[at] || (v[i] == v[at] && (size_t)i < at)) {
				best = !found || min > best ? min : best;
				found = true;
				break;
			}
		}
	}
	return best;
}

static bool brute_stands_out(uint64_t p, uint64_t v)
{
	return 2 * (sqrt((double)p + 0.375) - sqrt((double)v + 0.375)) >= 3 * sqrt(2) &&
	       ((double)p + 0.5) / ((double)v + 0.5) >= 1.5;
}

/* Well separated summits: as many peaks as summits that stand out by the definition.
 * (Where a summit that does not stand out joins a higher neighbour the definition by
 * saddles and the flood agree as well, since joining changes no other saddle.) */
static void agrees_with_the_definition(void **state)
{
	uint64_t seed = 777;

	(void)state;
	for (int round = 0; round < 5000; round++) {
		uint64_t v[24];
		static struct cells room;
		struct histogram h = histogram_in(&room, &bucket_octaves);
		struct arena *a = arena_new();
		size_t expected = 0, highest = 0;

		for (int i = 0; i < 24; i++) {
			v[i] = 1 + next_random(&seed) % (uint64_t)(1 << (2 + round % 18));
			put_bucket(&h, i, v[i]);
			highest = v[i] > v[highest] ? (size_t)i : highest;
		}
		for (size_t i = 0; i < 24; i++) {
			bool summit = (i == 0 || v[i] > v[i - 1]) && (i == 23 || v[i] >= v[i + 1]);

			expected += i == highest ||
				    (summit && brute_stands_out(v[i], brute_saddle(v, 24, i)));
		}
		assert_int_equal(peaks_find(a, &h, &peak_rules_default).n, expected);
		arena_free(a);
	}
}

/* What of a normal distribution in octaves, `sd` wide about `middle`, lies below a latency. */
static double share_below(double latency, double middle, double sd)
{
	return latency > 0 ? erfc((middle - log2(latency)) / sd / M_SQRT2) / 2 : 0;
}

/* Its expected counts in the buckets of a scheme, a million calls for each middle. */
static struct histogram spread_over(const struct bucket_scheme *s, struct cells *room,
				    const double *middle, size_t n_middles)
{
	struct histogram h = histogram_in(room, s);

	for (int i = bucket_find(s, 0); i <= bucket_find(s, 1e6); i++) {
		const struct edges edges = edges_at(s, i);
		double calls = 0;

		for (size_t k = 0; k < n_middles; k++)
			calls += 1e6 * (share_below(edges.high, middle[k], 0.8) -
					share_below(edges.low, middle[k], 0.8));
		if (calls >= 1)
			put_bucket(&h, i, (uint64_t)calls);
	}
	return h;
}

/* Where buckets become twice as wide, so do their counts: that is no peak.  A hill is one in
 * any scheme, and two hills are two. */
static void wider_buckets_are_no_peaks(void **state)
{
	static const double round[] = { 0,   1,	  2,   5,    10,   20,	 50,	100,   200,   500,
					1e3, 2e3, 5e3, 10e3, 20e3, 50e3, 100e3, 200e3, 500e3, 1e6 };
	static const double thirds[] = { 1,    2,    3,	   10,	 20,   30,   100,   200,   300,
					 1000, 2000, 3000, 10e3, 20e3, 30e3, 100e3, 200e3, 300e3 };
	const struct bucket_scheme schemes[] = {
		bucket_log2(8),
		bucket_log_linear(8, 1),
		bucket_log_linear(64, 1),
		bucket_edges(round, COUNT_OF(round)),
		bucket_edges(thirds, COUNT_OF(thirds)),
	};
	static const double middle[] = { 8.3, 14.6 };
	static struct cells room;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(schemes); i++)
		for (size_t n = 1; n <= COUNT_OF(middle); n++) {
			struct histogram h = spread_over(&schemes[i], &room, middle, n);
			struct arena *a = arena_new();

			assert_int_equal(peaks_find(a, &h, &peak_rules_default).n, n);
			arena_free(a);
		}
}

static double uniform(uint64_t *seed)
{
	return ((double)(next_random(seed) >> 11) + 0.5) / 0x1p53;
}

/* Calls drawn from normal distributions in octaves, as many of each middle (Box and Muller). */
static struct histogram draw(const struct bucket_scheme *s, struct cells *room,
			     const double *middle, size_t n_middles, size_t n_calls, uint64_t *seed)
{
	struct histogram h = histogram_in(room, s);
	uint64_t count[CELLS] = { 0 };

	for (size_t i = 0; i < n_calls * n_middles; i++) {
		double radius = sqrt(-2 * log(uniform(seed)));
		double normal = radius * cos(2 * M_PI * uniform(seed));

		count[bucket_find(s, exp2(middle[i % n_middles] + 0.8 * normal))]++;
	}
	for (int i = 0; i < CELLS; i++) {
		if (count[i] > 0)
			put_bucket(&h, i, count[i]);
	}
	return h;
}

/* How many of 100 histograms have another number of peaks than distributions. */
static int mistaken(const struct bucket_scheme *s, size_t n_middles, size_t n_calls)
{
	static const double middle[] = { 10, 15 };
	static struct cells room;
	uint64_t seed = 4711;
	int n = 0;

	for (int i = 0; i < 100; i++) {
		struct histogram h = draw(s, &room, middle, n_middles, n_calls, &seed);
		struct arena *a = arena_new();

		n += peaks_find(a, &h, &peak_rules_default).n != n_middles;
		arena_free(a);
	}
	return n;
}

/* Some of many buckets are high or low by chance; that is no peak either, and two hills
 * stay two. */
static void noise_of_many_buckets_is_no_peak(void **state)
{
	static const unsigned resolutions[] = { 1, 4, 16, 64 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(resolutions); i++) {
		struct bucket_scheme s = bucket_log2(resolutions[i]);

		assert_true(mistaken(&s, 1, 300) <= 5);
		assert_true(mistaken(&s, 1, 2000) <= 5);
		assert_true(mistaken(&s, 2, 4000) <= 5);
	}
}

/* Of a clock that steps by 1000, 24 buckets an octave: between 1000 and 2000 nothing
 * can lie, between 2000 and 5000 lie 3000 and 4000. */
static void steps_of_a_clock_are_no_gaps(void **state)
{
	struct profile *p =
		made_profile("buckets log2 24\n"
			     "op exact\n239 900\n263 1000\n294 800\n"
			     "op stepped\ngranularity 1000\n239 900\n263 1000\n294 800\n");
	struct arena *a = arena_new();
	struct peaks r = find(a, p, 1);

	(void)state;
	assert_int_equal(find(a, p, 0).n, 3);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.v[0].count, 1900);
	assert_int_equal(r.v[1].count, 800);
	arena_free(a);
	profile_free(p);
}

/* --- a few slow calls ------------------------------------------------------------- */

/* 7 of 1,000 calls, twenty octaves beyond the others, hold 99.99 % of the latency: the flood
 * needs 8 in a bucket, whatever the kind of buckets. */
static void few_calls_that_hold_the_latency(void **state)
{
	struct profile *p =
		made_profile("buckets log2 1\nop log2\n7 993\n27 7\nop one\n7 999\n27 1\n"
			     "op of-two\n10 1\n24 1\nop apart\n7 993\n26 2\n27 3\n29 1\n30 1\n");
	static const struct {
		size_t n;
		uint64_t slow;
	} expected[] = { { 2, 7 }, { 2, 1 }, { 2, 1 }, { 2, 7 } };
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(expected); i++) {
		struct peaks r = find(a, p, i);

		assert_int_equal(r.n, expected[i].n);
		assert_int_equal(r.v[1].count, expected[i].slow);
	}
	arena_free(a);
	profile_free(p);
}

/* The same seven calls in every kind of buckets: 993 of 100 to 200, 7 of 200,000. */
static void few_slow_calls_in_any_buckets(void **state)
{
	static const double edge[] = { 0, 100, 200, 500, 1e3, 1e4, 1e5, 1e6 };
	const struct bucket_scheme schemes[] = {
		bucket_log2(1),
		bucket_log2(8),
		bucket_log_linear(32, 1),
		bucket_linear(0, 100),
		bucket_edges(edge, COUNT_OF(edge)),
	};
	static struct cells room;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		struct histogram h = histogram_in(&room, &schemes[i]);
		struct arena *a = arena_new();
		struct peaks r;

		put_bucket(&h, bucket_find(&schemes[i], 150), 993);
		put_bucket(&h, bucket_find(&schemes[i], 200000), 7);
		r = peaks_find(a, &h, &peak_rules_default);
		assert_int_equal(r.n, 2);
		assert_int_equal(r.v[1].count, 7);
		arena_free(a);
	}
}

/* What is not one: less than 5 % of the latency (2 x 1536 of 2000 x 48); an empty bucket below
 * a single call, where five octaves of tail lie below it; and nothing is between the ticks of a
 * clock. */
static void few_slow_calls_that_are_no_peak(void **state)
{
	struct profile *p = made_profile("op little\n5 1998\n10 2\n"
					 "op tail\n5 90\n6 40\n7 20\n8 9\n9 4\n10 1\n12 1\n"
					 "op ticks\ngranularity 1000\n-1 90\n10 5\n");
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(find(a, p, i).n, 1);
	arena_free(a);
	profile_free(p);
}

/* A stray beside the body that holds nothing stays with it, and the slow ones are by
 * themselves. */
static void strays_between_stay_below(void **state)
{
	struct profile *p = made_profile("op x\n10 1000\n15 1\n30 1\n");
	struct arena *a = arena_new();
	struct peaks r = find(a, p, 0);

	(void)state;
	assert_int_equal(r.n, 2);
	assert_int_equal(r.v[0].count, 1001);
	assert_int_equal(r.v[1].count, 1);
	arena_free(a);
	profile_free(p);
}

/* Calls whose tail is one of Pareto: the k-th power of a call's latency is the inverse of a
 * uniform number.  How many of 1000 histograms have a second peak. */
static int strays(const struct bucket_scheme *s, double k, size_t n_calls)
{
	static struct cells room;
	uint64_t seed = 20240521;
	int n = 0;

	for (int i = 0; i < 1000; i++) {
		struct histogram h = histogram_in(&room, s);
		uint64_t count[CELLS] = { 0 };
		struct arena *a = arena_new();

		for (size_t c = 0; c < n_calls; c++)
			count[bucket_find(s, 100 * pow(uniform(&seed), -1 / k))]++;
		for (int c = 0; c < CELLS; c++) {
			if (count[c] > 0)
				put_bucket(&h, c, count[c]);
		}
		n += peaks_find(a, &h, &peak_rules_default).n != 1;
		arena_free(a);
	}
	return n;
}

/* A long tail leaves gaps below its last calls, which hold much of the latency. */
static void strays_of_a_tail_are_no_peak(void **state)
{
	static const double tail[] = { 1.5, 2, 4 };
	static const size_t calls[] = { 10, 100, 1000 };

	(void)state;
	for (unsigned resolution = 1; resolution <= 4; resolution *= 4) {
		struct bucket_scheme s = bucket_log2(resolution);

		for (size_t i = 0; i < COUNT_OF(tail); i++)
			for (size_t n = 0; n < COUNT_OF(calls); n++)
				assert_true(strays(&s, tail[i], calls[n]) <= 40);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readdir_of_figure_7),
		cmocka_unit_test(miss_ratios_of_fsprof_table_3),
		cmocka_unit_test(noise_is_no_peak),
		cmocka_unit_test(huge_counts_need_a_ratio),
		cmocka_unit_test(peaks_cover_the_histogram_once),
		cmocka_unit_test(agrees_with_the_definition),
		cmocka_unit_test(wider_buckets_are_no_peaks),
		cmocka_unit_test(noise_of_many_buckets_is_no_peak),
		cmocka_unit_test(steps_of_a_clock_are_no_gaps),
		cmocka_unit_test(few_calls_that_hold_the_latency),
		cmocka_unit_test(few_slow_calls_in_any_buckets),
		cmocka_unit_test(few_slow_calls_that_are_no_peak),
		cmocka_unit_test(strays_between_stay_below),
		cmocka_unit_test(strays_of_a_tail_are_no_peak),
	};

	return cmocka_run_group_tests_name("peaks", tests, NULL, NULL);
}
