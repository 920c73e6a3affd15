/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of osprof watch, where others take the processors: what is their doing is no alarm, and
 * what is not is one all the same. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/watch/watch.h"
#include "analyze/watch/watch_load.h"
#include "tests/unit/unit.h"

/* One interval of two operations of 400 calls: log2 of the latency, the part of the processors that
 * others use, and the mean wait for one. */
struct interval_of {
	double position, others, wait_ms;
};

static const struct interval_of calm = { 10.5, 0.1, 0.1 };
static const struct interval_of crowded = { 13.5, 0.97, 8 }; /* 8 times slower by its load */

static struct contention contention_of(double others, double wait_ms)
{
	static const double capacity = 2e9, waits = 100;

	return (struct contention){ .others = (uint64_t)(others * capacity),
				    .capacity = (uint64_t)capacity,
				    .waited = (uint64_t)(wait_ms * 1e6 * waits),
				    .waits = (uint64_t)waits };
}

struct seen {
	struct watch *w;
	size_t alarms, ended, new_load;
	size_t of_latency; /* alarms */
	uint64_t draws;
};

/* The part of the calls in the upper bucket varies by some per cent. */
static double upper_part(struct seen *s, double position)
{
	s->draws = s->draws * UINT64_C(6364136223846793005) + 1442695040888963407;
	return fmin(
		fmax(position - floor(position) + ((double)(s->draws >> 33) * 0x1p-31 - 0.5) / 10,
		     0),
		1);
}

static void push(struct seen *s, const struct interval_of *v, bool known)
{
	char text[256];
	size_t n, at = (size_t)snprintf(text, sizeof(text), "unit ns\n");
	const struct watch_event *event;
	struct profile *p;

	for (int i = 0; i < 2; i++) {
		double upper = upper_part(s, v->position);

		at += (size_t)snprintf(text + at, sizeof(text) - at, "op op%d\n%d %.0f\n%d %.0f\n",
				       i, (int)v->position, 400 * (1 - upper), (int)v->position + 1,
				       400 * upper);
	}
	p = made_profile(text);
	if (known)
		p->contention = contention_of(v->others, v->wait_ms);
	watch_push(s->w, p, true, &event, &n);
	for (size_t i = 0; i < n; i++) {
		s->alarms += event[i].what == WATCH_ALARM;
		s->of_latency += event[i].what == WATCH_ALARM && event[i].feature == WATCH_SHIFT;
		s->ended += event[i].what == WATCH_BACK || event[i].what == WATCH_ACCEPTED;
	}
	s->new_load += watch_load_is_new(s->w);
	profile_free(p);
}

static void push_many(struct seen *s, int n, const struct interval_of *v)
{
	for (int i = 0; i < n; i++)
		push(s, v, true);
}

static struct seen start_with(bool any_load)
{
	struct watch_rules rules = watch_rules_default;

	rules.interval = 1;
	rules.false_alarms = 1 / 86400.;
	rules.any_load = any_load;
	return (struct seen){ .w = watch_new(&rules), .draws = 7 };
}

static struct seen start(void)
{
	return start_with(false);
}

/* By hand: half, 90 %; 1, 4, 16, 64 ms. */
static void loads_are_told_apart(void **state)
{
	/* In the order of their numbers; each pair is one load. */
	static const double others[][2] = { { 0, 0.499 }, { 0.5, 0.899 }, { 0.9, 1 } };
	static const double wait_ms[][2] = {
		{ 0, 0.99 }, { 1, 3.99 }, { 4, 15.9 }, { 16, 63.9 }, { 64, 5000 }
	};
	const struct contention none = { .capacity = 0 };

	(void)state;
	assert_int_equal(watch_load_of(&none), 0);
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = 0; k < 5; k++) {
			for (int end = 0; end < 4; end++) {
				struct contention c =
					contention_of(others[i][end / 2], wait_ms[k][end % 2]);

				assert_int_equal(watch_load_of(&c), 1 + 5 * i + k);
			}
		}
	}
	assert_int_equal(N_WATCH_LOADS, 16);
}

/* Others come and go, twice, and all calls take 8 times as long meanwhile. */
static void what_others_slow_down_is_no_alarm(void **state)
{
	struct seen s = start();

	(void)state;
	for (int k = 0; k < 2; k++) {
		push_many(&s, 300, &calm);
		push_many(&s, 200, &crowded);
	}
	push_many(&s, 300, &calm);
	assert_int_equal(s.alarms, 0);
	/* A reference is 60 values that ended 30 before. */
	assert_int_equal(s.new_load, 60 + 30);
	watch_free(s.w);
}

/* Where loads are not distinguished, it is one, at once. */
static void under_any_load_it_is_one(void **state)
{
	struct seen s = start_with(true);

	(void)state;
	push_many(&s, 300, &calm);
	push_many(&s, 30, &crowded);
	assert_true(s.of_latency > 0);
	assert_int_equal(s.new_load, 0);
	watch_free(s.w);
}

