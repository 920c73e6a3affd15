/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bucket a latency goes to, what is added up, and that nothing is lost. */
#include "tests/collect/capturing.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "profile/bucket.h"

/* One call at a latency must be in the one bucket whose edges are around it. */
static void check_bucket(struct osprof *p, unsigned resolution, uint64_t latency)
{
	struct bucket_scheme s = bucket_log2(resolution);
	const struct operation *op;
	struct profile *profile;
	char name[64];

	(void)snprintf(name, sizeof(name), "at %llu", (unsigned long long)latency);
	osprof_add(p, osprof_op(p, "", name), latency);
	profile = read_back(p);
	op = operation_named(profile, name);
	assert_non_null(op);
	assert_int_equal(op->hist.n, 1);
	assert_int_equal(op->hist.bucket[0].count, 1);
	assert_true(op->hist.scheme->resolution == resolution);
	assert_true(op->hist.bucket[0].edges->low <= (double)latency);
	assert_true((double)latency < op->hist.bucket[0].edges->high);
	if (latency > 0)
		assert_int_equal(op->hist.bucket[0].edges->index, bucket_find(&s, (double)latency));
	assert_true(operation_total(op) == (double)latency);
	profile_free(profile);
}

static void test_buckets(void **state)
{
	static const unsigned resolution[] = { 1, 2, 3, 4, 5, 7, 8, 16, 100 };
	static const uint64_t latency[] = { 0,	  1,	2,	 3,	   4,	    5,
					    6,	  7,	127,	 128,	   181,	    182,
					    255,  256,	1000,	 1448,	   1449,    2047,
					    2048, 4095, 1000000, 1u << 31, 3u << 30 };

	(void)state;
	for (size_t r = 0; r < COUNT_OF(resolution); r++) {
		const struct osprof_options o = { .resolution = resolution[r], .max_ops = 64 };
		struct osprof *p = osprof_new(&o);

		assert_non_null(p);
		for (size_t i = 0; i < COUNT_OF(latency); i++)
			check_bucket(p, resolution[r], latency[i]);
		osprof_free(p);
	}
}

/* FSprof table 3, the first row: peaks of 1817, 9 and 25 calls. */
static void test_sums(void **state)
{
	struct osprof *p = osprof_new(NULL);
	struct profile *profile;
	int op;

	(void)state;
	assert_non_null(p);
	op = osprof_op(p, "", "lookup");
	assert_int_equal(op, osprof_op(p, "", "lookup"));
	assert_int_not_equal(op, osprof_op(p, "other layer", "lookup"));
	for (int i = 0; i < 1817; i++)
		osprof_add(p, op, 200);
	for (int i = 0; i < 9; i++)
		osprof_add(p, op, 100000);
	for (int i = 0; i < 25; i++)
		osprof_add(p, op, 7000000);
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "lookup"), 1851);
	assert_int_equal(osprof_count(p), 1851);
	assert_true(operation_total(&profile->op[0]) == 1817 * 200 + 9 * 100000.0 + 25 * 7e6);
	assert_int_equal(profile->op[0].hist.n, 3);
	assert_int_equal(profile->op[0].hist.bucket[0].edges->index, 7);
	assert_int_equal(profile->op[0].hist.bucket[1].edges->index, 16);
	assert_int_equal(profile->op[0].hist.bucket[2].edges->index, 22);
	profile_free(profile);
	osprof_free(p);
}

/* --- threads ------------------------------------------------------------------------- */

struct work {
	struct osprof *p;
	int op;
	int calls;
};

static void *call(void *arg)
{
	const struct work *w = arg;

	for (int i = 0; i < w->calls; i++)
		(void)osprof_stop(w->p, w->op, osprof_start(w->p));
	return NULL;
}

/* Runs n threads at a time, `rounds` times. */
static void run_threads(struct work *w, int n, int rounds)
{
	pthread_t thread[64];

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < n; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, call, w), 0);
		for (int i = 0; i < n; i++)
			assert_int_equal(pthread_join(thread[i], NULL), 0);
	}
}

/* OSprof section 3.4: no update is lost with threads on all processors, all of them on
 * one operation, though nothing is locked. */
static void test_threads_lose_nothing(void **state)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int n = processors > 60 ? 60 : (int)processors + 2;
	struct osprof *p = osprof_new(NULL);
	struct work w = { p, osprof_op(p, "", "empty"), 400000 };
	struct profile *profile;

	(void)state;
	run_threads(&w, n, 2);
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "empty"), (uint64_t)n * 2 * 400000);
	profile_free(profile);
	osprof_free(p);
}

