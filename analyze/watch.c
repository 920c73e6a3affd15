/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/watch.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/watch_track.h"
#include "base/arena.h"
#include "base/xalloc.h"

enum {
	SETTLE = 16, /* intervals that tell how rare an operation is, and what its median is */
	MAX_LEVEL = 6,
	/* Latency has a second track, of values of a minute or more: a small change that lasts
	 * is plain there, and lost in the noise of seconds. */
	LASTING = N_WATCH_FEATURES,
	N_TRACKS,
	MIN_TAIL_VALUES = 10, /* slow calls come in bursts: a few seconds of them are no change */
};

static const double tail_octaves = 3; /* 8 times the median */
/* Seconds that a change lasts at least: for less, others had the processor or the disk.  After
 * TRACK_LAG values it is in its own reference, whatever its length. */
static const double lasts[N_TRACKS] = { [WATCH_SHIFT] = 10, [WATCH_CALLS] = 30 };
/* Seconds that a value of a lasting change is made of, at least. */
static const double a_minute = 60;
/* Of the false alarms that are allowed so many are left to lasting changes.  It delays these by a
 * value, and those of seconds not at all. */
static const double lasting_share = 1 / 16.;
/* Slow calls that are taken for granted: one more where there was none is no change. */
static const double a_few = 2;

const char *const watch_feature_names[] = { "latency", "slow-calls", "calls", NULL };

const struct watch_rules watch_rules_default = {
	.interval = 10,
	.false_alarms = 1 / (30 * 86400.),
	.factor = 1,
	.min_effect = 0.07,
	.min_tail = 0.585,
	.min_calls = 0.2,
	.min_tested_calls = 30,
	.min_common_operations = 10,
	.max_operations = 4096,
	.seed = 20061106,
};

struct alarm {
	uint64_t id; /* 0: none */
	double base, effect;
	bool up;
	size_t age; /* values since it was reported */
};

/* What the intervals that are judged at once add up to. */
struct sums {
	double calls, position, tail;
	double common[N_WATCH_FEATURES];
	size_t n;
	bool incomplete;
};

/* What the intervals of a minute add up to. */
struct minute {
	double calls, position;
	size_t n;
};

struct watched {
	struct str layer, name;
	size_t age; /* intervals since it is known */
	double median[SETTLE];
	size_t n_medians;
	double calls;	  /* of the first SETTLE intervals */
	unsigned level;	  /* 2^level intervals are judged at once */
	double tail_from; /* log2 position */
	struct sums sums;
	struct minute minute;
	struct track track[N_TRACKS];
	struct alarm alarm[N_TRACKS];
	double x[N_TRACKS]; /* to be pushed; NAN: nothing */
};

struct watch {
	struct watch_rules rules;
	struct arena *arena;
	struct track_scores *scores;
	struct watched **op; /* in order */
	size_t n, cap;
	struct watched common; /* all operations together */
	struct watch_event *event;
	size_t n_events, cap_events;
	uint64_t n_alarms, intervals;
	size_t minute; /* intervals of one; 1: there are no lasting changes apart */
	bool frozen;
	size_t n_ready, n_active;
	double *sorted;
	size_t cap_sorted;
};

static void start_tracks(struct watched *o, uint64_t seed)
{
	for (int f = 0; f < N_WATCH_FEATURES; f++)
		track_start(&o->track[f], &track_of_intervals, seed + (unsigned)f);
	track_start(&o->track[LASTING], &track_of_minutes, ~seed);
}

static struct watched *watched_new(struct watch *w, const struct operation *op)
{
	struct watched *o = xcalloc(1, sizeof(*o));

	o->layer = arena_str(w->arena, op->layer);
	o->name = arena_str(w->arena, op->name);
	start_tracks(o, w->rules.seed + 3 * (w->n + 1));
	return o;
}

struct watch *watch_new(const struct watch_rules *rules)
{
	struct watch *w = xcalloc(1, sizeof(*w));

