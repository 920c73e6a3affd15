/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: the run effect, which all operations of a run share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rank/runs_judging.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/xalloc.h"

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

struct sample runs_of_duets(const struct judging *j, const double *value)
{
	struct sample s = { 0 };
	double n = 0, square = 0;

	for (size_t k = 0; k < j->duets.n; k++) {
		double change = value[j->n_before + j->duets.partner[k]] - value[k];
		double off = change - s.difference;

		if (isnan(change))
			continue;
		s.difference += off / ++n;
		square += off * (change - s.difference);
	}
	s.ok = n >= 2;
	s.df = n - 1;
	s.variance = s.ok ? square / s.df : NAN;
	s.per_runs = s.ok ? 1 / n : NAN;
	return s;
}

/* --- the largest group of operations that move together ---------------------------------- */

/* One operation's change from side to side, with its standard error. */
struct moved {
	double change, error;
	struct judged *of;
};

static int by_change(const void *pa, const void *pb)
{
	const struct moved *a = pa, *b = pb;

	return (a->change > b->change) - (a->change < b->change);
}

/* Medians, because means follow a few slow calls; means where nothing else is known. */
static enum feature middle_feature(const struct judging *j, const struct judged *one)
{
	if (j->by_host)
		return FEATURE_SHIFT;
	return isnan(one->f.value[FEATURE_P50][0]) ? FEATURE_MEAN : FEATURE_P50;
}

static double variance_of(const double *v, size_t from, size_t to)
{
	double mean = mean_over(v, from, to), square = 0, n = 0;

	for (size_t k = from; k < to; k++) {
		if (!isnan(v[k])) {
			square += (v[k] - mean) * (v[k] - mean);
			n++;
		}
	}
	return n > 1 ? square / (n - 1) / n : 0;
}

static double error_of_change(const struct judging *j, const double *v)
{
	struct sample s;

	if (j->duets.n == 0)
		return sqrt(variance_of(v, 0, j->n_before) +
			    variance_of(v, j->n_before, j->n_runs));
	s = runs_of_duets(j, v);
	return s.ok ? sqrt(s.variance * s.per_runs) : 0;
}

static bool speaks_for_run(const struct judged *one)
{
	return one->r->runs->tested && !one->r->idle;
}

static size_t changes_of(const struct judging *j, struct moved *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++) {
		struct judged *one = &j->v[i];
		const double *v = one->f.value[middle_feature(j, one)];
		double change = mean_over(v, j->n_before, j->n_runs) -
				mean_over(v, 0, j->n_before) - one->cost;

		one->grouped = false;
		if (!speaks_for_run(one) || isnan(change))
			continue;
		ret[n++] = (struct moved){ change, error_of_change(j, v), one };
	}
	return n;
}

/* Operations of a group differ by no more than chance allows: by two standard errors either way
 * (the median error, since each alone is known from few runs). */
static double reach_of(const struct moved *v, size_t n)
{
	double *error = xcalloc(n + 1, sizeof(*error)), reach;

	for (size_t i = 0; i < n; i++)
		error[i] = v[i].error;
	reach = 2 * median_of(error, n);
	free(error);
	return reach;
}

/* Marks the largest group within +-reach; of several as large, the one nearest to no change. */
static void mark_group(struct moved *v, size_t n, double reach)
{
	size_t first = 0, max = 0, end = 0;

	qsort(v, n, sizeof(*v), by_change);
	for (size_t from = 0; from < n; from++) {
		double middle, best;

		while (end < n && v[end].change <= v[from].change + 2 * reach)
			end++;
		middle = fabs(v[from].change + v[end - 1].change);
		best = max > 0 ? fabs(v[first].change + v[first + max - 1].change) : HUGE_VAL;
		if (end - from > max || (end - from == max && middle < best)) {
			first = from;
			max = end - from;
		}
	}
	for (size_t i = first; i < first + max && max > 1; i++)
		v[i].of->grouped = true;
}

static void find_group(struct judging *j)
{
	struct moved *v = xcalloc(j->n + 1, sizeof(*v));
	size_t n = changes_of(j, v);

	j->n_comparable = n;
	mark_group(v, n, reach_of(v, n));
	free(v);
}

static const double *middle_of_runs(const struct judging *j, const struct judged *one)
{
	return one->f.value[middle_feature(j, one)];
}

/* For each run the median over the group of the distance of the calls' middle from that of both
 * sides; `whole`: with the fixed cost of a call that operations share. */
