/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables printed by rows and taken by columns, compared with a plain array. */
#include <stdlib.h>

#include "formats/table/count_table.h"
#include "tests/unit/unit.h"

enum { ROWS = 3000, COLUMNS = 7 };

/* Zeros mostly, all of a column after its first rows; else of every number of bits. */
static uint64_t some_count(struct rng *r, size_t row, size_t column)
{
	if (column == 3 && row > 2)
		return 0;
	return rng_below(r, 3) > 0 ? 0 : rng_u64(r) >> rng_below(r, 64);
}

static void read_rows(struct count_table *t, struct rng *r, uint64_t (*expected)[COLUMNS])
{
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct out *text = out_to_memory();

	count_table_start(t, COLUMNS);
	for (size_t row = 0; row < ROWS; row++) {
		struct str line;
		struct input in;
		struct lines l;
		struct cursor c;

		for (size_t i = 0; i < COLUMNS; i++) {
			expected[row][i] = some_count(r, row, i);
			out_printf(text, "%s%llu",
				   i == 0	  ? ""
				   : row % 2 == 0 ? " "
						  : "\t  ",
				   (unsigned long long)expected[row][i]);
		}
		line = out_memory(text);
		input_borrow(&in, "test", line.p, line.n);
		lines_start(&l, &in, &diag);
		assert_true(lines_next(&l));
		c = cursor_on(&in);
		assert_int_equal(count_table_read(t, &l, &c), COUNT_READ);
		assert_true(cursor_done(&c));
		out_reset(text);
	}
	assert_int_equal(t->n_rows, ROWS);
	out_free(text);
}

static void look_at_column(const struct count_table *t, size_t column,
			   uint64_t (*expected)[COLUMNS])
{
	struct count_walk w = count_table_column(t, column);

	for (size_t row = 0; row < ROWS; row++) {
		if (column > 0 && expected[row][column] == 0)
			continue;
		assert_true(count_walk_next(&w));
		assert_int_equal(w.row, row);
		assert_int_equal(w.count, expected[row][column]);
	}
	assert_false(count_walk_next(&w));
}

/* Twice, as a file may have several tables; columns in any order, and again. */
static void columns_are_those_of_an_array(void **state)
{
	uint64_t(*expected)[COLUMNS] = calloc(ROWS, sizeof(*expected));
	struct count_table t = { .n_rows = 0 };
	struct rng r = rng_start(29);

	(void)state;
	assert_non_null(expected);
	for (int round = 0; round < 2; round++) {
		read_rows(&t, &r, expected);
		for (size_t i = 0; i < 2 * COLUMNS; i++)
			look_at_column(&t, 3 * i % COLUMNS, expected);
	}
	count_table_release(&t);
	free(expected);
}

static void what_is_missing_or_bad_is_reported(void **state)
{
	static const struct {
		const char *line;
		enum line_count what;
		unsigned messages;
	} cases[] = {
		{ "1 0 18446744073709551615", COUNT_READ, 0 },
		{ "1 0", COUNT_MISSING, 0 },
		{ "", COUNT_MISSING, 0 },
		{ "1 0 18446744073709551616", COUNT_BAD, 1 },
		{ "1 0x 3", COUNT_BAD, 1 },
		{ "0 -1 3", COUNT_BAD, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct input in = input_of(cases[i].line);
		struct count_table t = { .n_rows = 0 };
		struct captured captured;
		struct diag diag = diag_to(&captured);
		struct cursor c = cursor_on(&in);
		struct lines l;

		lines_start(&l, &in, &diag);
		count_table_start(&t, 3);
		assert_int_equal(count_table_read(&t, &l, &c), cases[i].what);
		assert_int_equal(captured.n, cases[i].messages);
		count_table_release(&t);
		input_release(&in);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_those_of_an_array),
		cmocka_unit_test(what_is_missing_or_bad_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