/* More threads than sets of counters: the rest shares one, and loses nothing. */
static void test_more_threads_than_sets(void **state)
{
	const struct osprof_options o = { .max_threads = 1 };
	struct osprof *p = osprof_new(&o);
	struct work w = { p, osprof_op(p, "", "empty"), 100000 };
	struct profile *profile;

	(void)state;
	run_threads(&w, 6, 1);
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "empty"), 600000);
	profile_free(profile);
	osprof_free(p);
}

/* Sets go from thread to thread: hundreds of threads need no more than run at a time. */
static void test_sets_are_handed_on(void **state)
{
	const struct osprof_options o = { .max_threads = 8, .by = OSPROF_BY_THREAD };
	struct osprof *p = osprof_new(NULL), *apart = osprof_new(&o);
	struct work w = { p, osprof_op(p, "", "empty"), 10 };
	struct work a = { apart, osprof_op(apart, "", "empty"), 10 };
	struct profile *profile;

	(void)state;
	run_threads(&w, 4, 100);
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "empty"), 4000);
	profile_free(profile);

	/* Told apart by thread they are not handed on: eight layers, and one of the rest. */
	run_threads(&a, 4, 3);
	profile = read_back(apart);
	assert_int_equal(profile->n_ops, 9);
	assert_int_equal(osprof_count(apart), 120);
	profile_free(profile);
	osprof_free(p);
	osprof_free(apart);
}

/* A thread that counts into one profile, and after both barriers into another. */
struct two_profiles {
	struct osprof *p;
	pthread_barrier_t was_in_first, second_is_there;
};

static void *count_in_both(void *arg)
{
	struct two_profiles *t = arg;

	osprof_add(t->p, 0, 100);
	(void)pthread_barrier_wait(&t->was_in_first);
	(void)pthread_barrier_wait(&t->second_is_there);
	for (int i = 0; i < 3; i++)
		osprof_add(t->p, 0, 100);
	return NULL;
}

/* The set that it had in a profile that was closed since is another thread's in the next one. */
static void test_sets_of_closed_profiles(void **state)
{
	const struct osprof_options o = { .max_threads = 4, .by = OSPROF_BY_THREAD };
	struct two_profiles t = { .p = osprof_new(&o) };
	struct profile *profile;
	pthread_t thread;

	(void)state;
	(void)osprof_op(t.p, "", "first");
	assert_int_equal(pthread_barrier_init(&t.was_in_first, NULL, 2), 0);
	assert_int_equal(pthread_barrier_init(&t.second_is_there, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, count_in_both, &t), 0);
	(void)pthread_barrier_wait(&t.was_in_first);
	osprof_free(t.p);
	t.p = osprof_new(&o);
	(void)osprof_op(t.p, "", "second");
	osprof_add(t.p, 0, 100);
	(void)pthread_barrier_wait(&t.second_is_there);
	assert_int_equal(pthread_join(thread, NULL), 0);
	profile = read_back(t.p);
	assert_int_equal(profile->n_ops, 2);
	assert_int_equal(profile->op[0].hist.n + profile->op[1].hist.n, 2);
	assert_int_equal(osprof_count(t.p), 4);
	for (int i = 0; i < 2; i++)
		assert_true(profile->op[i].hist.bucket[0].count == 1 ||
			    profile->op[i].hist.bucket[0].count == 3);
	profile_free(profile);
	osprof_free(t.p);
	(void)pthread_barrier_destroy(&t.was_in_first);
	(void)pthread_barrier_destroy(&t.second_is_there);
}

/* --- values, limits -------------------------------------------------------------------- */

static void test_values_by_peak(void **state)
{
	static const uint64_t limits[] = { 512, 4096 };
	struct osprof *p = osprof_new(&(struct osprof_options){ .system_clock = 1 });
	struct osprof_peaks peaks;
	struct profile *profile;

	(void)state;
	assert_int_equal(osprof_peaks(p, &peaks, "", "size", limits, 2), 0);
	osprof_value(p, &peaks, 511, 0);
	osprof_value(p, &peaks, 512, 1024);
	osprof_value(p, &peaks, 4095, 1024);
	osprof_value(p, &peaks, 4096, 8);
	profile = read_back(p);
	assert_int_equal(profile->n_ops, 3);
	assert_int_equal(calls_of(profile, "size, below 512 ns"), 1);
	assert_int_equal(calls_of(profile, "size, 512 to 4096 ns"), 2);
	assert_int_equal(calls_of(profile, "size, from 4096 ns"), 1);
	assert_int_equal(profile->op[0].unit, UNIT_PLAIN);
	profile_free(profile);

	assert_int_equal(osprof_peaks(p, &peaks, "", "x", limits, 0), -1);
	assert_int_equal(osprof_peaks(p, &peaks, "", "x", limits, OSPROF_MAX_PEAKS), -1);
	assert_int_equal(osprof_peaks(p, &peaks, "", "x", (const uint64_t[]){ 9, 9 }, 2), -1);
	osprof_free(p);
}

