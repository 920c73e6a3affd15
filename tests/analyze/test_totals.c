/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations in the order of their totals. */
#include "tests/analyze/made.h"

#include "analyze/totals.h"
#include "base/arena.h"

enum { OPERATIONS = 3000 };

/* A total of so many billionths, as a collector states it. */
static struct operation with_total(int64_t billionths)
{
	struct operation op = { .unit = UNIT_NS, .hist = { .scheme = &bucket_octaves } };

	op.stated.has_total = op.stated.total_agrees = true;
	op.stated.total.billionths = billionths;
	return op;
}

/* Each operation once, none before one of a larger total, equals as they stand in the profile. */
static void check_order(const struct profile *p)
{
	struct arena *a = arena_new();
	const struct operation **order = order_by_latency(a, p);
	static bool seen[OPERATIONS];

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < p->n_ops; i++) {
		size_t at = (size_t)(order[i] - p->op);

		assert_true(at < p->n_ops);
		assert_false(seen[at]);
		seen[at] = true;
		if (i == 0)
			continue;
		assert_true(operation_total(order[i - 1]) >= operation_total(order[i]));
		if (operation_total(order[i - 1]) == operation_total(order[i]))
			assert_true(order[i - 1] < order[i]);
	}
	arena_free(a);
}

static void totals_fall_and_equals_keep_their_order(void **state)
{
	static struct operation op[OPERATIONS];
	struct profile p = { .unit = UNIT_NS, .op = op };
	uint64_t x = 1;

	(void)state;
	for (unsigned bits = 1; bits < 63; bits++) {
		for (p.n_ops = 0; p.n_ops < OPERATIONS / 20; p.n_ops++) {
			x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			op[p.n_ops] = with_total((int64_t)(x >> (64 - bits)) *
						 ((x & 0x10000) != 0 ? -1 : 1));
		}
		check_order(&p);
	}
	for (p.n_ops = 0; p.n_ops < OPERATIONS; p.n_ops++)
		op[p.n_ops] = with_total((int64_t)(p.n_ops * 7 % 1000) * 1000000000);
	check_order(&p);
	p.n_ops = 1;
	check_order(&p);
	p.n_ops = 0;
	check_order(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_fall_and_equals_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
