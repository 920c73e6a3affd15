/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings and their numbers. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/tables/str_table.h"
#include "tests/unit/unit.h"

enum { MANY = 20000 };

static void numbers_follow_the_order_of_adding(void **state)
{
	struct arena *a = arena_new();
	struct str_table t = { .n = 0 };
	char text[32];
	bool is_new;

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < MANY; i++) {
			struct str key = { text, 0 };

			key.n = (size_t)snprintf(text, sizeof(text), "%zu", i * i);
			assert_int_equal(str_table_add(&t, key, a, &is_new), i);
			assert_int_equal(is_new, round == 0);
		}
	}
	assert_int_equal(t.n, MANY);
	assert_int_equal(str_table_add(&t, STR("2"), a, &is_new), MANY); /* no square */
	assert_true(is_new);
	assert_true(str_eq(t.key[7], STR("49"))); /* a copy: `text` went on */
	str_table_release(&t);
	arena_free(a);
}

/* All the prefixes of one text, the empty one too, with bytes of every kind among them. */
static void every_byte_counts(void **state)
{
	struct arena *a = arena_new();
	struct str_table t = { .n = 0 };
	char text[64];
	bool is_new;

	(void)state;
	memset(text, 0, sizeof(text));
	for (size_t n = 0; n < sizeof(text); n++) {
		assert_int_equal(str_table_add(&t, (struct str){ text, n }, a, &is_new), n);
		assert_true(is_new);
	}
	for (size_t i = 0; i < sizeof(text); i++) {
		text[i] = (char)0x80;
		assert_int_equal(str_table_add(&t, (struct str){ text, sizeof(text) }, a, &is_new),
				 sizeof(text) + i);
		assert_true(is_new);
		text[i] = 0;
	}
	str_table_release(&t);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_follow_the_order_of_adding),
		cmocka_unit_test(every_byte_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
