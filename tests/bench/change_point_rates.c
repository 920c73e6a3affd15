/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often analyze/stats/change_points.h finds a step in made noise, and one of a known size.
 *
 *	change_point_rates [GROUPS [SEED]]	200 groups by default
 *
 * A group has 20 series, which share the error probability of 5 %; a step is in one of them.
 * Printed are the groups with any false step, of those without and with a true one, and those in
 * which the true one is found within the stated distance.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/change_points.h"
#include "analyze/stats/random.h"

enum { SERIES = 20, MAX = 400 };
static const double level = 0.05;

struct noise_kind {
	const char *name;
	double phi, fresh; /* AR(1), and the share of new noise */
	bool heavy, states;
};

static const struct noise_kind kinds[] = {
	{ .name = "independent, normal" },
	{ .name = "independent, t(3)", .heavy = true },
	{ .name = "two states", .states = true },
	{ .name = "autocorrelation 0.6", .phi = 0.6 },
	{ .name = "autocorrelation 0.9", .phi = 0.9 },
	{ .name = "half of it 0.9", .phi = 0.9, .fresh = 0.5 },
};

static double normal(uint64_t *state)
{
	return gsl_cdf_ugaussian_Pinv(random_share(state) * (1 - 1e-12) + 5e-13);
}

/* A number of variance 1. */
static double fresh_of(const struct noise_kind *kind, uint64_t *state)
{
	if (kind->heavy)
		return gsl_cdf_tdist_Pinv(random_share(state) * (1 - 1e-12) + 5e-13, 3) / sqrt(3);
	if (kind->states) /* three of ten runs are slower by ten deviations of the others */
		return (normal(state) / 10 + (random_share(state) < 0.3) - 0.3) / sqrt(0.22);
	return normal(state);
}

static void fill(const struct noise_kind *kind, double *v, size_t n, uint64_t *state)
{
	double x = normal(state);

	for (size_t i = 0; i < n; i++) {
		x = i > 0 ? kind->phi * x + sqrt(1 - kind->phi * kind->phi) * normal(state) : x;
		v[i] = kind->phi > 0 ? sqrt(1 - kind->fresh) * x + sqrt(kind->fresh) * normal(state)
				     : fresh_of(kind, state);
	}
}

struct group {
	double v[SERIES][MAX];
	struct series s[SERIES];
};

static void prepare(struct group *g, size_t n, struct noise_filters *filters)
{
	struct noise_weights likelihood[SERIES];
	struct noise_prior prior;

	for (size_t i = 0; i < SERIES; i++)
		likelihood[i] = noise_likelihoods(filters, g->v[i], n, 3, 1e-4);
	prior = noise_prior(likelihood, SERIES);
	for (size_t i = 0; i < SERIES; i++)
		g->s[i] = (struct series){ .v = g->v[i],
					   .n = n,
					   .noise = 1e-4,
					   .weights = noise_posterior(&prior, &likelihood[i]),
					   .filters = filters };
}

struct counts {
	size_t groups, alarms, false_beside, found;
};

/* Searches all series; steps of the first one within `reach` of `at` are true. */
static void count(const struct group *g, size_t at, size_t reach, bool stepped, struct counts *to)
{
	static const struct change_point_rules rules = {
		.level = level / SERIES, .min = 3, .shuffles = 199, .seed = 1
	};
	bool wrong = false, found = false;

	for (size_t i = 0; i < SERIES; i++) {
		struct tested_step tested[2 * MAX];
		size_t n = change_points_find(&g->s[i], &rules, tested);

		for (size_t k = 0; k < n; k++) {
			bool near = stepped && i == 0 && tested[k].at + reach >= at &&
				    tested[k].at <= at + reach;

			found |= tested[k].found && near;
			wrong |= tested[k].found && !near;
		}
	}
	if (!stepped)
		to->groups++;
	*(stepped ? &to->false_beside : &to->alarms) += wrong;
	to->found += found;
}

static void print_rate(size_t k, size_t n)
{
	double low = k > 0 ? gsl_cdf_beta_Pinv(0.025, (double)k, (double)(n - k) + 1) : 0;
	double high = k < n ? gsl_cdf_beta_Pinv(0.975, (double)k + 1, (double)(n - k)) : 1;

	printf("  %5.1f %% [%.1f, %.1f]", 100 * (double)k / (double)n, 100 * low, 100 * high);
}

static void measure(const struct noise_kind *kind, size_t n, double step, size_t reach,
		    size_t groups, uint64_t seed)
{
	struct group *g = calloc(1, sizeof(*g));
	struct noise_filters *filters = noise_filters_new();
	struct counts c = { .groups = 0 };

	for (size_t k = 0; k < groups; k++) {
		uint64_t state = seed + k;
		size_t at = n / 2;

		for (size_t i = 0; i < SERIES; i++)
			fill(kind, g->v[i], n, &state);
		prepare(g, n, filters);
		count(g, at, reach, false, &c);
		for (size_t i = at; i < n; i++)
			g->v[0][i] += step;
		prepare(g, n, filters);
		count(g, at, reach, true, &c);
	}
	printf("%-22s %3zu numbers, step of %.1f: false", kind->name, n, step);
	print_rate(c.alarms, c.groups);
	printf(", beside the step");
	print_rate(c.false_beside, c.groups);
	printf("; found within %zu", reach);
	print_rate(c.found, c.groups);
	printf("\n");
	(void)fflush(stdout);
	noise_filters_free(filters);
	free(g);
}

int main(int argc, char **argv)
{
	size_t groups = argc > 1 ? (size_t)strtod(argv[1], NULL) : 200;
	uint64_t seed = argc > 2 ? (uint64_t)strtod(argv[2], NULL) : 20061106;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		measure(&kinds[i], 40, 2.3, 2, groups, seed);
		measure(&kinds[i], 200, 2, 3, groups, seed);
	}
	return 0;
}