	w->rules = *rules;
	w->arena = arena_new();
	w->scores = track_scores_new();
	w->minute = 1;
	while ((double)w->minute * rules->interval < a_minute)
		w->minute *= 2;
	start_tracks(&w->common, rules->seed);
	return w;
}

void watch_free(struct watch *w)
{
	if (w == NULL)
		return;
	for (size_t i = 0; i < w->n; i++)
		free(w->op[i]);
	free(w->op);
	free(w->event);
	free(w->sorted);
	track_scores_free(w->scores);
	arena_free(w->arena);
	free(w);
}

/* --- what an interval says of an operation ------------------------------------------- */

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

/* What stays as it is from here on: how many intervals are judged at once, and which calls are
 * slow. */
static void settle(struct watched *o, double min_tested_calls)
{
	double each = o->calls / SETTLE;

	while (o->level < MAX_LEVEL && each * exp2(o->level) < min_tested_calls)
		o->level++;
	qsort(o->median, o->n_medians, sizeof(*o->median), by_number);
	o->tail_from = o->n_medians > 0 ? o->median[o->n_medians / 2] + tail_octaves : HUGE_VAL;
}

static void settling(struct watch *w, struct watched *o, const struct operation *op)
{
	double median = op != NULL && operation_count(op) > 0 ? median_of(op) : NAN;

	if (!isnan(median))
		o->median[o->n_medians++] = median;
	o->calls += op != NULL ? (double)operation_count(op) : 0;
	if (o->age + 1 == SETTLE)
		settle(o, w->rules.min_tested_calls);
}

/* Minutes end for all operations at once, so that what they have in common can be subtracted. */
static void take_minute(const struct watch *w, struct watched *o)
{
	struct minute *m = &o->minute;

	m->n++;
	if ((w->intervals + 1) % w->minute > 0)
		return;
	/* Where the reference was too short to have minutes, there is none for them. */
	if (w->frozen && o->track[LASTING].n_frozen == 0)
		m->n = 0;
	if (m->n == w->minute && w->minute > (size_t)1 << o->level &&
	    m->calls >= w->rules.min_tested_calls)
		o->x[LASTING] = m->position / m->calls;
	*m = (struct minute){ .n = 0 };
}

/* Its values, where as many intervals are there as are judged at once. */
static void take(struct watch *w, struct watched *o, const struct operation *op, bool complete)
{
	struct sums *s = &o->sums;

	for (int i = 0; i < N_TRACKS; i++)
		o->x[i] = NAN;
	if (o->age < SETTLE) {
		settling(w, o, op);
		o->age++;
		return;
	}
	o->age++;
	if (op != NULL)
		add_calls(o, op);
	take_minute(w, o);
	s->incomplete |= !complete;
	if (++s->n < (size_t)1 << o->level)
		return;
	if (s->calls >= w->rules.min_tested_calls) {
		o->x[WATCH_SHIFT] = s->position / s->calls;
		o->x[WATCH_TAIL] = log2((s->tail + a_few) / (s->calls - s->tail + a_few));
	}
	if (!s->incomplete && (op == NULL || !op->fixed_duration))
		o->x[WATCH_CALLS] = log2(s->calls + 0.5);
}

/* --- what all have in common --------------------------------------------------------- */

/* The median of how far those that are judged each interval are from their reference. */
static double common_of(struct watch *w, int track)
{
	size_t n = 0;

	w->sorted = xgrow(w->sorted, &w->cap_sorted, w->n, sizeof(*w->sorted));
	for (size_t i = 0; i < w->n; i++) {
		const struct watched *o = w->op[i];

		if (o->level == 0 && !isnan(o->x[track]) && o->track[track].n >= SETTLE)
			w->sorted[n++] = o->x[track] - track_reference(&o->track[track]);
	}
	if (n < w->rules.min_common_operations)
		return NAN;
	qsort(w->sorted, n, sizeof(*w->sorted), by_number);
	return n % 2 == 1 ? w->sorted[n / 2] : (w->sorted[n / 2 - 1] + w->sorted[n / 2]) / 2;
}

