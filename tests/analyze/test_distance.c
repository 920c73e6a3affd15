/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every distance against values computed exactly, recorded in tests/oracle, and
 * against what has to hold for any pair of histograms.
 */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/distance.h"
#include "base/diag.h"
#include "base/input/input_file.h"
#include "base/scan.h"
#include "tests/unit/cells.h"

static const char *oracle_path;

enum { ORACLE_LIMIT = 1 << 24 };

struct oracle_case {
	struct histogram before, after;
	struct bucket_scheme scheme; /* of both */
	struct cells room[2];
	double expected[N_METRICS];
};

static void read_buckets(struct cursor *line, const struct bucket_scheme *scheme,
			 struct cells *room, struct histogram *ret)
{
	struct histogram h = histogram_in(room, scheme);

	scan_blanks(line);
	while (!cursor_done(line)) {
		uint64_t count = 0;
		int index = 0;

		assert_true(scan_int(line, &index));
		assert_true(scan_char(line, ':'));
		assert_true(scan_u64(line, &count));
		scan_blanks(line);
		put_bucket(&h, index, count);
	}
	*ret = h;
}

static bool next_line(struct cursor *c, struct cursor *ret, struct str *ret_word)
{
	do {
		if (!scan_line(c, ret))
			return false;
	} while (!scan_word(ret, ret_word) || ret_word->p[0] == '#');
	return true;
}

static bool next_case(struct cursor *c, struct oracle_case *ret)
{
	struct cursor line;
	struct str word;
	int number, resolution = 0;

	if (!next_line(c, &line, &word))
		return false;
	assert_true(str_eq(word, STR("case")));
	scan_blanks(&line);
	assert_true(scan_int(&line, &number) && scan_literal(&line, STR(" resolution ")));
	assert_true(scan_int(&line, &resolution));
	assert_true(next_line(c, &line, &word) && str_eq(word, STR("before")));
	ret->scheme = bucket_log2((unsigned)resolution);
	read_buckets(&line, &ret->scheme, &ret->room[0], &ret->before);
	assert_true(next_line(c, &line, &word) && str_eq(word, STR("after")));
	read_buckets(&line, &ret->scheme, &ret->room[1], &ret->after);
	for (int i = 0; i < N_METRICS; i++) {
		enum metric m = METRIC_EMD;

		assert_true(next_line(c, &line, &word) && distance_by_name(word, &m));
		scan_blanks(&line);
		assert_true(scan_f64(&line, &ret->expected[m]));
	}
	return true;
}

static bool near(double got, double expected)
{
	if (isinf(expected) || expected == 0)
		return got == expected;
	return fabs(got - expected) <= 1e-9 * fabs(expected);
}

/* A tail probability is as far off as its statistic is: relative error of exp(-x/2). */
static bool near_tail(double got, double expected, double statistic)
{
	return fabs(got - expected) <= (1e-9 + 1e-12 * statistic) * expected + 1e-300;
}

static void agrees_with_exact_values(void **state)
{
	static struct oracle_case c;
	struct diag diag = { .emit = NULL };
	struct aligned a;
	struct input in;
	struct cursor at;
	int cases = 0;

	(void)state;
	assert_true(input_open(&in, oracle_path, ORACLE_LIMIT, &diag));
	at = cursor_on(&in);
	aligned_init(&a);
	while (next_case(&at, &c)) {
		double got[N_METRICS];

		align(&a, &c.before, &c.after, 1);
		assert_false(a.approximated);
		distance_all(&a, got);
		for (int m = 0; m < N_METRICS; m++) {
			bool ok = m == METRIC_CHI_SQUARE_P
					  ? near_tail(got[m], c.expected[m],
						      c.expected[METRIC_CHI_SQUARE])
					  : near(got[m], c.expected[m]);

			if (!ok)
				fail_msg("case %d: %s is %.17g, expected %.17g", cases,
					 distance_at((enum metric)m)->name, got[m], c.expected[m]);
			if (m != METRIC_CHI_SQUARE_P && m != METRIC_JENSEN_SHANNON)
				assert_true(distance_at((enum metric)m)->between(&a) == got[m]);
		}
		cases++;
	}
	assert_int_equal(cases, 300);
	aligned_release(&a);
	input_release(&in);
}

