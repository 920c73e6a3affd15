/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/change_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/random.h"
#include "analyze/stats/significance.h"
#include "base/xalloc.h"

/* A stretch needs this many more numbers than 2 x `least`, or permutations could never confirm. */
enum { SPARE = 2 };
/* Models of less weight hardly change a standard error. */
static const double min_weight = 0.001;
/* The share of the permutations from which the tail of the largest t is extended. */
static const double tail = 0.2;

struct search {
	const struct series *s;
	const struct change_point_rules *rules;
	double noise;		     /* lower bound of the variance */
	double *room;		     /* noise_room(n), for one fit */
	double *mean, *square, *sum; /* [n] over the models: of the step, and of its error */
	double *shuffled, *white;    /* [n] */
	double *largest;	     /* [shuffles] */
	struct tested_step *ret;
	size_t n_ret;
};

struct split {
	size_t at; /* 0: none */
	double t, p;
	size_t from, to; /* the interval that was searched */
	double looks;	 /* the number of intervals that it is the best of */
};

/* --- one split -------------------------------------------------------------------------- */

/* Adds the steps that one model estimates, and their squared errors. */
static void add_model(const struct search *w, const double *v, size_t n, size_t model)
{
	size_t min = w->rules->min;
	struct noise_fit fit = noise_fit(w->s->filters, model, v, n, min, w->room);
	double weight = w->s->weights.of[model];

	for (size_t k = min; k + min <= n; k++) {
		double step = fit.step[k], left = fit.one_level - step * step * fit.information[k];
		double variance = fmax(left / (double)(n - 2), w->noise);

		w->mean[k] += weight * step;
		w->square[k] += weight * step * step;
		w->sum[k] += weight * variance / fit.information[k];
	}
}

/* |t| of the step before number k, after its models were added. */
static double t_at(const struct search *w, size_t k)
{
	double apart = fmax(0, w->square[k] - w->mean[k] * w->mean[k]);

	return fabs(w->mean[k]) / sqrt(w->sum[k] + apart);
}

/* The split with the largest |t|; *ret_at is the number of values before it. */
static double largest_t(const struct search *w, const double *v, size_t n, size_t *ret_at)
{
	double best = -1;

	memset(w->mean, 0, 3 * w->s->n * sizeof(*w->mean));
	for (size_t m = 0; m < N_NOISE_MODELS; m++) {
		if (w->s->weights.of[m] >= min_weight)
			add_model(w, v, n, m);
	}
	for (size_t k = w->rules->min; k + w->rules->min <= n; k++) {
		double t = t_at(w, k);

		if (t > best) {
			best = t;
			*ret_at = k;
		}
	}
	return best;
}

static struct split best_split(const struct search *w, size_t from, size_t to)
{
	size_t n = to - from, at = 0;
	struct split r = { .from = from, .to = to };

	r.t = largest_t(w, w->s->v + from, n, &at);
	r.at = from + at;
	r.p = largest_t_p(r.t, (double)(n - 2), n, w->rules->min);
	return r;
}

/* --- permutations ------------------------------------------------------------------------ */

