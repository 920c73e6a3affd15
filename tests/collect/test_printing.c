/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is printed: intervals, odd names, files that appear whole or not at all. */
#include "base/input/input_file.h"
#include "tests/collect/capturing.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void count(struct osprof *p, int op, int n, uint64_t latency)
{
	for (int i = 0; i < n; i++)
		osprof_add(p, op, latency);
}

static void test_intervals(void **state)
{
	struct osprof *p = osprof_new(NULL);
	int a = osprof_op(p, "", "a"), b = osprof_op(p, "", "b");
	const struct operation *op;
	struct profile *profile;

	(void)state;
	count(p, a, 3, 10);
	assert_int_equal(osprof_snapshot(p), 0);
	count(p, a, 4, 10);
	count(p, a, 5, 1000);
	count(p, b, 6, 1000);
	assert_int_equal(osprof_snapshot(p), 0);
	assert_int_equal(osprof_snapshot(p), 0); /* of nothing */
	count(p, b, 7, 10);
	profile = read_back(p);
	op = operation_named(profile, "a");
	assert_int_equal(calls_of(profile, "a"), 12);
	assert_int_equal(op->n_intervals, 2);
	assert_int_equal(op->interval[0].hist.count, 3);
	assert_int_equal(op->interval[1].hist.count, 9);
	assert_int_equal(op->interval[1].hist.n, 2);
	assert_true(op->interval[0].end <= op->interval[1].start);
	op = operation_named(profile, "b");
	assert_int_equal(calls_of(profile, "b"), 13);
	assert_int_equal(op->n_intervals, 2); /* the last one ended by printing */
	assert_int_equal(op->interval[0].hist.count, 6);
	assert_int_equal(op->interval[1].hist.count, 7);
	profile_free(profile);
	osprof_free(p);
}

static void *count_on(void *arg)
{
	struct osprof *p = arg;

	for (int i = 0; i < 2000000; i++)
		osprof_add(p, i & 7, (uint64_t)i);
	return NULL;
}

/* Snapshots while threads count: each interval's count and total fit its buckets, and
 * all intervals together are the whole. */
static void test_snapshots_are_whole(void **state)
{
	struct osprof *p = osprof_new(&(struct osprof_options){ .max_threads = 2 });
	struct profile *profile;
	pthread_t thread[4];
	char name[2] = "a";

	(void)state;
	for (; name[0] <= 'h'; name[0]++)
		(void)osprof_op(p, "", name);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, count_on, p), 0);
	while (osprof_count(p) < 7000000)
		assert_int_equal(osprof_snapshot(p), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	profile = read_back(p);
	for (size_t i = 0; i < profile->n_ops; i++) {
		const struct operation *op = &profile->op[i];
		uint64_t sum = 0;

		assert_true(op->n_intervals > 1);
		for (size_t k = 0; k < op->n_intervals; k++) {
			sum += op->interval[k].hist.count;
			assert_true(op->interval[k].stated.count_agrees);
			assert_true(op->interval[k].stated.total_agrees);
		}
		assert_int_equal(sum, 1000000);
		assert_int_equal(operation_count(op), 1000000);
	}
	profile_free(profile);
	osprof_free(p);
}

/* options.interval: snapshots come by themselves. */
static void test_interval_option(void **state)
{
	struct osprof *p = osprof_new(&(struct osprof_options){ .interval = 0.001 });
	const struct timespec nap = { .tv_nsec = 1500000 };
	int op = osprof_op(p, "", "nap");
	struct profile *profile;

	(void)state;
	for (int i = 0; i < 5; i++) {
		uint64_t start = osprof_start(p);

		(void)nanosleep(&nap, NULL);
		(void)osprof_stop(p, op, start);
	}
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "nap"), 5);
	assert_int_equal(profile->op[0].n_intervals, 5); /* one a nap, longer than an interval */
	profile_free(profile);
	osprof_free(p);
}

static void test_odd_names(void **state)
{
	static const char *const odd[] = { "",	       " blank",      "blank ",	     "\"quoted\"",
					   "a\nb",     "\x01",	      "back\\slash", "caf\xc3\xa9",
					   "bad \xff", "# no comment" };
	struct osprof *p = osprof_new(NULL);
	struct profile *profile;
	char large[1000];

	(void)state;
	memset(large, 'x', sizeof(large) - 1);
	large[sizeof(large) - 1] = '\0';
	for (size_t i = 0; i < COUNT_OF(odd); i++)
		osprof_add(p, osprof_op(p, odd[i], odd[i]), 1);
	osprof_add(p, osprof_op(p, large, large), 1);
	profile = read_back(p);
	assert_int_equal(profile->n_ops, COUNT_OF(odd) + 1);
	for (size_t i = 0; i < COUNT_OF(odd); i++) {
		assert_non_null(operation_named(profile, odd[i]));
		assert_true(str_eq(operation_named(profile, odd[i])->layer, str_from(odd[i])));
	}
	large[219] = '\0';
	assert_non_null(operation_named(profile, large));
	profile_free(profile);
	osprof_free(p);
}

static void test_save(void **state)
{
	char folder[] = "/tmp/osprof-test.XXXXXX", path[64];
	struct osprof *p = osprof_new(NULL);
	struct diag diag = { .emit = NULL };
	struct input in;
	FILE *full;

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/a.osprof", folder);
	osprof_add(p, osprof_op(p, "", "x"), 1);
	assert_int_equal(osprof_save(p, path), 0);
	assert_true(input_open(&in, path, 1 << 20, &diag));
	assert_true(str_has_prefix(in.bytes, STR("osprof 1\n")));
	input_release(&in);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(osprof_save(p, "/nowhere/at/all"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(osprof_save(p, folder), -1); /* a folder: nothing is left beside it */
	assert_int_equal(rmdir(folder), 0);
	full = fopen("/dev/full", "w");
	assert_non_null(full);
	assert_int_equal(osprof_print(p, full), -1);
	(void)fclose(full);
	osprof_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_snapshots_are_whole),
		cmocka_unit_test(test_interval_option),
		cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_save),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