static void compare(const struct operation *x, const struct operation *y, double got[N_METRICS])
{
	struct aligned a;

	aligned_init(&a);
	align(&a, &x->hist, &y->hist, 1);
	distance_all(&a, got);
	aligned_release(&a);
}

/* before 1, 0, 0, 3 in buckets 4..7; after 0, 2, 0, 2.
 * CDFs: 1/4 1/4 1/4 1 and 0 1/2 1/2 1: |differences| 1/4 + 1/4 + 1/4 = 0.75 octaves.
 * chi-square, A = B = 4: 1/1 + 4/2... = (1-0)^2/1 + (0-2)^2/2 + (3-2)^2/5 = 3.2. */
static void hand_worked(void **state)
{
	struct profile *p = made_profile("op a\n4 1\n7 3\nop b\n5 2\n7 2\n");
	double got[N_METRICS];

	(void)state;
	compare(&p->op[0], &p->op[1], got);
	assert_true(near(got[METRIC_EMD], 0.75));
	assert_true(near(got[METRIC_CHI_SQUARE], 3.2));
	assert_true(got[METRIC_CHI_SQUARE_DF] == 2);
	assert_true(near(got[METRIC_CHI_SQUARE_P], exp(-1.6))); /* df 2: exp(-x/2) */
	assert_true(isinf(got[METRIC_KL]));
	assert_true(near(got[METRIC_MINKOWSKI_L1], 1));
	assert_true(near(got[METRIC_INTERSECTION], 0.5));
	assert_true(near(got[METRIC_KS], 0.25));
	profile_free(p);
}

/* The same calls in finer buckets lie as far apart. */
static void emd_is_in_octaves_at_any_resolution(void **state)
{
	struct profile *p = made_profile("op a\n4 10\nop b\n7 10\n"
					 "op fine a\nbuckets log2 4\n16 10\n"
					 "op fine b\nbuckets log2 4\n28 10\n");
	double coarse[N_METRICS], ok[N_METRICS];

	(void)state;
	compare(&p->op[0], &p->op[1], coarse);
	compare(&p->op[2], &p->op[3], ok);
	assert_true(near(coarse[METRIC_EMD], 3));
	assert_true(near(ok[METRIC_EMD], 3));
	profile_free(p);
}

/* The zero bucket lies one bucket below [1, 2). */
static void zero_is_one_bucket_below_the_lowest(void **state)
{
	struct profile *p = made_profile("op a\nzero 10\nop b\n3 10\n");
	double got[N_METRICS];

	(void)state;
	compare(&p->op[0], &p->op[1], got);
	assert_true(near(got[METRIC_EMD], 4));
	profile_free(p);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static struct histogram random_histogram(uint64_t *state, struct cells *room)
{
	struct histogram h = histogram_in(room, &bucket_octaves);

	for (int i = 0; i < 30; i++) {
		uint64_t r = next_random(state);

		if (r % 3 != 0)
			continue;
		put_bucket(&h, i, 1 + (r >> 8) % 1000);
	}
	return h;
}

static void between(const struct histogram *x, const struct histogram *y, double got[N_METRICS])
{
	struct aligned a;

	aligned_init(&a);
	align(&a, x, y, 1);
	distance_all(&a, got);
	aligned_release(&a);
}

static void is_symmetric(const double there[N_METRICS], const double back[N_METRICS])
{
	static const enum metric symmetric[] = {
		METRIC_EMD,	     METRIC_CHI_SQUARE,	  METRIC_CHI_SQUARE_EFFECT, METRIC_JEFFREY,
		METRIC_MINKOWSKI_L1, METRIC_MINKOWSKI_L2, METRIC_INTERSECTION,	    METRIC_KS,
	};

	for (size_t i = 0; i < COUNT_OF(symmetric); i++)
		assert_true(near(there[symmetric[i]], back[symmetric[i]]));
	assert_true(near(there[METRIC_TOTAL_LATENCY], -back[METRIC_TOTAL_LATENCY]));
}

static void metrics_are_metrics(void **state)
{
	static struct cells room[3];
	uint64_t seed = 0x9e3779b97f4a7c15;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct histogram x = random_histogram(&seed, &room[0]);
		struct histogram y = random_histogram(&seed, &room[1]);
		struct histogram z = random_histogram(&seed, &room[2]);
		double xx[N_METRICS], xy[N_METRICS], yx[N_METRICS], yz[N_METRICS], xz[N_METRICS];

		if (x.n == 0 || y.n == 0 || z.n == 0)
			continue;
		between(&x, &x, xx);
		between(&x, &y, xy);
		between(&y, &x, yx);
		between(&y, &z, yz);
		between(&x, &z, xz);
		assert_true(xx[METRIC_EMD] == 0 && xx[METRIC_KL] == 0 && xx[METRIC_JEFFREY] == 0);
		assert_true(xx[METRIC_CHI_SQUARE] == 0 && xx[METRIC_CHI_SQUARE_P] == 1);
		is_symmetric(xy, yx);
		assert_true(xz[METRIC_EMD] <= xy[METRIC_EMD] + yz[METRIC_EMD] + 1e-12);
		assert_true(xz[METRIC_MINKOWSKI_L2] <=
			    xy[METRIC_MINKOWSKI_L2] + yz[METRIC_MINKOWSKI_L2] + 1e-12);
		assert_true(xy[METRIC_CHI_SQUARE_EFFECT] >= 0 && xy[METRIC_CHI_SQUARE_EFFECT] <= 1);
		assert_true(xy[METRIC_JEFFREY] <= 2 * M_LN2 + 1e-12 && xy[METRIC_KL] >= 0);
	}
}

