/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the steps of one operation's features into changes with verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/history/history_judging.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/xalloc.h"

double history_min(const struct history_rules *rules, enum history_feature f)
{
	switch (f) {
	case HISTORY_TAIL:
		return rules->runs.min_tail;
	case HISTORY_CALLS:
		return rules->runs.min_calls;
	case HISTORY_P99:
		return fmax(rules->min_p99, rules->runs.min_effect);
	case HISTORY_SHIFT:
	case HISTORY_MEAN:
	case HISTORY_P50:
	case HISTORY_P90:
	case N_HISTORY_FEATURES:
		break;
	}
	return rules->runs.min_effect;
}

/* --- levels --------------------------------------------------------------------------------- */

/* The median of a lane over the runs from..to-1; NAN when none of them has the operation. */
static double median_over(const struct lane *l, const double *v, size_t from, size_t to)
{
	double *room = xcalloc(l->series.n + 1, sizeof(*room)), r;
	size_t n = 0;

	for (size_t i = 0; i < l->series.n; i++) {
		if (l->run[i] >= from && l->run[i] < to)
			room[n++] = v[i];
	}
	r = median_of(room, n);
	free(room);
	return r;
}

/* The median of the means as measured; those of the run effect are in octaves. */
static double median_mean(const struct watched *w, size_t from, size_t to, double *room)
{
	size_t n = 0;
	double middle;

	for (size_t k = from; k < to; k++) {
		if (!isnan(w->past->mean[k]))
			room[n++] = w->past->mean[k];
	}
	middle = median_of(room, n);
	return w->past->calls != NULL ? middle : exp2(middle);
}

static struct level level_of(const struct watched *w, size_t from, size_t to)
{
	double *room = xcalloc(to - from + 1, sizeof(*room));
	struct level l = { .from = from, .mean = median_mean(w, from, to, room) };

	for (size_t k = from; k < to; k++) {
		if (w->past->calls != NULL && !isnan(w->past->calls[k]))
			room[l.n++] = w->past->calls[k];
	}
	l.calls = median_of(room, l.n);
	free(room);
	return l;
}

/* The smaller of an effect with and without the run effect; 0 when their signs differ: an
 * operation that did not move has not improved because all others got slower. */
static double conservative_effect(double own, double raw)
{
	if (isnan(own) || isnan(raw))
		return NAN;
	if (own * raw <= 0)
		return 0;
	return fabs(own) < fabs(raw) ? own : raw;
}

static double effect_at(const struct lane *l, size_t from, size_t at, size_t to)
{
	double own = median_over(l, l->own, at, to) - median_over(l, l->own, from, at);
	double raw = median_over(l, l->raw, at, to) - median_over(l, l->raw, from, at);

	return conservative_effect(own, raw);
}

/* --- steps of several numbers are one change --------------------------------------------- */

/* A significant step of one feature, in a stretch of its lane without another one. */
struct point {
	size_t at; /* run */
	enum history_feature f;
	const struct candidate *c;
	size_t from, to; /* of the lane */
	bool taken;
};

static int by_p(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;

	if (a->c->step.p != b->c->step.p)
		return a->c->step.p > b->c->step.p ? 1 : -1;
	return a->at != b->at ? (a->at > b->at ? 1 : -1) : (a->f > b->f) - (a->f < b->f);
}

static struct point *points_of(const struct judging_history *j, const struct watched *w,
			       size_t *ret_n)
{
	size_t n = 0, m = 0;
	struct point *v;

	for (int f = 0; f < N_HISTORY_FEATURES; f++)
		n += w->n_found[f];
	v = arena_make(j->arena, struct point, n + 1);
	for (int f = 0; f < N_HISTORY_FEATURES; f++) {
		for (size_t i = 0; i < w->n_found[f]; i++) {
			const struct lane *l = &w->lane[f];
			size_t from = i > 0 ? w->found[f][i - 1]->step.at : 0;
			size_t to =
				i + 1 < w->n_found[f] ? w->found[f][i + 1]->step.at : l->series.n;
			const struct candidate *c = w->found[f][i];

			v[m++] = (struct point){
				l->run[c->step.at], (enum history_feature)f, c, from, to, false
			};
		}
	}
	qsort(v, n, sizeof(*v), by_p);
	*ret_n = n;
	return v;
}

static size_t lane_position(const struct lane *l, size_t run)
{
	size_t i = 0;

	while (i < l->series.n && l->run[i] < run)
		i++;
	return i;
}

/* Whether a step of another feature may lie at this run: within `least` runs, or in the confidence
 * set at 95 % of its position.  Twice the fall of the log-likelihood is below x with the
 * probability (1 - exp(-x / 2))^2 (Yao 1987). */
static bool may_be_at(const struct judging_history *j, const struct watched *w,
		      const struct point *p, size_t run)
{
	static const double fall = 7.35;
	const struct lane *l = &w->lane[p->f];
	size_t apart = p->at > run ? p->at - run : run - p->at;

	return apart < j->rules->min || change_point_misfit(&l->series, &j->change_points, p->from,
							    p->to, lane_position(l, run)) <= fall;
}

