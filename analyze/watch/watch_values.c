/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features of an operation in an interval, and the run effect of all operations. */
#include <math.h>
#include <stdlib.h>

#include "analyze/watch/watch_judge.h"
#include "base/xalloc.h"

enum { MAX_LEVEL = 6 };

static const double tail_octaves = 3; /* 8 times the median */
/* Slow calls added to both counts of the odds, so that one call after none is no change. */
static const double a_few = 2;

static double median_of(const struct operation *op)
{
	const struct bucket *b = histogram_quantile(&op->hist, 0.5);

	if (b != NULL)
		return bucket_position(op->hist.scheme, b->edges->index);
	return operation_mean(op) > 0 ? log2(operation_mean(op)) : NAN;
}

static void add_calls(struct watched *o, const struct operation *op)
{
	const struct histogram *h = &op->hist;
	double calls = (double)operation_count(op), mean = operation_mean(op), sum = 0;

	for (size_t i = 0; i < h->n; i++) {
		double position = bucket_position(h->scheme, h->bucket[i].edges->index);

		sum += (double)h->bucket[i].count * position;
		if (position > o->tail_from)
			o->sums.tail += (double)h->bucket[i].count;
	}
	if (h->n == 0 && calls > 0 && mean > 0)
		sum += calls * log2(mean);
	o->sums.calls += calls;
	o->sums.position += sum;
	o->minute.calls += calls;
	o->minute.position += sum;
}

static int by_number(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* Fixes how many intervals make a value, and from which latency a call is slow. */
static void settle_scale(struct watched *o, double min_tested_calls)
{
	double each = o->calls / WATCH_SETTLE;

	while (o->level < MAX_LEVEL && each * exp2(o->level) < min_tested_calls)
		o->level++;
	qsort(o->median, o->n_medians, sizeof(*o->median), by_number);
	o->tail_from = o->n_medians > 0 ? o->median[o->n_medians / 2] + tail_octaves : HUGE_VAL;
}

static void collect_medians(struct watch *w, struct watched *o, const struct operation *op)
{
	double median = op != NULL && operation_count(op) > 0 ? median_of(op) : NAN;

	if (!isnan(median))
		o->median[o->n_medians++] = median;
	o->calls += op != NULL ? (double)operation_count(op) : 0;
	if (o->age + 1 == WATCH_SETTLE)
		settle_scale(o, w->rules.min_tested_calls);
}

/* Whether there is room for another set of tracks, of 12 KB each. */
static bool may_follow(const struct watch *w, const struct watched *o)
{
	return o == &w->common || w->n_tracks < 2 * w->rules.max_operations;
}

/* Switches the track to a load.  False: there is no room for its tracks. */
static bool set_load(struct watch *w, struct watched *o, int track, unsigned load)
{
	uint64_t seed = o->seed + ((uint64_t)load << 32);
	struct tracks *under = o->under[load];

	if (under == NULL && !may_follow(w, o))
		return false;
	o->load[track] = load;
	if (under != NULL)
		return true;
	under = o->under[load] = xcalloc(1, sizeof(*under));
	w->n_tracks += o != &w->common;
	for (int f = 0; f < N_WATCH_FEATURES; f++)
		track_start(&under->track[f], &track_of_intervals, &o->levels[f],
			    seed + (unsigned)f);
	track_start(&under->track[WATCH_LASTING], &track_of_minutes, &o->levels[WATCH_LASTING],
		    ~seed);
	return true;
}

/* Whether the frozen reference of this load has no minutes. */
static bool is_without_minutes(const struct watched *o)
{
	const struct tracks *under = o->under[o->load[WATCH_LASTING]];

	return under->track[WATCH_SHIFT].n_frozen > 0 && under->track[WATCH_LASTING].n_frozen == 0;
}

/* Adds an interval to the minute.  Minutes end for all operations at once, so that the run effect
 * can be subtracted. */
static void take_minute(struct watch *w, struct watched *o)
{
	struct minute *m = &o->minute;

	m->n++;
	if ((w->intervals + 1) % w->minute > 0)
		return;
	/* A reference that was too short for minutes judges none. */
	if (!set_load(w, o, WATCH_LASTING, w->load_of_minute) ||
	    (w->frozen && is_without_minutes(o)))
		m->n = 0;
	if (m->n == w->minute && w->minute > (size_t)1 << o->level &&
	    m->calls >= w->rules.min_tested_calls)
		o->x[WATCH_LASTING] = m->position / m->calls;
	*m = (struct minute){ .n = 0 };
}

void watched_take(struct watch *w, struct watched *o, const struct operation *op,
		  const struct contention *contention, bool complete)
{
	struct sums *s = &o->sums;

	for (int i = 0; i < N_WATCH_TRACKS; i++)
		o->x[i] = NAN;
	if (o->age < WATCH_SETTLE) {
		collect_medians(w, o, op);
		o->age++;
		return;
	}
	o->age++;
	if (op != NULL)
		add_calls(o, op);
	take_minute(w, o);
	s->incomplete |= !complete;
	contention_add(&s->contention, contention);
	if (++s->n < (size_t)1 << o->level)
		return;
	for (int f = 0; f < N_WATCH_FEATURES; f++) {
		if (!set_load(w, o, f, watch_load_of(&s->contention)))
			return;
	}
	if (s->calls >= w->rules.min_tested_calls) {
		o->x[WATCH_SHIFT] = s->position / s->calls;
		o->x[WATCH_TAIL] = log2((s->tail + a_few) / (s->calls - s->tail + a_few));
	}
	if (!s->incomplete && (op == NULL || !op->fixed_duration))
		o->x[WATCH_CALLS] = log2(s->calls + 0.5);
}

/* --- what all have in common --------------------------------------------------------- */

/* Returns the median deviation from the reference over operations that are judged each interval. */
static double common_of(struct watch *w, int track)
{
	size_t n = 0;

	w->sorted = xgrow(w->sorted, &w->cap_sorted, w->n, sizeof(*w->sorted));
	for (size_t i = 0; i < w->n; i++) {
		const struct watched *o = w->op[i];

		if (o->level == 0 && !isnan(o->x[track]) &&
		    watched_track(o, track)->n >= WATCH_SETTLE)
			w->sorted[n++] = o->x[track] - track_reference(watched_track(o, track));
	}
	if (n < w->rules.min_common_operations)
		return NAN;
	qsort(w->sorted, n, sizeof(*w->sorted), by_number);
	return n % 2 == 1 ? w->sorted[n / 2] : (w->sorted[n / 2 - 1] + w->sorted[n / 2]) / 2;
}

void watch_take_common_off(struct watch *w)
{
	for (int f = 0; f < N_WATCH_FEATURES; f++) {
		double common = common_of(w, f);

		(void)set_load(w, &w->common, f, w->load);
		w->common.x[f] = common;
		for (size_t i = 0; i < w->n; i++) {
			struct watched *o = w->op[i];

			if (o->sums.n > 0 && !isnan(common))
				o->sums.common[f] += common;
			if (!isnan(o->x[f]))
				o->x[f] -= o->sums.common[f] / (double)o->sums.n;
		}
	}
	(void)set_load(w, &w->common, WATCH_LASTING, w->load_of_minute);
	w->common.x[WATCH_LASTING] = common_of(w, WATCH_LASTING);
	for (size_t i = 0; i < w->n && !isnan(w->common.x[WATCH_LASTING]); i++)
		w->op[i]->x[WATCH_LASTING] -= w->common.x[WATCH_LASTING];
}
