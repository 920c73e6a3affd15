/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks of the same calls in buckets of any kind: combs of coarse clocks, open ends. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/peaks.h"
#include "base/arena.h"
#include "base/attr.h"
#include "tests/unit/cells.h"

/* The share of calls below a latency: two modes that are normal in log2 latency. */
struct modes {
	double first, second; /* median, in ns */
	double deviation;     /* octaves */
	double share;	      /* of the first */
};

static double below(const struct modes *m, double latency)
{
	double z1, z2;

	if (!(latency > 0))
		return 0;
	z1 = log2(latency / m->first) / m->deviation;
	z2 = log2(latency / m->second) / m->deviation;
	return (m->share * erfc(-z1 * M_SQRT1_2) + (1 - m->share) * erfc(-z2 * M_SQRT1_2)) / 2;
}

enum { CALLS = 20000 };

/* The number of calls in a range; with a step, of those that a clock rounds into it. */
static uint64_t calls_in(const struct modes *m, double low, double high, double step)
{
	double from = low, to = high;

	if (step > 0) {
		from = (ceil(low / step) - 0.5) * step;
		to = (ceil(high / step) - 0.5) * step;
	}
	return (uint64_t)(CALLS * (isinf(high) ? 1 - below(m, from)
					       : below(m, to) - below(m, from)) +
			  0.5);
}

static size_t count_peaks(const struct modes *m, const struct bucket_scheme *s, double step)
{
	static struct cells room;
	struct histogram h = histogram_in(&room, s);
	struct arena *a = arena_new();
	int i = s->kind == BUCKET_LINEAR ? 0 : bucket_find(s, 100);
	size_t n;

	for (; bucket_exists(s, i) && bucket_low(s, i) < 1e8; i++) {
		uint64_t count = calls_in(m, bucket_low(s, i), bucket_high(s, i), step);

		if (count > 0)
			put_bucket(&h, i, count);
	}
	n = peaks_find(a, &h, &peak_rules_default).n;
	arena_free(a);
	return n;
}

/* A clock of 1 us, counted in ns, around 5 us, and with a second mode at 60 us. */
static void a_comb_is_one_peak(void **state)
{
	const struct modes one = { 5000, 5000, 0.4, 1 }, two = { 5000, 60000, 0.4, 0.7 };
	const struct bucket_scheme schemes[] = { bucket_log2(5),
						 bucket_log2(8),
						 bucket_log2(16),
						 bucket_log_linear(16, 1),
						 bucket_log_linear(128, 1),
						 bucket_linear(0, 100) };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		assert_int_equal(count_peaks(&one, &schemes[i], 1000), 1);
		assert_int_equal(count_peaks(&two, &schemes[i], 1000), 2);
	}
}

/* Two latencies, or three that are no multiples of a step, are no comb. */
static void narrow_modes_are_no_comb(void **state)
{
	struct profile *p =
		made_profile("op two\nbuckets log2 16\n175 9000\n184 9000\n"
			     "op three\nbuckets log2 16\n175 9000\n179 9000\n189 9000\n");
	struct arena *a = arena_new();

	(void)state;
	assert_int_equal(peaks_find(a, &p->op[0].hist, &peak_rules_default).n, 2);
	assert_int_equal(peaks_find(a, &p->op[1].hist, &peak_rules_default).n, 3);
	arena_free(a);
	profile_free(p);
}

/* The same calls have the same peaks in buckets of a factor and of a width, unless the latter are
 * wider than the modes. */
static void buckets_of_any_kind(void **state)
{
	const struct modes one = { 8000, 8000, 1.2, 1 }, two = { 3000, 40000, 0.3, 0.6 };
	const struct bucket_scheme schemes[] = { bucket_log2(2), bucket_log2(8),
						 bucket_log_linear(16, 1), bucket_linear(0, 1000),
						 bucket_linear(0, 100) };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		assert_int_equal(count_peaks(&one, &schemes[i], 0), 1);
		assert_int_equal(count_peaks(&two, &schemes[i], 0), 2);
	}
}

/* What lies above the last bucket of a width is not one bucket wide. */
static void an_open_bucket_is_no_peak(void **state)
{
	const struct modes wide = { 20000, 20000, 1.5, 1 }, far = { 3000, 400000, 0.3, 0.6 };

	(void)state;
	for (int limit = 50; limit <= 1000; limit *= 2) {
		struct bucket_scheme s = bucket_linear(0, 1000);

		s.limit = limit;
		assert_int_equal(count_peaks(&wide, &s, 0), 1);
		/* The second mode is in it, or before it. */
		assert_int_equal(count_peaks(&far, &s, 0), 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_comb_is_one_peak),
		cmocka_unit_test(narrow_modes_are_no_comb),
		cmocka_unit_test(buckets_of_any_kind),
		cmocka_unit_test(an_open_bucket_is_no_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
