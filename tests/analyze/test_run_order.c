/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences between runs in the order in which they were made: against R's gls()
 * (tests/oracle/run_order.R), properties, and how often nothing is taken for something. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rank/runs.h"
#include "analyze/run_order.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"

enum { MAX_RUNS = 16, MAX_LINE = 400 };

static const char *oracle_path;

/* Runs as they are numbered, those of before first, from numbers in the order of time. */
struct series {
	size_t run[MAX_RUNS], n, n_before;
	double value[MAX_RUNS], covariate[MAX_RUNS];
	bool adjusted; /* for the covariate */
	struct run_order order;
};

/* `sides` has a letter a run, a or b; with `reversed` time runs backwards, with `turned` the
 * sides change places. */
static struct series series_of(const char *sides, const double *value, bool reversed, bool turned)
{
	struct series s = { .n = strlen(sides) };
	char before = turned ? 'b' : 'a';
	size_t next[2] = { 0 };

	for (size_t i = 0; i < s.n; i++)
		s.n_before += sides[i] == before;
	next[1] = s.n_before;
	for (size_t i = 0; i < s.n; i++) {
		size_t number = next[sides[i] != before]++;

		s.run[reversed ? s.n - 1 - i : i] = number;
		s.value[number] = value[i];
	}
	return s;
}

static struct in_order compared(struct series *s)
{
	struct in_order r = { .difference = NAN };

	s->order = (struct run_order){ .run = s->run, .n = s->n };
	assert_true(difference_in_order(&s->order, s->value, s->adjusted ? s->covariate : NULL,
					s->n_before, &r));
	return r;
}

static bool close_to(double is, double should)
{
	return fabs(is - should) <= 1e-9 * fabs(should);
}

/* The numbers from here to the end of the line. */
static size_t values_of(const char *at, double *ret)
{
	size_t n = 0;
	char *end;

	for (;; at = end) {
		double v = strtod(at, &end);

		if (end == at)
			return n;
		ret[n++] = v;
	}
}

/* Either way round, in time and between the sides. `covariate` may be NULL. */
static void check_case(const char *sides, const double *value, const double *covariate,
		       const struct in_order *should)
{
	for (int way = 0; way < 4; way++) {
		bool turned = way & 2;
		struct series s = series_of(sides, value, way & 1, turned);
		struct in_order is;

		if (covariate != NULL) {
			struct series of = series_of(sides, covariate, way & 1, turned);

			memcpy(s.covariate, of.value, sizeof(s.covariate));
			s.adjusted = true;
		}
		is = compared(&s);

		assert_true(close_to(turned ? -is.difference : is.difference, should->difference));
		assert_true(close_to(is.error, should->error));
		assert_true(close_to(is.slope, should->slope));
	}
}

static void differences_are_those_of_gls(void **state)
{
	FILE *f = fopen(oracle_path, "r");
	char line[MAX_LINE], values[MAX_LINE];
	double value[MAX_RUNS], covariate[MAX_RUNS];
	int n = 0, n_adjusted = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		char *sides = line + strlen("case "), *end = strchr(sides, ' ');
		double should[3] = { 0 };
		bool adjusted;

		if (line[0] == '#')
			continue;
		assert_non_null(fgets(values, sizeof(values), f));
		adjusted = values_of(end, should) == 3;
		*end = '\0';
		assert_int_equal(values_of(values, value), strlen(sides));
		if (adjusted) {
			assert_non_null(fgets(values, sizeof(values), f));
			assert_int_equal(values_of(values, covariate), strlen(sides));
		}
		check_case(sides, value, adjusted ? covariate : NULL,
			   &(struct in_order){ should[0], should[1], should[2] });
		n_adjusted += adjusted;
		n++;
	}
	(void)fclose(f);
	assert_int_equal(n, 11);
	assert_int_equal(n_adjusted, 4);
}

/* Of sides that took turns a drift is known for what it is; of sides one of which came after
 * the other a slope may be a step, and a step has to stand out to be one. */
static void a_drift_is_no_difference(void **state)
{
	double drift[MAX_RUNS], step[MAX_RUNS];
	struct in_order turns, blocks, both;
	struct series s;

	(void)state;
	for (int i = 0; i < 10; i++) {
		drift[i] = 0.1 * i + (i % 3 == 0 ? 0.01 : 0);
		step[i] = (i < 5 ? 0 : 3) + (i % 3 == 0 ? 0.1 : 0) + (i % 4 == 0 ? 0.05 : 0);
	}
	s = series_of("ababababab", drift, false, false);
	turns = compared(&s);
	s = series_of("aaaaabbbbb", drift, false, false);
	blocks = compared(&s);
	s = series_of("aaaaabbbbb", step, false, false);
	both = compared(&s);
	assert_true(t_tail(turns.difference / turns.error, 8) > 0.05);
	assert_true(t_tail(blocks.difference / blocks.error, 8) > 0.05);
	assert_true(t_tail(both.difference / both.error, 8) < 0.001);
	assert_true(fabs(both.difference - 3) < 0.2);
}

