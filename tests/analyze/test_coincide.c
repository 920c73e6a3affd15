/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens in the same intervals, and operations whose intervals repeat themselves. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/coincide.h"
#include "analyze/period.h"
#include "analyze/stats/random.h"
#include "analyze/timeline.h"
#include "base/arena.h"
#include "base/out.h"

enum { INTERVALS = 46 };

static struct profile *profile_of(struct out *o)
{
	struct profile *p;

	out_char(o, '\0');
	p = made_profile(out_memory(o).p);
	out_free(o);
	return p;
}

/* Writes in all intervals, slow ones where `slow` says, flushes where `flush` does.  The lengths
 * of intervals are those of `length`, 1 where it is NULL. */
static struct profile *flushed(const bool *slow, const bool *flush, const double *length)
{
	struct out *o = out_to_memory();
	double at = 0;

	out_text(o, "unit ns\nop write\n");
	for (int i = 0; i < INTERVALS; i++) {
		double end = at + (length != NULL ? length[i] : 1);

		out_printf(o, "interval %.17g %.17g\n8 1000\n9 300\n10 20\n", at, end);
		out_text(o, slow[i] ? "21 1\n" : "");
		at = end;
	}
	out_text(o, "op flush\n");
	at = 0;
	for (int i = 0; i < INTERVALS; i++) {
		double end = at + (length != NULL ? length[i] : 1);

		if (flush[i])
			out_printf(o, "interval %.17g %.17g\n23 1\n", at, end);
		at = end;
	}
	return profile_of(o);
}

static struct coincidences find(struct arena *a, const struct profile *p)
{
	struct timeline *t = arena_make(a, struct timeline, 1);

	*t = timeline_of(a, p, &timeline_rules_default);
	return coincidences_of(a, t, &coincidence_rules_default);
}

/* Of 46 intervals 8 with one event and 10 with the other: all 8 coincide in C(10, 8) of C(46, 8)
 * ways; 1 - C(36, 8) / C(46, 8) is the chance that any does. */
static void chance_by_hand(void **state)
{
	(void)state;
	assert_float_equal(coincidence_p(46, 8, 10, 8), 45.0 / 260932815.0, 1e-15);
	assert_float_equal(coincidence_p(46, 8, 10, 1), 1 - 30260340.0 / 260932815.0, 1e-12);
	assert_float_equal(coincidence_p(46, 8, 10, 0), 1, 1e-12);
	assert_float_equal(coincidence_p(4, 2, 2, 2), 1.0 / 6, 1e-12);
}

static void stalls_with_flushes(void **state)
{
	bool slow[INTERVALS] = { false }, flush[INTERVALS] = { false };
	struct arena *a = arena_new();
	struct coincidences c;
	struct profile *p;

	(void)state;
	for (int i = 5; i < 45; i += 5)
		slow[i] = flush[i] = true;
	slow[7] = slow[33] = true;
	p = flushed(slow, flush, NULL);
	c = find(a, p);
	assert_int_equal(c.n, 1);
	assert_true(str_eq(c.v[0].op->name, STR("write")));
	assert_true(str_eq(c.v[0].with->name, STR("flush")));
	assert_false(c.v[0].any);
	assert_float_equal(c.v[0].low, 2097152, 0);
	assert_int_equal(c.v[0].both, 8);
	assert_int_equal(c.v[0].intervals_with, 8);
	assert_int_equal(c.v[0].others, 2);
	assert_int_equal(c.v[0].of_others, 38);
	/* One limit: the gap; and where a thousandth is left, which is the same here. */
	assert_true(c.v[0].p >= 45.0 / 260932815 && c.v[0].p <= 2.1 * 45.0 / 260932815);
	arena_free(a);
	profile_free(p);
}

/* Slow calls that go on where the others end, so that counts nowhere rise: 40 of 12 in eight
 * intervals are half a percent of the calls, and fewer than those of 11. */
