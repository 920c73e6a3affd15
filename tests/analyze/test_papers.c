/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the papers that the data model and the totals have to reproduce. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/diag.h"
#include "formats/format.h"

static const char *testdata;

static struct profile *table_1(void)
{
	struct read_options options = { .resolution = 0 };
	struct diag diag = { .emit = NULL };
	struct profile *p;
	struct input in;
	char path[1000];

	(void)snprintf(path, sizeof(path), "%s/papers/fsprof-table1.osprof", testdata);
	assert_true(input_open(&in, path, 1 << 20, &diag));
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	input_release(&in);
	return p;
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

		assert_true(operation_moments_only(op));
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
	struct bucket b = { bucket_low(&s, 8), bucket_high(&s, 8), 1, 8 };

	(void)state;
	assert_int_equal(bucket_find(&s, 300), 8);
	assert_true(bucket_mean(&b) == 1.5 * 256);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_become_milliseconds),
		cmocka_unit_test(three_operations_carry_the_latency),
		cmocka_unit_test(operations_are_ordered_by_total),
		cmocka_unit_test(the_mean_of_a_bucket_is_its_middle),
	};

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("papers", tests, NULL, NULL);
}
