/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of osprof watch: its rate of false alarms, and what it tells of known changes. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/watch/watch.h"
#include "analyze/watch/watch_track.h"
#include "tests/unit/unit.h"

/* --- profiles ----------------------------------------------------------------------------- */

struct load {
	double calls, slow; /* of each operation: calls at 2^10 to 2^13, a share at 2^17 */
	double position;    /* log2 of the latency */
	const char *only;   /* operation that the above is of; NULL: all */
	double wander;	    /* octaves of the latency, a standard deviation */
};

static uint64_t seed;

static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		sum += (double)(seed >> 33) * 0x1p-31;
	}
	return sum - 6; /* of about one standard deviation */
}

static int write_operation(char *to, size_t room, int number, const struct load *l)
{
	static const struct load calm = { .calls = 1000, .slow = 0.01, .position = 10.5 };
	char name[sizeof("op-2147483648")];
	double upper, calls, slow, position;

	(void)snprintf(name, sizeof(name), "op%02d", number);
	if (l->only != NULL && strcmp(l->only, name) != 0)
		l = &calm;
	calls = l->calls * exp2(0.05 * noise());
	slow = fmax(0, calls * l->slow + sqrt(calls * l->slow) * noise());
	position = l->position + (l->wander > 0 ? l->wander * noise() : 0);
	upper = position + 0.02 * noise() - floor(position);
	upper = fmin(fmax(upper, 0), 1);
	return snprintf(to, room, "op %s\n%d %.0f\n%d %.0f\n%d %.0f\n", name, (int)position,
			calls * (1 - upper), (int)position + 1, calls * upper, 17, slow);
}

/* The changes that may be usual; other events are returned by push(). */
static struct {
	struct watch_event last;
	size_t n;
} possible;

static void keep_event(const struct watch_event *e, struct watch_event *ret, size_t *ret_n)
{
	if (e->what != WATCH_POSSIBLE) {
		ret[(*ret_n)++] = *e;
		return;
	}
	possible.last = *e;
	possible.n++;
}

static void push(struct watch *w, int n_ops, const struct load *l, struct watch_event *ret,
		 size_t *ret_n)
{
	static char text[1 << 14];
	const struct watch_event *event;
	size_t at = (size_t)snprintf(text, sizeof(text), "unit ns\n"), n;
	struct profile *p;

	for (int i = 0; i < n_ops; i++)
		at += (size_t)write_operation(text + at, sizeof(text) - at, i, l);
	p = made_profile(text);
	watch_push(w, p, true, &event, &n);
	for (size_t i = 0; i < n; i++)
		keep_event(&event[i], ret, ret_n);
	profile_free(p);
}

enum { CALM = 160, CHANGED = 60, MAX_EVENTS = 200 };

/* What is reported a change after calm intervals. */
static size_t reported(struct watch **ret_w, int n_ops, const struct load *changed,
		       struct watch_event *event)
{
	static const struct load calm = { 1000, 0.01, 10.5, NULL, 0 };
	struct watch_rules rules = watch_rules_default;
	size_t n = 0;

	rules.false_alarms = 1 / 86400.;
	seed = 42;
	*ret_w = watch_new(&rules);
	for (int i = 0; i < CALM; i++)
		push(*ret_w, n_ops, &calm, event, &n);
	assert_int_equal(n, 0);
	for (int i = 0; i < CHANGED && n == 0; i++)
		push(*ret_w, n_ops, changed, event, &n);
	return n;
}

