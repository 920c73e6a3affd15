/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of significance against values worked by hand, and SciPy's (tests/oracle). */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/permutation.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"

static const char *oracle_path;

static bool near(double is, double should, double relative)
{
	return fabs(is - should) <= relative * fabs(should) + 1e-300;
}

enum { MAX_NUMBERS = 8, MAX_OPERATIONS = 64 };

/* The numbers of a line after its first word. */
static size_t numbers(const char *line, double *ret)
{
	const char *at = strchr(line, ' ');
	size_t n = 0;

	while (at != NULL && n < MAX_NUMBERS) {
		char *end;

		while (*at == ' ' || *at == '>' || (*at == '-' && at[1] == '>'))
			at++;
		if (*at == '\n' || *at == '\0')
			break;
		ret[n++] = strtod(at, &end);
		at = end;
	}
	return n;
}

static void check_case(double v[][MAX_NUMBERS], size_t n, double df)
{
	double variance[MAX_OPERATIONS], calls[MAX_OPERATIONS];
	struct prior prior;

	for (size_t i = 0; i < n; i++) {
		variance[i] = v[i][0];
		calls[i] = v[i][1];
	}
	prior = prior_fit(variance, calls, n, df);
	for (size_t i = 0; i < n; i++) {
		struct moderated m = moderate(&prior, v[i][2], v[i][0], df, v[i][3], v[i][1], 0);

		assert_true(near(m.variance, v[i][4], 1e-6));
		assert_true(near(m.df, v[i][5], 1e-6));
		assert_true(near(m.p, v[i][6], 1e-5));
	}
}

static void recorded_values_are_met(void **state)
{
	static double v[MAX_OPERATIONS][MAX_NUMBERS];
	FILE *f = fopen(oracle_path, "r");
	double x[MAX_NUMBERS], df = 0, wanted = 0;
	size_t n = 0, cases = 0;
	char line[512];

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (line[0] == '#')
			continue;
		(void)numbers(line, x);
		if (strncmp(line, "tail", 4) == 0) {
			assert_true(near(t_tail(x[0], x[1]), x[2], 1e-9));
		} else if (strncmp(line, "limit", 5) == 0) {
			assert_true(near(t_limit(x[0], x[1]), x[2], 1e-6));
		} else if (strncmp(line, "case", 4) == 0) {
			df = x[0];
			wanted = x[1];
			n = 0;
		} else {
			assert_int_equal(numbers(line, v[n]), 7);
			if (++n == (size_t)wanted) {
				check_case(v, n, df);
				cases++;
			}
		}
	}
	(void)fclose(f);
	assert_int_equal(cases, 4);
}

/* By hand: means 1 and 4, variances 1 and 1, three runs a side: t = 3 / sqrt(2/3). */
static void without_a_prior_it_is_students_t(void **state)
{
	struct prior none = { .d0 = 0, .df_all = 4 };
	struct moderated m = moderate(&none, 3, 1, 4, 2.0 / 3, 5, 0);

	(void)state;
	assert_true(near(m.t, 3 / sqrt(2.0 / 3), 1e-12));
	assert_true(near(m.p, 0.02131164, 1e-5));
	assert_true(m.df == 4);
	/* A floor holds the variance up. */
	assert_true(near(moderate(&none, 3, 1, 4, 2.0 / 3, 5, 4).t, m.t / 2, 1e-12));
	/* No variance at all: any difference is one, none is none. */
	assert_true(moderate(&none, 1, 0, 4, 1, 5, 0).p == 0);
	assert_true(moderate(&none, 0, 0, 4, 1, 5, 0).p == 1);
}

/* Benjamini and Hochberg: 0.01 x 4/1, 0.02 x 4/2, 0.03 x 4/3, 0.5 x 4/4, made monotone. */
static void false_discoveries_are_adjusted_by_hand(void **state)
{
	const double p[] = { 0.5, 0.03, NAN, 0.01, 0.02 };
	double q[5];

	(void)state;
	fdr_adjust(p, 5, q);
	assert_true(near(q[0], 0.5, 1e-12));
	assert_true(near(q[1], 0.04, 1e-12));
	assert_true(isnan(q[2]));
	assert_true(near(q[3], 0.04, 1e-12));
	assert_true(near(q[4], 0.04, 1e-12));
	fdr_adjust(p, 0, q);
}

