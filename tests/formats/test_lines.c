/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as readers and probes take them, compared with the bytes one by one. */
#include "formats/lines.h"
#include "formats/text.h"
#include "tests/unit/unit.h"

enum { LONGEST = 24, ROUNDS = 50000 };

static bool is_around(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The line from `from` to before `to`, without blanks and ^C at its ends. */
static struct str bare(const char *text, size_t from, size_t to)
{
	for (;;) {
		while (from < to && is_around(text[from]))
			from++;
		while (to > from && is_around(text[to - 1]))
			to--;
		if (to - from < 2 || text[from] != '^' || text[from + 1] != 'C')
			return (struct str){ text + from, to - from };
		from += 2;
	}
}

static void assert_str_equal(struct str got, struct str expected)
{
	assert_int_equal(got.n, expected.n);
	if (got.n > 0)
		assert_ptr_equal(got.p, expected.p);
}

/* The line from `from` to before `to` is taken as a number where it is digits and a newline. */
static void check_number(const struct lines *before, const char *text, size_t from, size_t to)
{
	struct lines lines = *before, usual = *before;
	size_t n = to - from;
	bool expected = n > 0 && n <= SHORT_DIGITS && lines.rest.end > to;
	uint64_t v, value = 0;

	for (size_t i = from; i < to; i++) {
		expected &= text[i] >= '0' && text[i] <= '9';
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	assert_int_equal(lines_next_short_u64(&lines, &v), expected);
	if (!expected) {
		assert_int_equal(lines.rest.at, before->rest.at);
		return;
	}
	assert_true(v == value);
	assert_true(lines_next(&usual));
	assert_str_equal(lines.text, usual.text);
	assert_int_equal(lines.rest.at, usual.rest.at);
	assert_int_equal(lines.at, usual.at);
	assert_int_equal(lines.cut, usual.cut);
}

static void check(struct str text)
{
	struct diag diag = { 0 };
	struct input in = { .name = STR("test"), .bytes = text };
	struct lines lines;
	struct str rest = text, line = { NULL, 0 };

	lines_start(&lines, &in, &diag);
	for (size_t from = 0, to; from < text.n; from = to + 1) {
		for (to = from; to < text.n && text.p[to] != '\n'; to++)
			;
		assert_true(text_line(&rest, &line));
		assert_str_equal(line, bare(text.p, from, to));
		check_number(&lines, text.p, from, to);
		assert_true(lines_next(&lines));
		assert_str_equal(lines.text, bare(text.p, from, to));
		assert_int_equal(lines.cut, to == text.n && text.p[to - 1] != '\r');
	}
	assert_false(text_line(&rest, &line));
	assert_false(lines_next(&lines));
	input_release(&in);
}

static void takes_lines_of(const char *letters)
{
	struct rng r = rng_start(1);

	for (int round = 0; round < ROUNDS; round++) {
		char text[LONGEST];
		size_t n = (size_t)rng_below(&r, LONGEST);

		for (size_t i = 0; i < n; i++)
			text[i] = letters[rng_below(&r, strlen(letters))];
		check((struct str){ text, n });
	}
}

static void takes_lines(void **state)
{
	(void)state;
	takes_lines_of("ab  \t\r\n\n^^CC\x01\x7f\xc3");
	takes_lines_of("0123456789\n\n \r");
	takes_lines_of("9999999999999999999999\n"); /* some beyond 64 bits */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(takes_lines) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
