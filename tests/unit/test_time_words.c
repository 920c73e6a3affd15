/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points in time: clock times against date(1), round steps, labels of axes. */
#include "tests/unit/unit.h"

#include "base/out.h"
#include "profile/profile.h"
#include "profile/time_words.h"

/* date -u -d @1790000127.25 */
static const double a_monday = 1790000127.25;

static void assert_printed(struct out *o, const char *expected)
{
	struct str printed = out_memory(o);

	assert_int_equal(printed.n, strlen(expected));
	assert_memory_equal(printed.p, expected, printed.n);
	out_reset(o);
}

static void clock_times_are_utc(void **state)
{
	struct out *o = out_to_memory();
	struct profile p = { .epoch = true };
	struct time_words within = time_words_of(&p, a_monday, a_monday + 60);
	struct time_words dated = time_words_of(&p, a_monday, a_monday + 86400);

	(void)state;
	time_print(o, within, a_monday);
	assert_printed(o, "14:15:27.25");
	time_print(o, dated, a_monday);
	assert_printed(o, "2026-09-21 14:15:27.25");
	time_print_span(o, within, 1790000000, 1790000150);
	assert_printed(o, "from 2026-09-21 14:13:20 to 14:15:50 UTC");
	time_print(o, within, 1790000000.9999999);
	assert_printed(o, "14:13:21");
	out_free(o);
}

static void other_times_are_lengths_or_numbers(void **state)
{
	struct out *o = out_to_memory();
	struct profile p = { .untimed = false };

	(void)state;
	time_print(o, time_words_of(&p, 0, 46), 12.5);
	assert_printed(o, "12.5 s");
	time_print_span(o, time_words_of(&p, 0, 46), 0, 46);
	assert_printed(o, "from 0 s to 46 s");
	p.untimed = true;
	time_print(o, time_words_of(&p, 0, 46), 17);
	assert_printed(o, "17");
	out_free(o);
}

/* Whatever the span: few enough ticks, and at least a quarter of them. */
static void steps_fit_their_span(void **state)
{
	(void)state;
	for (double span = 1e-4; span < 1e9; span *= 1.37) {
		for (size_t max = 4; max < 20; max++) {
			double step = time_step(TIME_CLOCK, span, max);
			double n = span / step;

			assert_true(n <= (double)max * (1 + 1e-9));
			assert_true(n >= (double)max / 4.01 || n >= 1);
		}
	}
	assert_true(time_step(TIME_CLOCK, 150, 6) == 30);
	assert_true(time_step(TIME_CLOCK, 3600, 8) == 600);
	assert_true(time_step(TIME_CLOCK, 86400, 8) == 10800);
	assert_true(time_step(TIME_CLOCK, 24 * 86400.0, 8) == 5 * 86400.0);
	assert_true(time_step(TIME_NUMBER, 3, 8) == 1);
}

static void labels_are_as_fine_as_the_step(void **state)
{
	static const struct {
		enum time_kind kind;
		double at, step;
		const char *label;
	} rows[] = {
		{ TIME_CLOCK, 1790000130, 30, "14:15:30" },
		{ TIME_CLOCK, 1790000100, 60, "14:15" },
		{ TIME_CLOCK, 1789948800, 21600, "09-21" },
		{ TIME_CLOCK, 1790000127.5, 0.5, "14:15:27.5" },
		{ TIME_ELAPSED, 0, 10, "0 s" },
		{ TIME_ELAPSED, 90, 30, "90 s" },
		{ TIME_ELAPSED, 1800, 600, "30 min" },
		{ TIME_ELAPSED, 7200, 3600, "2 h" },
		{ TIME_ELAPSED, 0.02, 0.01, "20 ms" },
		{ TIME_NUMBER, 17, 1, "17" },
	};
	struct out *o = out_to_memory();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		time_print_tick(o, rows[i].kind, rows[i].at, rows[i].step);
		assert_printed(o, rows[i].label);
	}
	out_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clock_times_are_utc),
		cmocka_unit_test(other_times_are_lengths_or_numbers),
		cmocka_unit_test(steps_fit_their_span),
		cmocka_unit_test(labels_are_as_fine_as_the_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
