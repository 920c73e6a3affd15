/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/watch/watch_track.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	KEPT = TRACK_RANKS + TRACK_LAG,
	FIT_EVERY = 16,	   /* values between estimates of mean and phi */
	FIT_WHILE_FEW = 2, /* ... until the reference is full */
};

const struct track_shape track_of_intervals = { .lag = TRACK_LAG, .min_ranks = 60, .level = 15 };
const struct track_shape track_of_minutes = { .lag = 8, .min_ranks = 20, .level = 4 };

static const double pulled_to = 4; /* residuals are clamped to so many s */
static const double max_phi = 0.9;
static const double u_unit = 1024;
static const double max_evidence = 1e300;

/* --- scores ------------------------------------------------------------------------- */

/* For a reference of n values: z of each rank, log c of each step. */
struct rank_scores {
	double *z;
	double log_c[TRACK_STEPS];
};

struct track_scores {
	struct rank_scores of[TRACK_RANKS + 1];
};

struct track_scores *track_scores_new(void)
{
	return xcalloc(1, sizeof(struct track_scores));
}

void track_scores_free(struct track_scores *s)
{
	if (s == NULL)
		return;
	for (size_t n = 0; n <= TRACK_RANKS; n++)
		free(s->of[n].z);
	free(s);
}

static double log_bet(double step, double z)
{
	return step * z - step * step / 2;
}

static const struct rank_scores *scores_of(struct track_scores *s, size_t n)
{
	struct rank_scores *r = &s->of[n];

	if (r->z != NULL)
		return r;
	r->z = xcalloc(n + 1, sizeof(*r->z));
	for (size_t k = 0; k <= n; k++)
		r->z[k] = gsl_cdf_ugaussian_Pinv(((double)k + 0.5) / (double)(n + 1));
	for (int d = 0; d < TRACK_STEPS; d++) {
		double sum = 0;

		for (size_t k = 0; k <= n; k++)
			sum += exp(log_bet(d + 1, r->z[k]));
		r->log_c[d] = -log(sum / (double)(n + 1)) - (d + 1) / sqrt((double)n);
	}
	return r;
}

/* --- the reference ------------------------------------------------------------------ */

void track_start(struct track *t, const struct track_shape *shape, struct track_levels *all,
		 uint64_t seed)
{
	memset(t, 0, sizeof(*t));
	t->shape = shape;
	t->all = all;
	t->random = seed;
}

/* Returns the number of the first value of the reference, and *ret_n, its size. */
static size_t reference_of(const struct track *t, size_t *ret_n)
{
	size_t end = t->n > t->shape->lag ? t->n - t->shape->lag : 0;

	if (t->n_frozen > 0) {
		*ret_n = t->n_frozen < TRACK_RANKS ? t->n_frozen : TRACK_RANKS;
		return t->n_frozen - *ret_n;
	}
	*ret_n = end < TRACK_RANKS ? end : TRACK_RANKS;
	return end - *ret_n;
}

/* Frozen values stay at the beginning of the ring; later ones cycle through the rest. */
static size_t ring_slot(const struct track *t, size_t number)
{
	size_t n = t->n_frozen < TRACK_RANKS ? t->n_frozen : TRACK_RANKS;

	if (t->n_frozen == 0)
		return number % KEPT;
	if (number < t->n_frozen)
		return number - (t->n_frozen - n);
	return n + (number - t->n_frozen) % (KEPT - n);
}

void track_freeze(struct track *t)
{
	float x[KEPT];
	int16_t u[KEPT];
	size_t n = t->n < TRACK_RANKS ? t->n : TRACK_RANKS;

	for (size_t i = 0; i < n; i++) {
		x[i] = t->x[ring_slot(t, t->n - n + i)];
		u[i] = t->u[ring_slot(t, t->n - n + i)];
	}
	/* cppcheck-suppress uninitvar; the loop sets n of them */
	memcpy(t->x, x, n * sizeof(*x));
	/* cppcheck-suppress uninitvar */
	memcpy(t->u, u, n * sizeof(*u));
	t->n_frozen = t->n;
	track_forget_evidence(t);
}

/* Estimates mean and phi from the reference, or from all values before there is one. */
static void fit_track(struct track *t)
{
	size_t n, from = reference_of(t, &n), i;
	double sum = 0, square = 0, product = 0, before = 0;

	if (n < t->shape->min_ranks && t->n_frozen == 0) {
		n = t->n < TRACK_RANKS ? t->n : TRACK_RANKS;
		from = t->n - n;
	}
	for (i = 0; i < n; i++)
		sum += (double)t->x[ring_slot(t, from + i)];
	t->mean = n > 0 ? sum / (double)n : 0;
	for (i = 0; i < n; i++) {
		double away = (double)t->x[ring_slot(t, from + i)] - t->mean;

		square += away * away;
		product += i > 0 ? away * before : 0;
		before = away;
	}
	/* Correct the bias of short series, about -(1 + 3 phi) / n. */
	t->phi = square > 0 ? product / square : 0;
	if (n > 0)
		t->phi += (1 + 3 * t->phi) / (double)n;
	t->phi = fmin(fmax(square > 0 ? t->phi : 0, 0), max_phi);
	t->fitted = t->n;
}

