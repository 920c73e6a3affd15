/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps in a series: found where they were put, and not where there are none. */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/stats/change_points.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/random.h"
#include "analyze/stats/significance.h"

enum { MAX = 200 };

static const struct change_point_rules rules = {
	.level = 0.05, .min = 3, .shuffles = 199, .seed = 1
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

static struct noise_filters *filters; /* of all tests */

/* A series of its own: nothing is known of its noise but what it shows. */
static struct series series_of(const double *v, size_t n)
{
	struct noise_weights seen = noise_likelihoods(filters, v, n, rules.min, 1e-6);
	struct noise_prior prior = noise_prior(&seen, 1);

	return (struct series){ .v = v,
				.n = n,
				.noise = 1e-6,
				.weights = noise_posterior(&prior, &seen),
				.filters = filters };
}

/* The places of the steps that are found, ascending. */
static size_t find(const double *v, size_t n, size_t *ret_at)
{
	struct series s = series_of(v, n);
	struct tested_step tested[2 * MAX];
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
		double v[MAX];
		size_t at[MAX], alarms = 0, series = 400;

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
	double v[MAX];
	size_t at[MAX], found;

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
	double v[MAX];
	size_t at[MAX], found;

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
	double v[MAX];
	size_t at[MAX], alarms = 0;

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

/* Whitening is by the inverse Cholesky factor of the correlations (1 - fresh) phi^|i - k|, 1 on the
 * diagonal.  Of models 3 (0.3, 0.6) and 12 (0.9, 0.6) it is applied here by its definition. */
static void whitened_as_defined(void **state)
{
	enum { N = 30 };
	static const struct {
		size_t model;
		double phi, fresh;
	} of[] = { { 3, 0.3, 0.6 }, { 10, 0.9, 0 }, { 12, 0.9, 0.6 } };

	(void)state;
	for (size_t m = 0; m < sizeof(of) / sizeof(*of); m++) {
		double l[N][N], v[N], z[N], back[N], white[N];

		fill(v, N, 17 + m);
		for (int i = 0; i < N; i++) {
			white[i] = v[i];
			for (int k = 0; k <= i; k++) {
				double x = i == k ? 1 : (1 - of[m].fresh) * pow(of[m].phi, i - k);

				for (int h = 0; h < k; h++)
					x -= l[i][h] * l[k][h];
				l[i][k] = i == k ? sqrt(x) : x / l[k][k];
			}
			for (int k = 0; k < i; k++)
				white[i] -= l[i][k] * white[k];
			white[i] /= l[i][i];
		}
		noise_whiten(filters, of[m].model, v, N, z);
		noise_colour(filters, of[m].model, z, N, back);
		for (int i = 0; i < N; i++) {
			assert_float_equal(z[i], white[i], 1e-9);
			assert_float_equal(back[i], v[i], 1e-9);
		}
	}
}

/* Generalised least squares, by solving the normal equations of whitened columns. */
static void steps_are_estimated_as_defined(void **state)
{
	enum { N = 90 };
	double room[5 * N], v[N], z[N], one[N], step[N];

	(void)state;
	assert_true(noise_room(N) <= 5 * N);
	for (size_t model = 0; model < N_NOISE_MODELS; model++) {
		struct noise_fit fit;

		fill(v, N, 23 + model);
		fit = noise_fit(filters, model, v, N, 3, room);
		for (size_t at = 3; at + 3 <= N; at += 28) {
			double aa = 0, ab = 0, bb = 0, av = 0, bv = 0, left;

			for (size_t i = 0; i < N; i++) {
				one[i] = 1;
				step[i] = i >= at;
			}
			noise_whiten(filters, model, v, N, z);
			noise_whiten(filters, model, one, N, one);
			noise_whiten(filters, model, step, N, step);
			for (size_t i = 0; i < N; i++) {
				aa += one[i] * one[i];
				ab += one[i] * step[i];
				bb += step[i] * step[i];
				av += one[i] * z[i];
				bv += step[i] * z[i];
			}
			left = bb - ab * ab / aa;
			assert_float_equal(fit.information[at], left, 1e-7 * left);
			assert_float_equal(fit.step[at], (bv - ab * av / aa) / left, 1e-7);
		}
	}
}

/* 20 series whose numbers resemble their neighbours are recognised by all of them together. */
static void resembling_runs_are_not_trusted(void **state)
{
	enum { SERIES = 20, N = 40, GROUPS = 12 };
	static double v[SERIES][N];
	size_t naive = 0, alarms = 0;

	(void)state;
	for (uint64_t group = 0; group < GROUPS; group++) {
		struct noise_weights seen[SERIES];
		struct noise_prior prior;

		for (size_t i = 0; i < SERIES; i++) {
			fill(v[i], N, 13000 + group * SERIES + i);
			for (size_t k = 1; k < N; k++)
				v[i][k] = 0.6 * v[i][k - 1] + 0.8 * v[i][k];
			seen[i] = noise_likelihoods(filters, v[i], N, rules.min, 1e-6);
		}
		prior = noise_prior(seen, SERIES);
		for (size_t i = 0; i < SERIES; i++) {
			struct series s = { v[i], N, 1e-6, noise_is_white, filters };
			struct tested_step tested[2 * N];

			(void)change_points_find(&s, &rules, tested);
			naive += tested[0].found;
			s.weights = noise_posterior(&prior, &seen[i]);
			(void)change_points_find(&s, &rules, tested);
			alarms += tested[0].found;
		}
	}
	/* 5 % of 240 and three standard deviations. */
	assert_true(alarms <= 22);
	assert_true(naive > 4 * alarms && naive > 60);
}

/* Numbers of two states part by chance in some short stretch; the whole series shows both. */
static void two_states_are_no_steps(void **state)
{
	double v[60];
	size_t at[MAX], alarms = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		uint64_t draw = 14000 + seed;

		fill(v, 60, 14000 + seed);
		for (size_t i = 0; i < 60; i++)
			v[i] = 0.1 * v[i] + (random_share(&draw) < 0.3);
		alarms += find(v, 60, at) > 0;
	}
	assert_true(alarms <= 20);
}

/* Both fit within what counting may do, the step without anything left. */
static void a_step_within_the_noise_is_no_line(void **state)
{
	double v[MAX] = { 0 };
	size_t at[] = { 18 };
	struct series s = { .v = v, .n = 30, .noise = 2.5, .filters = filters };

	(void)state;
	lift(v, 18, 30, 6);
	assert_false(drift_fits_better(&s, at, 1));
}

static void a_line_is_no_staircase(void **state)
{
	double v[MAX];
	size_t at[] = { 20 }, thirds[] = { 13, 26 };
	struct series s = { .v = v, .n = 40, .noise = 1e-6, .filters = filters };

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

/* By hand: 3 x 0.01; 2 x 0.03; 0.04, but not below the one before. */
static void holm_by_hand(void **state)
{
	const double p[] = { 0.01, 0.04, NAN, 0.03 };
	double adjusted[4];

	(void)state;
	holm_adjust(p, 4, adjusted);
	assert_float_equal(adjusted[0], 0.03, 1e-12);
	assert_float_equal(adjusted[1], 0.06, 1e-12);
	assert_true(isnan(adjusted[2]));
	assert_float_equal(adjusted[3], 0.06, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(largest_t_is_bounded),
		cmocka_unit_test(noise_has_few_steps),
		cmocka_unit_test(steps_are_found_where_they_are),
		cmocka_unit_test(a_step_undone_is_found),
		cmocka_unit_test(an_odd_run_is_no_step),
		cmocka_unit_test(whitened_as_defined),
		cmocka_unit_test(steps_are_estimated_as_defined),
		cmocka_unit_test(two_states_are_no_steps),
		cmocka_unit_test(resembling_runs_are_not_trusted),
		cmocka_unit_test(a_step_within_the_noise_is_no_line),
		cmocka_unit_test(a_line_is_no_staircase),
		cmocka_unit_test(holm_by_hand),
	};

	int failed;

	filters = noise_filters_new();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	noise_filters_free(filters);
	return failed;
}