static int by_run(const void *pa, const void *pb)
{
	const struct change *a = pa, *b = pb;

	return (a->at > b->at) - (a->at < b->at);
}

/* The most significant point gives the position of a change; others that may lie there join it. */
static void group_points(const struct judging_history *j, const struct watched *w, struct point *v,
			 size_t n)
{
	struct past *past = w->past;

	past->change = arena_make(j->arena, struct change, n + 2); /* room for a drift, too */
	for (size_t i = 0; i < n; i++) {
		struct change *c = &past->change[past->n_changes];

		if (v[i].taken)
			continue;
		*c = (struct change){
			.kind = CHANGE_STEP, .at = v[i].at, .p = v[i].c->step.p, .q = v[i].c->q
		};
		past->n_changes++;
		for (size_t k = i; k < n; k++) {
			bool other = k != i && c->significant[v[k].f];

			if (v[k].taken || other || !may_be_at(j, w, &v[k], c->at))
				continue;
			v[k].taken = true;
			c->significant[v[k].f] = true;
			c->q = fmin(c->q, v[k].c->q);
		}
	}
	qsort(past->change, past->n_changes, sizeof(*past->change), by_run);
}

/* --- verdicts ---------------------------------------------------------------------------- */

static void fill_effects(const struct judging_history *j, const struct watched *w, size_t i)
{
	struct past *past = w->past;
	struct change *c = &past->change[i];
	size_t from = i > 0 ? past->change[i - 1].at : 0;

	c->end = i + 1 < past->n_changes ? past->change[i + 1].at : j->n_runs;
	c->before = level_of(w, from, c->at);
	c->after = level_of(w, c->at, c->end);
	for (int f = 0; f < N_HISTORY_FEATURES; f++)
		c->effect[f] = effect_at(&w->lane[f], from, c->at, c->end);
}

static bool is_large(const struct judging_history *j, const struct change *c)
{
	for (int f = 0; f < N_HISTORY_FEATURES; f++) {
		if (c->significant[f] &&
		    fabs(c->effect[f]) >= history_min(j->rules, (enum history_feature)f))
			return true;
	}
	return false;
}

/* Drops changes below the minimum effect, the least significant one first, and one at
 * a time: dropping a change alters the levels on both sides of it. */
static void drop_small(const struct judging_history *j, const struct watched *w)
{
	struct past *past = w->past;

	for (;;) {
		size_t worst = past->n_changes;

		for (size_t i = 0; i < past->n_changes; i++) {
			fill_effects(j, w, i);
			if (!is_large(j, &past->change[i]) &&
			    (worst == past->n_changes || past->change[i].p > past->change[worst].p))
				worst = i;
		}
		if (worst == past->n_changes)
			return;
		memmove(&past->change[worst], &past->change[worst + 1],
			(--past->n_changes - worst) * sizeof(*past->change));
	}
}

static bool has_longer_tail(const struct change *c)
{
	return (c->significant[HISTORY_TAIL] && c->effect[HISTORY_TAIL] > 0) ||
	       (c->significant[HISTORY_P99] && c->effect[HISTORY_P99] > 0);
}

static void decide_change(const struct judging_history *j, struct change *c)
{
	unsigned up = 0, down = 0;
	double total = log2(c->after.mean * c->after.calls / (c->before.mean * c->before.calls));
	struct movements moved = { .mean = log2(c->after.mean / c->before.mean),
				   .body = c->effect[HISTORY_SHIFT],
				   .total = total };

	for (int f = 0; f < N_HISTORY_FEATURES; f++) {
		c->significant[f] &=
			fabs(c->effect[f]) >= history_min(j->rules, (enum history_feature)f);
		if (c->significant[f])
			(*(c->effect[f] > 0 ? &up : &down))++;
	}
	c->verdict = VERDICT_CHANGED_SHAPE;
	if (up > 0 && down == 0)
		c->verdict = VERDICT_REGRESSED;
	else if (down > 0 && up == 0)
		c->verdict = VERDICT_IMPROVED;
	else if (isfinite(total) && fabs(total) >= j->rules->runs.min_effect)
		c->verdict = total > 0 ? VERDICT_REGRESSED : VERDICT_IMPROVED;
	if (c->verdict == VERDICT_IMPROVED && has_longer_tail(c))
		c->verdict = VERDICT_CHANGED_SHAPE;
	c->verdict = verdict_checked(c->verdict, &moved);
}

/* --- drift ------------------------------------------------------------------------------- */

/* Whether a feature drifts; if so, adds the drift to *drift and drops the feature's steps. */
static bool take_drift(const struct judging_history *j, struct watched *w, enum history_feature f,
		       struct change *drift)
{
	const struct lane *l = &w->lane[f];
	size_t *at = xcalloc(w->n_found[f] + 1, sizeof(*at));
	bool found;

