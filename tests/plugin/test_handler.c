/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A handler's process, from the side of who starts it: restarts, hanging, too many events.
 *
 *	test_handler HOST BAD...	osprof-plugin-host; tests/plugin/bad.c as CRASH and HANG
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plugin/handler.h"
#include "plugin/plugin.h"

static const char *host, *crash, *hang;

struct reported {
	char text[4096];
	unsigned n_sent;
};

static void note(void *ctx, const char *message)
{
	struct reported *t = ctx;

	(void)snprintf(t->text + strlen(t->text), sizeof(t->text) - strlen(t->text), "%s\n",
		       message);
}

static void count(void *ctx, const char *to, const void *bytes, size_t n)
{
	struct reported *t = ctx;

	(void)to;
	(void)bytes;
	(void)n;
	t->n_sent++;
}

static struct handler *start(const char *plugin, struct reported *reported, double seconds)
{
	const struct handler_calls calls = {
		.send = count, .report = note, .ctx = reported, .seconds = seconds
	};

	memset(reported, 0, sizeof(*reported));
	return handler_new(host, plugin, &calls);
}

static void post(struct handler *h, int kind)
{
	handler_post(h, kind, STR("{\"operation\":\"write\",\"mean_ratio\":2}"), STR(""));
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Steps, as `osprof watch` does, until something is reported; when the last step began. */
static double step_until_reported(struct handler *h, struct reported *reported)
{
	double until = now() + 120, began;

	reported->text[0] = '\0';
	do {
		(void)poll(NULL, 0, 10);
		began = now();
		handler_step(h);
	} while (reported->text[0] == '\0' && began < until);
	return began;
}

/* What hangs is ended when its time is over, and the events after it wait for the next start,
 * which is a second later, and two seconds the next time. */
static void test_hangs(void **state)
{
	const double allowed = 0.2, pause = 1;
	struct reported reported;
	struct handler *h = start(hang, &reported, allowed);
	double first;

	(void)state;
	post(h, OSPROF_JUDGED); /* has no handler: is done with at once */
	post(h, OSPROF_ALARM);
	post(h, OSPROF_ALARM);
	first = step_until_reported(h, &reported);
	assert_string_equal(reported.text,
			    "hangs while it had an event: alarm; started again after 1 s\n");
	assert_false(handler_has_output(h)); /* it is not running */
	(void)step_until_reported(h, &reported);
	assert_true(now() - first >= pause + allowed);
	assert_string_equal(reported.text,
			    "hangs while it had an event: alarm; started again after 2 s\n");
	handler_free(h);
}

/* Who waits for the end of it waits no longer than he says. */
static void test_hangs_at_end(void **state)
{
	struct reported reported;
	struct handler *h = start(hang, &reported, 0.2);

	(void)state;
	post(h, OSPROF_ALARM);
	post(h, OSPROF_JUDGED);
	assert_false(handler_finish(h, 0.6));
	assert_string_equal(reported.text,
			    "hangs while it had an event: alarm; started again after 1 s\n");
	handler_free(h);
}

/* It is started again, and given what came after the event in which it crashed. */
static void test_starts_again(void **state)
{
	struct reported reported;
	struct handler *h = start(crash, &reported, 5);

	(void)state;
	post(h, OSPROF_ALARM);
	post(h, OSPROF_JUDGED);
	assert_true(handler_finish(h, 20));
	assert_string_equal(reported.text,
			    "crashed (signal 11) while it had an event: alarm; started "
			    "again after 1 s\n");
	handler_free(h);
}

/* Who is too slow is not waited for, and not remembered without end. */
static void test_too_many(void **state)
{
	enum { EVENT = 1 << 20, EVENTS = 70 };
	struct reported reported;
	struct handler *h = start(crash, &reported, 5);
	char *large = calloc(EVENT, 1);

	(void)state;
	assert_non_null(large);
	memset(large, ' ', EVENT);
	memcpy(large, "{}", 2);
	for (int i = 0; i < EVENTS; i++)
		handler_post(h, OSPROF_JUDGED, (struct str){ large, EVENT }, STR(""));
	assert_true(handler_finish(h, 60));
	/* 64 MiB is room for 63 of them with their heads. */
	assert_string_equal(reported.text, "too slow: 7 events were skipped\n");
	handler_free(h);
	free(large);
}

static void test_no_host(void **state)
{
	struct reported reported;
	struct handler *h;

	(void)state;
	host = "/nonexistent/osprof-plugin-host";
	h = start(crash, &reported, 5);
	post(h, OSPROF_ALARM);
	assert_false(handler_finish(h, 0.2));
	assert_non_null(strstr(reported.text, "cannot be started: No such file"));
	handler_free(h);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hangs),	     cmocka_unit_test(test_hangs_at_end),
		cmocka_unit_test(test_starts_again), cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_no_host),
	};

	if (argc != 4)
		return 2;
	host = argv[1];
	crash = argv[2];
	hang = argv[3];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
