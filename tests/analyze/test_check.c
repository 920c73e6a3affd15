/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a collector states against its buckets: each check at its limits, worked by hand. */
#include "tests/analyze/made.h"

#include "analyze/check.h"
#include "base/arena.h"
#include "base/attr.h"

/* Three calls in [8, 16), two in [32, 64): from 88 to below 176 in all. */
#define BUCKETS "3 3\n5 2\n"

struct one {
	const char *text; /* of the operation */
	size_t n;	  /* findings: none or one */
	enum inconsistency what;
	double stated, low, high;
};

static const struct one cases[] = {
	{ BUCKETS, 0, 0, 0, 0, 0 },
	{ "count 5\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "count 6\n" BUCKETS, 1, CHECK_COUNT, 6, 5, 5 },
	{ "total 88\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "total 87\n" BUCKETS, 1, CHECK_TOTAL, 87, 88, 176 },
	{ "total 176\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "total 177\n" BUCKETS, 1, CHECK_TOTAL, 177, 88, 176 },
	{ "min 8\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "min 7\n" BUCKETS, 1, CHECK_MIN, 7, 8, 16 },
	{ "min 15.5\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "min 16\n" BUCKETS, 1, CHECK_MIN, 16, 8, 16 },
	{ "max 32\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "max 31\n" BUCKETS, 1, CHECK_MAX, 31, 32, 64 },
	/* Some collectors count the upper edge to the bucket below it. */
	{ "max 64\n" BUCKETS, 0, 0, 0, 0, 0 },
	{ "max 65\n" BUCKETS, 1, CHECK_MAX, 65, 32, 64 },
	/* Summary statistics alone have nothing to be compared with. */
	{ "count 6\ntotal 1\nmin 7\nmax 65\n", 0, 0, 0, 0, 0 },
	{ BUCKETS "interval 0 1\n3 3\n5 2\n", 0, 0, 0, 0, 0 },
	{ BUCKETS "interval 0 1\n3 3\n5 1\n", 1, CHECK_INTERVALS, 4, 5, 5 },
	{ BUCKETS "interval 0 1\n3 3\ninterval 1 2\n5 2\n", 0, 0, 0, 0, 0 },
	{ BUCKETS "interval 0 1\n3 3\ninterval 1 2\n5 3\n", 1, CHECK_INTERVALS, 6, 5, 5 },
};

static void each_check_at_its_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct one *c = &cases[i];
		struct arena *a = arena_new();
		struct profile *p = made_profile(arena_printf(a, "unit ns\nop x\n%s", c->text).p);
		struct consistency found = check(a, p);

		if (found.n != c->n)
			fail_msg("%s: %zu findings", c->text, found.n);
		if (c->n > 0) {
			assert_int_equal(found.finding[0].what, c->what);
			assert_true(found.finding[0].stated == c->stated);
			assert_true(found.finding[0].low == c->low);
			assert_true(found.finding[0].high == c->high);
			assert_ptr_equal(found.finding[0].op, p->op);
		}
		profile_free(p);
		arena_free(a);
	}
}

/* All that is wrong is reported, of every operation; what states nothing is not counted. */
static void all_of_them_are_reported(void **state)
{
	struct arena *a = arena_new();
	struct profile *p = made_profile("unit ns\n"
					 "op fine\ncount 5\ntotal 100\n" BUCKETS
					 "op wrong\ncount 6\ntotal 200\nmin 99\nmax 1\n" BUCKETS
					 "op silent\n" BUCKETS);
	struct consistency found = check(a, p);

	(void)state;
	assert_int_equal(found.n_counts, 2);
	assert_int_equal(found.n_totals, 2);
	assert_int_equal(found.n, 4);
	for (size_t i = 0; i < found.n; i++) {
		assert_int_equal(found.finding[i].what, i);
		assert_ptr_equal(found.finding[i].op, &p->op[1]);
	}
	profile_free(p);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_check_at_its_limits),
		cmocka_unit_test(all_of_them_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
