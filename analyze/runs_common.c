/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: the run effect, which all operations of a run share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/runs_judging.h"
#include "analyze/significance.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* The mean of both sides' means, so that a side with more runs does not weigh more; the mean of the
 * runs if there is only one side. */
static double middle_of(const struct judging *j, const double *value)
{
	double sum[2] = { 0, 0 }, n[2] = { 0, 0 };

	for (size_t k = 0; k < j->n_runs; k++) {
		if (!isnan(value[k])) {
			sum[k >= j->n_before] += value[k];
			n[k >= j->n_before]++;
		}
	}
	if (j->n_before == j->n_runs)
		return n[0] > 0 ? sum[0] / n[0] : NAN;
	return n[0] > 0 && n[1] > 0 ? (sum[0] / n[0] + sum[1] / n[1]) / 2 : NAN;
}

static size_t find_run_effect(const struct judging *j, enum feature f, double *ret)
{
	double *away = xcalloc(2 * j->n + 1, sizeof(*away)), *middle = away + j->n;
	size_t most = 0; /* operations, in the run that has most */

	for (size_t i = 0; i < j->n; i++)
		middle[i] = middle_of(j, j->v[i].f.value[f]);
	for (size_t k = 0; k < j->n_runs; k++) {
		size_t n = 0;

		for (size_t i = 0; i < j->n; i++) {
			double cost = f != FEATURE_TAIL && k >= j->n_before ? j->v[i].cost : 0;
			double x = j->v[i].f.value[f][k] - cost - middle[i];

			if (j->v[i].r->runs->tested && !isnan(x) &&
			    (f != FEATURE_TAIL || j->v[i].f.has_tail))
				away[n++] = x;
		}
		ret[k] = n > 0 ? median_of(away, n) : 0;
		most = n > most ? n : most;
	}
	free(away);
	return most;
}

double mean_over(const double *v, size_t from, size_t to)
{
	double sum = 0, n = 0;

	for (size_t k = from; k < to; k++) {
		if (!isnan(v[k])) {
			sum += v[k];
			n++;
		}
	}
	return n > 0 ? sum / n : NAN;
}

static const double drift_p = 0.02, drift_range = 0.03;

static struct drift drift_of(const double *run_effect, size_t n)
{
	struct drift d = { 0 };
	double low = run_effect[0], high = run_effect[0];

	for (size_t k = 1; k < n; k++) {
		low = fmin(low, run_effect[k]);
		high = fmax(high, run_effect[k]);
	}
	d.range = high - low;
	d.correlation = rank_correlation(run_effect, n, &d.p);
	d.found = d.p <= drift_p && d.range >= drift_range;
	return d;
}

/* Tests whether the sides as a whole differ, by Student's t over the runs. */
static void compare_run_effects(const struct judging *j, const double *run_effect,
				struct runs_judgement *ret)
{
	double mean[2] = { mean_over(run_effect, 0, j->n_before),
			   mean_over(run_effect, j->n_before, j->n_runs) };
	double square = 0, df = (double)j->n_runs - 2, error;
	struct in_order ordered;

	for (size_t k = 0; k < j->n_runs; k++) {
		double away = run_effect[k] - mean[k >= j->n_before];

		square += away * away;
	}
	error = sqrt(square / df *
		     (1 / (double)j->n_before + 1 / (double)(j->n_runs - j->n_before)));
	ret->run_effect = mean[1] - mean[0];
	if (j->order.n > 0 &&
	    difference_in_order(&j->order, run_effect, NULL, j->n_before, &ordered)) {
		ret->run_effect = ordered.difference;
		error = ordered.error;
	}
	ret->run_effect_p = error > 0		   ? t_tail(ret->run_effect / error, df)
			    : ret->run_effect == 0 ? 1
						   : 0;
	ret->run_effect_differs =
		ret->run_effect_p <= j->rules->q && fabs(ret->run_effect) >= j->rules->min_effect;
}

/* Includes tails: when all operations move by half an octave, all tails change, too. */
void runs_find_effects(struct arena *a, struct judging *j)
{
	for (int f = 0; f < N_FEATURES; f++) {
		double *run_effect = j->run_effect[f] = arena_make(a, double, j->n_runs);
		size_t n = f == FEATURE_CALLS ? 0 : find_run_effect(j, (enum feature)f, run_effect);

		if (n < j->rules->min_common_operations)
			memset(run_effect, 0, j->n_runs * sizeof(*run_effect));
		else if (f == FEATURE_MEAN)
			j->run_effect_known = true;
	}
}

struct drift drift_of_runs(const struct judging *j)
{
	if (!j->run_effect_known)
		return (struct drift){ NAN, NAN, NAN, false };
	return drift_of(j->run_effect[FEATURE_MEAN], j->n_before);
}

void runs_find_run_effect(struct arena *a, struct judging *j, struct runs_judgement *ret)
{
	const double *run_effect;

	runs_find_effects(a, j);
	if (!j->run_effect_known)
		return;
	run_effect = j->run_effect[FEATURE_MEAN];
	compare_run_effects(j, run_effect, ret);
	ret->drift_before = drift_of_runs(j);
	ret->drift_after = drift_of(run_effect + j->n_before, j->n_runs - j->n_before);
	ret->run_effect_removed = true;
}