/* Ten times the calls have the same shape. */
static void shapes_do_not_depend_on_counts(void **state)
{
	static const enum metric shape[] = { METRIC_EMD, METRIC_CHI_SQUARE_EFFECT, METRIC_JEFFREY,
					     METRIC_MINKOWSKI_L1, METRIC_KS };
	static struct cells room[2];
	uint64_t seed = 12345;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct histogram x = random_histogram(&seed, &room[0]);
		struct histogram y = random_histogram(&seed, &room[1]);
		double once[N_METRICS], tenfold[N_METRICS];

		between(&x, &y, once);
		for (size_t i = 0; i < y.n; i++)
			y.bucket[i].count *= 10;
		y.count *= 10;
		between(&x, &y, tenfold);
		for (size_t i = 0; i < COUNT_OF(shape); i++)
			assert_true(near(once[shape[i]], tenfold[shape[i]]));
	}
}

/* Buckets of a power of two against linear ones of 8: those below 16 nest, [32, 64)
 * holds four linear ones; nothing has to be split. */
static void other_buckets_that_fit_are_exact(void **state)
{
	struct profile *p =
		made_profile("op a\n3 4\n5 8\nop b\nbuckets linear 0 8\n1 4\n4 2\n7 6\n");
	struct aligned a;

	(void)state;
	aligned_init(&a);
	align(&a, &p->op[0].hist, &p->op[1].hist, 1);
	assert_false(a.approximated);
	assert_true(distance_at(METRIC_EMD)->between(&a) == 0);
	aligned_release(&a);
	profile_free(p);
}

/* [0, 100) holds [64, 100) and more: it has to be split, and that is said. */
static void other_buckets_that_do_not_fit_are_approximated(void **state)
{
	struct profile *p = made_profile("op a\n6 1000\nop b\nbuckets linear 0 100\n0 1000\n");
	struct aligned a;

	(void)state;
	aligned_init(&a);
	align(&a, &p->op[0].hist, &p->op[1].hist, 1);
	assert_true(a.approximated);
	assert_true(a.n_after == 1000);
	/* Evenly spread, 36 of 100 lie in [64, 100). */
	for (size_t i = 0; i < a.n; i++) {
		if (a.before[i] > 0)
			assert_true(a.after[i] == 360);
	}
	aligned_release(&a);
	profile_free(p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_exact_values),
		cmocka_unit_test(hand_worked),
		cmocka_unit_test(emd_is_in_octaves_at_any_resolution),
		cmocka_unit_test(zero_is_one_bucket_below_the_lowest),
		cmocka_unit_test(metrics_are_metrics),
		cmocka_unit_test(shapes_do_not_depend_on_counts),
		cmocka_unit_test(other_buckets_that_fit_are_exact),
		cmocka_unit_test(other_buckets_that_do_not_fit_are_approximated),
	};

	if (argc != 2)
		return 2;
	oracle_path = argv[1];
	return cmocka_run_group_tests_name("distance", tests, NULL, NULL);
}
