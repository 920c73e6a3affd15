/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short pairs that are read at once: each row is what a reading byte by byte makes of it, none is
 * passed over, and none is read that is not whole, or longer.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "formats/general/short_pairs.h"
#include "profile/accumulator/operation_table.h"

enum { ROWS = 80, SCALE = 1000, BYTES = 4096 };

/* A row as it is read byte by byte. */
struct expected {
	const char *name;
	size_t n_name;
	uint64_t latency;
	const char *end;
};

/* False where the row at p is no short pair. */
static bool read_slowly(const char *p, struct expected *ret)
{
	size_t digits = 0;

	*ret = (struct expected){ .name = p };
	while (p[ret->n_name] != ',') {
		if (p[ret->n_name] == '\n' || ret->n_name == BULK_INLINE)
			return false;
		ret->n_name++;
	}
	if (ret->n_name >= BULK_INLINE || *p == '"')
		return false;
	for (p += ret->n_name + 1; *p >= '0' && *p <= '9'; p++, digits++)
		ret->latency = ret->latency * 10 + (uint64_t)(*p - '0');
	ret->end = p + 1;
	return *p == '\n' && digits >= 1 && digits <= 8;
}

/* Mostly short, and of what is near it. */
static size_t make_row(struct rng *r, char *to, unsigned odd)
{
	static const char *const odds[] = { "\"quoted\",12\n",
					    "a,1,2\n",
					    "a,\n",
					    "nothing\n",
					    ",7\n",
					    "\n",
					    "a,12x\n",
					    "a,-5\n",
					    "a,1.5\n",
					    "a,123456789\n",
					    "b,9\r\n",
					    "fifteen_bytes_a,1\n",
					    "sixteen_bytes_ab,1\n",
					    "a\"b,3\n",
					    "x, 4\n",
					    "a_name_that_is_longer_than_words,5\n" };
	char row[64];

	if (rng_below(r, 100) < odd)
		(void)snprintf(row, sizeof(row), "%s", odds[rng_below(r, COUNT_OF(odds))]);
	else
		(void)snprintf(row, sizeof(row), "%.*s%llu,%llu\n", (int)rng_below(r, 12),
			       "a_name_of_some", (unsigned long long)rng_below(r, 10),
			       (unsigned long long)rng_below(r, rng_below(r, 2) ? 100 : 100000000));
	memcpy(to, row, strlen(row));
	return strlen(row);
}

/* More than fit into one block: it is not taken apart. */
static bool has_crowded_block(const char *p, size_t blocks)
{
	for (size_t i = 0; i < blocks; i++) {
		struct str block = { p + i * PAIRS_BLOCK, PAIRS_BLOCK };

		if (str_count(block, '\n') > PAIRS_IN_BLOCK ||
		    str_count(block, ',') > PAIRS_IN_BLOCK)
			return true;
	}
	return false;
}

/* What counts them; with no name known, nothing is found. */
struct counter {
	struct operation_table *table;
	struct accumulator *accumulator;
	struct bulk *bulk;
	struct short_pairs *pairs; /* NULL: the processor cannot */
};

static struct counter counter_of(unsigned resolution)
{
	const struct accumulator_options options = { .resolution = resolution, .unit = UNIT_NS };
	struct counter c = { .table = operation_table_new(&options, 1),
			     .accumulator = accumulator_new(&options) };

	operation_table_register(c.table, c.accumulator);
	c.bulk = bulk_new(c.accumulator);
	assert_non_null(c.bulk);
	c.pairs = short_pairs_new(',', SCALE, c.bulk);
	return c;
}

static void counter_free(struct counter *c)
{
	short_pairs_free(c->pairs);
	bulk_free(c->bulk);
	accumulator_free(c->accumulator);
	operation_table_free(c->table);
}

static void check(const struct short_pairs *pairs, const struct bulk *bulk, const char *text,
		  const char *end)
{
	size_t blocks = (size_t)(end - text) / PAIRS_BLOCK;
	const char *p = text, *compared = text + blocks * PAIRS_BLOCK;
	struct expected row;

	assert_true(pairs->n <= MAX_PAIRS);
	for (size_t i = 0; i < pairs->n; i++, p = row.end) {
		struct bulk_item item = short_pairs_item(pairs, i), want;

		assert_true(read_slowly(p, &row));
		assert_true(row.end <= compared);
		bulk_set_any_name(&want, (struct str){ row.name, row.n_name });
		assert_int_equal(item.name.n, row.n_name);
		assert_int_equal(item.word[0], want.word[0]);
		assert_int_equal(item.word[1], want.word[1]);
		assert_int_equal(item.latency, row.latency * SCALE);
		assert_int_equal(item.step, bulk_step(&bulk->steps, item.latency));
		assert_ptr_equal(text + pairs->end[i], row.end);
	}
	/* What follows was left for a reason: enough had been separated, one perhaps not ended. */
	assert_true(pairs->n + 1 >= PAIRS_ENOUGH || p >= compared || !read_slowly(p, &row) ||
		    row.end > compared || has_crowded_block(text, blocks));
}