bool track_is_ready(const struct track *t)
{
	size_t n;

	(void)reference_of(t, &n);
	return n >= t->shape->min_ranks;
}

/* --- levels ------------------------------------------------------------------------- */

static void extremes_of(const float *v, size_t n, float *low, float *high)
{
	for (size_t i = 0; i < n; i++) {
		*low = fminf(*low, v[i]);
		*high = fmaxf(*high, v[i]);
	}
}

static void keep_level(struct track_levels *l, float level)
{
	l->fine[l->n_fine++ % TRACK_FINE] = level;
	if (l->n_fine % TRACK_FINE == 0) {
		size_t at = l->n_coarse++ % TRACK_COARSE;

		l->low[at] = l->high[at] = l->fine[0];
		extremes_of(l->fine, TRACK_FINE, &l->low[at], &l->high[at]);
	}
}

static void add_to_level(struct track_levels *l, size_t values, double x)
{
	float level;
	size_t at;

	l->sum += x;
	if (++l->n < values)
		return;
	level = (float)(l->sum / (double)values);
	l->sum = 0;
	l->n = 0;
	at = l->n_fresh++ % TRACK_FRESH;
	if (l->n_fresh > TRACK_FRESH)
		keep_level(l, l->fresh[at]);
	l->fresh[at] = level;
}

static void add_levels(struct track *t, double x)
{
	add_to_level(&t->levels, t->shape->level, x);
	add_to_level(t->all, t->shape->level, x);
}

/* Finds the lowest and highest level; false: there is none yet. */
static bool range_of(const struct track_levels *l, double *ret_low, double *ret_high)
{
	size_t n_fine = l->n_fine < TRACK_FINE ? l->n_fine : TRACK_FINE;
	size_t n_coarse = l->n_coarse < TRACK_COARSE ? l->n_coarse : TRACK_COARSE;
	float low = l->fine[0], high = low;

	extremes_of(l->fine, n_fine, &low, &high);
	extremes_of(l->low, n_coarse, &low, &high);
	extremes_of(l->high, n_coarse, &low, &high);
	*ret_low = (double)low;
	*ret_high = (double)high;
	return n_fine > 0;
}

/* Returns how many times farther than the extreme of the past levels a level must lie to be
 * expected once in `horizon` values: with exponential tails the extreme of n levels grows as log n
 * (Gumbel).  At least 2, since few levels say little about their tail. */
static double farther_factor(const struct track *t, double horizon)
{
	static const double min = 2;
	double all = TRACK_FINE * (1 + TRACK_COARSE);
	double seen = fmin(fmax((double)t->levels.n_fine, 2), all);

	return fmax(min, log(horizon / (double)t->shape->level) / log(seen));
}

/* Whether a level lies beyond the levels under all loads. */
static bool is_beyond_all(const struct track *t, double level, double margin)
{
	double low, high;

	return !range_of(t->all, &low, &high) || level >= high + margin || level <= low - margin;
}

/* The past levels, and how far from their middle a new one has to lie. */
struct past_levels {
	double middle, distance;
};

static struct past_levels past_levels_of(const struct track *t, double margin, double horizon)
{
	double low, high, half;

	if (!range_of(&t->levels, &low, &high))
		low = high = t->mean;
	half = (high - low) / 2;
	return (struct past_levels){ low + half,
				     half + fmax(margin, half * (farther_factor(t, horizon) - 1)) };
}

bool track_is_new_level(const struct track *t, size_t n, double margin, double horizon)
{
	struct past_levels past = past_levels_of(t, margin, horizon);
	double level, of_few = 1;

	n = n > 0 ? n : 1;
	level = track_recent(t, n);
	if (n < t->shape->level) /* means of fewer values vary more */
		of_few = sqrt((double)t->shape->level / (double)n);
	return fabs(level - past.middle) >= of_few * past.distance &&
	       is_beyond_all(t, level, of_few * margin);
}

double track_reach(const struct track *t, double margin, double horizon)
{
	struct past_levels past = past_levels_of(t, margin, horizon);
	double level = past.middle + past.distance, low, high;

	if (range_of(t->all, &low, &high))
		level = fmax(level, high + margin);
	return level - t->mean;
}

/* Discards the unfinished level. */
static void drop_fresh(struct track_levels *l)
{
	l->sum = 0;
	l->n = l->n_fresh = 0;
}

void track_set_apart(struct track *t, bool apart)
{
	t->apart = apart;
	drop_fresh(&t->levels);
	drop_fresh(t->all);
}

/* --- evidence ----------------------------------------------------------------------- */

/* Returns a uniform random number in [0, 1), by splitmix64. */
static double draw_uniform(struct track *t)
{
	uint64_t v = t->random += UINT64_C(0x9e3779b97f4a7c15);

	v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
	v ^= v >> 31;
	return (double)(v >> 11) * 0x1p-53;
}

