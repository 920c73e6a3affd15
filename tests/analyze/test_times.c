/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/call_reach.h"
#include "analyze/times.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/diag.h"

/* The last message: where and what. */
struct captured {
	struct position at;
	enum diag_code code;
};

static void consider(void *ctx, const struct diag_msg *msg)
{
	struct captured *h = ctx;

	h->at = input_position(msg->input, msg->at);
	h->code = msg->code;
}

static bool read_text(struct arena *a, const char *text, struct known_times *ret,
		      struct captured *captured)
{
	struct diag diag = { .emit = consider, .ctx = captured };
	struct input in;
	bool ok;

	input_borrow(&in, "times", text, strlen(text));
	ok = times_read(a, &in, ret, &diag);
	input_release(&in);
	return ok;
}

static void good_lines(void **state)
{
	struct arena *a = arena_new();
	struct known_times t;
	struct captured h;

	(void)state;
	assert_true(read_text(a,
			      "# mine\n\n  #more\r\n"
			      "my disk , 2, 8.5,ms, measured, twice \r\n"
			      "tick period,1e3,1000,us,kernel",
			      &t, &h));
	assert_int_equal(t.n, 2);
	assert_string_equal(t.v[0].name.p, "my disk");
	assert_string_equal(t.v[0].source.p, "measured, twice");
	assert_true(t.v[0].low == 2e-3 && t.v[0].high == 8.5e-3 && !t.v[0].periodic);
	assert_true(fabs(t.v[1].low - 1e-3) < 1e-12 && t.v[1].periodic);
	assert_true(read_text(a, "", &t, &h));
	assert_int_equal(t.n, 0);
	arena_free(a);
}

static void bad_lines(void **state)
{
	static const struct {
		const char *text;
		size_t line, column;
		enum diag_code code;
	} bad[] = {
		{ "disk", 1, 5, DIAG_LINE_UNEXPECTED },
		{ "#\ndisk, 1, 2, ms", 2, 15, DIAG_LINE_UNEXPECTED },
		{ "disk, 1, 2, ms,", 1, 16, DIAG_LINE_UNEXPECTED },
		{ "disk, 1, 2, ms,  \n", 1, 16, DIAG_LINE_UNEXPECTED },
		{ ", 1, 2, ms, me", 1, 1, DIAG_NAME_BAD },
		{ "disk, one, 2, ms, me", 1, 7, DIAG_NUMBER_BAD },
		{ "disk, , 2, ms, me", 1, 7, DIAG_NUMBER_BAD },
		{ "disk, 1, 0, ms, me", 1, 10, DIAG_NUMBER_RANGE },
		{ "disk, 1, inf, ms, me", 1, 10, DIAG_NUMBER_RANGE },
		{ "disk, 1, 0.5, ms, me", 1, 10, DIAG_NUMBER_RANGE },
		{ "disk, -1, 0.5, ms, me", 1, 7, DIAG_NUMBER_RANGE },
		{ "disk, 1, 2, cycles, me", 1, 13, DIAG_LINE_UNEXPECTED },
		{ "disk, 1, 2, parsec, me", 1, 13, DIAG_LINE_UNEXPECTED },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct known_times t = { NULL, 77 };
		struct captured h = { .code = DIAG_USAGE };

		assert_false(read_text(a, bad[i].text, &t, &h));
		assert_int_equal(t.n, 77);
		assert_int_equal(h.code, bad[i].code);
		assert_int_equal(h.at.line, bad[i].line);
		assert_int_equal(h.at.column, bad[i].column);
	}
	arena_free(a);
}

