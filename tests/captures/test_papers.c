/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the papers that the data model and the totals have to reproduce. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input_file.h"
#include "formats/format.h"

static const char *testdata;

static struct profile *read_profile(const char *name)
{
	struct read_options options = { .resolution = 0 };
	struct diag diag = { .emit = NULL };
	struct profile *p;
	struct input in;
	char path[1000];

	(void)snprintf(path, sizeof(path), "%s/%s", testdata, name);
	assert_true(input_open(&in, path, 1 << 20, &diag));
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	input_release(&in);
	return p;
}

static struct profile *table_1(void)
{
	return read_profile("papers/fsprof-table1.osprof");
}

static const struct operation *find(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].name, str_from(name)))
			return &p->op[i];
	}
	fail_msg("no %s", name);
	return NULL;
}

static void cycles_become_milliseconds(void **state)
{
	static const struct {
		const char *name;
		uint64_t count;
		double ms;
	} rows[] = {
		{ "lookup", 13640, 1805.67 },	  { "open", 12915, 1.17 },
		{ "read", 27408, 4305.97 },	  { "readdir", 1687, 4550.61 },
		{ "read_inode", 13641, 1731.30 }, { "readpage", 43991, 281.03 },
		{ "sync_page", 20141, 63.96 },	  { "write_inode", 12107, 6.22 },
	};
	struct profile *p = table_1();
	double seconds;

	(void)state;
	assert_true(unit_seconds(p->unit, p->hz, &seconds));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct operation *op = find(p, rows[i].name);

		assert_true(operation_summary_only(op));
		assert_int_equal(operation_count(op), rows[i].count);
		assert_true(fabs(operation_total(op) * seconds * 1e3 - rows[i].ms) < 0.006);
	}
	profile_free(p);
}

/* Section 5.1: lookup, read and readdir carry over 99 % of the latency, once what
 * they call themselves (read_inode, readpage) is set aside. */
static void three_operations_carry_the_latency(void **state)
{
	struct profile *p = table_1();
	struct totals all = totals_of(p);
	double called =
		operation_total(find(p, "read_inode")) + operation_total(find(p, "readpage"));
	double three = operation_total(find(p, "lookup")) + operation_total(find(p, "read")) +
		       operation_total(find(p, "readdir"));

	(void)state;
	assert_true(three / (all.latency - called) > 0.99);
	profile_free(p);
}

static void operations_are_ordered_by_total(void **state)
{
	static const char *const expected[] = { "readdir", "read", "lookup", "read_inode" };
	struct profile *p = table_1();
	struct arena *a = arena_new();
	const struct operation **op = order_by_latency(a, p);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(expected); i++)
		assert_true(str_eq(op[i]->name, str_from(expected[i])));
	arena_free(a);
	profile_free(p);
}

/* OSprof and FSprof put the same latency, 300 cycles, into buckets 8 and 9. */
static void the_mean_of_a_bucket_is_its_middle(void **state)
{
	struct bucket_scheme s = bucket_log2(1);
	const struct edges edges = edges_at(&s, 8);
	const struct bucket b = { &edges, 1 };

	(void)state;
	assert_int_equal(bucket_find(&s, 300), 8);
	assert_true(bucket_middle(&b) == 1.5 * 256);
}

/* What the workloads were told to do, or cannot but do: see testdata/PROVENANCE.md. */
static void captures_hold_what_was_done(void **state)
{
	static const struct {
		const char *file, *operation;
		uint64_t calls;
	} known[] = {
		{ "runs/zeroread-1/1.json", "read", 3000000 },
		{ "runs/zeroread-1/4.txt", "read", 3000000 },
		{ "runs/zeroread-2/2.txt", "read", 6000000 },
		{ "runs/zeroread-2/5.json", "read", 6000000 },
		{ "runs/zeroread-2-inside.txt", "read", 6000000 },
		{ "runs/clone-1/1.json", "clone", 10001 },
		{ "runs/clone-1/2.txt", "wait4", 10000 },
		{ "runs/clone-4/2.txt", "clone", 40004 },
		{ "runs/clone-4/3.json", "wait4", 40000 },
		{ "runs/randread-1/3.json", "lseek", 30000 },
		{ "runs/randread-2/4.txt", "lseek", 60000 },
		{ "runs/randread-2/5.json", "read", 60000 },
		{ "runs/layers.txt", "lseek", 40000 },
		{ "runs/flusher-sampled.txt", "fsync", 5 },
		{ "runs/flusher-cumulative.txt", "fsync", 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		struct profile *p = read_profile(known[i].file);

		assert_int_equal(operation_count(find(p, known[i].operation)), known[i].calls);
		profile_free(p);
	}
}

/* Warm or cold, grep makes the same calls. */
static void both_greps_make_the_same_calls(void **state)
{
	struct profile *cold = read_profile("runs/grep-cold/1.json");
	struct profile *warm = read_profile("runs/grep-warm/2.txt");
	static const char *const calls[] = { "read", "openat", "newfstatat", "getdents64",
					     "close" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(calls); i++)
		assert_int_equal(operation_count(find(cold, calls[i])),
				 operation_count(find(warm, calls[i])));
	profile_free(cold);
	profile_free(warm);
}

/* An fsync every 5 s, sampled every 2.5 s: in every second interval. */
static void the_flusher_is_periodic(void **state)
{
	struct profile *p = read_profile("runs/flusher-sampled.txt");
	const struct operation *op = find(p, "fsync");
	double last = -1;

	(void)state;
	assert_true(op->n_intervals >= 5);
	for (size_t i = 0; i < op->n_intervals; i++) {
		if (op->interval[i].hist.count == 0)
			continue;
		assert_int_equal(op->interval[i].hist.count, 1);
		assert_true(last < 0 || fabs(op->interval[i].start - last - 5) <= 1);
		last = op->interval[i].start;
	}
	profile_free(p);
}

/* OSprof figure 8: all calls of the left peak are past the end of the directory, those
 * of the others are not: 2,013 directories, 2,013 calls past their ends. */
static void values_report_the_peaks_of_getdents_apart(void **state)
{
	struct profile *p = read_profile("runs/getdents-values.txt");
	const struct histogram *fast = &find(p, "past_eof_fast")->hist;
	const struct histogram *slow = &find(p, "past_eof_slow")->hist;
	uint64_t past_slow = 0;

	(void)state;
	assert_int_equal(fast->n, 1);
	assert_true(fast->bucket[0].edges->low == 1024);
	for (size_t i = 0; i < slow->n; i++)
		past_slow += slow->bucket[i].edges->low == 1024 ? slow->bucket[i].count : 0;
	assert_int_equal(fast->count + past_slow, 2013);
	profile_free(p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_become_milliseconds),
		cmocka_unit_test(three_operations_carry_the_latency),
		cmocka_unit_test(operations_are_ordered_by_total),
		cmocka_unit_test(the_mean_of_a_bucket_is_its_middle),
		cmocka_unit_test(captures_hold_what_was_done),
		cmocka_unit_test(both_greps_make_the_same_calls),
		cmocka_unit_test(the_flusher_is_periodic),
		cmocka_unit_test(values_report_the_peaks_of_getdents_apart),
	};

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("papers", tests, NULL, NULL);
}
