/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of level, periods, and what a run over time is made of. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/stats/ranks.h"
#include "analyze/timeline.h"
#include "base/arena.h"
#include "base/out.h"
#include "tests/mean_alone.h"
#include "tests/unit/unit.h"

enum { MAX = 400 };

/* --- ranks  ----------------------------------------------------------- */

static void equal_values_share_a_rank(void **state)
{
	const double x[] = { 7, 3, 3, 9, 3 }, expected[] = { 4, 2, 2, 5, 2 };
	double rank[5];

	(void)state;
	ranks_of(x, 5, rank);
	for (int i = 0; i < 5; i++)
		assert_float_equal(rank[i], expected[i], 0);
}

/* --- periods --------------------------------------------------------------------------------- */

static struct period find(const double *x, size_t n)
{
	size_t step[MAX];

	for (size_t i = 0; i < n; i++)
		step[i] = i;
	return period_find(x, step, n, 0.01, 0.25);
}

static void a_spike_every_fifth_step(void **state)
{
	struct rng r = rng_start(12);
	struct period p;
	double x[45];

	(void)state;
	for (int i = 0; i < 45; i++)
		x[i] = i % 5 == 3 ? 100 + i : (int)rng_below(&r, 50);
	p = find(x, 45);
	assert_true(p.found);
	assert_float_equal(p.length, 5, 0);
	assert_true(p.strength > 0.4 && p.strength <= 1);
	assert_true(p.p < 0.001);
}

/* Events every 2.5 steps fall into steps 0, 2, 5, 7, 10 and so on, as every 5 steps. */
static void a_period_between_steps(void **state)
{
	double x[80] = { 0 };
	struct period p;

	(void)state;
	for (int i = 0; i < 32; i++)
		x[(int)(2.5 * i)] = 1;
	p = find(x, 80);
	assert_true(p.found);
	assert_float_equal(p.length, 5, 0);
	assert_float_equal(p.strength, 1, 1e-9);
}

static void a_wave_in_noise(void **state)
{
	struct rng r = rng_start(9);
	struct period p;
	double x[140];

	(void)state;
	for (int i = 0; i < 140; i++)
		x[i] = sin(2 * acos(-1) * i / 14) + rng_below(&r, 1000) / 1000.0;
	p = find(x, 140);
	assert_true(p.found);
	assert_float_equal(p.length, 14, 0);
}

/* A third of the values is missing. */
static void missing_steps_are_no_obstacle(void **state)
{
	struct rng r = rng_start(10);
	size_t step[MAX], n = 0;
	struct period p;
	double x[MAX];

	(void)state;
	for (size_t i = 0; i < 120; i++) {
		if (rng_below(&r, 3) == 0)
			continue;
		step[n] = i;
		x[n++] = i % 6 == 2 ? 50 : (int)rng_below(&r, 20);
	}
	p = period_find(x, step, n, 0.01, 0.25);
	assert_true(p.found);
	assert_float_equal(p.length, 6, 0);
}

/* Of 1,500 steps the autocorrelation is multiplied out, of more it is transformed.  A shorter
 * period is preferred where it explains nearly as much. */
static void a_long_period_in_a_long_series(void **state)
{
	enum { LONG = 9000, PERIOD = 487 };
	static double x[LONG];
	static size_t step[LONG];
	struct rng r = rng_start(12);

	(void)state;
	for (size_t n = 1500; n <= LONG; n += 1500) {
		struct period p;

		for (size_t i = 0; i < n; i++) {
			step[i] = i;
			x[i] = (i % PERIOD < PERIOD / 2 ? 30 : 0) + (int)rng_below(&r, 20);
		}
		p = period_find(x, step, n, 0.01, 0.25);
		assert_true(p.found);
		assert_in_range((int)p.length, PERIOD - PERIOD / 100, PERIOD + PERIOD / 100);
	}
}

static void noise_has_no_period(void **state)
{
	struct rng r = rng_start(11);
	int found = 0;

	(void)state;
	for (int turn = 0; turn < 1000; turn++) {
		size_t step[60];
		double x[60];

		for (size_t i = 0; i < 60; i++) {
			step[i] = i;
			x[i] = rng_below(&r, 1000000);
		}
		found += period_find(x, step, 60, 0.05, 0).found;
	}
	assert_in_range(found, 0, 65);
}

static void too_little_has_no_period(void **state)
{
	const double x[] = { 1, 0, 1, 0, 1, 0, 1 }, same[40] = { 0 };

	(void)state;
	assert_false(find(x, 7).found);
	assert_false(find(x, 0).found);
	assert_false(find(same, 40).found);
}

/* --- a run over time --------------------------------------------------------------------- */

/* "interval START END" and a row, for each of n intervals. */
static void add_interval(struct out *o, double start, double end, int bucket, unsigned calls)
{
	out_text(o, "interval ");
	out_f64(o, start);
	out_char(o, ' ');
	out_f64(o, end);
	out_printf(o, "\n%d %u\n", bucket, calls);
}

static struct profile *profile_of(struct out *o)
{
	struct profile *p;

	out_char(o, '\0');
	p = made_profile(out_memory(o).p);
	out_free(o);
	return p;
}