static void take_common_off(struct watch *w)
{
	for (int f = 0; f < N_WATCH_FEATURES; f++) {
		double common = common_of(w, f);

		w->common.x[f] = common;
		for (size_t i = 0; i < w->n; i++) {
			struct watched *o = w->op[i];

			if (o->sums.n > 0 && !isnan(common))
				o->sums.common[f] += common;
			if (!isnan(o->x[f]))
				o->x[f] -= o->sums.common[f] / (double)o->sums.n;
		}
	}
	w->common.x[LASTING] = common_of(w, LASTING);
	for (size_t i = 0; i < w->n && !isnan(w->common.x[LASTING]); i++)
		w->op[i]->x[LASTING] -= w->common.x[LASTING];
}

/* --- alarms ---------------------------------------------------------------------------- */

static enum watch_feature feature_of(int track)
{
	return track == LASTING ? WATCH_SHIFT : (enum watch_feature)track;
}

/* Intervals that one value is made of. */
static size_t length_of(const struct watch *w, const struct watched *o, int track)
{
	return track == LASTING ? w->minute : (size_t)1 << o->level;
}

static double min_effect(const struct watch_rules *r, int track)
{
	return track == WATCH_TAIL    ? r->min_tail
	       : track == WATCH_CALLS ? r->min_calls
				      : r->min_effect;
}

/* Of as many operations as are judged, all their tracks, and no more false alarms than are
 * allowed. */
static double threshold_of(const struct watch *w, int track, size_t length)
{
	double at_once = w->rules.interval * (double)length;
	double of_intervals = w->minute > 1 ? 1 - lasting_share : 1;
	double share = track == LASTING ? lasting_share : of_intervals / N_WATCH_FEATURES;

	return fmax(1, (double)(w->n_ready + 1) / share * w->rules.factor /
			       (w->rules.false_alarms * at_once));
}

static struct watch_event *add_event(struct watch *w, const struct watched *o)
{
	struct watch_event *e;

	w->event = xgrow(w->event, &w->cap_events, w->n_events + 1, sizeof(*w->event));
	e = &w->event[w->n_events++];
	*e = (struct watch_event){ .layer = o->layer, .name = o->name, .common = o == &w->common };
	return e;
}

/* The alarm that says the same already, or NULL: where all calls got slower more of them are slow,
 * and what changed within seconds lasts.  What goes further than a lasting change is another one.
 */
static const struct alarm *same_as(const struct watched *o, int track, double value, bool up)
{
	static const double further = 1.5;
	const struct alarm *now = &o->alarm[WATCH_SHIFT], *lasting = &o->alarm[LASTING];

	if (track == WATCH_CALLS)
		return NULL;
	if (track != WATCH_SHIFT && now->id > 0 && now->up == up)
		return now;
	if (track != LASTING && lasting->id > 0 && lasting->up == up &&
	    (track == WATCH_TAIL || fabs(value - lasting->base) < further * fabs(lasting->effect)))
		return lasting;
	return NULL;
}

/* How far from where it has been a level must lie.  What little has been seen tells little of
 * where levels may be: of a machine that was watched for minutes, its busy hour comes yet.  The
 * fewer false alarms are allowed, the more must have been seen. */
static double margin_of(const struct watch *w, const struct watched *o, int track)
{
	static const double unseen[N_TRACKS] = { 0.8, 1.6, 0.8, 0.8 }; /* octaves */
	static const double unseen_seconds[N_TRACKS] = { 900, 900, 900, 2400 };
	const struct track *t = &o->track[track];
	double seen = (double)(t->n_frozen > 0 ? t->n_frozen : t->n) * w->rules.interval *
		      (double)length_of(w, o, track);
	double days_allowed = 1 / (w->rules.false_alarms * 86400);
	double needed = unseen_seconds[track] * sqrt(sqrt(fmax(1, days_allowed)));

	return fmax(min_effect(&w->rules, track), unseen[track] * fmin(1, needed / seen));
}

