/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One number while it is followed: its rate of false alarms, steps, and levels that were seen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/watch/watch_track.h"
#include "base/xalloc.h"
#include "tests/analyze/watch_noise.h"
#include "tests/unit/unit.h"

/* One a day is allowed.  The seeds are fixed, so that the numbers are; in the long run
 * (tests/bench/watch_alarms.c) all of these are below one a day. */
static void false_alarms_stay_below_the_stated_rate(void **state)
{
	static const struct noise_kind kind[] = {
		{ .name = "independent" },
		{ .name = "heavy tails", .heavy = true },
		{ .name = "autocorrelation 0.6", .correlation = 0.6 },
		{ .name = "spells and 0.6", .correlation = 0.6, .spells = true },
		{ .name = "drift and daily cycle", .drift = 1, .cycle = 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++) {
		size_t alarms = noise_alarms(&kind[i], 1, 20061106) +
				noise_lasting_alarms(&kind[i], 1, 20061106);

		if (alarms > 2)
			fail_msg("%s: %zu alarms in a day", kind[i].name, alarms);
	}
}

/* Ten standard deviations are reported within so many intervals, two within hundreds. */
static void steps_are_reported(void **state)
{
	const double threshold = (double)NOISE_SERIES * NOISE_DAY;
	size_t missed;

	(void)state;
	assert_true(noise_delay(0, 5, threshold, 20, &missed) < 8);
	assert_int_equal(missed, 0);
	assert_true(noise_delay(0, 3, threshold, 20, &missed) < 16);
	assert_int_equal(missed, 0);
	assert_true(noise_delay(0.6, 5, threshold, 20, &missed) < 30);
	assert_int_equal(missed, 0);
}

/* One number that is followed. */
struct followed {
	struct track t;
	struct track_scores *scores;
	struct track_levels levels;
};

static struct followed *follow(const struct track_shape *shape, uint64_t seed)
{
	struct followed *f = xcalloc(1, sizeof(*f));

	f->scores = track_scores_new();
	track_start(&f->t, shape, &f->levels, seed);
	return f;
}

static void followed_free(struct followed *f)
{
	track_scores_free(f->scores);
	free(f);
}

/* With no ranks there is no evidence, whatever comes. */
static void nothing_is_reported_without_a_reference(void **state)
{
	struct followed *f = follow(&track_of_intervals, 1);

	(void)state;
	for (size_t i = 0; i < track_of_intervals.min_ranks + TRACK_LAG; i++) {
		assert_false(track_is_ready(&f->t));
		assert_true(track_evidence(&f->t) == 0);
		track_push(&f->t, f->scores, i < 50 ? (double)(i % 7) : 1000);
	}
	assert_true(track_is_ready(&f->t));
	followed_free(f);
}

/* A constant is all ties: ranks are drawn, and of 20,000 of them none makes an alarm of
 * one in 2,000,000. */
static void a_constant_never_alarms(void **state)
{
	struct followed *f = follow(&track_of_intervals, 7);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		track_push(&f->t, f->scores, 3.25);
		assert_true(track_evidence(&f->t) < 2e6);
	}
	followed_free(f);
}

static void push_times(struct followed *f, int n, double x)
{
	for (int i = 0; i < n; i++)
		track_push(&f->t, f->scores, x);
}

/* Values until a level may come that was never seen: none are extrapolated. */
enum { SOON = 1 };

/* Levels of 0 and 1 for hours: what lies between is none, nor what lies little above; means of
 * few values have to lie further away. */
static void levels_that_were_seen_are_not_new(void **state)
{
	struct followed *f = follow(&track_of_intervals, 1);

	(void)state;
	for (int i = 0; i < 3000; i++)
		track_push(&f->t, f->scores, i / 300 % 2);
	push_times(f, 15, 1.25);
	assert_false(
		track_is_new_level(&f->t, 15, 0.1, SOON)); /* 0.5 beyond, as they are 1 apart */
	push_times(f, 15, 1.55);
	assert_true(track_is_new_level(&f->t, 15, 0.1, SOON));
	assert_false(track_is_new_level(&f->t, 15, 0.6, SOON));
	/* Of 4 values: (0.5 + 0.5) sqrt(15 / 4) = 1.94 from the middle. */
	push_times(f, 4, 2.4);
	assert_false(track_is_new_level(&f->t, 4, 0.1, SOON));
	push_times(f, 4, 2.5);
	assert_true(track_is_new_level(&f->t, 4, 0.1, SOON));
	followed_free(f);
}