static void check_rows(struct rng *r, unsigned resolution)
{
	struct counter c = counter_of(resolution);
	size_t read = 0;

	for (int round = 0; round < 8000 && c.pairs != NULL; round++) {
		/* Of its own size, so that a read beyond what may be read is seen. */
		char made[ROWS * 64], *text;
		size_t n = 0, rows = rng_below(r, ROWS);

		for (size_t i = 0; i < rows; i++)
			n += make_row(r, made + n, round % 3 == 0 ? 0 : 4);
		text = malloc(n + PLAIN_REACH);
		assert_non_null(text);
		memcpy(text, made, n);
		memset(text + n, rng_below(r, 2) ? ',' : '\n', PLAIN_REACH);
		short_pairs_read(c.pairs, text, text + n);
		check(c.pairs, c.bulk, text, text + n);
		read += c.pairs->n;
		free(text);
	}
	assert_true(c.pairs == NULL || read > 50000);
	counter_free(&c);
}

/* Of one bucket an octave, and of more. */
static void reads_what_single_bytes_say(void **state)
{
	static const unsigned resolutions[] = { 1, 2, 8 };
	struct rng r = rng_start(11);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(resolutions); i++)
		check_rows(&r, resolutions[i]);
}

/* Every number of up to 8 digits beside which a bucket begins. */
static void finds_the_step_of_each_number(void **state)
{
	struct counter c = counter_of(1);

	(void)state;
	for (uint64_t power = 1; power < 100000000 && c.pairs != NULL; power *= 2) {
		for (uint64_t v = power > 1 ? power - 2 : 0; v <= power + 1; v++) {
			char text[PAIRS_BLOCK + PLAIN_REACH] = { 0 };

			(void)snprintf(text, sizeof(text), "a,%llu\n", (unsigned long long)v);
			short_pairs_read(c.pairs, text, text + PAIRS_BLOCK);
			assert_int_equal(c.pairs->n, 1);
			assert_int_equal(c.pairs->step[0], bulk_step(&c.bulk->steps, v * SCALE));
		}
	}
	counter_free(&c);
}

/* Rows of 4 bytes are as many as a block may have; of 3 there are more. */
static void takes_no_crowded_block(void **state)
{
	static const struct {
		const char *row;
		size_t n;
	} cases[] = { { "a,1\n", PAIRS_ENOUGH }, { ",1\n", 0 } };
	struct counter c = counter_of(1);

	(void)state;
	for (size_t k = 0; k < COUNT_OF(cases) && c.pairs != NULL; k++) {
		char text[BYTES + PLAIN_REACH] = { 0 };
		size_t n = strlen(cases[k].row);

		for (size_t i = 0; i + n <= BYTES; i += n)
			memcpy(text + i, cases[k].row, n);
		short_pairs_read(c.pairs, text, text + BYTES);
		assert_int_equal(c.pairs->n, cases[k].n);
	}
	counter_free(&c);
}

/* Names up to the first new one have slots, and these are theirs. */
static void finds_names_that_are_known(void **state)
{
	static const char text[] = "read,1\nwrite,2\nread,3\na_longer_name,4\nwrite,5\n"
				   "                                                    ";
	struct counter c = counter_of(1);

	(void)state;
	for (size_t known = 1; known <= 3 && c.pairs != NULL; known++) {
		static const char *const names[] = { "read", "write", "a_longer_name" };
		static const size_t found[] = { 1, 3, 5 }, slot[] = { 0, 1, 0, 2, 1 };
		struct bulk_item item;
		struct sample sample = { .layer = STR(""),
					 .name = str_from(names[known - 1]),
					 .latency = decimal_from_u64(1) };

		bulk_set_any_name(&item, sample.name);
		bulk_set_hash(&item);
		assert_true(bulk_learn(c.bulk, &item, &sample));
		short_pairs_read(c.pairs, text, text + PAIRS_BLOCK);
		assert_int_equal(c.pairs->n, 5);
		short_pairs_find(c.pairs);
		assert_int_equal(c.pairs->n, found[known - 1]);
		for (size_t i = 0; i < c.pairs->n; i++)
			assert_ptr_equal(c.pairs->slot[i], bulk_at(c.bulk, slot[i]));
	}
	counter_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_single_bytes_say),
		cmocka_unit_test(finds_the_step_of_each_number),
		cmocka_unit_test(takes_no_crowded_block),
		cmocka_unit_test(finds_names_that_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