static void count_below(const int16_t *v, size_t n, int16_t u, size_t *below, size_t *equal)
{
	unsigned less = 0, same = 0;

	for (size_t i = 0; i < n; i++) {
		less += v[i] < u;
		same += v[i] == u;
	}
	*below += less;
	*equal += same;
}

/* Returns the rank of u in the reference; a random draw places it among equal values. */
static size_t rank_of(struct track *t, int16_t u, size_t *ret_n)
{
	size_t from = ring_slot(t, reference_of(t, ret_n)), below = 0, equal = 0;
	size_t first = *ret_n < KEPT - from ? *ret_n : KEPT - from;

	count_below(t->u + from, first, u, &below, &equal);
	count_below(t->u, *ret_n - first, u, &below, &equal);
	return equal == 0 ? below : below + (size_t)(draw_uniform(t) * (double)(equal + 1));
}

static void place_bet(struct track *t, int i, double log_l)
{
	t->evidence[i] = fmin((1 + t->evidence[i]) * exp(log_l), max_evidence);
	t->rise[i] += log_l;
	t->since[i]++;
	if (t->rise[i] <= 0) {
		t->rise[i] = 0;
		t->since[i] = t->skipped[i] = 0;
	}
}

static void judge_value(struct track *t, struct track_scores *s, int16_t u)
{
	size_t n, rank = rank_of(t, u, &n);
	const struct rank_scores *r = scores_of(s, n);

	for (int d = 0; d < TRACK_STEPS; d++) {
		place_bet(t, d, r->log_c[d] + log_bet(d + 1, r->z[rank]));
		place_bet(t, TRACK_STEPS + d, r->log_c[d] + log_bet(d + 1, -r->z[rank]));
	}
}

/* Rounds u to 16 bits.  Only its rank matters; ties are rare and broken at random. */
static int16_t scaled_score(struct track *t, double e)
{
	double u = t->scale > 0 ? e / t->scale : (e > 0) - (e < 0);
	double size = fabs(e);

	if (t->n_scaled >= TRACK_SPELL / 2 && t->scale > 0)
		size = fmin(size, pulled_to * t->scale);
	if (t->n_scaled < TRACK_SPELL)
		t->n_scaled++;
	t->scale += (size - t->scale) / (double)t->n_scaled;
	return (int16_t)lround(fmin(fmax(u * u_unit, INT16_MIN), INT16_MAX));
}

void track_push(struct track *t, struct track_scores *s, double x)
{
	double last = t->n > 0 ? (double)t->x[ring_slot(t, t->n - 1)] : x;
	bool full = t->n >= KEPT;
	int16_t u;

	if (t->n_frozen == 0 && t->n >= t->fitted + (full ? FIT_EVERY : FIT_WHILE_FEW))
		fit_track(t);
	else if (t->n_frozen > 0 && t->fitted != t->n_frozen) {
		fit_track(t);
		t->fitted = t->n_frozen;
	}
	u = scaled_score(t, (x - t->mean) - t->phi * (last - t->mean));
	if (track_is_ready(t))
		judge_value(t, s, u);
	if (t->n_frozen == 0 && !t->apart)
		add_levels(t, x);
	t->x[ring_slot(t, t->n)] = (float)x;
	t->u[ring_slot(t, t->n)] = u;
	t->n++;
}

void track_skip(struct track *t)
{
	for (int i = 0; i < TRACK_BETS; i++)
		t->skipped[i] += t->since[i] > 0;
}

double track_evidence(const struct track *t)
{
	double sum = 0;

	for (int i = 0; i < TRACK_BETS; i++)
		sum += t->evidence[i] / TRACK_BETS;
	return sum;
}

static int best_bet(const struct track *t)
{
	int max = 0;

	for (int i = 1; i < TRACK_BETS; i++) {
		if (t->evidence[i] > t->evidence[max])
			max = i;
	}
	return max;
}

size_t track_since(const struct track *t)
{
	return t->since[best_bet(t)];
}

size_t track_began(const struct track *t)
{
	int i = best_bet(t);

	return (size_t)t->since[i] + t->skipped[i];
}

double track_recent(const struct track *t, size_t n)
{
	size_t max = t->n_frozen > 0 ? t->n - t->n_frozen : t->n;
	double sum = 0;

	/* The ring has so many values besides the frozen ones. */
	if (n > TRACK_LAG)
		n = TRACK_LAG;
	n = n < 1 ? 1 : n;
	n = n < max ? n : max;
	for (size_t i = 1; i <= n; i++)
		sum += (double)t->x[ring_slot(t, t->n - i)];
	return n > 0 ? sum / (double)n : NAN;
}

double track_reference(const struct track *t)
{
	return t->mean;
}

void track_hold_evidence(struct track *t, double max)
{
	for (int i = 0; i < TRACK_BETS; i++)
		t->evidence[i] = fmin(t->evidence[i], max * TRACK_BETS);
}

void track_forget_evidence(struct track *t)
{
	memset(t->evidence, 0, sizeof(t->evidence));
	memset(t->rise, 0, sizeof(t->rise));
	memset(t->since, 0, sizeof(t->since));
	memset(t->skipped, 0, sizeof(t->skipped));
}
