/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of an operation that a history looks at, and the processor's part in them. */
#include <math.h>
#include <string.h>

#include "analyze/body.h"
#include "analyze/history/history_judging.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/attr.h"

const char *const history_feature_keys[] = { "shift",	  "mean_shift", "tail_shift", "p50_shift",
					     "p90_shift", "p99_shift",	"calls_shift" };

/* --- the processor ---------------------------------------------------------------------- */

/* Octaves between the slowest and the fastest run: 2 %, as for repeated runs. */
static const double steady = 0.0286;

double *history_slowness(struct arena *a, const struct history_run *run, size_t n_runs,
			 double *ret_range)
{
	double *slowness = arena_make(a, double, n_runs), low = HUGE_VAL, high = -HUGE_VAL;

	*ret_range = NAN;
	for (size_t k = 0; k < n_runs; k++) {
		if (!(run[k].cpu_speed > 0))
			return NULL;
		slowness[k] = -log2(run[k].cpu_speed);
		low = fmin(low, slowness[k]);
		high = fmax(high, slowness[k]);
	}
	*ret_range = high - low;
	for (size_t k = 0; k < n_runs; k++)
		slowness[k] -= low;
	return *ret_range >= steady ? slowness : NULL;
}

/* Sums over the numbers before a place, or from it on. */
struct sums {
	double n, v, slow, vv, vs, ss;
};

static void add_value(struct sums *s, double v, double slow, double sign)
{
	s->n += sign;
	s->v += sign * v;
	s->slow += sign * slow;
	s->vv += sign * v * v;
	s->vs += sign * v * slow;
	s->ss += sign * slow * slow;
}

/* The squares and products within both sides of a step. */
struct within {
	double vv, vs, ss;
};

static void add_side(struct within *w, const struct sums *s)
{
	if (s->n < 1)
		return;
	w->vv += s->vv - s->v * s->v / s->n;
	w->vs += s->vs - s->v * s->slow / s->n;
	w->ss += s->ss - s->slow * s->slow / s->n;
}

double history_slope(const double *v, const double *slowness, size_t n, size_t min)
{
	struct sums before = { 0 }, after = { 0 };
	double best = 0, min_left = HUGE_VAL;

	for (size_t i = 0; i < n; i++)
		add_value(&after, v[i] - v[0], slowness[i], 1);
	for (size_t at = 0; at + min <= n; at++) {
		struct within w = { 0 };
		double slope, left;

		if (at == 0 || at >= min) {
			add_side(&w, &before);
			add_side(&w, &after);
			slope = w.ss > 0 ? fmin(fmax(w.vs / w.ss, 0), 1) : 0;
			left = w.vv - 2 * slope * w.vs + slope * slope * w.ss;
			if (left < min_left) {
				min_left = left;
				best = slope;
			}
		}
		add_value(&before, v[at] - v[0], slowness[at], 1);
		add_value(&after, v[at] - v[0], slowness[at], -1);
	}
	return best;
}

/* A share of slow calls, or a number of calls, does not follow the processor. */
static bool follows_processor(enum history_feature f)
{
	return f != HISTORY_TAIL && f != HISTORY_CALLS;
}

static void remove_speed(const struct judging_history *j, double *value)
{
	double *v = arena_make(j->arena, double, 2 * j->n_runs), *slowness = v + j->n_runs, slope;
	size_t n = 0;

	for (size_t k = 0; k < j->n_runs; k++) {
		if (isnan(value[k]))
			continue;
		v[n] = value[k];
		slowness[n++] = j->slowness[k];
	}
	slope = n > 0 ? history_slope(v, slowness, n, j->rules->min) : 0;
	for (size_t k = 0; k < j->n_runs; k++)
		value[k] -= slope * j->slowness[k];
}

/* --- features ------------------------------------------------------------------------------- */

/* Percentiles; their variance is p (1 - p) / n / density^2, and the density is estimated between
 * the percentiles at 1/4 of the smaller tail on either side. */
static void measure_percentile(const struct judging_history *j, const struct past *past, double p,
			       double *ret, double *ret_noise)
{
	double apart = fmin(p, 1 - p) / 4, *room = arena_make(j->arena, double, j->n_runs);
	size_t n = 0;

	for (size_t k = 0; k < j->n_runs; k++) {
		const struct histogram *h = past->run[k] != NULL ? &past->run[k]->hist : NULL;
		double width;

		ret[k] = NAN;
		if (h == NULL || h->n == 0)
			continue;
		ret[k] = body_quantile(h, p);
		width = body_quantile(h, p + apart) - body_quantile(h, p - apart);
		room[n++] = p * (1 - p) / (double)h->count * (width / (2 * apart)) *
			    (width / (2 * apart));
	}
	*ret_noise = n > 0 ? median_of(room, n) : 0;
}

static void take_feature(const struct judging_history *j, const struct past *past,
			 const struct features *of, enum feature from, enum history_feature to,
			 struct watched *ret)
{
	double *value = ret->value[to] = arena_make(j->arena, double, j->n_runs);

	memcpy(value, of->value[from], j->n_runs * sizeof(*value));
	ret->noise[to] = of->noise[from];
	for (size_t k = 0; k < j->n_runs; k++) {
		if (past->run[k] == NULL)
			value[k] = NAN;
		else if (to == HISTORY_CALLS)
			value[k] -= log2((double)j->run[k].n_files);
	}
}

void history_measure(const struct judging_history *j, struct past *past, struct watched *ret)
{
	static const struct {
		enum history_feature f;
		double p;
	} percentile[] = { { HISTORY_P50, 0.5 }, { HISTORY_P90, 0.9 }, { HISTORY_P99, 0.99 } };
	struct arena *scratch = arena_new();
	struct features of = features_of(scratch, past->run, j->n_runs, j->n_runs, 1);

	ret->has_tail = of.has_tail;
	ret->approximated = of.approximated;
	take_feature(j, past, &of, FEATURE_SHIFT, HISTORY_SHIFT, ret);
	take_feature(j, past, &of, FEATURE_MEAN, HISTORY_MEAN, ret);
	take_feature(j, past, &of, FEATURE_TAIL, HISTORY_TAIL, ret);
	take_feature(j, past, &of, FEATURE_CALLS, HISTORY_CALLS, ret);
	for (size_t i = 0; i < COUNT_OF(percentile); i++) {
		enum history_feature f = percentile[i].f;

		ret->value[f] = arena_make(j->arena, double, j->n_runs);
		measure_percentile(j, past, percentile[i].p, ret->value[f], &ret->noise[f]);
	}
	arena_free(scratch);
	for (int f = 0; f < N_HISTORY_FEATURES && j->slowness != NULL; f++) {
		if (follows_processor((enum history_feature)f))
			remove_speed(j, ret->value[f]);
	}
}