/* 4 values in order: 2 of 24 orders are as extreme; ties halve ranks.  Of 8 values all orders
 * were gone through in whole fractions, by a script. */
static void drift_is_a_rank_correlation(void **state)
{
	const double up[] = { 1, 2, 3, 4 }, tied[] = { 1, 1, 1 };
	const double eight[] = { 2, 1, 4, 3, 6, 8, 5, 7 }, ties[] = { 1, 1, 2, 4, 4, 9, 4, 4 };
	double many[20], p;

	(void)state;
	assert_true(near(rank_correlation(up, 4, &p), 1, 1e-12));
	assert_true(near(p, 2.0 / 24, 1e-12));
	assert_true(rank_correlation(tied, 3, &p) == 0);
	assert_true(p == 1);
	assert_true(near(rank_correlation(eight, 8, &p), 1 - 6.0 * 14 / (8 * 63), 1e-12));
	assert_true(near(p, 620.0 / 40320, 1e-12));
	(void)rank_correlation(ties, 8, &p);
	assert_true(near(p, 864.0 / 40320, 1e-12));
	for (int i = 0; i < 20; i++)
		many[i] = -i;
	assert_true(near(rank_correlation(many, 20, &p), -1, 1e-12));
	assert_true(p < 1e-9);
}

/* --- permuting runs ----------------------------------------------------------------- */

enum { CELLS = 5 };

static double next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) * 0x1p-53;
}

static struct grid made_grid(struct arena *a, size_t n_runs, uint64_t seed)
{
	struct grid g = { .n = CELLS };

	g.position = arena_make(a, double, CELLS);
	g.cdf = arena_make(a, double, CELLS *n_runs);
	for (size_t i = 0; i < CELLS; i++)
		g.position[i] = (double)i * 0.5 + (i > 2);
	for (size_t k = 0; k < n_runs; k++) {
		double sum = 0;

		for (size_t i = 0; i < CELLS; i++)
			g.cdf[k * CELLS + i] = sum += next_random(&seed);
		for (size_t i = 0; i < CELLS; i++)
			g.cdf[k * CELLS + i] /= sum;
	}
	return g;
}

static double plain_distance(const struct grid *g, uint64_t mask, size_t n_before, size_t n_runs)
{
	double sum = 0;

	for (size_t i = 0; i + 1 < g->n; i++) {
		double x = 0;

		for (size_t k = 0; k < n_runs; k++)
			x += (mask >> k & 1 ? 1 / (double)n_before
					    : -1 / (double)(n_runs - n_before)) *
			     g->cdf[k * g->n + i];
		sum += fabs(x) * (g->position[i + 1] - g->position[i]);
	}
	return sum;
}

static uint64_t lowest_runs(size_t n)
{
	return (UINT64_C(1) << n) - 1;
}

/* Every set of n_before runs, counted one by one. */
static void check_by_force(size_t n_before, size_t n_after)
{
	struct arena *a = arena_new();
	struct permutation_room room = { 0 };
	struct permutations r = permutations_make(a, n_before, n_after, 10000, 1);
	struct grid g = made_grid(a, n_before + n_after, n_before * 31 + n_after);
	double seen = plain_distance(&g, lowest_runs(n_before), n_before, n_before + n_after);
	double distance, p;
	size_t all = 0, reached = 0;

	for (uint64_t m = 0; m < UINT64_C(1) << (n_before + n_after); m++) {
		if (__builtin_popcountll(m) != (int)n_before)
			continue;
		all++;
		reached += plain_distance(&g, m, n_before, n_before + n_after) >= seen - 1e-9;
	}
	p = permutation_p(&r, &g, &room, &distance);
	assert_true(r.all);
	assert_int_equal(r.n, all);
	assert_true(near(distance, seen, 1e-12));
	assert_true(near(p, (double)reached / (double)all, 1e-12));
	permutation_room_release(&room);
	arena_free(a);
}

