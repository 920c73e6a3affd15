/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/change_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/random.h"
#include "analyze/significance.h"
#include "base/xalloc.h"

/* Values are clipped at this many standard deviations from the median. */
static const double reach = 8;
/* Median of |difference of two normal numbers|, in standard deviations of one number. */
static const double median_difference = NORMAL_QUARTILE * M_SQRT2;
/* A stretch needs this many more runs than 2 x `least`, or permutations could never confirm. */
enum { SPARE = 2 };

struct search {
	const struct series *s;
	const struct change_point_rules *rules;
	double *room; /* 3 n: clipped values, and scratch for medians */
	struct tested_step *ret;
	size_t n_ret;
};

struct split {
	size_t at; /* 0: none */
	double t, p;
	size_t from, to; /* the interval that was searched */
};

/* --- one split -------------------------------------------------------------------------- */

/* The standard deviation of runs, estimated so that steps hardly affect it. */
static double scatter(const double *v, size_t n, double noise, double *room)
{
	for (size_t i = 0; i + 1 < n; i++)
		room[i] = fabs(v[i + 1] - v[i]);
	return fmax(median_of(room, n - 1) / median_difference, sqrt(noise));
}

/* Clips values to within `reach` standard deviations of the median. */
static void winsorise(const double *v, size_t n, double noise, double *room, double *ret)
{
	double away = reach * scatter(v, n, noise, room), middle;

	memcpy(room, v, n * sizeof(*v));
	middle = median_of(room, n);
	for (size_t i = 0; i < n; i++)
		ret[i] = fmin(fmax(v[i], middle - away), middle + away);
}

/* The split with the largest |t|; *ret_at is the number of values before it. */
static double largest_t(const double *v, size_t n, size_t least, double noise, double inflate,
			size_t *ret_at)
{
	double all = 0, squares = 0, before = 0, best = -1;

	for (size_t i = 0; i < n; i++)
		all += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - all) * (v[i] - all);
	for (size_t k = 1; k + least <= n; k++) {
		double nb = (double)k, na = (double)(n - k), between, variance, t;

		before += v[k - 1] - all;
		if (k < least)
			continue;
		between = before / nb + before / na; /* deviations from the mean sum to 0 */
		variance = (squares - between * between * nb * na / (nb + na)) / (nb + na - 2);
		variance = fmax(variance, noise) * inflate;
		t = fabs(between) / sqrt(variance * (1 / nb + 1 / na));
		if (t > best) {
			best = t;
			*ret_at = k;
		}
	}
	return best;
}

static double inflation(const struct series *s)
{
	return (1 + s->persistence) / (1 - s->persistence);
}

static struct split best_split(const struct search *w, size_t from, size_t to)
{
	size_t n = to - from, at = 0;
	double inflate = inflation(w->s), *clipped = w->room;
	struct split r = { .from = from, .to = to, .p = 1 };

	winsorise(w->s->v + from, n, w->s->noise, w->room + w->s->n, clipped);
	r.t = largest_t(clipped, n, w->rules->least, w->s->noise, inflate, &at);
	r.at = from + at;
	r.p = largest_t_p(r.t, fmax(1, (double)(n - 2) / inflate), n, w->rules->least);
	return r;
}

/* Permutation p: the share of random orders of these runs whose largest |t| reaches the observed
 * one.  Stops once p is certain to be above the level. */
static double shuffled_p(const struct search *w, const struct split *seen)
{
	size_t n = seen->to - seen->from, at, reached = 1, m = w->rules->shuffles;
	double inflate = inflation(w->s), *v = w->room;
	uint64_t state = w->rules->seed;

	winsorise(w->s->v + seen->from, n, w->s->noise, w->room + w->s->n, v);
	for (size_t i = 0; i < m && (double)reached <= w->rules->level * (double)(m + 1); i++) {
		for (size_t k = n; k-- > 1;) {
			size_t other = (size_t)(random_share(&state) * (double)(k + 1));
			double x = v[k];

			v[k] = v[other];
			v[other] = x;
		}
		reached += largest_t(v, n, w->rules->least, w->s->noise, inflate, &at) >=
			   seen->t - 1e-9 * (1 + seen->t);
	}
	return (double)reached / (double)(m + 1);
}

/* --- stretches ----------------------------------------------------------------------------- */

static size_t shortest(const struct change_point_rules *rules)
{
	return 2 * rules->least + SPARE;
}

/* The best split within the intervals of a stretch: their length falls by sqrt(2) each time, and
 * those of one length overlap by half.  Its p is corrected for the number of intervals. */
static struct split best_within(const struct search *w, size_t from, size_t to)
{
	double n = (double)(to - from), looks = 0;
	struct split best = { .p = HUGE_VAL };