	for (size_t i = 0; i < w->n_found[f]; i++)
		at[i] = w->found[f][i]->step.at;
	found = w->n_found[f] > 0 && drift_fits_better(&l->series, at, w->n_found[f]);
	free(at);
	if (!found)
		return false;
	drift->effect[f] =
		conservative_effect(rise_of(l->own, l->series.n), rise_of(l->raw, l->series.n));
	for (size_t i = 0; i < w->n_found[f]; i++) {
		drift->p = fmin(drift->p, w->found[f][i]->step.p);
		drift->q = fmin(drift->q, w->found[f][i]->q);
	}
	w->n_found[f] = 0;
	drift->significant[f] = fabs(drift->effect[f]) >= history_min(j->rules, f);
	return drift->significant[f];
}

static bool find_drift(const struct judging_history *j, struct watched *w, struct change *ret)
{
	struct change c = { .kind = CHANGE_DRIFT, .p = 1, .q = 1, .end = j->n_runs };
	size_t third = j->n_runs / 3;
	bool found = false;

	for (int f = 0; f < N_HISTORY_FEATURES; f++) {
		c.effect[f] = NAN;
		found |= take_drift(j, w, (enum history_feature)f, &c);
	}
	c.before = level_of(w, 0, third);
	c.after = level_of(w, j->n_runs - third, j->n_runs);
	*ret = c;
	return found;
}

/* --- outlier runs ---------------------------------------------------------------------------- */

/* Writes the distance of each run of a lane from the median of its level to ret[]; *ret_scatter
 * is their robust standard deviation. */
static void distances_from_level(const struct judging_history *j, const struct past *past,
				 const struct lane *l, const double *v, double *ret,
				 double *ret_scatter)
{
	double *room = xcalloc(l->series.n + 1, sizeof(*room)), middle = 0;
	size_t next = 0, to = 0; /* run at which the next level begins */

	for (size_t i = 0; i < l->series.n; i++) {
		if (l->run[i] >= to) {
			size_t from = to;

			to = next < past->n_changes ? past->change[next++].at : j->n_runs;
			middle = median_over(l, v, from, to);
		}
		ret[i] = v[i] - middle;
		room[i] = fabs(ret[i]);
	}
	*ret_scatter = median_of(room, l->series.n) / NORMAL_QUARTILE;
	free(room);
}

static void find_outliers(const struct judging_history *j, const struct watched *w,
			  enum history_feature f, double *ret)
{
	const struct lane *l = &w->lane[f];
	double *own = xcalloc(2 * l->series.n + 1, sizeof(*own)), *raw = own + l->series.n;
	double scatter, scatter_raw;

	distances_from_level(j, w->past, l, l->own, own, &scatter);
	distances_from_level(j, w->past, l, l->raw, raw, &scatter_raw);
	scatter = fmax(scatter, sqrt(l->series.noise));
	for (size_t i = 0; i < l->series.n; i++) {
		double away = conservative_effect(own[i], raw[i]);

		if (fabs(away) >= fmax(j->rules->outlier * scatter, j->rules->min_odd))
			ret[l->run[i]] = away;
	}
	free(own);
}

static void fill_outliers(const struct judging_history *j, const struct watched *w)
{
	double *mean = xcalloc(2 * j->n_runs, sizeof(*mean)), *calls = mean + j->n_runs;
	struct past *past = w->past;

	find_outliers(j, w, HISTORY_MEAN, mean);
	find_outliers(j, w, HISTORY_CALLS, calls);
	past->outlier = arena_make(j->arena, struct outlier_run, j->n_runs + 1);
	for (size_t k = 0; k < j->n_runs; k++) {
		if (mean[k] != 0 || calls[k] != 0)
			past->outlier[past->n_outliers++] =
				(struct outlier_run){ k, mean[k], calls[k] };
	}
	free(mean);
}

/* --- all of it --------------------------------------------------------------------------- */

/* A step was found in a part of the runs; moves it to the best position between its neighbours. */
static void place_steps(const struct judging_history *j, struct watched *w, enum history_feature f)
{
	struct lane *l = &w->lane[f];

	for (size_t i = 0; i < w->n_found[f]; i++) {
		size_t from = i > 0 ? w->found[f][i - 1]->step.at : 0;
		size_t to = i + 1 < w->n_found[f] ? w->found[f][i + 1]->step.at : l->series.n;

		if (to - from >= 2 * j->change_points.min)
			w->found[f][i]->step.at =
				change_point_position(&l->series, &j->change_points, from, to);
	}
}

void history_changes(const struct judging_history *j, struct watched *w)
{
	struct past *past = w->past;
	struct change drift;
	bool drifts;
	size_t n;
	struct point *v;

	for (int f = 0; f < N_HISTORY_FEATURES; f++)
		place_steps(j, w, (enum history_feature)f);
	drifts = find_drift(j, w, &drift);
	v = points_of(j, w, &n);
	group_points(j, w, v, n);
	drop_small(j, w);
	for (size_t i = 0; i < past->n_changes; i++)
		decide_change(j, &past->change[i]);
	fill_outliers(j, w);
	if (drifts) {
		decide_change(j, &drift);
		past->change[past->n_changes++] = drift;
	}
}