static void test_too_many_operations(void **state)
{
	struct osprof *p = osprof_new(&(struct osprof_options){ .max_ops = 2 });
	struct profile *profile;

	(void)state;
	osprof_add(p, osprof_op(p, "", "a"), 1);
	osprof_add(p, osprof_op(p, "", "b"), 1);
	assert_int_equal(osprof_op(p, "", "c"), -1);
	osprof_add(p, -1, 1);
	osprof_add(p, 7, 1);
	assert_int_equal(osprof_count(p), 2);
	{
		struct diag diag = { .emit = NULL };
		struct read_options options = { .numbering = NUMBERING_UNKNOWN };
		struct input in;
		char *text = NULL;
		size_t n = 0;
		FILE *f = open_memstream(&text, &n);

		assert_int_equal(osprof_print(p, f), 0);
		(void)fclose(f);
		input_borrow(&in, "lost.osprof", text, n);
		profile = format_read(NULL, &in, &options, &diag);
		assert_non_null(profile);
		assert_int_equal(profile->lost, 2); /* and said so */
		assert_int_equal(diag.seen[SEV_WARNING], 1);
		input_release(&in);
		free(text);
	}
	profile_free(profile);
	osprof_free(p);
}

static void test_bad_options(void **state)
{
	struct osprof *p[OSPROF_MAX_PROFILES];

	(void)state;
	assert_null(osprof_new(&(struct osprof_options){ .resolution = 4097 }));
	assert_int_equal(errno, EINVAL);
	for (int i = 0; i < OSPROF_MAX_PROFILES; i++)
		assert_non_null(p[i] = osprof_new(NULL));
	assert_null(osprof_new(NULL));
	assert_int_equal(errno, EMFILE);
	for (int i = 0; i < OSPROF_MAX_PROFILES; i++)
		osprof_free(p[i]);
	osprof_free(osprof_new(NULL));
	osprof_free(NULL);
}

/* --- time -------------------------------------------------------------------------------- */

/* Latencies of known sleeps, in the profile's own unit and rate, are those sleeps: a
 * clock rate that is wrong would show. Upper bounds are nobody's promise. */
static void test_clock(void **state)
{
	const struct timespec nap = { .tv_nsec = 20000000 };

	(void)state;
	for (int system_clock = 0; system_clock <= 1; system_clock++) {
		struct osprof *p =
			osprof_new(&(struct osprof_options){ .system_clock = system_clock });
		uint64_t start = osprof_start(p), latency, before = osprof_nanoseconds(), ns;
		struct profile *profile;
		double rate;

		(void)nanosleep(&nap, NULL);
		ns = osprof_nanoseconds() - before;
		latency = osprof_stop(p, osprof_op(p, "", "nap"), start);
		profile = read_back(p);
		rate = profile->unit == UNIT_CYCLES ? profile->hz : 1e9;
		assert_true(system_clock == 0 || profile->unit == UNIT_NS);
		assert_true((double)latency / rate >= 0.98 * (double)ns / 1e9);
		assert_true(profile->elapsed >= 0.02);
		profile_free(profile);
		osprof_free(p);
	}
}

static void test_overhead(void **state)
{
	struct osprof *plain = osprof_new(NULL);
	struct osprof *less = osprof_new(&(struct osprof_options){ .subtract_overhead = 1 });
	uint64_t start = osprof_start(less), taken;
	int still = 0;

	(void)state;
	/* A counter of few megahertz, as arm64 has it, mostly stands still between two readings. */
	for (int i = 0; i < 1000; i++) {
		uint64_t before = osprof_start(plain);

		still += osprof_start(plain) == before;
	}
	assert_true(osprof_overhead(plain) > 0 || still > 300);
	taken = osprof_stop(less, osprof_op(less, "", "x"), start - 1000000);
	assert_true(taken >= 1000000 - osprof_overhead(less));
	/* Never below 0, whatever was measured. */
	assert_true(osprof_stop(less, 0, osprof_start(less) + 1000000) == 0);
	osprof_free(plain);
	osprof_free(less);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_threads_lose_nothing),
		cmocka_unit_test(test_more_threads_than_sets),
		cmocka_unit_test(test_sets_are_handed_on),
		cmocka_unit_test(test_sets_of_closed_profiles),
		cmocka_unit_test(test_values_by_peak),
		cmocka_unit_test(test_too_many_operations),
		cmocka_unit_test(test_bad_options),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_overhead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