static bool is_too_short(const struct watch *w, const struct watched *o, int track, size_t since)
{
	if (track == WATCH_TAIL)
		return since < MIN_TAIL_VALUES;
	return since < TRACK_LAG && (double)(since << o->level) * w->rules.interval < lasts[track];
}

/* All calls may have become slower, which is about to be reported. */
static bool waits_for_latency(const struct watch *w, const struct watched *o, int track)
{
	const struct track *t = &o->track[WATCH_SHIFT];
	double threshold = threshold_of(w, WATCH_SHIFT, length_of(w, o, WATCH_SHIFT));

	return track == WATCH_TAIL && track_evidence(t) >= threshold &&
	       is_too_short(w, o, WATCH_SHIFT, track_since(t));
}

static void raise_alarm(struct watch *w, struct watched *o, int track, double threshold)
{
	struct track *t = &o->track[track];
	struct alarm *a = &o->alarm[track];
	size_t since = track_since(t);
	double base = track_reference(t), effect = track_recent(t, since) - base;
	const struct alarm *same = same_as(o, track, base + effect, effect > 0);
	struct watch_event *e;

	if (is_too_short(w, o, track, since) || waits_for_latency(w, o, track) ||
	    !track_is_new_level(t, since, margin_of(w, o, track), threshold)) {
		track_hold_evidence(t, threshold);
		return;
	}
	if (fabs(effect) >= min_effect(&w->rules, track) && (same == NULL || track == LASTING)) {
		*a = (struct alarm){ same != NULL ? same->id : ++w->n_alarms, base, effect,
				     effect > 0, 0 };
		track_set_apart(t, true);
	}
	if (fabs(effect) >= min_effect(&w->rules, track) && same == NULL) {
		w->n_active++;
		e = add_event(w, o);
		e->what = WATCH_ALARM;
		e->id = a->id;
		e->feature = feature_of(track);
		e->up = a->up;
		e->evidence = track_evidence(t);
		e->threshold = threshold;
		e->effect = effect;
		e->since = (since > 0 ? since - 1 : 0) * length_of(w, o, track);
	}
	track_forget_evidence(t);
}

static void forget_alarm(struct watched *o, int track)
{
	o->alarm[track].id = 0;
	track_set_apart(&o->track[track], false);
	track_forget_evidence(&o->track[track]);
}

static void end_alarm(struct watch *w, struct watched *o, int track, enum watch_what how)
{
	struct alarm *a = &o->alarm[track];
	int other = track == LASTING ? WATCH_SHIFT : LASTING;
	struct watch_event *e = add_event(w, o);

	e->what = how;
	e->id = a->id;
	e->feature = feature_of(track);
	e->up = a->up;
	e->effect = track_recent(&o->track[track], o->track[track].shape->level) - a->base;
	w->n_active--;
	if (feature_of(track) == WATCH_SHIFT && o->alarm[other].id == a->id)
		forget_alarm(o, other);
	forget_alarm(o, track);
}

/* A change of latency lasts until the minutes say otherwise.  True: they do, or these began so
 * lately that they will. */
static bool is_handed_over(const struct watch *w, struct watched *o, int track)
{
	const struct alarm *a = &o->alarm[track];
	struct track *lasting = &o->track[LASTING];

	if (track != WATCH_SHIFT || w->minute == 1)
		return false;
	if (o->alarm[LASTING].id == 0 && track_is_ready(lasting) &&
	    a->age * length_of(w, o, track) <= lasting->shape->lag * w->minute) {
		o->alarm[LASTING] = *a;
		o->alarm[LASTING].base = track_reference(lasting);
		o->alarm[LASTING].age = 0;
		track_set_apart(lasting, true);
	}
	if (o->alarm[LASTING].id != a->id)
		return false;
	forget_alarm(o, track);
	return true;
}

