/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of a difference is the processor's, and which the program's. */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/cpu_speed.h"
#include "base/arena.h"
#include "profile/profile.h"

enum { MAX_RUNS = 12 };

/* Of runs in the order of `sides`, a letter each, and their speeds. */
static struct cpu_speed found(struct arena *a, const char *sides, const double *speed)
{
	struct profile profile[MAX_RUNS] = { { .started = 0 } };
	const struct profile *run[MAX_RUNS];
	struct runs_side side[2] = { { run, 0, false }, { NULL, 0, false } };
	struct run_order order;
	size_t n = 0;

	for (char s = 'a'; s <= 'b'; s++) {
		for (size_t i = 0; i < strlen(sides); i++) {
			if (sides[i] != s)
				continue;
			profile[n].started = 1000 + (double)i;
			profile[n].cpu_speed = speed[i];
			run[n] = &profile[n];
			side[s - 'a'].n++;
			n++;
		}
	}
	side[1].run = run + side[0].n;
	order = run_order_of(a, &side[0], &side[1]);
	return cpu_speed_of_runs(a, &order, &side[0], &side[1]);
}

static void check(const char *sides, const double *speed, enum cpu_speed_use use)
{
	struct arena *a = arena_new();

	assert_int_equal(found(a, sides, speed).use, use);
	arena_free(a);
}

/* The same speeds, once in turns and once one side after the other. */
static void what_varies_with_the_sides_is_not_adjusted(void **state)
{
	static const double apart[] = { 4e9, 2e9, 4.1e9, 2.1e9, 4e9, 2.1e9, 3.9e9, 2e9, 4e9, 2e9 };
	static const double after[] = { 4e9, 4.1e9, 4e9, 3.9e9, 4e9, 2e9, 2.1e9, 2.1e9, 2e9, 2e9 };
	static const double shared[] = { 4e9, 4e9, 2e9, 2.1e9, 2e9, 2e9, 4e9, 3.9e9, 4e9, 4.1e9 };
	static const double steady[] = { 4e9,	4.01e9, 4e9,	4.02e9, 4.01e9,
					 4.0e9, 4e9,	4.01e9, 4.02e9, 4e9 };

	(void)state;
	check("ababababab", apart, CPU_SPEED_PROGRAM);
	check("aaaaabbbbb", after, CPU_SPEED_BOUNDED);
	check("ababababab", shared, CPU_SPEED_ADJUSTED);
	check("ababababab", steady, CPU_SPEED_STEADY);
}

static void a_run_without_a_speed_leaves_all_as_they_are(void **state)
{
	static const double speed[] = { 4e9, 4e9, 2e9, 2e9, 0, 4e9 };
	struct arena *a = arena_new();
	struct cpu_speed s = found(a, "ababab", speed);

	(void)state;
	assert_int_equal(s.use, CPU_SPEED_UNKNOWN);
	assert_true(isnan(s.range) && isnan(s.difference));
	arena_free(a);
}

/* Octaves: 4e9 steps a second is one more than 2e9, and what is slower is above 0. */
static void slowness_is_in_octaves(void **state)
{
	static const double speed[] = { 4e9, 2e9, 2e9, 4e9, 4e9, 2e9, 2e9, 4e9 };
	struct arena *a = arena_new();
	struct cpu_speed s = found(a, "abababab", speed);

	(void)state;
	assert_true(fabs(s.range - 1) < 1e-12);
	assert_true(fabs(s.difference) < 1e-12);
	assert_true(fabs(s.slowness[0] + 0.5) < 1e-12 && fabs(s.slowness[1] - 0.5) < 1e-12);
	arena_free(a);
}

static void a_slower_processor_explains_no_more_than_its_part(void **state)
{
	const struct cpu_speed slower = { .difference = 0.5 }, faster = { .difference = -0.5 };

	(void)state;
	assert_true(cpu_speed_bound(&slower, 0.4) == 0);
	assert_true(cpu_speed_bound(&slower, 0.7) == 0.7 - 0.5);
	assert_true(cpu_speed_bound(&slower, -0.3) == -0.3);
	assert_true(cpu_speed_bound(&faster, -0.4) == 0);
	assert_true(cpu_speed_bound(&faster, -0.75) == -0.25);
	assert_true(cpu_speed_bound(&faster, 0.3) == 0.3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_varies_with_the_sides_is_not_adjusted),
		cmocka_unit_test(a_run_without_a_speed_leaves_all_as_they_are),
		cmocka_unit_test(slowness_is_in_octaves),
		cmocka_unit_test(a_slower_processor_explains_no_more_than_its_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
