/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which call a line of the kernel's belongs to, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/xalloc.h"
#include "record/call_log.h"
#include "record/kernel_calls.h"

/* Two cycles a nanosecond: cycle 3000 is nanosecond 6000 since the machine was booted, and
 * 1100 of those in which it was awake. */
static const struct instant between[2] = { { 1000, 5000, 100 }, { 21000, 15000, 10100 } };

/* A call of thread 7 from cycle 3000 to 5000, one of thread 8 at the same time, and one
 * within the first, by a signal handler, from 3400 to 3600. */
static struct call_log *make_log(const char *text)
{
	struct call_log *log = xcalloc(1, sizeof(*log));
	char *copy = xcalloc(strlen(text) + 1, 1);

	log->n = 3;
	log->record = xcalloc(log->n, sizeof(*log->record));
	log->record[0] = (struct call_record){ .start = 3000, .latency = 2000, .thread = 7 };
	log->record[1] = (struct call_record){ .start = 3000, .latency = 2000, .thread = 8 };
	log->record[2] = (struct call_record){ .start = 3400, .latency = 200, .thread = 7 };
	call_log_add_kernel(log, strcpy(copy, text), between);
	return log;
}

static void assert_part(const struct call_log *log, size_t i, uint64_t ns, const char *waited)
{
	const struct kernel_part *part = &log->kernel[i];

	assert_int_equal(part->entered, ns > 0);
	assert_int_equal(part->ns, ns);
	assert_int_equal(part->waited.n, strlen(waited));
	assert_memory_equal(part->waited.p != NULL ? part->waited.p : "", waited, strlen(waited));
}

static void by_thread_and_time(void **state)
{
	struct call_log *log = make_log("clock 5100\n"
					"S 7 6010 100\n"
					"S 7 6210 80\n"
					"B 7 6500\n"
					"        __schedule+1560\n"
					"        schedule+35\n"
					"        pipe_read.isra.0+870\n"
					"        vfs_read+812\n"
					"\n"
					"S 7 6400 500\n"
					"S 7 5800 100\n" /* before it */
					"S 7 6990 40\n"	 /* its middle is after it */
					"S 9 6100 10\n"	 /* of a thread that made no call */
					"Lost 3 events\n");

	(void)state;
	assert_part(log, 0, 600, "pipe_read");
	assert_part(log, 1, 0, "");
	assert_part(log, 2, 80, "");
	assert_int_equal(log->kernel_lost, 3);
	call_log_free(log);
}

static void by_the_other_clock(void **state)
{
	struct call_log *log = make_log("clock 150\nS 8 1100 20\nS 7 6010 100\n");

	(void)state;
	assert_part(log, 0, 0, "");
	assert_part(log, 1, 20, "");
	call_log_free(log);
}

static void cut_off(void **state)
{
	struct call_log *log = make_log("clock 5100\nS 7 6010 100\nS 7 60\nB\nS\nB 7 6500\n   do");

	(void)state;
	assert_part(log, 0, 100, "do");
	call_log_free(log);
	log = make_log("");
	assert_part(log, 0, 0, "");
	call_log_free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_thread_and_time),
		cmocka_unit_test(by_the_other_clock),
		cmocka_unit_test(cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