static void follow_alarm(struct watch *w, struct watched *o, int track)
{
	struct alarm *a = &o->alarm[track];
	struct track *t = &o->track[track];

	a->age++;
	track_forget_evidence(t);
	if (a->age >= t->shape->level &&
	    fabs(track_recent(t, t->shape->level) - a->base) < fabs(a->effect) / 2)
		end_alarm(w, o, track, WATCH_BACK);
	else if (t->n_frozen == 0 && a->age >= TRACK_RANKS + t->shape->lag &&
		 !is_handed_over(w, o, track))
		end_alarm(w, o, track, WATCH_ACCEPTED);
}

static void push_values(struct watch *w, struct watched *o)
{
	for (int i = 0; i < N_TRACKS; i++) {
		double threshold = threshold_of(w, i, length_of(w, o, i));

		if (isnan(o->x[i]))
			continue;
		track_push(&o->track[i], w->scores, o->x[i]);
		if (o->alarm[i].id > 0)
			follow_alarm(w, o, i);
		else if (track_evidence(&o->track[i]) >= threshold)
			raise_alarm(w, o, i, threshold);
	}
	if (o->sums.n >= (size_t)1 << o->level)
		o->sums = (struct sums){ .n = 0 };
}

/* --- intervals -------------------------------------------------------------------------- */

static int order(const struct watched *o, const struct operation *op)
{
	int by_layer = str_cmp(o->layer, op->layer);

	return by_layer != 0 ? by_layer : str_cmp(o->name, op->name);
}

static struct watched *add_operation(struct watch *w, const struct operation *op, bool late)
{
	struct watched *o = watched_new(w, op);

	if (late)
		add_event(w, o)->what = WATCH_APPEARED;
	return o;
}

/* Both are in order; those that are new go where they belong. */
static void take_all(struct watch *w, const struct profile *p, bool complete)
{
	bool late = w->intervals > 0;
	size_t at = 0, i = 0, n = 0;
	struct watched **op = xcalloc(w->n + p->n_ops + 1, sizeof(*op));

	while (at < w->n || i < p->n_ops) {
		int cmp = at == w->n ? 1 : i == p->n_ops ? -1 : order(w->op[at], &p->op[i]);

		if (cmp > 0 && w->n + (n - at) >= w->rules.max_operations) {
			i++;
			continue;
		}
		op[n] = cmp > 0 ? add_operation(w, &p->op[i], late) : w->op[at++];
		take(w, op[n], cmp >= 0 ? &p->op[i] : NULL, complete);
		i += cmp >= 0;
		n++;
	}
	free(w->op);
	w->op = op;
	w->n = n;
}

static bool is_ready(const struct watched *o)
{
	return track_is_ready(&o->track[WATCH_SHIFT]) || track_is_ready(&o->track[WATCH_CALLS]);
}

void watch_push(struct watch *w, const struct profile *interval, bool complete,
		const struct watch_event **ret, size_t *ret_n)
{
	w->n_events = 0;
	take_all(w, interval, complete);
	take_common_off(w);
	w->n_ready = 0;
	for (size_t i = 0; i < w->n; i++)
		w->n_ready += is_ready(w->op[i]);
	for (size_t i = 0; i < w->n; i++)
		push_values(w, w->op[i]);
	push_values(w, &w->common);
	w->intervals++;
	*ret = w->event;
	*ret_n = w->n_events;
}

static void freeze(struct watched *o)
{
	for (int i = 0; i < N_TRACKS; i++) {
		if (o->track[i].n >= o->track[i].shape->min_ranks)
			track_freeze(&o->track[i]);
	}
}

bool watch_freeze(struct watch *w)
{
	size_t ready = 0;

	for (size_t i = 0; i < w->n; i++) {
		freeze(w->op[i]);
		ready += is_ready(w->op[i]);
	}
	freeze(&w->common);
	w->n_ready = ready;
	w->frozen = true;
	return ready > 0;
}

size_t watch_operations(const struct watch *w)
{
	return w->n;
}

size_t watch_judged(const struct watch *w)
{
	return w->n_ready;
}

size_t watch_active(const struct watch *w)
{
	return w->n_active;
}

double watch_threshold(const struct watch *w)
{
	return threshold_of(w, WATCH_SHIFT, 1);
}
