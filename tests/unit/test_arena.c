/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies in an arena, above all arrays that grow in one. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "tests/unit/unit.h"

enum { MANY = 300000, ARRAYS = 3 };

/* Several in turn, so that none has room after it, between other things of the arena. */
static void arrays_keep_what_they_hold(void **state)
{
	struct arena *a = arena_new();
	struct str text = arena_str(a, STR("before"));
	uint64_t *v[ARRAYS] = { NULL };
	size_t cap[ARRAYS] = { 0 };

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		for (size_t k = 0; k < ARRAYS; k++) {
			v[k] = arena_grow(a, v[k], &cap[k], i + 1, sizeof(*v[k]));
			assert_true(cap[k] > i);
			assert_int_equal(v[k][i], 0);
			v[k][i] = i * ARRAYS + k;
		}
		*arena_make(a, char, 1) = 'x';
	}
	for (size_t i = 0; i < MANY; i++) {
		for (size_t k = 0; k < ARRAYS; k++)
			assert_int_equal(v[k][i], i * ARRAYS + k);
	}
	assert_true(str_eq(text, STR("before")));
	arena_free(a);
}

static void an_array_grows_by_more_than_twice(void **state)
{
	struct arena *a = arena_new();
	size_t cap = 0;
	char(*v)[24] = arena_grow(a, NULL, &cap, 1, sizeof(*v)), (*grown)[24];

	(void)state;
	strcpy(v[0], "first");
	grown = arena_grow(a, v, &cap, 1000000, sizeof(*v));
	assert_true(cap >= 1000000);
	assert_string_equal(grown[0], "first");
	memset(grown[999999], 'x', sizeof(*grown)); /* it is there */
	assert_ptr_equal(arena_grow(a, grown, &cap, 1000000, sizeof(*v)), grown);
	arena_free(a);
}

/* In place, to many large pages: what lay after it is freed, and it begins between two. */
static void an_array_grows_large_wherever_it_lies(void **state)
{
	enum { NEIGHBOURS = 40, SMALL = 1 << 20, LARGE = 32 << 20 };
	struct arena *a[NEIGHBOURS];
	char *v[NEIGHBOURS];
	size_t cap[NEIGHBOURS] = { 0 };

	(void)state;
	for (size_t k = 0; k < NEIGHBOURS; k++) {
		a[k] = arena_new();
		v[k] = arena_grow(a[k], NULL, &cap[k], SMALL, 1);
	}
	for (size_t k = 1; k < NEIGHBOURS - 1; k++)
		arena_free(a[k]);
	for (size_t k = 0; k < NEIGHBOURS; k += NEIGHBOURS - 1) {
		for (size_t need = SMALL; need <= LARGE; need *= 2) {
			v[k] = arena_grow(a[k], v[k], &cap[k], need, 1);
			v[k][need - 1] = 'x';
		}
		for (size_t at = SMALL; at <= LARGE; at *= 2)
			assert_int_equal(v[k][at - 1], 'x');
		arena_free(a[k]);
	}
}

static void a_cleared_arena_is_as_new(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (int round = 0; round < 3; round++) {
		size_t cap = 0;
		int *v = arena_grow(a, NULL, &cap, MANY, sizeof(*v));
		char *text = arena_make(a, char, 100);

		for (size_t i = 0; i < 100; i++)
			assert_int_equal(text[i], 0);
		memset(text, 'x', 100);
		assert_int_equal(v[MANY - 1], 0);
		v[MANY - 1] = 1;
		arena_clear(a);
	}
	arena_free(a);
}

/* Smaller than a block, what is left of one, and larger than any. */
static void copies_lie_beside_each_other(void **state)
{
	enum { COPIES = 60, LARGEST = 24 << 20 };
	struct arena *a = arena_new();
	char *from = calloc(LARGEST, 1), *copy[COPIES];
	size_t size[COPIES];

	(void)state;
	for (size_t i = 0; i < COPIES; i++) {
		size[i] = i % 20 == 19 ? LARGEST : i * 1000 + 1;
		memset(from, (int)i + 1, size[i]);
		copy[i] = arena_copy(a, from, size[i], 1);
		assert_int_equal((uintptr_t)copy[i] % _Alignof(max_align_t), 0);
		*arena_make(a, char, 1) = 'x';
	}
	for (size_t i = 0; i < COPIES; i++) {
		memset(from, (int)i + 1, size[i]);
		assert_memory_equal(copy[i], from, size[i]);
	}
	assert_non_null(arena_copy(a, NULL, 0, sizeof(double)));
	free(from);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_keep_what_they_hold),
		cmocka_unit_test(an_array_grows_by_more_than_twice),
		cmocka_unit_test(an_array_grows_large_wherever_it_lies),
		cmocka_unit_test(a_cleared_arena_is_as_new),
		cmocka_unit_test(copies_lie_beside_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
