/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short pairs that are read at once: each row is what a reading byte by byte makes of it, none is
 * passed over, and none is read that is not whole, or longer.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "formats/general/short_pairs.h"

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

static void check(const struct short_pairs *pairs, const char *text, const char *end)
{
	size_t blocks = (size_t)(end - text) / PAIRS_BLOCK;
	const char *p = text, *compared = text + blocks * PAIRS_BLOCK;
	struct expected row;

	assert_true(pairs->n <= PAIRS_MOST);
	for (size_t i = 0; i < pairs->n; i++, p = row.end) {
		struct bulk_item item = short_pairs_item(pairs, i), want;

		assert_true(read_slowly(p, &row));
		assert_true(row.end <= compared);
		bulk_name(&want, (struct str){ row.name, row.n_name });
		assert_int_equal(item.name.n, row.n_name);
		assert_int_equal(item.word[0], want.word[0]);
		assert_int_equal(item.word[1], want.word[1]);
		assert_int_equal(item.latency, row.latency * SCALE);
		assert_ptr_equal(text + pairs->end[i], row.end);
	}
	/* What follows was left for a reason: enough had been separated, one perhaps not ended. */
	assert_true(pairs->n + 1 >= PAIRS_ENOUGH || p >= compared || !read_slowly(p, &row) ||
		    row.end > compared || has_crowded_block(text, blocks));
}

static void reads_what_single_bytes_say(void **state)
{
	struct short_pairs *pairs;
	struct rng r = rng_start(11);
	size_t read = 0;

	(void)state;
	if (!short_pairs_work())
		skip();
	pairs = calloc(1, sizeof(*pairs));
	assert_non_null(pairs);
	for (int round = 0; round < 20000; round++) {
		/* Of its own size, so that a read beyond what may be read is seen. */
		char made[ROWS * 64], *text;
		size_t n = 0, rows = rng_below(&r, ROWS);

		for (size_t i = 0; i < rows; i++)
			n += make_row(&r, made + n, round % 3 == 0 ? 0 : 4);
		text = malloc(n + PLAIN_REACH);
		assert_non_null(text);
		memcpy(text, made, n);
		memset(text + n, rng_below(&r, 2) ? ',' : '\n', PLAIN_REACH);
		short_pairs_read(pairs, ',', SCALE, text, text + n);
		check(pairs, text, text + n);
		read += pairs->n;
		free(text);
	}
	assert_true(read > 100000);
	free(pairs);
}

/* Rows of 4 bytes are as many as a block may have; of 3 there are more. */
static void takes_no_crowded_block(void **state)
{
	static const struct {
		const char *row;
		size_t n;
	} cases[] = { { "a,1\n", PAIRS_ENOUGH }, { ",1\n", 0 } };

	(void)state;
	if (!short_pairs_work())
		skip();
	for (size_t k = 0; k < COUNT_OF(cases); k++) {
		struct short_pairs *pairs = calloc(1, sizeof(*pairs));
		char text[BYTES + PLAIN_REACH] = { 0 };
		size_t n = strlen(cases[k].row);

		for (size_t i = 0; i + n <= BYTES; i += n)
			memcpy(text + i, cases[k].row, n);
		assert_non_null(pairs);
		short_pairs_read(pairs, ',', SCALE, text, text + BYTES);
		assert_int_equal(pairs->n, cases[k].n);
		free(pairs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_single_bytes_say),
		cmocka_unit_test(takes_no_crowded_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