/* The same slowdown, and others use no more than before: both operations. */
static void the_same_without_others_is_an_alarm(void **state)
{
	const struct interval_of slower = { crowded.position, calm.others, calm.wait_ms };
	struct seen s = start();

	(void)state;
	push_many(&s, 300, &calm);
	push_many(&s, 30, &slower);
	assert_int_equal(s.alarms, 2);
	assert_int_equal(s.new_load, 0);
	push_many(&s, 60, &calm);
	assert_int_equal(s.ended, 2);
	watch_free(s.w);
}

/* Where nothing is known of others, both are. */
static void without_a_load_all_is_judged(void **state)
{
	struct seen s = start();

	(void)state;
	for (int i = 0; i < 330; i++)
		push(&s, i < 300 ? &calm : &crowded, false);
	assert_int_equal(s.alarms, 2);
	assert_int_equal(s.new_load, 0);
	watch_free(s.w);
}

/* Others have been there all the time; it is the program that gets slower. */
static void a_change_under_a_constant_load_is_an_alarm(void **state)
{
	const struct interval_of slower = { crowded.position + 1.5, crowded.others,
					    crowded.wait_ms };
	struct seen s = start();

	(void)state;
	push_many(&s, 300, &calm);
	push_many(&s, 300, &crowded);
	assert_int_equal(s.alarms, 0);
	push_many(&s, 30, &slower);
	assert_int_equal(s.alarms, 2);
	watch_free(s.w);
}

/* It is slower as long as others are there, and then without them: one alarm each, and no second
 * one when they come back. */
static void a_change_that_came_with_others_is_an_alarm_without_them(void **state)
{
	const struct interval_of slower = { crowded.position + 1.5, calm.others, calm.wait_ms };
	struct seen s = start();

	(void)state;
	push_many(&s, 300, &calm);
	push_many(&s, 60, &crowded);
	assert_int_equal(s.alarms, 0);
	push_many(&s, 40, &slower);
	assert_int_equal(s.alarms, 2);
	push_many(&s, 60, &crowded);
	push_many(&s, 40, &slower);
	assert_int_equal(s.alarms, 2);
	assert_int_equal(watch_active(s.w), 2);
	watch_free(s.w);
}

/* Two seconds of each by turns: the evidence waits while the other has its turn. */
static void loads_that_alternate_hide_nothing(void **state)
{
	const struct interval_of slower = { calm.position + 1, calm.others, calm.wait_ms };
	struct seen s = start();

	(void)state;
	for (int i = 0; i < 800; i++)
		push(&s, i % 4 < 2 ? &calm : &crowded, true);
	assert_int_equal(s.alarms, 0);
	for (int i = 0; i < 60; i++)
		push(&s, i % 4 < 2 ? &slower : &crowded, true);
	assert_int_equal(s.alarms, 0); /* crowded seconds have been as slow */
	for (int i = 0; i < 60; i++)
		push(&s, i % 4 < 2 ? &(struct interval_of){ 16.5, 0.1, 0.1 } : &crowded, true);
	assert_int_equal(s.of_latency, 2);
	watch_free(s.w);
}

/* A file that states other loads all the time makes no more tracks than are allowed. */
static void loads_are_limited(void **state)
{
	struct watch_rules rules = watch_rules_default;
	struct seen s = { .draws = 1 };

	(void)state;
	rules.max_operations = 2;
	s.w = watch_new(&rules);
	for (int i = 0; i < 2400; i++) {
		const struct interval_of v = { 10.5, i % 3 * 0.45, exp2(i % 5 * 2) };

		push(&s, &v, true);
	}
	assert_int_equal(watch_operations(s.w), 2);
	assert_int_equal(s.alarms, 0);
	/* Both have two loads, which they came under first; all 15 have come often enough. */
	assert_int_equal(watch_judged(s.w), 2);
	assert_true(watch_load_is_new(s.w));
	watch_free(s.w);
}

/* One that is called rarely, after the reference: a minute ends before its first value is there. */
static void what_comes_after_a_reference_is_followed(void **state)
{
	struct seen s = start();

	(void)state;
	push_many(&s, 300, &calm);
	assert_true(watch_freeze(s.w));
	for (int i = 0; i < 200; i++) {
		struct profile *p = made_profile("unit ns\nop rare\n10 1\n");
		const struct watch_event *event;
		size_t n;

		p->contention = contention_of(i % 2, 8);
		watch_push(s.w, p, true, &event, &n);
		profile_free(p);
	}
	assert_int_equal(watch_operations(s.w), 3);
	watch_free(s.w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_are_told_apart),
		cmocka_unit_test(what_others_slow_down_is_no_alarm),
		cmocka_unit_test(under_any_load_it_is_one),
		cmocka_unit_test(the_same_without_others_is_an_alarm),
		cmocka_unit_test(without_a_load_all_is_judged),
		cmocka_unit_test(a_change_under_a_constant_load_is_an_alarm),
		cmocka_unit_test(a_change_that_came_with_others_is_an_alarm_without_them),
		cmocka_unit_test(loads_that_alternate_hide_nothing),
		cmocka_unit_test(loads_are_limited),
		cmocka_unit_test(what_comes_after_a_reference_is_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
