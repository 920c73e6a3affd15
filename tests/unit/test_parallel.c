/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on several processors: each part is done once, whatever the numbers. */
#include "tests/unit/unit.h"

#include <stdatomic.h>

#include "base/parallel.h"

enum { MAX_ITEMS = 300 };

static void count_part(void *ctx, size_t i)
{
	atomic_int *times = ctx;

	atomic_fetch_add(&times[i], 1);
}

static void each_task_runs_once(void **state)
{
	static const size_t numbers[] = { 0, 1, 2, 3, 17 };

	(void)state;
	for (size_t k = 0; k < COUNT_OF(numbers); k++) {
		atomic_int times[MAX_ITEMS] = { 0 };

		parallel_run(numbers[k], count_part, times);
		for (size_t i = 0; i < MAX_ITEMS; i++)
			assert_int_equal(atomic_load(&times[i]), i < numbers[k]);
	}
}

struct counted {
	atomic_int times[MAX_ITEMS], stretches;
};

static void count_stretch(void *ctx, size_t from, size_t to)
{
	struct counted *c = ctx;

	atomic_fetch_add(&c->stretches, 1);
	for (size_t i = from; i < to; i++)
		atomic_fetch_add(&c->times[i], 1);
}

static void stretches_cover_all_items_once(void **state)
{
	(void)state;
	for (size_t n = 0; n <= MAX_ITEMS; n += n < 5 ? 1 : 59) {
		for (size_t threads = 0; threads < 9; threads += 2) {
			struct counted c = { .stretches = 0 };

			parallel_for(n, &(struct parallel){ threads, 3 }, count_stretch, &c);
			for (size_t i = 0; i < MAX_ITEMS; i++)
				assert_int_equal(atomic_load(&c.times[i]), i < n);
			assert_true(atomic_load(&c.stretches) >= 1);
			assert_true(atomic_load(&c.stretches) <= (int)(threads > 1 ? threads : 1));
			assert_true(atomic_load(&c.stretches) <= 1 ||
				    n / (size_t)atomic_load(&c.stretches) >= 3);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_task_runs_once),
		cmocka_unit_test(stretches_cover_all_items_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