static void slow_calls_that_are_no_peak(void **state)
{
	struct out *o = out_to_memory();
	struct arena *a = arena_new();
	struct coincidences c;
	struct profile *p;

	(void)state;
	out_text(o, "unit ns\nop write\n");
	for (int i = 0; i < INTERVALS; i++)
		out_printf(o, "interval %d %d\n8 1000\n9 300\n10 60\n11 10\n%s", i, i + 1,
			   i % 5 == 4 && i < 40 ? "12 40\n" : "");
	out_text(o, "op flush\n");
	for (int i = 4; i < 40; i += 5)
		out_printf(o, "interval %d %d\n20 1\n", i, i + 1);
	p = profile_of(o);
	c = find(a, p);
	assert_int_equal(c.n, 1);
	assert_true(str_eq(c.v[0].op->name, STR("write")));
	assert_float_equal(c.v[0].low, 4096, 0);
	assert_int_equal(c.v[0].both, 8);
	assert_int_equal(c.v[0].others, 0);
	arena_free(a);
	profile_free(p);
}

static void shuffle(bool *v, uint64_t *random)
{
	for (size_t i = INTERVALS - 1; i > 0; i--) {
		size_t k = (size_t)(random_share(random) * (double)(i + 1));
		bool keep = v[i];

		v[i] = v[k];
		v[k] = keep;
	}
}

/* The same numbers of events in intervals that were shuffled. */
static void silent_when_shuffled(void **state)
{
	bool slow[INTERVALS] = { false }, flush[INTERVALS] = { false };
	uint64_t random = 4;
	size_t reported = 0;

	(void)state;
	for (int i = 0; i < 10; i++)
		slow[i] = true;
	for (int i = 0; i < 8; i++)
		flush[i] = true;
	for (int run = 0; run < 100; run++) {
		struct arena *a = arena_new();
		struct profile *p;

		shuffle(slow, &random);
		shuffle(flush, &random);
		p = flushed(slow, flush, NULL);
		reported += find(a, p).n;
		arena_free(a);
		profile_free(p);
	}
	assert_true(reported <= 8); /* 5 are allowed for, less for whole numbers */
}

/* Intervals of 4 s hold more of everything: they do not count. */
static void longer_intervals_are_left_out(void **state)
{
	bool slow[INTERVALS] = { false }, flush[INTERVALS] = { false };
	double length[INTERVALS];
	struct arena *a = arena_new();
	struct coincidences c;
	struct profile *p;

	(void)state;
	for (int i = 0; i < INTERVALS; i++) {
		slow[i] = flush[i] = i % 5 == 0;
		length[i] = i % 5 == 0 ? 4 : 1;
	}
	p = flushed(slow, flush, length);
	c = find(a, p);
	assert_int_equal(c.n_left_out, 10);
	assert_int_equal(c.n, 0);
	arena_free(a);
	profile_free(p);
}

/* Five events in every second of 13 steps: 5 of the C(13, 5) = 1287 ways have gaps of 2, one has
 * gaps of 3. */
static void every_second_step(void **state)
{
	const size_t even[] = { 2, 4, 6, 8, 10 }, uneven[] = { 2, 4, 7, 8, 10 };
	const size_t next[] = { 1, 2, 3, 4, 5 };
	struct period p = period_of_events(even, 5, 13, 0.05);

	(void)state;
	assert_true(p.found);
	assert_float_equal(p.steps, 2, 0);
	assert_float_equal(p.p, 6.0 / 1287, 1e-12);
	assert_false(period_of_events(even, 5, 13, 0.004).found);
	assert_false(period_of_events(uneven, 5, 13, 0.05).found);
	assert_false(period_of_events(next, 5, 13, 0.05).found);
	assert_false(period_of_events(even, 3, 13, 0.05).found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chance_by_hand),
		cmocka_unit_test(stalls_with_flushes),
		cmocka_unit_test(slow_calls_that_are_no_peak),
		cmocka_unit_test(silent_when_shuffled),
		cmocka_unit_test(longer_intervals_are_left_out),
		cmocka_unit_test(every_second_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