/* Level and unit do not matter; runs of a side that are all alike leave nothing to estimate. */
static void what_is_added_to_all_does_not_matter(void **state)
{
	static const double v[] = { 1.2, 1.5, 1.1, 1.7, 1.0, 1.4 };
	static const double similar[] = { 5, 6, 5, 6, 5, 6 };
	double w[COUNT_OF(v)];
	struct series s = series_of("ababab", v, false, false), moved;
	struct in_order one = compared(&s), other;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(v); i++)
		w[i] = 3 * v[i] + 40;
	moved = series_of("ababab", w, false, false);
	other = compared(&moved);
	assert_true(close_to(other.difference, 3 * one.difference));
	assert_true(close_to(other.error, 3 * one.error));
	s = series_of("ababab", similar, false, false);
	s.order = (struct run_order){ .run = s.run, .n = s.n };
	assert_false(difference_in_order(&s.order, s.value, NULL, s.n_before, &one));
}

/* --- how often nothing is taken for something -------------------------------------------- */

static bool varies_within(const double *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (v[i] != v[0])
			return true;
	}
	return false;
}

static double uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(6.283185307179586 * uniform(state));
}

/* The share of 4,000 series without any difference for which p is at most 0.05; `adjusted` for
 * a covariate that explains a part of the noise. */
static double false_share(const char *sides, double phi, bool heavy, bool adjusted)
{
	enum { SERIES = 4000, BEFORE = 30 };
	uint64_t state = 7;
	int found = 0;

	for (int k = 0; k < SERIES; k++) {
		double noise = 0, value[MAX_RUNS], slowness[MAX_RUNS];
		struct series s, of;
		struct in_order r;

		for (int i = -BEFORE; i < (int)strlen(sides); i++) {
			noise = phi * noise +
				normal(&state) * (heavy && uniform(&state) < 0.1 ? 5 : 1);
			if (i >= 0)
				value[i] = noise;
		}
		for (size_t i = 0; i < strlen(sides) && adjusted; i++) {
			slowness[i] = uniform(&state) < 0.5;
			value[i] = 0.3 * value[i] + slowness[i];
		}
		s = series_of(sides, value, false, false);
		if (adjusted) {
			of = series_of(sides, slowness, false, false);
			memcpy(s.covariate, of.value, sizeof(s.covariate));
			s.adjusted = varies_within(slowness, s.n);
		}
		r = compared(&s);
		found += t_tail(r.difference / r.error, (double)s.n - 2 - s.adjusted) <= 0.05;
	}
	return (double)found / SERIES;
}

static void nothing_is_found_where_nothing_is(void **state)
{
	static const char *const turns[] = { "abab", "ababab", "ababababab", "baabbaabab",
					     "abababbbbb" };
	static const char *const blocks[] = { "aabb", "aaabbb", "aaaaabbbbb", "aaaabbbbbb" };
	static const double phi[] = { 0, 0.3, 0.6, 0.9, 1 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(turns); i++) {
		for (size_t k = 0; k < COUNT_OF(phi); k++)
			assert_true(false_share(turns[i], phi[k], false, false) <= 0.07);
		assert_true(false_share(turns[i], 0, true, false) <= 0.07);
	}
	for (size_t i = 0; i < COUNT_OF(blocks); i++) {
		for (size_t k = 0; k < COUNT_OF(phi); k++)
			assert_true(false_share(blocks[i], phi[k], false, false) <= 0.08);
	}
	for (size_t k = 0; k < COUNT_OF(phi); k++)
		assert_true(false_share("ababababab", phi[k], false, true) <= 0.07);
}

/* --- which order it is -------------------------------------------------------------------- */

static struct run_order order_of(struct arena *a, const double *before, size_t n_before,
				 const double *after, size_t n_after)
{
	struct profile profile[MAX_RUNS] = { { .started = 0 } };
	const struct profile *run[MAX_RUNS];

	for (size_t k = 0; k < n_before + n_after; k++) {
		profile[k].started = k < n_before ? before[k] : after[k - n_before];
		run[k] = &profile[k];
	}
	return run_order_of(a, &(struct runs_side){ run, n_before, false },
			    &(struct runs_side){ run + n_before, n_after, false });
}

static void the_order_is_known_where_all_say_so(void **state)
{
	static const double a[] = { 100, 300.5, 500 }, b[] = { 200, 300.25, 600 };
	static const double c[] = { 300.5, 700, 900 }, d[] = { 0, 700, 900 };
	static const double late[] = { 700, 701, 702 };
	struct arena *arena = arena_new();
	struct run_order o = order_of(arena, a, 3, b, 3);

	(void)state;
	assert_int_equal(o.n, 6);
	assert_memory_equal(o.run, ((size_t[]){ 0, 3, 4, 1, 2, 5 }), 6 * sizeof(size_t));
	assert_true(o.turns);
	assert_false(order_of(arena, a, 3, late, 3).turns);
	assert_int_equal(order_of(arena, a, 3, late, 3).n, 6);
	assert_int_equal(order_of(arena, a, 3, c, 3).n, 0); /* two at once */
	assert_int_equal(order_of(arena, a, 3, d, 3).n, 0); /* one does not say */
	assert_int_equal(order_of(arena, a, 3, b, 1).n, 0);
	assert_int_equal(order_of(arena, a, 2, b, 2).n, 4);
	arena_free(arena);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_are_those_of_gls),
		cmocka_unit_test(a_drift_is_no_difference),
		cmocka_unit_test(what_is_added_to_all_does_not_matter),
		cmocka_unit_test(nothing_is_found_where_nothing_is),
		cmocka_unit_test(the_order_is_known_where_all_say_so),
	};

	if (argc != 2)
		return 2;
	oracle_path = argv[1];
	return cmocka_run_group_tests_name("run_order", tests, NULL, NULL);
}
