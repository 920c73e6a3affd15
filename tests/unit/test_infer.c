/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemes found after printed rows. */
#include "tests/unit/unit.h"

#include <math.h>

#include "base/arena.h"
#include "profile/infer.h"

enum { ROWS = 60 };

struct rows {
	struct row row[ROWS];
	size_t n;
};

static void add_row(struct rows *rows, double low, double high)
{
	assert_true(rows->n < ROWS);
	rows->row[rows->n++] = (struct row){ low, high };
}

static bool scheme_of(const struct rows *rows, struct bucket_scheme *ret)
{
	struct inference f;

	inference_start(&f);
	for (size_t i = 0; i < rows->n; i++)
		inference_row(&f, rows->row[i].low, rows->row[i].high);
	return inference_scheme(&f, ret);
}

static bool near(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-9 * fabs(b);
}

/* Every row is a bucket of s. */
static void agrees(const struct bucket_scheme *s, const struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		double low = rows->row[i].low, high = rows->row[i].high;
		double middle = isinf(low)    ? high - 1e-6 * fabs(high) - 1e-6
				: isinf(high) ? low + 1e-6 * fabs(low) + 1e-6
					      : low + (high - low) / 2;
		int k = bucket_find(s, middle);

		if (!near(bucket_low(s, k), low) || !near(bucket_high(s, k), high))
			fail_msg("row [%.17g, %.17g) is [%.17g, %.17g) of kind %d r %u step %g",
				 low, high, bucket_low(s, k), bucket_high(s, k), (int)s->kind,
				 s->resolution, s->step);
	}
}

/* The rows as a collector would print them: some missing, the ends open. */
static void print_rows(struct rng *r, const struct bucket_scheme *s, int from, int to,
		       struct rows *rows)
{
	rows->n = 0;
	for (int i = from; i <= to && rows->n < ROWS; i++) {
		if (rng_below(r, 3) > 0 && bucket_exists(s, i))
			add_row(rows, bucket_low(s, i), bucket_high(s, i));
	}
}

/* The scheme, or where there is none the edges: either agrees on every row. */
static void something_agrees(struct rows *rows, struct bucket_scheme *ret)
{
	struct arena *a = arena_new();

	if (!scheme_of(rows, ret)) {
		assert_true(inference_edges(a, rows->row, rows->n, ret));
		agrees(ret, rows);
		ret->edge = NULL;
	} else {
		agrees(ret, rows);
	}
	arena_free(a);
}

static void log2_rows_give_log2(void **state)
{
	struct rng r = rng_start(30);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned resolution = 1 + rng_below(&r, 16);
		struct bucket_scheme s = bucket_log2(resolution), found;
		struct rows rows;

		s.first = (int)rng_below(&r, 40) - 20;
		if (rng_below(&r, 2))
			s.limit = s.first + 10 + (int)rng_below(&r, 30);
		print_rows(&r, &s, s.first - 2, s.first + 39 < s.limit ? s.first + 39 : s.limit,
			   &rows);
		something_agrees(&rows, &found);
		if (rows.n > 5 && (found.kind != BUCKET_LOG2 || found.resolution != resolution))
			fail_msg("r %u first %d limit %d became kind %d r %u", resolution, s.first,
				 s.limit, (int)found.kind, found.resolution);
	}
}

/* Rows of widths 2 and 4 tell the resolution; of narrower ones any will do. */
static void log_linear_rows_give_log_linear(void **state)
{
	struct rng r = rng_start(31);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned resolution = 2U << rng_below(&r, 6);
		struct bucket_scheme s = bucket_log_linear(resolution, 1), found;
		int from = (int)rng_below(&r, 3 * resolution);
		struct rows rows;

		print_rows(&r, &s, from - 1, from + ROWS - 2, &rows);
		something_agrees(&rows, &found);
		if (rows.n > 5 && rows.row[rows.n - 1].high - rows.row[rows.n - 1].low > 2) {
			assert_int_equal(found.kind, BUCKET_LOG_LINEAR);
			assert_int_equal(found.resolution, resolution);
		}
	}
}

static void linear_rows_give_linear(void **state)
{
	struct rng r = rng_start(32);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double step = (double)(3 + 2 * rng_below(&r, 50)); /* no doubling has these */
		struct bucket_scheme s = bucket_linear((double)rng_below(&r, 1000) - 500, step);
		struct bucket_scheme found;
		struct rows rows;

		s.first = (int)rng_below(&r, 10) - 5;
		s.limit = s.first + 10 + (int)rng_below(&r, 30);
		print_rows(&r, &s, s.first - 1, s.limit, &rows);
		something_agrees(&rows, &found);
		if (rows.n > 8 && found.kind != BUCKET_LINEAR)
			fail_msg("step %g origin %g became kind %d", step, s.origin,
				 (int)found.kind);
	}
}

/* Anything that does not overlap has edges, and what was found agrees with it. */
static void rows_of_no_scheme_give_edges(void **state)
{
	struct rng r = rng_start(33);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct bucket_scheme found;
		struct rows rows = { .n = 0 };
		double at = (double)rng_below(&r, 50) - 10;

		if (rng_below(&r, 4) == 0)
			add_row(&rows, -HUGE_VAL, at);
		for (unsigned n = 1 + rng_below(&r, 8); n > 0; n--) {
			double width = 1 + rng_below(&r, 9);

			at += rng_below(&r, 2) ? 0 : 1 + rng_below(&r, 9);
			add_row(&rows, at, at + width);
			at += width;
		}
		if (rng_below(&r, 4) == 0)
			add_row(&rows, at, HUGE_VAL);
		something_agrees(&rows, &found);
	}
}