static int by_number(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

static void shuffle_values(double *v, size_t n, uint64_t *state)
{
	for (size_t k = n; k-- > 1;) {
		size_t other = (size_t)(random_share(state) * (double)(k + 1));
		double x = v[k];

		v[k] = v[other];
		v[other] = x;
	}
}

/* The share of t, among n ascending ones, that reach this one.  Beyond most of them, their tail is
 * extended as an exponential one, which is longer than that of normal noise. */
static double share_beyond(const double *t, size_t n, double reached)
{
	size_t above = (size_t)(tail * (double)n), rank = 0;
	double from = t[n - above - 1], excess = 0;

	if (reached <= from) {
		while (rank < n && t[n - 1 - rank] >= reached)
			rank++;
		return ((double)rank + 1) / ((double)n + 1);
	}
	for (size_t i = n - above; i < n; i++)
		excess += (t[i] - from) / (double)above;
	return ((double)above + 1) / ((double)n + 1) *
	       exp(-(reached - from) / fmax(excess, 1e-9 * reached));
}

/* Permutation p: the noise of this stretch, whitened, in random orders.  Noise with long tails puts
 * several outliers on one side more often than the t test expects. */
static double shuffled_p(const struct search *w, const struct split *seen)
{
	size_t n = seen->to - seen->from, at, m = w->rules->shuffles, model;
	const double *v = w->s->v + seen->from;
	uint64_t state = w->rules->seed;
	double middle = 0;

	model = noise_best(&w->s->weights);
	for (size_t i = 0; i < n; i++)
		middle += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		w->white[i] = v[i] - middle;
	noise_whiten(w->s->filters, model, w->white, n, w->white);
	for (size_t i = 0; i < m; i++) {
		shuffle_values(w->white, n, &state);
		noise_colour(w->s->filters, model, w->white, n, w->shuffled);
		w->largest[i] = largest_t(w, w->shuffled, n, &at);
	}
	qsort(w->largest, m, sizeof(*w->largest), by_number);
	return share_beyond(w->largest, m, seen->t * (1 - 1e-9));
}

/* --- stretches ----------------------------------------------------------------------------- */

static size_t shortest_segment(const struct change_point_rules *rules)
{
	return 2 * rules->min + SPARE;
}

/* The best split within the intervals of a stretch: their length falls by sqrt(2) each time, and
 * those of one length overlap by half.  Its `looks` are the number of intervals. */
static struct split best_within(const struct search *w, size_t from, size_t to)
{
	double n = (double)(to - from), looks = 0;
	struct split best = { .p = HUGE_VAL };

	for (double part = M_SQRT2; n / part >= (double)shortest_segment(w->rules);
	     part *= M_SQRT2) {
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
	best.looks = looks;
	return best;
}

static struct tested_step test_stretch(const struct search *w, size_t from, size_t to)
{
	struct split whole = best_split(w, from, to), within = best_within(w, from, to);
	bool part = within.at > 0 && within.p * within.looks < whole.p;
	struct split best = part ? within : whole;
	double looks = (within.at > 0 ? 2 : 1) * (part ? within.looks : 1);
	struct tested_step r = { .at = best.at, .p = fmin(1, best.p * looks) };

	if (r.p <= w->rules->level)
		r.p = fmin(1, fmax(best.p, shuffled_p(w, &best)) * looks);
	r.found = r.p <= w->rules->level;
	return r;
}

/* p of a straight line through the whole series: a drift shows as steps, but these explain it
 * less well. */
static double line_p(const struct search *w)
{
	double n = (double)w->s->n, mean = 0, square = 0, sum = 0;

	for (size_t m = 0; m < N_NOISE_MODELS; m++) {
		double weight = w->s->weights.of[m], variance;
		struct noise_line line;

		if (weight < min_weight)
			continue;
		line = noise_line(w->s->filters, m, w->s->v, w->s->n, w->room);
		variance = fmax(line.left / (n - 2), w->noise);
		mean += weight * line.slope;
		square += weight * line.slope * line.slope;
		sum += weight * variance / line.information;
	}
	return t_tail(mean / sqrt(sum + fmax(0, square - mean * mean)), n - 2);
}

/* The share of the error probability of the whole series that the line gets. */
static const double part_of_line = 0.1;

static struct tested_step test_all(const struct search *w)
{
	struct tested_step r = test_stretch(w, 0, w->s->n);

	r.p = fmin(1, fmin(r.p / (1 - part_of_line), line_p(w) / part_of_line));
	r.found = r.p <= w->rules->level;
	return r;
}

static void search_segment(struct search *w, size_t from, size_t to, double parent)
{
	struct tested_step r;

	if (to - from < shortest_segment(w->rules))
		return;
	r = to - from == w->s->n ? test_all(w) : test_stretch(w, from, to);
	r.p = fmax(r.p, parent);
	w->ret[w->n_ret++] = r;
	if (!r.found)
		return;
	search_segment(w, from, r.at, r.p);
	search_segment(w, r.at, to, r.p);
}

/* The variance of numbers by the mean square of the differences of neighbours, without the largest
 * fifth, which includes those that steps make; `normal` is what normal numbers then keep.  Numbers
 * of two states can look alike on either side of a short stretch, but not over the whole series. */
static double variance_of_neighbours(const double *v, size_t n, double *room)
{
	static const double normal = 0.438;
	size_t m = n > 0 ? n - 1 : 0, kept = m - m / 5;
	double sum = 0;

	for (size_t i = 0; i < m; i++)
		room[i] = (v[i + 1] - v[i]) * (v[i + 1] - v[i]);
	(void)median_of(room, m); /* sorts */
	for (size_t i = 0; i < kept; i++)
		sum += room[i] / (double)kept;
	return sum / 2 / normal;
}

static struct search search_begin(const struct series *s, const struct change_point_rules *rules)
{
	struct search w = { .s = s, .rules = rules };

	w.room = xcalloc(noise_room(s->n) + 5 * s->n + rules->shuffles + 1, sizeof(*w.room));
	w.mean = w.room + noise_room(s->n);
	w.square = w.mean + s->n;
	w.sum = w.square + s->n;
	w.shuffled = w.sum + s->n;
	w.white = w.shuffled + s->n;
	w.largest = w.white + s->n;
	w.noise = fmax(s->noise, variance_of_neighbours(s->v, s->n, w.room));
	return w;
}

size_t change_points_find(const struct series *s, const struct change_point_rules *rules,
			  struct tested_step *ret)
{
	struct search w = search_begin(s, rules);

	w.ret = ret;
	search_segment(&w, 0, s->n, 0);
	free(w.room);
	return w.n_ret;
}

size_t change_point_position(const struct series *s, const struct change_point_rules *rules,
			     size_t from, size_t to)
{
	struct search w = search_begin(s, rules);
	size_t at = best_split(&w, from, to).at;

	free(w.room);
	return at;
}

double change_point_misfit(const struct series *s, const struct change_point_rules *rules,
			   size_t from, size_t to, size_t at)
{
	struct search w = search_begin(s, rules);
	double n = (double)(to - from), t[2] = { best_split(&w, from, to).t, 0 };

	if (at >= from + rules->min && at + rules->min <= to)
		t[1] = t_at(&w, at - from);
	free(w.room);
	return n * (log1p(t[0] * t[0] / (n - 2)) - log1p(t[1] * t[1] / (n - 2)));
}

/* --- drift ------------------------------------------------------------------------------ */

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

bool drift_fits_better(const struct series *s, const size_t *at, size_t n_steps)
{
	double left_line, left_steps = 0, variance;
	size_t from = 0;

	for (size_t i = 0; i <= n_steps; i++) {
		size_t to = i < n_steps ? at[i] : s->n;

		left_steps += squares_about_mean(s->v + from, to - from);
		from = to;
	}
	(void)fit_line(s->v, s->n, &left_line);
	/* Schwarz's criterion.  Both with one variance, that of the better fit: with one each, where
	 * both fit within the noise, the line would win by its fewer parameters.  Each step has
	 * two: its position and its height. */
	variance = fmax(fmin(left_line, left_steps) / (double)s->n, s->noise);
	return (left_line - left_steps) / variance < (double)(2 * n_steps - 1) * log((double)s->n);
}