static void our_own(void **state)
{
	struct arena *a = arena_new();
	struct known_times ours = times_built_in(a), mine, both;
	struct time_hint hint[MAX_HINTS];
	struct captured h;

	(void)state;
	assert_true(ours.n >= 30);
	for (size_t i = 0; i < ours.n; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(ours.v[i].name.p, ours.v[k].name.p);
	}
	/* OSprof 3.3: the timer interrupt's 4 ms; OSprof 6.4: the delayed ACK's 200 ms. */
	assert_int_equal(times_match(&ours, 4.1e-3, 0.1, true, NULL, hint), 1);
	assert_string_equal(hint[0].time->name.p, "timer interrupt period at 250 Hz");
	assert_true(fabs(hint[0].octaves - log2(4.1 / 4)) < 1e-9);
	assert_true(times_match(&ours, 0.2, 0.1, false, NULL, hint) >= 1);
	assert_non_null(strstr(hint[0].time->name.p, "delayed ACK"));
	assert_true(read_text(a, "NVMe read, 9, 10, us, mine\n", &mine, &h));
	both = times_joined(a, &mine, &ours);
	assert_int_equal(both.n, ours.n);
	assert_true(both.v[0].high == 10e-6);
	arena_free(a);
}

static void nearest_and_narrowest_first(void **state)
{
	struct arena *a = arena_new();
	struct time_hint hint[MAX_HINTS];
	struct known_times t;
	struct captured h;

	(void)state;
	assert_true(read_text(a,
			      "far, 200, 300, us, x\nwide, 50, 200, us, x\n"
			      "narrow, 90, 110, us, x\nnear, 110, 120, us, x\n"
			      "nearer, 105, 120, us, x\n",
			      &t, &h));
	assert_int_equal(times_match(&t, 100e-6, 1, false, NULL, hint), 3);
	assert_string_equal(hint[0].time->name.p, "narrow");
	assert_string_equal(hint[1].time->name.p, "wide");
	assert_string_equal(hint[2].time->name.p, "nearer");
	assert_true(hint[0].octaves == 0);
	assert_int_equal(times_match(&t, 10, 1, false, NULL, hint), 0);
	assert_int_equal(times_match(&t, 0, 1, false, NULL, hint), 0);
	assert_int_equal(times_match(&t, HUGE_VAL, 1, false, NULL, hint), 0);
	arena_free(a);
}

/* A call that reaches no disk did not wait for one; a kernel has one scheduler. */
static void what_a_call_can_do(void **state)
{
	struct arena *a = arena_new();
	struct time_hint hint[MAX_HINTS];
	struct known_times t;
	struct captured h;
	struct time_subject of = { .kinds = REACH_NETWORK | REACH_WAIT,
				   .kernel = STR("Linux 6.5.3") };

	(void)state;
	assert_true(
		read_text(a,
			  "[disk]\ndisk, 50, 200, us, x\n[network wait]\nnet, 50, 200, us, x\n"
			  "[Linux 6.6-]\nnew, 50, 200, us, x\n[Linux -6.5]\nold, 50, 200, us, x\n"
			  "[disk Linux 2.6-6.5]\nboth, 50, 200, us, x\n",
			  &t, &h));
	assert_int_equal(times_match(&t, 100e-6, 1, false, &of, hint), 2);
	assert_string_equal(hint[0].time->name.p, "net");
	assert_string_equal(hint[1].time->name.p, "old");
	of = (struct time_subject){ .kinds = REACH_DISK, .kernel = STR("Linux 6.18.5-rc1") };
	assert_int_equal(times_match(&t, 100e-6, 1, false, &of, hint), 2);
	assert_string_equal(hint[0].time->name.p, "disk");
	assert_string_equal(hint[1].time->name.p, "new");
	of = (struct time_subject){ .kinds = 0, .kernel = STR("") }; /* not known */
	assert_int_equal(times_match(&t, 100e-6, 1, false, &of, hint), 2);
	assert_string_equal(hint[0].time->name.p, "new");
	assert_false(read_text(a, "[tape]\n", &t, &h));
	assert_false(read_text(a, "[Linux]\n", &t, &h));
	assert_false(read_text(a, "[Linux six]\n", &t, &h));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lines),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(our_own),
		cmocka_unit_test(nearest_and_narrowest_first),
		cmocka_unit_test(what_a_call_can_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