static void exchanging_agrees_with_brute_force(void **state)
{
	(void)state;
	for (size_t b = 1; b <= 5; b++) {
		for (size_t c = 1; c <= 5; c++)
			check_by_force(b, c);
	}
	check_by_force(6, 6);
	check_by_force(2, 9);
}

/* Those that were drawn, counted one by one. */
static void check_drawn(struct arena *a, const struct grid *g, struct permutation_room *room,
			size_t n_before, size_t n_after)
{
	struct permutations r = permutations_make(a, n_before, n_after, 3000, 1);
	size_t n_runs = n_before + n_after, reached = 0;
	double seen = plain_distance(g, lowest_runs(n_before), n_before, n_runs), distance, p;

	for (size_t i = 0; i < r.n; i++) {
		assert_int_equal(__builtin_popcountll(r.mask[i]), n_before);
		reached += plain_distance(g, r.mask[i], n_before, n_runs) >= seen - 1e-9;
	}
	p = permutation_p(&r, g, room, &distance);
	assert_false(r.all);
	assert_true(near(distance, seen, 1e-12));
	assert_true(near(p, (double)(reached + 1) / (double)(r.n + 1), 1e-12));
}

/* Up to the most runs there can be, and down again in the same room. */
static void drawn_permutations_agree_with_plain_sums(void **state)
{
	static const size_t sides[][2] = {
		{ 10, 10 }, { 10, 11 }, { 20, 11 }, { 32, 32 }, { 60, 4 }
	};
	struct arena *a = arena_new();
	struct permutation_room room = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		struct grid g = made_grid(a, sides[i][0] + sides[i][1], i + 1);

		check_drawn(a, &g, &room, sides[i][0], sides[i][1]);
	}
	permutation_room_release(&room);
	arena_free(a);
}

/* Runs of a few shapes only, or of those but for less than single precision holds:
 * very many distances are, or nearly are, the one seen. */
static void ties_are_reported_from_near_ties(void **state)
{
	struct arena *a = arena_new();
	struct permutation_room room = { 0 };

	(void)state;
	for (int nearly = 0; nearly < 2; nearly++) {
		struct grid g = made_grid(a, 20, 5);

		for (size_t k = 0; k < 20; k++) {
			for (size_t i = 0; i + 1 < g.n; i++)
				g.cdf[k * g.n + i] = k % 4 == 0 ? 0.5 : 0.25;
			g.cdf[k * g.n] += nearly * (double)k * 1e-8;
		}
		check_drawn(a, &g, &room, 10, 10);
	}
	permutation_room_release(&room);
	arena_free(a);
}

/* 10 against 10 are drawn: near what all 184,756 give, never 0, and the same again. */
static void drawn_permutations_are_near_all(void **state)
{
	struct arena *a = arena_new();
	struct permutations drawn = permutations_make(a, 10, 10, 10000, 20061106);
	struct permutations again = permutations_make(a, 10, 10, 10000, 20061106);
	struct permutations all = permutations_make(a, 10, 10, 200000, 20061106);
	struct permutation_room room = { 0 };
	double distance;

	(void)state;
	assert_false(drawn.all);
	assert_int_equal(all.n, 184756);
	assert_memory_equal(drawn.mask, again.mask, drawn.n * sizeof(*drawn.mask));
	for (uint64_t seed = 1; seed < 6; seed++) {
		struct grid g = made_grid(a, 20, seed);

		assert_true(fabs(permutation_p(&drawn, &g, &room, &distance) -
				 permutation_p(&all, &g, &room, &distance)) < 0.02);
	}
	permutation_room_release(&room);
	arena_free(a);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_values_are_met),
		cmocka_unit_test(without_a_prior_it_is_students_t),
		cmocka_unit_test(false_discoveries_are_adjusted_by_hand),
		cmocka_unit_test(drift_is_a_rank_correlation),
		cmocka_unit_test(exchanging_agrees_with_brute_force),
		cmocka_unit_test(drawn_permutations_agree_with_plain_sums),
		cmocka_unit_test(ties_are_reported_from_near_ties),
		cmocka_unit_test(drawn_permutations_are_near_all),
	};

	if (argc < 2)
		return 2;
	oracle_path = argv[1];
	return cmocka_run_group_tests_name("significance", tests, NULL, NULL);
}