/* Read is not in the second interval; from 15 to 20 nothing was measured. */
static void intervals_of_all_operations(void **state)
{
	struct profile *p = made_profile("unit ns\n"
					 "op read\ninterval 0 5\n8 3\ninterval 10 15\n8 1\n"
					 "interval 20 25\n8 1\n"
					 "op write\ninterval 0 5\n9 2\ninterval 5 10\n9 4\n");
	struct arena *a = arena_new();
	struct timeline t = timeline_of(a, p, &timeline_rules_default);
	const double calls[] = { 5, 4, 1, 1 }, read[] = { 3, 0, 1, 1 };

	(void)state;
	assert_int_equal(t.n, 4);
	assert_int_equal(t.n_missing, 1);
	assert_float_equal(t.usual, 5, 0);
	for (size_t i = 0; i < t.n; i++) {
		const struct timeline_op *op =
			str_eq(t.op[0].op->name, STR("read")) ? &t.op[0] : &t.op[1];

		assert_float_equal(t.interval[i].calls, calls[i], 0);
		assert_float_equal(op->calls[i], read[i], 0);
		assert_true(is_near(op->latency[i], 256 * mean_alone * read[i]));
	}
	assert_int_equal(t.interval[3].step, 4);
	arena_free(a);
	profile_free(p);
}

/* 10 calls a second throughout, in intervals of 1 and of 4 s: no change; then 40. */
static void lengths_of_intervals_do_not_matter(void **state)
{
	struct out *o = out_to_memory();
	struct arena *a = arena_new();
	struct profile *p;
	struct timeline t;
	double at = 0;

	(void)state;
	out_text(o, "unit ns\nop read\n");
	for (int i = 0; i < 20; i++, at += i <= 10 ? 1 : 4)
		add_interval(o, at, at + (i < 10 ? 1 : 4), 8, i < 10 ? 10 : 40);
	for (int i = 0; i < 10; i++, at += 1)
		add_interval(o, at, at + 1, 8, 40);
	p = profile_of(o);
	t = timeline_of(a, p, &timeline_rules_default);
	assert_int_equal(t.op[0].n_changes, 1);
	assert_int_equal(t.op[0].change[0].what, TIMELINE_CALLS);
	assert_int_equal(t.op[0].change[0].interval, 20);
	assert_float_equal(t.op[0].change[0].before, 10, 1e-9);
	assert_float_equal(t.op[0].change[0].after, 40, 1e-9);
	arena_free(a);
	profile_free(p);
}

/* Intervals of 2.5 s whose times were printed in whole seconds: 2 and 3 s by turns. */
static void rounded_times_are_no_period(void **state)
{
	struct out *o = out_to_memory();
	struct arena *a = arena_new();
	struct profile *p;
	struct timeline t;

	(void)state;
	out_text(o, "unit ns\nop read\n");
	for (int i = 0; i < 40; i++)
		add_interval(o, floor(2.5 * i), floor(2.5 * (i + 1)), 8, 100 + (unsigned)i * 7 % 5);
	p = profile_of(o);
	t = timeline_of(a, p, &timeline_rules_default);
	assert_true(t.rounded);
	assert_float_equal(t.usual, 2.5, 0);
	assert_false(t.op[0].period.found && t.op[0].period.length == 5);
	assert_int_equal(t.op[0].n_changes, 0);
	arena_free(a);
	profile_free(p);
}

/* A flush every 5 s, in intervals of 1 s, slower from the 30th on. */
static void a_flush_and_when_it_got_slower(void **state)
{
	struct out *o = out_to_memory();
	struct arena *a = arena_new();
	struct profile *p;
	struct timeline t;

	(void)state;
	out_text(o, "unit ns\nop flush\n");
	for (int i = 4; i < 100; i += 5)
		add_interval(o, i, i + 1, i < 50 ? 20 : 22, 1);
	out_text(o, "op read\n");
	for (int i = 0; i < 100; i++)
		add_interval(o, i, i + 1, 8, 1000);
	p = profile_of(o);
	t = timeline_of(a, p, &timeline_rules_default);
	assert_true(str_eq(t.op[0].op->name, STR("flush")));
	assert_true(t.op[0].period.found);
	assert_float_equal(t.op[0].period.length, 5, 0);
	assert_int_equal(t.op[0].n_changes, 1);
	assert_int_equal(t.op[0].change[0].what, TIMELINE_MEAN);
	assert_int_equal(t.op[0].change[0].interval, 54);
	assert_float_equal(log2(t.op[0].change[0].after / t.op[0].change[0].before), 2, 1e-9);
	assert_false(t.op[1].period.found);
	assert_int_equal(t.op[1].n_changes, 0);
	arena_free(a);
	profile_free(p);
}

static void nothing_was_sampled(void **state)
{
	struct profile *p = made_profile("op read\n8 3\n");
	struct arena *a = arena_new();

	(void)state;
	assert_int_equal(timeline_of(a, p, &timeline_rules_default).n, 0);
	arena_free(a);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_values_share_a_rank),
		cmocka_unit_test(a_spike_every_fifth_step),
		cmocka_unit_test(a_period_between_steps),
		cmocka_unit_test(a_wave_in_noise),
		cmocka_unit_test(missing_steps_are_no_obstacle),
		cmocka_unit_test(a_long_period_in_a_long_series),
		cmocka_unit_test(noise_has_no_period),
		cmocka_unit_test(too_little_has_no_period),
		cmocka_unit_test(intervals_of_all_operations),
		cmocka_unit_test(lengths_of_intervals_do_not_matter),
		cmocka_unit_test(rounded_times_are_no_period),
		cmocka_unit_test(a_flush_and_when_it_got_slower),
		cmocka_unit_test(nothing_was_sampled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
