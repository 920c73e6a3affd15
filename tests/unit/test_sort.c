/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting by a number, against qsort(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/sort.h"

enum { MAX = 5000 };

static uint64_t seed = 1;

static uint64_t draw(void)
{
	seed = seed * 6364136223846793005U + 1442695040888963407U;
	return seed ^ seed >> 29;
}

static int by_key_and_number(const void *pa, const void *pb)
{
	const struct sort_item *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Of n items whose keys have these bits only. */
static void check(size_t n, uint64_t bits)
{
	static struct sort_item item[MAX], expected[MAX];

	for (size_t i = 0; i < n; i++)
		item[i] = expected[i] = (struct sort_item){ draw() & bits, i };
	sort_by_key(item, n);
	if (n > 0)
		qsort(expected, n, sizeof(*expected), by_key_and_number);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(item[i].key, expected[i].key);
		assert_int_equal(item[i].number, expected[i].number);
	}
}

static void agrees_with_qsort(void **state)
{
	static const uint64_t bits[] = {
		0, 1, 0xff, 0xff00ff00, ~0x7fU, UINT64_MAX, UINT64_C(0xf00000000000000f)
	};

	(void)state;
	for (size_t b = 0; b < sizeof(bits) / sizeof(*bits); b++) {
		for (size_t n = 0; n <= MAX; n = n * 3 + 1)
			check(n, bits[b]);
		check(MAX, bits[b]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_qsort),
	};

	return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
