/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Begins and ends of calls, followed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/diag.h"
#include "calls/pairing.h"

static const struct pairing_slot one = { 1, 0 }, two = { 2, 0 }, one_apart = { 1, 7 };

static void begin(struct pairing *p, struct pairing_slot slot, const char *name, uint64_t at)
{
	pairing_begin(p, slot, str_from(name), decimal_from_u64(at));
}

/* When the call began that ends here; 0: there was none. */
static unsigned end(struct pairing *p, struct pairing_slot slot, const char *name)
{
	struct decimal began;
	struct str found;

	if (!pairing_end(p, slot, str_from(name), &found, &began))
		return 0;
	assert_true(name[0] == '\0' || str_eq(found, str_from(name)));
	return (unsigned)decimal_f64(began);
}

static void keep_text(void *ctx, const struct diag_msg *msg)
{
	assert_int_equal(msg->code, DIAG_UNMATCHED_EVENTS);
	(void)snprintf(ctx, 200, "%s", msg->detail);
}

static void expect_reported(const struct pairing *p, const char *wanted)
{
	struct input in = { .name = STR_INIT("test") };
	char text[200] = "";
	struct diag diag = { .emit = keep_text, .ctx = text };

	pairing_report(p, false, &in, &diag);
	assert_string_equal(text, wanted);
}

static void one_call_at_a_time(void **state)
{
	struct pairing *p = pairing_new(PAIRING_SINGLE);

	(void)state;
	assert_int_equal(end(p, one, "read"), 0); /* began before the trace */
	begin(p, one, "read", 10);
	begin(p, two, "read", 11);
	begin(p, one_apart, "read", 12);
	assert_int_equal(end(p, two, "read"), 11);
	assert_int_equal(end(p, one, "read"), 10);
	assert_int_equal(end(p, one_apart, "read"), 12);
	assert_int_equal(end(p, one, "read"), 0);
	expect_reported(p, "0 begins without an end, 2 ends without a begin");
	pairing_free(p);
}

/* A lost exit of read must not make the next read look as long as all between. */
static void a_lost_end_is_no_long_call(void **state)
{
	struct pairing *p = pairing_new(PAIRING_SINGLE);

	(void)state;
	begin(p, one, "read", 10);
	begin(p, one, "write", 20);
	assert_int_equal(end(p, one, "write"), 20);
	begin(p, one, "read", 30);
	assert_int_equal(end(p, one, "close"), 0);
	assert_int_equal(end(p, one, "read"), 0);
	expect_reported(p, "2 begins without an end, 2 ends without a begin");
	pairing_free(p);
}

static void calls_within_calls(void **state)
{
	struct pairing *p = pairing_new(PAIRING_NESTED);

	(void)state;
	begin(p, one, "f", 10);
	begin(p, one, "f", 11);
	begin(p, one, "g", 12);
	begin(p, two, "f", 13);
	assert_true(pairing_is_open(p, one, STR("f")));
	assert_false(pairing_is_open(p, one, STR("h")));
	assert_false(pairing_is_open(p, one_apart, STR("f")));
	assert_int_equal(end(p, one, ""), 12);
	assert_int_equal(end(p, one, "h"), 0); /* leaves the others open */
	assert_int_equal(end(p, one, "f"), 11);
	begin(p, one, "g", 14); /* its end is lost */
	assert_int_equal(end(p, one, "f"), 10);
	assert_int_equal(end(p, one, ""), 0);
	expect_reported(p, "2 begins without an end, 2 ends without a begin");
	pairing_free(p);
}

static void no_further_than_its_reach(void **state)
{
	struct pairing *p = pairing_new(PAIRING_NESTED);

	(void)state;
	begin(p, one, "f", 1);
	for (unsigned i = 0; i < PAIRING_REACH - 1; i++)
		begin(p, one, "g", 2);
	assert_int_equal(end(p, one, "f"), 1);
	begin(p, one, "f", 1);
	for (unsigned i = 0; i < PAIRING_REACH; i++)
		begin(p, one, "g", 2);
	assert_int_equal(end(p, one, "f"), 0);
	pairing_free(p);
}

static void forgets(void **state)
{
	struct pairing *p = pairing_new(PAIRING_NESTED);

	(void)state;
	expect_reported(p, "");
	begin(p, one, "f", 1);
	begin(p, two, "f", 2);
	pairing_forget(p, one);
	assert_int_equal(end(p, one, "f"), 0);
	assert_int_equal(end(p, two, "f"), 2);
	begin(p, one, "f", 3);
	begin(p, two, "f", 4);
	pairing_forget_all(p);
	assert_int_equal(end(p, two, "f"), 0);
	expect_reported(p, "3 begins without an end, 2 ends without a begin");
	pairing_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_call_at_a_time),
		cmocka_unit_test(a_lost_end_is_no_long_call),
		cmocka_unit_test(calls_within_calls),
		cmocka_unit_test(no_further_than_its_reach),
		cmocka_unit_test(forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
