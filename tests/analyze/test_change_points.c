/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps in a series: found where they were put, and not where there are none. */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/change_points.h"
#include "analyze/random.h"
#include "analyze/significance.h"

enum { MOST = 200 };

static const struct change_point_rules rules = {
	.level = 0.05, .least = 3, .shuffles = 199, .seed = 1
};
static const double pi = 3.14159265358979323846;

static double normal(uint64_t *state)
{
	double r = sqrt(-2 * log(1 - random_share(state)));

	return r * cos(2 * pi * random_share(state));
}

static void fill(double *v, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		v[i] = normal(&seed);
}

static void lift(double *v, size_t from, size_t to, double by)
{
	for (size_t i = from; i < to; i++)
		v[i] += by;
}

/* The places of the steps that are found, ascending. */
static size_t find(const double *v, size_t n, size_t *ret_at)
{
	struct series s = { .v = v, .n = n, .noise = 1e-6 };
	struct tested_step tested[2 * MOST];
	size_t m = change_points_find(&s, &rules, tested), found = 0;

	for (size_t i = 0; i < m; i++) {
		size_t at = found;

		if (!tested[i].found)
			continue;
		for (; at > 0 && ret_at[at - 1] > tested[i].at; at--)
			ret_at[at] = ret_at[at - 1];
		ret_at[at] = tested[i].at;
		found++;
	}
	return found;
}

/* A run that lies between two levels can count to either. */
static bool holds(const size_t *v, size_t n, size_t wanted)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i] + 1 >= wanted && v[i] <= wanted + 1)
			return true;
	}
	return false;
}

/* The bound of Miller and Siegmund for z = 3 and a share of 1/8, by hand:
 * phi(3) = 0.00443185, 4 phi/3 = 0.0059091, phi (3 - 1/3) 2 ln 7 = 0.0459946.
 * Bonferroni for 40 - 10 + 1 = 31 ways: 31 x 0.0026998 = 0.0836938. */
static void largest_t_is_bounded(void **state)
{
	(void)state;
	assert_float_equal(largest_t_p(3, HUGE_VAL, 40, 5), 0.0519037, 1e-5);
	/* Far out and few ways: Bonferroni is the smaller one, 3 x 6.3342e-5. */
	assert_float_equal(largest_t_p(4, HUGE_VAL, 8, 3), 3 * 6.3342e-5, 1e-8);
	assert_true(largest_t_p(0, 10, 20, 3) == 1);
	assert_true(largest_t_p(HUGE_VAL, 10, 20, 3) < 1e-200);
}

/* The bounds hold: of many series of pure noise no larger share is found than asked for. */
static void noise_has_few_steps(void **state)
{
	const size_t lengths[] = { 8, 20, 60 };

	(void)state;
	for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
		double v[MOST];
		size_t at[MOST], alarms = 0, series = 400;

		for (size_t i = 0; i < series; i++) {
			fill(v, lengths[l], 1000 * l + i);
			alarms += find(v, lengths[l], at) > 0;
		}
		/* 5 % and three standard deviations of 400 such draws. */
		assert_true((double)alarms <= 0.083 * (double)series);
	}
}

static void steps_are_found_where_they_are(void **state)
{
	double v[MOST];
	size_t at[MOST], found;

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		fill(v, 60, 7000 + seed);
		lift(v, 20, 60, 8);
		lift(v, 45, 60, -16);
		found = find(v, 60, at);
		assert_true(holds(at, found, 20) && holds(at, found, 45));
		fill(v, 40, 8000 + seed);
		lift(v, 36, 40, 12); /* near the end */
		assert_true(holds(at, find(v, 40, at), 36));
	}
}

/* One that is undone again leaves both ends alike, and hides from a search of the whole. */
static void a_step_undone_is_found(void **state)
{
	double v[MOST];
	size_t at[MOST], found;

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		fill(v, 64, 9000 + seed);
		lift(v, 28, 36, 10);
		found = find(v, 64, at);
		assert_true(holds(at, found, 28) && holds(at, found, 36));
	}
}

static void an_odd_run_is_no_step(void **state)
{
	double v[MOST];
	size_t at[MOST], alarms = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		fill(v, 30, 11000 + seed);
		v[seed % 30] += 1000;
		alarms += find(v, 30, at) > 0;
	}
	assert_true(alarms <= 20);
	/* Nor among numbers that are all the same. */
	memset(v, 0, sizeof(v));
	for (size_t i = 0; i < 30; i++) {
		v[i] = 5;
		assert_int_equal(find(v, 30, at), 0);
		v[i] = 0;
	}
}

/* 1 + persistence is the ratio of next but one and next differences: of an alternating
 * series the former are 0, of a line they are twice as large, squared. */
static void persistence_is_a_ratio(void **state)
{
	double zigzag[20], line[20], v[MOST];

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		zigzag[i] = (double)(i % 2);
		line[i] = 3 * (double)i;
	}
	assert_float_equal(persistence_of(zigzag, 20), -1, 1e-12);
	assert_float_equal(persistence_of(line, 20), 3, 1e-12);
	assert_true(isnan(persistence_of(line, 5)));
	fill(v, MOST, 5);
	assert_true(fabs(persistence_of(v, MOST)) < 0.3);
}

static void resembling_runs_are_not_trusted(void **state)
{
	double v[MOST];
	struct tested_step tested[2 * MOST];
	struct series trusting = { .v = v, .n = 60, .noise = 1e-6 }, wary = trusting;
	size_t alarms[2] = { 0, 0 };

	(void)state;
	wary.persistence = 0.6;
	for (uint64_t seed = 0; seed < 200; seed++) {
		fill(v, 60, 13000 + seed);
		for (size_t i = 1; i < 60; i++)
			v[i] = 0.6 * v[i - 1] + 0.8 * v[i];
		(void)change_points_find(&trusting, &rules, tested);
		alarms[0] += tested[0].found;
		(void)change_points_find(&wary, &rules, tested);
		alarms[1] += tested[0].found;
	}
	assert_true(alarms[0] > 60);
	assert_true(alarms[1] <= 20);
}

static void a_line_is_no_staircase(void **state)
{
	double v[MOST];
	size_t at[] = { 20 }, thirds[] = { 13, 26 };
	struct series s = { .v = v, .n = 40, .noise = 1e-6 };

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		fill(v, 40, 15000 + seed);
		lift(v, 20, 40, 6);
		assert_false(drift_fits_better(&s, at, 1));
		fill(v, 40, 16000 + seed);
		for (size_t i = 0; i < 40; i++)
			v[i] += 0.25 * (double)i;
		assert_true(drift_fits_better(&s, at, 1));
		assert_true(drift_fits_better(&s, thirds, 2));
		assert_true(fabs(rise_of(v, 40) - 0.25 * 39) < 3);
	}
	for (size_t i = 0; i < 40; i++)
		v[i] = 7 - 0.5 * (double)i;
	assert_float_equal(rise_of(v, 40), -19.5, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(largest_t_is_bounded),
		cmocka_unit_test(noise_has_few_steps),
		cmocka_unit_test(steps_are_found_where_they_are),
		cmocka_unit_test(a_step_undone_is_found),
		cmocka_unit_test(an_odd_run_is_no_step),
		cmocka_unit_test(persistence_is_a_ratio),
		cmocka_unit_test(resembling_runs_are_not_trusted),
		cmocka_unit_test(a_line_is_no_staircase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