/* 200 means of 15 values, 0 and 1, of which the last two wait: log(198^3) / log(198) is 3, so that
 * the level that comes once in 198^3 of them lies 3 * 0.5 from the middle, below 2. */
static void rare_levels_lie_farther(void **state)
{
	const double rarely = 15. * 198 * 198 * 198;
	struct followed *f = follow(&track_of_intervals, 1);

	(void)state;
	for (int i = 0; i < 3000; i++)
		track_push(&f->t, f->scores, i / 300 % 2);
	push_times(f, 15, 1.95);
	assert_true(track_is_new_level(&f->t, 15, 0.1, SOON));
	assert_true(track_is_new_level(&f->t, 15, 0.1, rarely / 198));
	assert_false(track_is_new_level(&f->t, 15, 0.1, rarely));
	push_times(f, 15, 2.05);
	assert_true(track_is_new_level(&f->t, 15, 0.1, rarely));
	assert_false(track_is_new_level(&f->t, 15, 0.1, rarely * 198));
	followed_free(f);
}

/* A level of an hour ago is remembered, that of a change only where it is no change any more. */
static void levels_are_remembered(void **state)
{
	struct followed *f = follow(&track_of_intervals, 1);

	(void)state;
	for (int i = 0; i < 11000; i++)
		track_push(&f->t, f->scores, i < 60 ? 3 : 0);
	track_set_apart(&f->t, true);
	push_times(f, 300, 9);
	track_set_apart(&f->t, false);
	assert_false(
		track_is_new_level(&f->t, 1, 5, SOON)); /* 7.5 from the middle; 4 of one value */
	assert_true(track_is_new_level(&f->t, 15, 4, SOON));
	push_times(f, 30, 4.3);
	assert_false(track_is_new_level(&f->t, 15, 1, SOON)); /* 3 and half of 3 are 4.5 */
	push_times(f, 60, 9);
	assert_false(track_is_new_level(&f->t, 15, 1, SOON));
	followed_free(f);
}

/* Means of four minutes are levels of theirs: of a single one sqrt(4 / 1) * (0.5 + 0.5) is 2 from
 * the middle. */
static void levels_of_minutes_are_shorter(void **state)
{
	struct followed *f = follow(&track_of_minutes, 1);

	(void)state;
	for (int i = 0; i < 20 + 8; i++) {
		assert_false(track_is_ready(&f->t));
		track_push(&f->t, f->scores, i / 4 % 2);
	}
	assert_true(track_is_ready(&f->t));
	for (int i = 0; i < 400; i++)
		track_push(&f->t, f->scores, i / 40 % 2);
	push_times(f, 4, 1.45);
	assert_false(track_is_new_level(&f->t, 4, 0.1, SOON));
	push_times(f, 4, 1.55);
	assert_true(track_is_new_level(&f->t, 4, 0.1, SOON));
	assert_false(track_is_new_level(&f->t, 4, 0.6, SOON));
	track_push(&f->t, f->scores, 2.45);
	assert_false(track_is_new_level(&f->t, 1, 0.1, SOON));
	track_push(&f->t, f->scores, 2.55);
	assert_true(track_is_new_level(&f->t, 1, 0.1, SOON));
	followed_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms_stay_below_the_stated_rate),
		cmocka_unit_test(steps_are_reported),
		cmocka_unit_test(nothing_is_reported_without_a_reference),
		cmocka_unit_test(a_constant_never_alarms),
		cmocka_unit_test(levels_that_were_seen_are_not_new),
		cmocka_unit_test(rare_levels_lie_farther),
		cmocka_unit_test(levels_are_remembered),
		cmocka_unit_test(levels_of_minutes_are_shorter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