	for (double part = M_SQRT2; n / part >= (double)shortest(w->rules); part *= M_SQRT2) {
		size_t length = (size_t)ceil(n / part), many = 2 * (size_t)ceil(part) - 1;

		for (size_t i = 0; i < many; i++) {
			size_t at = from +
				    (size_t)((n - (double)length) * (double)i / (double)(many - 1));
			struct split one = best_split(w, at, at + length);

			looks++;
			if (one.p < best.p)
				best = one;
		}
	}
	best.p = fmin(1, best.p * looks);
	return best;
}

static struct tested_step test_stretch(const struct search *w, size_t from, size_t to)
{
	struct split whole = best_split(w, from, to), within = best_within(w, from, to);
	struct split best = within.at > 0 && within.p < whole.p ? within : whole;
	struct tested_step r = { .at = best.at };

	r.p = fmin(1, best.p * (within.at > 0 ? 2 : 1));
	if (r.p <= w->rules->level && shuffled_p(w, &best) > w->rules->level)
		r.p = 1;
	r.found = r.p <= w->rules->level;
	return r;
}

static void search(struct search *w, size_t from, size_t to, double parent)
{
	struct tested_step r;

	if (to - from < shortest(w->rules))
		return;
	r = test_stretch(w, from, to);
	r.p = fmax(r.p, parent);
	w->ret[w->n_ret++] = r;
	if (!r.found)
		return;
	search(w, from, r.at, r.p);
	search(w, r.at, to, r.p);
}

size_t change_points_find(const struct series *s, const struct change_point_rules *rules,
			  struct tested_step *ret)
{
	struct search w = { .s = s, .rules = rules, .ret = ret };

	w.room = xcalloc(3 * s->n + 1, sizeof(*w.room));
	search(&w, 0, s->n, 0);
	free(w.room);
	return w.n_ret;
}

size_t change_point_position(const struct series *s, const struct change_point_rules *rules,
			     size_t from, size_t to)
{
	struct search w = { .s = s, .rules = rules };
	size_t at;

	w.room = xcalloc(3 * s->n + 1, sizeof(*w.room));
	at = best_split(&w, from, to).at;
	free(w.room);
	return at;
}

/* --- noise that is not white --------------------------------------------------------------- */

enum { FEWEST_FOR_PERSISTENCE = 8 };

/* The mean squared difference of runs at this lag, without the largest fifth, which includes
 * those that steps make. */
static double squared_difference(const double *v, size_t n, size_t apart, double *room)
{
	size_t m = n - apart, kept = m - m / 5;
	double sum = 0;

	for (size_t i = 0; i < m; i++)
		room[i] = (v[i + apart] - v[i]) * (v[i + apart] - v[i]);
	(void)median_of(room, m); /* sorts */
	for (size_t i = 0; i < kept; i++)
		sum += room[i] / (double)kept;
	return sum;
}

double persistence_of(const double *v, size_t n)
{
	double *room, next, second;

	if (n < FEWEST_FOR_PERSISTENCE)
		return NAN;
	room = xcalloc(n, sizeof(*room));
	next = squared_difference(v, n, 1, room);
	second = squared_difference(v, n, 2, room);
	free(room);
	return next > 0 ? second / next - 1 : NAN;
}

/* Returns the slope per run of the least-squares line; *ret_left is the residual sum of squares. */
static double fit_line(const double *v, size_t n, double *ret_left)
{
	double middle = ((double)n - 1) / 2, mean = 0, cross = 0, square = 0, slope, left = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		cross += ((double)i - middle) * (v[i] - mean);
		square += ((double)i - middle) * ((double)i - middle);
	}
	slope = square > 0 ? cross / square : 0;
	for (size_t i = 0; i < n; i++) {
		double away = v[i] - mean - slope * ((double)i - middle);

		left += away * away;
	}
	*ret_left = left;
	return slope;
}

double rise_of(const double *v, size_t n)
{
	double left;

	return n > 0 ? fit_line(v, n, &left) * ((double)n - 1) : 0;
}

static double squares_about_mean(const double *v, size_t n)
{
	double mean = 0, r = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		r += (v[i] - mean) * (v[i] - mean);
	return r;
}

static double criterion(double left, size_t n, double noise, size_t n_parameters)
{
	double variance = fmax(left / (double)n, noise);

	return (double)n * log(variance) + (double)n_parameters * log((double)n);
}

bool drift_fits_better(const struct series *s, const size_t *at, size_t n_steps)
{
	double left_line, left_steps = 0;
	size_t from = 0;

	for (size_t i = 0; i <= n_steps; i++) {
		size_t to = i < n_steps ? at[i] : s->n;

		left_steps += squares_about_mean(s->v + from, to - from);
		from = to;
	}
	(void)fit_line(s->v, s->n, &left_line);
	/* Each step has two parameters: its position and its height. */
	return criterion(left_line, s->n, s->noise, 2) <
	       criterion(left_steps, s->n, s->noise, 2 * n_steps + 1);
}
