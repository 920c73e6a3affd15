/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other threads did meanwhile: cases worked by hand, and who waits for whom. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdbool.h>

#include "analyze/calls/calls.h"
#include "base/arena.h"

static void add(struct calls *c, uint32_t thread, struct str name, uint64_t start, uint64_t latency)
{
	struct call call = { .start = start,
			     .latency = latency,
			     .number = 1,
			     .kernel = CALL_NO_TIME,
			     .operation = calls_name(c, &c->operations, name) };

	calls_add(c, &call, thread, thread);
}

static const struct overlap *of(const struct overlaps *all, const struct calls *c, struct str name)
{
	for (size_t i = 0; i < all->n; i++) {
		if (str_eq(c->operations.v[all->v[i].operation], name))
			return &all->v[i];
	}
	return NULL;
}

static const struct overlap_with *with(const struct overlap *o, const struct calls *c,
				       struct str name)
{
	for (size_t i = 0; i < o->n; i++) {
		if (str_eq(c->operations.v[o->with[i].operation], name))
			return &o->with[i];
	}
	return NULL;
}

enum { TURN = 10000000 };

/* In each turn of 10 ms one thread reads from 0 to 2 ms.  The other's seek takes 300 ns alone at
 * 5 ms, or, every second time, lasts from 0.5 ms to the end of the read, or 0.1 ms longer: 1.5 of
 * 1.5 or of 1.6 ms lie within it. */
static struct calls *turns_of(struct str seek, bool longer)
{
	struct calls *c = calls_new();

	calls_next_run(c);
	for (uint64_t i = 0; i < 200; i++) {
		add(c, 1, STR("read"), i * TURN, 2000000);
		if (i % 2 == 0)
			add(c, 2, seek, i * TURN + 500000, longer ? 1600000 : 1500000);
		else
			add(c, 2, seek, i * TURN + 5000000, 300);
	}
	return c;
}

static struct calls *seeks(bool longer)
{
	return turns_of(STR("lseek"), longer);
}

static void time_within_the_other(void **state)
{
	struct calls *c = seeks(true);
	struct arena *a = arena_new();
	struct overlaps all = overlaps_of(a, c);
	const struct overlap *o = of(&all, c, STR("lseek"));
	const struct overlap_with *w = with(o, c, STR("read"));

	(void)state;
	assert_int_equal(all.n, 1); /* all reads take as long */
	assert_int_equal(o->n_slow, 100);
	assert_float_equal(o->limit, 1048576, 0);
	assert_float_equal(o->slow_time, 100 * 1.6e6, 0);
	assert_float_equal(w->slow_share, 1.5 / 1.6, 1e-12);
	assert_float_equal(w->other_share, 0, 0);
	assert_float_equal(w->ended_with, 1, 0); /* a tenth of 1.6 ms is more than 0.1 ms */
	assert_float_equal(w->other_ended_with, 0, 0);
	assert_true(w->waits);
	arena_free(a);
	calls_free(c);
}

/* Who sleeps ends with a time, whoever else does. */
static void a_sleep_waits_for_nobody(void **state)
{
	struct calls *c = turns_of(STR("sys_enter_nanosleep"), false);
	struct arena *a = arena_new();
	struct overlaps all = overlaps_of(a, c);
	const struct overlap_with *w =
		with(of(&all, c, STR("sys_enter_nanosleep")), c, STR("read"));

	(void)state;
	assert_float_equal(w->slow_share, 1, 1e-12);
	assert_float_equal(w->ended_with, 1, 0);
	assert_false(w->waits);
	arena_free(a);
	calls_free(c);
}

/* Which operations are shown does not change what they are compared with. */
static void choosing_leaves_the_others(void **state)
{
	struct calls *c = seeks(false);
	bool wanted[8] = { false };
	struct arena *a = arena_new();
	struct overlaps all;

	(void)state;
	wanted[calls_name(c, &c->operations, STR("lseek"))] = true;
	calls_keep(c, wanted);
	assert_int_equal(c->n, 200);
	all = overlaps_of(a, c);
	assert_float_equal(with(of(&all, c, STR("lseek")), c, STR("read"))->slow_share, 1, 1e-12);
	arena_free(a);
	calls_free(c);
}

/* Calls of two runs are not at the same time, whatever their starts are; nor is one within a call
 * of its own thread. */
static void not_across_runs_nor_within_a_thread(void **state)
{
	struct calls *c = calls_new();
	struct arena *a = arena_new();
	struct overlaps all;

	(void)state;
	calls_next_run(c);
	for (uint64_t i = 0; i < 100; i++)
		add(c, 2, STR("lseek"), i * TURN, i % 2 == 0 ? 1500000 : 300);
	calls_next_run(c);
	for (uint64_t i = 0; i < 100; i++) {
		add(c, 1, STR("fopen"), i * TURN, 2000000);
		add(c, 1, STR("open"), i * TURN + 1000, i % 2 == 0 ? 1500000 : 300);
	}
	all = overlaps_of(a, c);
	assert_int_equal(all.n, 1);
	assert_int_equal(of(&all, c, STR("lseek"))->n, 0);
	arena_free(a);
	calls_free(c);
}

/* A thread that reads all the time is there when others are slow, and when they are not. */
static void what_goes_on_all_the_time_is_not_waited_for(void **state)
{
	struct calls *c = calls_new();
	struct arena *a = arena_new();
	const struct overlap_with *w;
	struct overlaps all;

	(void)state;
	calls_next_run(c);
	for (uint64_t i = 0; i < 200; i++) {
		add(c, 1, STR("read"), i * TURN, TURN - 1);
		add(c, 2, STR("fsync"), i * TURN + 3000000, i % 2 == 0 ? 2000000 : 1000);
	}
	all = overlaps_of(a, c);
	w = with(of(&all, c, STR("fsync")), c, STR("read"));
	assert_float_equal(w->slow_share, 1, 1e-12);
	assert_float_equal(w->other_share, 1, 1e-12);
	assert_float_equal(w->ended_with, 0, 0);
	assert_false(w->waits);
	arena_free(a);
	calls_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_within_the_other),
		cmocka_unit_test(a_sleep_waits_for_nobody),
		cmocka_unit_test(choosing_leaves_the_others),
		cmocka_unit_test(not_across_runs_nor_within_a_thread),
		cmocka_unit_test(what_goes_on_all_the_time_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