static void far_rows_agree_too(void **state)
{
	struct rows rows = { .n = 0 };
	struct bucket_scheme found;

	(void)state;
	add_row(&rows, 5e9, 5e9 + 1); /* times since boot, one apart */
	add_row(&rows, 5e9 + 7, 5e9 + 8);
	something_agrees(&rows, &found);
	rows.n = 0;
	add_row(&rows, -5e12, -5e12 + 3);
	add_row(&rows, 5e12 + 1, 5e12 + 4);
	something_agrees(&rows, &found);
}

/* What one operation has as its open top another one may tell apart. */
static void rows_beyond_an_open_one_are_no_scheme(void **state)
{
	struct rows rows = { .n = 0 };
	struct bucket_scheme found;

	(void)state;
	add_row(&rows, 8, 16);
	add_row(&rows, 16, HUGE_VAL);
	assert_true(scheme_of(&rows, &found));
	assert_int_equal(found.limit, 4);
	add_row(&rows, 32, 64);
	assert_false(scheme_of(&rows, &found));
}

static void by_hand(void **state)
{
	struct rows rows = { .n = 0 };
	struct bucket_scheme found;

	(void)state;
	assert_true(scheme_of(&rows, &found)); /* nothing at all: anything */
	add_row(&rows, 1000, 2000);	       /* twice, but no power of two */
	assert_true(scheme_of(&rows, &found));
	assert_int_equal(found.kind, BUCKET_LINEAR);
	rows.n = 0;
	add_row(&rows, -HUGE_VAL, 0); /* lhist(x, 0, 100, 10) */
	add_row(&rows, 10, 20);
	add_row(&rows, 90, 100);
	add_row(&rows, 100, HUGE_VAL);
	assert_true(scheme_of(&rows, &found));
	assert_true(found.kind == BUCKET_LINEAR && found.step == 10);
	assert_true(bucket_low(&found, found.first) == 0 && bucket_low(&found, found.limit) == 100);
}

/* The first row of an octave that is cut into 2^19 and 2^20 parts: more are no log-linear
 * scheme that a collector has. */
static void parts_of_an_octave_have_a_limit(void **state)
{
	struct rows rows = { .n = 0 };
	struct bucket_scheme found;

	(void)state;
	add_row(&rows, 0x1p20, 0x1p20 + 2);
	assert_true(scheme_of(&rows, &found));
	assert_int_equal(found.kind, BUCKET_LOG_LINEAR);
	assert_int_equal(found.resolution, 1 << 19);
	rows.n = 0;
	add_row(&rows, 0x1p21, 0x1p21 + 2);
	assert_true(scheme_of(&rows, &found));
	assert_int_equal(found.kind, BUCKET_LINEAR);
}

/* lhist(x, -5, 25, 10): the row around zero does not begin at a multiple of 10. */
static void linear_rows_around_zero_are_linear(void **state)
{
	struct rows rows = { .n = 0 };
	struct bucket_scheme found;

	(void)state;
	add_row(&rows, -5, 5);
	add_row(&rows, 5, 15);
	add_row(&rows, 15, 25);
	assert_true(scheme_of(&rows, &found));
	assert_int_equal(found.kind, BUCKET_LINEAR);
	agrees(&found, &rows);
}

static void edges_by_hand(void **state)
{
	struct row row[] = { { 5, 7 }, { 1, 2 }, { 5, 7 }, { 2, 4 }, { 7, HUGE_VAL } };
	static const double expected[] = { 1, 2, 4, 5, 7 };
	struct arena *a = arena_new();
	struct bucket_scheme s;

	(void)state;
	assert_true(inference_edges(a, row, COUNT_OF(row), &s));
	assert_int_equal(s.n_edges, COUNT_OF(expected));
	for (size_t i = 0; i < s.n_edges; i++)
		assert_true(s.edge[i] == expected[i]);
	arena_free(a);
}

static void overlapping_rows_have_no_edges(void **state)
{
	struct row inside[] = { { 1, 10 }, { 2, 3 } }, across[] = { { 1, 3 }, { 2, 4 } };
	struct row open[] = { { 1, HUGE_VAL }, { 5, 6 } }, same_low[] = { { 1, 2 }, { 1, 3 } };
	struct row below[] = { { -HUGE_VAL, 3 }, { 2, 5 } };
	struct arena *a = arena_new();
	struct bucket_scheme s;

	(void)state;
	assert_false(inference_edges(a, inside, 2, &s));
	assert_false(inference_edges(a, across, 2, &s));
	assert_false(inference_edges(a, open, 2, &s));
	assert_false(inference_edges(a, same_low, 2, &s));
	assert_false(inference_edges(a, below, 2, &s));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log2_rows_give_log2),
		cmocka_unit_test(log_linear_rows_give_log_linear),
		cmocka_unit_test(linear_rows_give_linear),
		cmocka_unit_test(rows_of_no_scheme_give_edges),
		cmocka_unit_test(far_rows_agree_too),
		cmocka_unit_test(rows_beyond_an_open_one_are_no_scheme),
		cmocka_unit_test(by_hand),
		cmocka_unit_test(parts_of_an_octave_have_a_limit),
		cmocka_unit_test(linear_rows_around_zero_are_linear),
		cmocka_unit_test(edges_by_hand),
		cmocka_unit_test(overlapping_rows_have_no_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
