/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others take of the processors, from a /proc that is written here: worked by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "watch/contention_reader.h"

static char proc[] = "/tmp/osprof-contention-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	for (const char *p = name; (p = strchr(p, '/')) != NULL; p++) {
		(void)snprintf(path, sizeof(path), "%s/%.*s", proc, (int)(p - name), name);
		(void)mkdir(path, 0700);
	}
	(void)snprintf(path, sizeof(path), "%s/%s", proc, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* In ticks of 10 ms: user, system, idle. */
static void put_processors(unsigned user, unsigned system, unsigned idle)
{
	char text[128];

	assert_int_equal(sysconf(_SC_CLK_TCK), 100);
	(void)snprintf(text, sizeof(text), "cpu  %u 0 %u %u 0 0 0 0 0 0\ncpu0 1 2 3\n", user,
		       system, idle);
	put("stat", text);
}

static int make_proc(void **state)
{
	(void)state;
	return mkdtemp(proc) == NULL;
}

static int remove_proc(void **state)
{
	char command[64];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -r %s", proc);
	return system(command);
}

static void check(const struct contention *c, uint64_t others, uint64_t capacity, uint64_t waited,
		  uint64_t waits)
{
	assert_true(c->others == others);
	assert_true(c->capacity == capacity);
	assert_true(c->waited == waited);
	assert_true(c->waits == waits);
}

/* Two processors, a second: 1.5 s of 2 s were used, 0.3 s of that by the program's two threads and
 * 0.2 s by what it has started.  They waited for 30 ms in 60 waits; 1.0 s of 1.5 s are others'. */
static void others_are_all_but_the_program_and_its_children(void **state)
{
	struct contention_reader *s = contention_reader_new(proc, 100);
	struct contention c = { .capacity = 0 };

	(void)state;
	put_processors(1000, 1000, 8000);
	put("100/task/100/schedstat", "5000000000 1000000 10\n");
	put("100/task/100/children", "");
	put("100/task/101/schedstat", "0 0 0\n");
	put("100/task/101/children", "200 ");
	put("200/task/200/schedstat", "100000000 0 5\n");
	assert_false(contention_reader_read(s, &c));
	assert_true(c.capacity == 0);
	put_processors(1100, 1050, 8050);
	put("100/task/100/schedstat", "5100000000 11000000 30\n");
	put("100/task/101/schedstat", "200000000 10000000 20\n");
	put("200/task/200/schedstat", "300000000 10000000 25\n");
	assert_true(contention_reader_read(s, &c));
	check(&c, 1000000000, 2000000000, 20000000, 60);
	contention_reader_free(s);
}

/* It uses all of both processors and its threads wait for each other: that is nobody else's. */
static void a_program_that_takes_all_has_no_others(void **state)
{
	struct contention_reader *s = contention_reader_new(proc, 300);
	struct contention c;

	(void)state;
	put_processors(0, 0, 100);
	put("300/task/300/schedstat", "0 0 0\n");
	assert_false(contention_reader_read(s, &c));
	put_processors(200, 0, 100);
	put("300/task/300/schedstat", "2000000000 900000000 10\n");
	assert_true(contention_reader_read(s, &c));
	check(&c, 0, 2000000000, 0, 10);
	contention_reader_free(s);
}

/* A thread that used less than before is another one with its number. */
static void numbers_of_threads_come_again(void **state)
{
	struct contention_reader *s = contention_reader_new(proc, 400);
	struct contention c;

	(void)state;
	put_processors(0, 0, 100);
	put("400/task/400/schedstat", "7000000000 7000000000 70\n");
	assert_false(contention_reader_read(s, &c));
	put_processors(100, 0, 200);
	put("400/task/400/schedstat", "0 4000000 2\n");
	assert_true(contention_reader_read(s, &c));
	check(&c, 1000000000, 2000000000, 4000000, 2);
	contention_reader_free(s);
}

/* Kernels without schedstat, processes that are gone, files that hold something else: not known,
 * and known again from the second time on that they tell. */
static void what_is_missing_is_not_known(void **state)
{
	static const char *const strange[] = { "", "cpu\n", "cpu  1 2 3\n",
					       "intr 1 2 3 4 5 6 7 8 9\n",
					       "cpu  99999999999999999999999 0 0 0 0 0 0 0\n" };
	struct contention_reader *s = contention_reader_new(proc, 500);
	struct contention c;

	(void)state;
	put_processors(100, 100, 100);
	assert_false(contention_reader_read(s, &c));
	assert_false(contention_reader_read(s, &c));
	put("500/task/500/schedstat", "x");
	put("500/task/x/schedstat", "1 1 1");
	assert_false(contention_reader_read(s, &c));
	assert_false(contention_reader_read(s, &c));
	put("500/task/500/schedstat", "1 1 1");
	put("500/task/500/children", "500 99999999999999999999999 ");
	for (size_t i = 0; i < sizeof(strange) / sizeof(*strange); i++) {
		put("stat", strange[i]);
		assert_false(contention_reader_read(s, &c));
	}
	put_processors(100, 100, 100);
	assert_false(contention_reader_read(s, &c));
	put_processors(200, 100, 200);
	assert_true(contention_reader_read(s, &c));
	assert_true(c.others == 1000000000 && c.waited == 0);
	contention_reader_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_are_all_but_the_program_and_its_children),
		cmocka_unit_test(a_program_that_takes_all_has_no_others),
		cmocka_unit_test(numbers_of_threads_come_again),
		cmocka_unit_test(what_is_missing_is_not_known),
	};

	return cmocka_run_group_tests(tests, make_proc, remove_proc);
}