static bool find_run_effect(const struct judging *j, bool whole, double *ret)
{
	double *away = xcalloc(2 * j->n + 1, sizeof(*away)), *middle = away + j->n;
	bool any = false;

	for (size_t i = 0; i < j->n; i++)
		middle[i] = middle_of(j, middle_of_runs(j, &j->v[i]));
	for (size_t k = 0; k < j->n_runs; k++) {
		size_t n = 0;

		for (size_t i = 0; i < j->n; i++) {
			double cost = !whole && k >= j->n_before ? j->v[i].cost : 0;
			double x = middle_of_runs(j, &j->v[i])[k] - cost - middle[i];

			if (j->v[i].grouped && !isnan(x))
				away[n++] = x;
		}
		ret[k] = n > 0 ? median_of(away, n) : 0;
		any |= n > 0;
	}
	free(away);
	return any;
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

/* --- the run as a whole --------------------------------------------------------------------- */

static struct effect test_duets(const struct judging *j, const double *value)
{
	struct sample s = runs_of_duets(j, value);
	double error = s.ok ? sqrt(s.variance * s.per_runs) : NAN, reach;

	if (!s.ok)
		return effect_unknown;
	reach = t_limit(0.05, s.df) * error;
	return (struct effect){
		.value = s.difference,
		.low = s.difference - reach,
		.high = s.difference + reach,
		.min = s.difference,
		.p = error > 0		 ? t_tail(s.difference / error, s.df)
		     : s.difference == 0 ? 1
					 : 0,
	};
}

struct effect runs_test_series(const struct judging *j, const double *value)
{
	struct effect e = { NAN, NAN, NAN, NAN, NAN, false };
	double mean[2] = { mean_over(value, 0, j->n_before),
			   mean_over(value, j->n_before, j->n_runs) };
	double square = 0, n[2] = { 0, 0 }, df, error, reach;
	struct unordered u = { j->n_before, j->n_runs - j->n_before };
	struct in_order ordered;

	for (size_t k = 0; k < j->n_runs; k++) {
		double away = value[k] - mean[k >= j->n_before];

		square += isnan(away) ? 0 : away * away;
		n[k >= j->n_before] += !isnan(away);
	}
	df = n[0] + n[1] - 2;
	if (j->duets.n > 0)
		return test_duets(j, value);
	if (n[0] < 2 || n[1] < 2)
		return e;
	error = sqrt(square / df * (1 / n[0] + 1 / n[1]));
	e.value = mean[1] - mean[0];
	if (j->order.n > 0 && difference_in_order(&j->order, value, NULL, j->n_before, &ordered)) {
		e.value = ordered.difference;
		error = ordered.error;
	}
	e.min = e.value;
	e.p = error <= 0       ? (e.value == 0 ? 1 : 0)
	      : j->order.n > 0 ? t_tail(e.value / error, df)
			       : unordered_p(&u, e.value / error, df);
	error *= j->order.n > 0 ? 1 : unordered_width(&u);
	reach = t_limit(0.05, df) * error;
	e.low = e.value - reach;
	e.high = e.value + reach;
	return e;
}

/* A common factor moves every latency alike, and nothing else: a share of slow calls is measured
 * against the median, and the spread is a ratio. */
void runs_find_effects(struct arena *a, struct judging *j)
{
	double *none = arena_make(a, double, j->n_runs), *shared = arena_make(a, double, j->n_runs);

	find_group(j);
	j->run_effect_known = find_run_effect(j, false, shared);
	for (int f = 0; f < N_FEATURES; f++)
		j->run_effect[f] = feature_is_latency((enum feature)f) ? shared : none;
}

struct drift drift_of_runs(const struct judging *j)
{
	if (!j->run_effect_known)
		return (struct drift){ NAN, NAN, NAN, false };
	return drift_of(j->run_effect[FEATURE_MEAN], j->n_before);
}

void runs_find_run_effect(struct arena *a, struct judging *j, struct runs_judgement *ret)
{
	double *whole;

	runs_find_effects(a, j);
	if (!j->run_effect_known)
		return;
	for (size_t i = 0; i < j->n; i++)
		ret->n_grouped += j->v[i].grouped;
	whole = arena_make(a, double, j->n_runs);
	(void)find_run_effect(j, true, whole);
	ret->shared = runs_test_series(j, whole);
	ret->drift_before = drift_of_runs(j);
	ret->drift_after = drift_of(whole + j->n_before, j->n_runs - j->n_before);
}