static void a_slower_operation_is_reported_by_its_name(void **state)
{
	const struct load slower = { 1000, 0.01, 11.5, "op03", 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w;

	(void)state;
	assert_int_equal(reported(&w, 12, &slower, event), 1);
	assert_int_equal(event[0].what, WATCH_ALARM);
	assert_int_equal(event[0].feature, WATCH_SHIFT);
	assert_true(event[0].up);
	assert_true(str_eq(event[0].name, STR("op03")));
	assert_true(fabs(event[0].effect - 1) < 0.1);
	assert_true(event[0].since < CHANGED);
	assert_int_equal(watch_active(w), 1);
	watch_free(w);
}

/* Five in a hundred calls instead of one, 90 times slower: that moves the mean place, too, and
 * whichever is sure first is reported. */
static void slow_calls_are_reported(void **state)
{
	const struct load slower = { 1000, 0.05, 10.5, "op05", 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w;
	size_t n;

	(void)state;
	n = reported(&w, 12, &slower, event);
	for (size_t i = 0; i < n; i++) {
		assert_true(str_eq(event[i].name, STR("op05")));
		assert_true(event[i].up && event[i].feature != WATCH_CALLS);
	}
	assert_true(n > 0);
	watch_free(w);
}

/* Slow calls become more some seconds before all calls do: what is reported is the latency,
 * although that is not sure yet when the slow calls are. */
static void slow_calls_wait_for_the_latency(void **state)
{
	static const struct load calm = { 1000, 0, 10.5, "op03", 0 };
	static const struct load before = { 1000, 0.002, 10.5, "op03", 0 };
	static const struct load slower = { 1000, 0.02, 12, "op03", 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch_rules rules = watch_rules_default;
	struct watch *w;
	size_t n = 0;

	(void)state;
	rules.interval = 1;
	rules.false_alarms = 1 / 86400.;
	seed = 42;
	w = watch_new(&rules);
	for (int i = -CALM; i < 33; i++)
		push(w, 12, i < 0 ? &calm : i < 3 ? &before : &slower, event, &n);
	assert_int_equal(n, 1);
	assert_int_equal(event[0].feature, WATCH_SHIFT);
	watch_free(w);
}

static void fewer_calls_are_reported(void **state)
{
	const struct load fewer = { 500, 0.01, 10.5, "op00", 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w;

	(void)state;
	assert_int_equal(reported(&w, 12, &fewer, event), 1);
	assert_int_equal(event[0].feature, WATCH_CALLS);
	assert_false(event[0].up);
	watch_free(w);
}

/* Of twelve operations that all get slower none is blamed. */
static void a_slower_machine_is_reported_once(void **state)
{
	const struct load slower = { 1000, 0.01, 11.5, NULL, 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w;

	(void)state;
	assert_int_equal(reported(&w, 12, &slower, event), 1);
	assert_true(event[0].common);
	assert_int_equal(event[0].feature, WATCH_SHIFT);
	watch_free(w);
}

/* Back after 60 intervals: the alarm ends, and another way there is none. */
static void an_alarm_ends(void **state)
{
	const struct load slower = { 1000, 0.01, 11.5, "op03", 0 },
			  calm = { 1000, 0.01, 10.5, NULL, 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w;
	size_t n = reported(&w, 12, &slower, event);
	uint64_t id = event[0].id;

	(void)state;
	assert_int_equal(n, 1);
	for (int i = 0; i < 20; i++)
		push(w, 12, &slower, event, &n);
	assert_int_equal(n, 1);
	for (int i = 0; i < 30; i++)
		push(w, 12, &calm, event, &n);
	assert_int_equal(n, 2);
	assert_int_equal(event[1].what, WATCH_BACK);
	assert_int_equal(event[1].id, id);
	assert_int_equal(watch_active(w), 0);
	watch_free(w);
}

/* Five calls an interval: eight intervals are judged at once. */
static void rare_operations_are_judged_together(void **state)
{
	const struct load rare = { 5, 0, 10.5, NULL, 0 }, slower = { 5, 0, 12.5, NULL, 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w = watch_new(&watch_rules_default);
	size_t n = 0;

	(void)state;
	seed = 3;
	for (int i = 0; i < 16 + 8 * (60 + TRACK_LAG + 40); i++)
		push(w, 1, &rare, event, &n);
	assert_int_equal(n, 0);
	for (int i = 0; i < 8 * 25 && n == 0; i++)
		push(w, 1, &slower, event, &n);
	assert_int_equal(n, 1);
	assert_int_equal(event[0].feature, WATCH_SHIFT);
	watch_free(w);
}

/* A frozen reference is not learned anew: the alarm never ends by itself. */
static void a_given_reference_stays(void **state)
{
	const struct load calm = { 1000, 0.01, 10.5, NULL, 0 },
			  slower = { 1000, 0.01, 11.4, "op01", 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w = watch_new(&watch_rules_default);
	size_t n = 0;

	(void)state;
	seed = 5;
	for (int i = 0; i < CALM; i++)
		push(w, 3, &calm, event, &n);
	assert_true(watch_freeze(w));
	for (int i = 0; i < 500; i++)
		push(w, 3, &slower, event, &n);
	assert_int_equal(n, 1);
	assert_int_equal(event[0].what, WATCH_ALARM);
	assert_int_equal(watch_active(w), 1);
	watch_free(w);
}

/* A machine that is busy every now and then: from the second time on nothing is said of it.  Of
 * a program that is slower each time something is. */
static void busy_phases_are_learned(void **state)
{
	const struct load calm = { 1000, 0.01, 10.2, NULL, 0 },
			  busy = { 1000, 0.01, 10.5, NULL, 0 },
			  slower = { 1000, 0.01, 12.2, NULL, 0 };
	struct watch_rules rules = watch_rules_default;
	struct watch_event event[MAX_EVENTS];
	struct watch *w;
	size_t n = 0;

	(void)state;
	rules.false_alarms = 1 / 86400.;
	seed = 8;
	w = watch_new(&rules);
	possible.n = 0;
	for (int i = 0; i < 1200; i++)
		push(w, 2, i % 240 < 180 ? &calm : &busy, event, &n);
	assert_int_equal(n, 0);
	assert_int_equal(possible.n, 2); /* both operations, the first time */
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < 60; i++)
			push(w, 2, &slower, event, &n);
		for (int i = 0; i < 60; i++)
			push(w, 2, &calm, event, &n);
	}
	/* Both operations, twice, and over. */
	assert_int_equal(n, 8);
	assert_int_equal(watch_active(w), 0);
	watch_free(w);
}

/* Seconds with noise of 0.2 octaves, three hours of them: +19 % is lost in these, and plain in
 * minutes.  It is reported once, as long as it lasts, and what is twice as slow beside it, too. */
static void a_small_change_that_lasts_is_reported(void **state)
{
	const struct load calm = { .calls = 300, .position = 10.5, .wander = 0.2 },
			  slower = { .calls = 300, .position = 10.75, .wander = 0.2 },
			  twice = { .calls = 300, .position = 11.75, .wander = 0.2 };
	struct watch_rules rules = watch_rules_default;
	struct watch_event event[MAX_EVENTS];
	struct watch *w;
	size_t n = 0, delay;

	(void)state;
	rules.interval = 1;
	rules.false_alarms = 1 / 86400.;
	seed = 12;
	w = watch_new(&rules);
	for (int i = 0; i < 10800; i++)
		push(w, 2, &calm, event, &n);
	assert_int_equal(n, 0);
	for (delay = 0; delay < 1800 && n == 0; delay++)
		push(w, 2, &slower, event, &n);
	assert_true(delay >= 4 * 64 && delay < 600);
	while (n < 2 && delay++ < 1800) /* of the other operation */
		push(w, 2, &slower, event, &n);
	assert_int_equal(n, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(event[i].what, WATCH_ALARM);
		assert_int_equal(event[i].feature, WATCH_SHIFT);
		assert_true(event[i].up && fabs(event[i].effect - 0.25) < 0.05);
		/* A sixteenth of the rate, intervals of 64 s: M = 3. */
		assert_true(fabs(event[i].threshold - 3 * 16 * 86400 / 64.) < 1e-6);
		assert_int_equal(event[i].since % 64, 0);
	}
	for (int i = 0; i < 3600; i++)
		push(w, 2, &slower, event, &n);
	assert_int_equal(n, 2);
	for (int i = 0; i < 30; i++)
		push(w, 2, &twice, event, &n);
	assert_int_equal(n, 4);
	assert_int_equal(watch_active(w), 4);
	for (int i = 0; i < 64 * 6; i++)
		push(w, 2, &calm, event, &n);
	assert_int_equal(n, 8);
	for (int i = 4; i < 8; i++)
		assert_int_equal(event[i].what, WATCH_BACK);
	assert_int_equal(watch_active(w), 0);
	watch_free(w);
}

/* Twice as slow is reported within seconds, and not again when minutes know it: one alarm, which
 * outlives the 390 intervals after which seconds take it for granted. */
static void an_alarm_of_seconds_lasts_in_minutes(void **state)
{
	const struct load calm = { .calls = 300, .position = 10.5, .wander = 0.05 },
			  twice = { .calls = 300, .position = 11.5, .wander = 0.05 };
	struct watch_rules rules = watch_rules_default;
	struct watch_event event[MAX_EVENTS];
	struct watch *w;
	size_t n = 0;

	(void)state;
	rules.interval = 1;
	seed = 13;
	w = watch_new(&rules);
	for (int i = 0; i < 7200; i++)
		push(w, 1, &calm, event, &n);
	assert_int_equal(n, 0);
	for (int i = 0; i < 30; i++)
		push(w, 1, &twice, event, &n);
	assert_int_equal(n, 1);
	for (int i = 0; i < 7200; i++)
		push(w, 1, &twice, event, &n);
	assert_int_equal(n, 1);
	assert_int_equal(watch_active(w), 1);
	for (int i = 0; i < 64 * 6; i++)
		push(w, 1, &calm, event, &n);
	assert_int_equal(n, 2);
	assert_int_equal(event[1].what, WATCH_BACK);
	assert_int_equal(event[1].id, event[0].id);
	assert_int_equal(watch_active(w), 0);
	watch_free(w);
}

static void new_operations_are_reported(void **state)
{
	const struct load calm = { 1000, 0.01, 10.5, NULL, 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w = watch_new(&watch_rules_default);
	size_t n = 0;

	(void)state;
	push(w, 2, &calm, event, &n);
	push(w, 3, &calm, event, &n);
	push(w, 1, &calm, event, &n);
	push(w, 3, &calm, event, &n);
	assert_int_equal(n, 1);
	assert_int_equal(event[0].what, WATCH_APPEARED);
	assert_true(str_eq(event[0].name, STR("op02")));
	assert_int_equal(watch_operations(w), 3);
	watch_free(w);
}

static void operations_are_limited(void **state)
{
	const struct load calm = { 1000, 0.01, 10.5, NULL, 0 };
	struct watch_rules rules = watch_rules_default;
	struct watch_event event[MAX_EVENTS];
	struct watch *w;
	size_t n = 0;

	(void)state;
	rules.max_operations = 4;
	w = watch_new(&rules);
	for (int i = 0; i < 20; i++)
		push(w, 9, &calm, event, &n);
	assert_int_equal(watch_operations(w), 4);
	watch_free(w);
}

/* --- what can be found ------------------------------------------------------------------------ */

/* Watches 40 minutes of calm intervals; returns the judge. */
static struct watch *watch_40_minutes(void)
{
	const struct load calm = { 1000, 0.01, 10.5, NULL, 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w = watch_new(&watch_rules_default);
	size_t n = 0;

	seed = 17;
	possible.n = 0;
	for (int i = 0; i < 240; i++) {
		push(w, 4, &calm, event, &n);
		assert_int_equal(n + possible.n, 0);
	}
	return w;
}

/* Pushes slower intervals of op03; returns what is reported first, or WATCH_BACK for nothing. */
static enum watch_what reported_of_rise(struct watch *w, double octaves, int intervals)
{
	const struct load slower = { 1000, 0.01, 10.5 + octaves, "op03", 0 };
	struct watch_event event[MAX_EVENTS];
	const struct watch_event *first = &event[0];
	size_t n = 0;

	possible.n = 0;
	for (int i = 0; i < intervals && n + possible.n == 0; i++)
		push(w, 4, &slower, event, &n);
	if (n + possible.n == 0)
		return WATCH_BACK;
	if (possible.n > 0)
		first = &possible.last;
	assert_true(str_eq(first->name, STR("op03")) && first->up);
	assert_true(fabs(first->effect - octaves) < 0.1);
	assert_int_equal(first->id, first->what == WATCH_ALARM);
	return first->what;
}

/* A rise of 50 % is as evident as an alarm, and 40 minutes do not tell whether it is usual. */
static void a_rise_that_may_be_usual_is_possible(void **state)
{
	const struct load calm = { 1000, 0.01, 10.5, NULL, 0 };
	struct watch_event event[MAX_EVENTS];
	struct watch *w = watch_40_minutes();
	size_t n = 0;

	(void)state;
	assert_int_equal(watch_possible(w), 0);
	assert_int_equal(reported_of_rise(w, 0.585, 25), WATCH_POSSIBLE);
	assert_int_equal(watch_possible(w), 1);
	assert_int_equal(watch_active(w), 0);
	assert_int_equal(reported_of_rise(w, 0.585, 5), WATCH_BACK); /* reported once */
	for (int i = 0; i < 30; i++) {
		push(w, 4, &calm, event, &n);
		assert_int_equal(n, 0);
	}
	assert_int_equal(watch_possible(w), 0);
	watch_free(w);
}

/* What is said to be found is found, and what is below it raises no alarm. */
static void the_reach_is_that_of_alarms(void **state)
{
	struct watch *w = watch_40_minutes();
	struct watch_reach reach = watch_reach_of(w, 3);
	struct watch_reaches all = watch_reaches_of(w);

	(void)state;
	assert_true(str_eq(reach.name, STR("op03")));
	assert_int_equal(all.n, 4);
	assert_true(all.min <= reach.latency && reach.latency <= all.largest);
	assert_true(reach.latency > 0.5 && reach.latency < 1);
	assert_int_equal(reported_of_rise(w, reach.latency + 0.05, 25), WATCH_ALARM);
	watch_free(w);
	w = watch_40_minutes();
	assert_int_equal(reported_of_rise(w, reach.latency - 0.05, 25), WATCH_POSSIBLE);
	assert_int_equal(watch_active(w), 0);
	watch_free(w);
}

/* The numbers of the manual: 74 % at first, 38 % after an hour, 8 % after four. */
static void the_reach_grows_with_time(void **state)
{
	const struct watch_rules *r = &watch_rules_default;
	struct watch *w = watch_new(r);

	(void)state;
	assert_int_equal(watch_reaches_of(w).n, 0);
	assert_true(isnan(watch_reaches_of(w).median));
	watch_free(w);
	assert_true(isinf(watch_reach_after(r, watch_first_judged(r) - 1)));
	assert_true(fabs(exp2(watch_reach_after(r, watch_first_judged(r))) - 1.74) < 0.01);
	assert_true(fabs(exp2(watch_reach_after(r, 3600)) - 1.38) < 0.01);
	assert_true(fabs(exp2(watch_reach_after(r, 4 * 3600)) - 1.08) < 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slower_operation_is_reported_by_its_name),
		cmocka_unit_test(slow_calls_are_reported),
		cmocka_unit_test(slow_calls_wait_for_the_latency),
		cmocka_unit_test(fewer_calls_are_reported),
		cmocka_unit_test(a_slower_machine_is_reported_once),
		cmocka_unit_test(an_alarm_ends),
		cmocka_unit_test(rare_operations_are_judged_together),
		cmocka_unit_test(a_given_reference_stays),
		cmocka_unit_test(busy_phases_are_learned),
		cmocka_unit_test(a_small_change_that_lasts_is_reported),
		cmocka_unit_test(an_alarm_of_seconds_lasts_in_minutes),
		cmocka_unit_test(new_operations_are_reported),
		cmocka_unit_test(operations_are_limited),
		cmocka_unit_test(a_rise_that_may_be_usual_is_possible),
		cmocka_unit_test(the_reach_is_that_of_alarms),
		cmocka_unit_test(the_reach_grows_with_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
