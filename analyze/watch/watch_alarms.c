/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raising and ending alarms. */
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "analyze/watch/watch_judge.h"
#include "base/xalloc.h"

enum {
	MIN_TAIL_VALUES = 10, /* slow calls come in bursts: fewer values are no change */
};

/* Seconds that a change must last, since other programs use the processor or disk for shorter
 * times.  At most TRACK_LAG values, since then it enters its own reference. */
static const double lasts[N_WATCH_TRACKS] = { [WATCH_SHIFT] = 10, [WATCH_CALLS] = 30 };
/* Share of the allowed false alarms that the track of lasting changes gets.  It costs them about
 * one value of delay, and other changes nothing. */
static const double lasting_share = 1 / 16.;

static enum watch_feature feature_of(int track)
{
	return track == WATCH_LASTING ? WATCH_SHIFT : (enum watch_feature)track;
}

/* Returns the intervals of one value. */
static size_t length_of(const struct watch *w, const struct watched *o, int track)
{
	return track == WATCH_LASTING ? w->minute : (size_t)1 << o->level;
}

static double min_effect(const struct watch_rules *r, int track)
{
	return track == WATCH_TAIL    ? r->min_tail
	       : track == WATCH_CALLS ? r->min_calls
				      : r->min_effect;
}

/* The threshold for all tracks of all judged operations together (M F T in the manual). */
double watch_threshold_of(const struct watch *w, int track, size_t length)
{
	double at_once = w->rules.interval * (double)length;
	double of_intervals = w->minute > 1 ? 1 - lasting_share : 1;
	double share = track == WATCH_LASTING ? lasting_share : of_intervals / N_WATCH_FEATURES;

	return fmax(1, (double)(w->n_ready + 1) / share * w->rules.factor /
			       (w->rules.false_alarms * at_once));
}

struct watch_event *watch_add_event(struct watch *w, const struct watched *o)
{
	struct watch_event *e;

	w->event = xgrow(w->event, &w->cap_events, w->n_events + 1, sizeof(*w->event));
	e = &w->event[w->n_events++];
	*e = (struct watch_event){ .layer = o->layer, .name = o->name, .common = o == &w->common };
	return e;
}

/* Returns an active alarm that already reports this change, or NULL. When all calls get slower,
 * more of them are slow; a change of seconds that persists is also a lasting one.  A further change
 * that is more than half as large again is another alarm. */
static const struct alarm *same_as(const struct watched *o, int track, double value, bool up)
{
	static const double further = 1.5;
	const struct alarm *now = &o->alarm[WATCH_SHIFT], *lasting = &o->alarm[WATCH_LASTING];

	if (track == WATCH_CALLS)
		return NULL;
	if (track != WATCH_SHIFT && now->id > 0 && now->up == up)
		return now;
	if (track != WATCH_LASTING && lasting->id > 0 && lasting->up == up &&
	    (track == WATCH_TAIL || fabs(value - lasting->base) < further * fabs(lasting->effect)))
		return lasting;
	return NULL;
}

/* Returns how far beyond past levels a new one must lie.  After minutes of watching little is known
 * about the levels of busy hours, so the margin is large and shrinks with time; with fewer allowed
 * false alarms it shrinks later. */
static double margin_after(const struct watch_rules *rules, int track, double seconds)
{
	static const double unseen[N_WATCH_TRACKS] = { 0.8, 1.6, 0.8, 0.8 }; /* log2 ratio */
	static const double unseen_seconds[N_WATCH_TRACKS] = { 900, 900, 900, 2400 };
	double days_allowed = 1 / (rules->false_alarms * 86400);
	double needed = unseen_seconds[track] * sqrt(sqrt(fmax(1, days_allowed)));

	return fmax(min_effect(rules, track), unseen[track] * fmin(1, needed / seconds));
}

static double margin_of(const struct watch *w, const struct watched *o, const struct track *t,
			int track)
{
	double values = (double)(t->n_frozen > 0 ? t->n_frozen : t->n);

	return margin_after(&w->rules, track,
			    values * w->rules.interval * (double)length_of(w, o, track));
}

static bool is_too_short(const struct watch *w, const struct watched *o, int track, size_t since)
{
	if (track == WATCH_TAIL)
		return since < MIN_TAIL_VALUES;
	return since < TRACK_LAG && (double)(since << o->level) * w->rules.interval < lasts[track];
}

/* Whether slow calls wait because an alarm of latency, which would explain them, is about to be
 * raised. */
static bool waits_for_latency(const struct watch *w, const struct watched *o, int track)
{
	const struct track *t = watched_track(o, WATCH_SHIFT);
	double threshold = watch_threshold_of(w, WATCH_SHIFT, length_of(w, o, WATCH_SHIFT));

	return track == WATCH_TAIL && track_evidence(t) >= threshold &&
	       is_too_short(w, o, WATCH_SHIFT, track_since(t));
}

/* Sets the tracks under all loads apart, or ends this. */
static void set_apart(struct watched *o, int track, bool apart)
{
	for (int i = 0; i < N_WATCH_LOADS; i++) {
		if (o->under[i] == NULL)
			continue;
		track_set_apart(&o->under[i]->track[track], apart);
		track_forget_evidence(&o->under[i]->track[track]);
	}
}

/* Adds an event about the change that the track has evidence of. */
static struct watch_event *add_change(struct watch *w, struct watched *o, int track,
				      double threshold)
{
	const struct track *t = watched_track(o, track);
	size_t began = track_began(t);
	struct watch_event *e = watch_add_event(w, o);

	e->feature = feature_of(track);
	e->effect = track_recent(t, track_since(t)) - track_reference(t);
	e->up = e->effect > 0;
	e->evidence = track_evidence(t);
	e->threshold = threshold;
	e->since = (began > 0 ? began - 1 : 0) * length_of(w, o, track);
	return e;
}

static void end_possible(struct watch *w, struct watched *o, int track)
{
	w->n_possible -= o->possible[track];
	o->possible[track] = false;
}

/* An alarm of latency reports what any of its tracks found possible. */
static void end_possible_of_alarm(struct watch *w, struct watched *o, int track)
{
	for (int i = 0; i < N_WATCH_TRACKS; i++) {
		if (i == track || (i != WATCH_CALLS && track != WATCH_CALLS))
			end_possible(w, o, i);
	}
}

/* Whether another track of the same calls has reported the change in this way. */
static bool is_possible_already(const struct watched *o, int track)
{
	return o->possible[track] ||
	       (track != WATCH_CALLS && (o->possible[WATCH_SHIFT] || o->possible[WATCH_LASTING]));
}

/* Reports a change that is no alarm only because little is known of levels: it has lasted for one,
 * lies beyond all of them by the minimum effect, and at least twice as far as they reach. */
static void find_possible(struct watch *w, struct watched *o, int track, double threshold)
{
	struct track *t = watched_track(o, track);
	size_t since = track_since(t);
	double min = min_effect(&w->rules, track);
	double effect = track_recent(t, since) - track_reference(t);

	if (is_possible_already(o, track) || since < t->shape->level || fabs(effect) < min ||
	    same_as(o, track, track_reference(t) + effect, effect > 0) != NULL ||
	    !track_is_new_level(t, since, min, (double)t->shape->level))
		return;
	o->possible[track] = true;
	w->n_possible++;
	add_change(w, o, track, threshold)->what = WATCH_POSSIBLE;
}

static void raise_alarm(struct watch *w, struct watched *o, int track, double threshold)
{
	struct track *t = watched_track(o, track);
	struct alarm *a = &o->alarm[track];
	size_t since = track_since(t);
	double base = track_reference(t), effect = track_recent(t, since) - base;
	const struct alarm *same = same_as(o, track, base + effect, effect > 0);
	bool is_large = fabs(effect) >= min_effect(&w->rules, track);
	struct watch_event *e;

	if (is_too_short(w, o, track, since) || waits_for_latency(w, o, track)) {
		track_hold_evidence(t, threshold);
		return;
	}
	if (!track_is_new_level(t, since, margin_of(w, o, t, track), threshold)) {
		find_possible(w, o, track, threshold);
		track_hold_evidence(t, threshold);
		return;
	}
	if (is_large && same == NULL) {
		w->n_active++;
		e = add_change(w, o, track, threshold);
		e->what = WATCH_ALARM;
		e->id = ++w->n_alarms;
	}
	if (is_large && (same == NULL || track == WATCH_LASTING)) {
		*a = (struct alarm){ .id = same != NULL ? same->id : w->n_alarms,
				     .base = base,
				     .effect = effect,
				     .up = effect > 0,
				     .load = o->load[track] };
		set_apart(o, track, true);
	}
	end_possible_of_alarm(w, o, track);
	track_forget_evidence(t);
}

static void forget_alarm(struct watched *o, int track)
{
	o->alarm[track].id = 0;
	set_apart(o, track, false);
}

static void end_alarm(struct watch *w, struct watched *o, int track, enum watch_what how)
{
	struct alarm *a = &o->alarm[track];
	int other = track == WATCH_LASTING ? WATCH_SHIFT : WATCH_LASTING;
	const struct track *t = &o->under[a->load]->track[track];
	struct watch_event *e = watch_add_event(w, o);

	e->what = how;
	e->id = a->id;
	e->feature = feature_of(track);
	e->up = a->up;
	e->effect = track_recent(t, t->shape->level) - a->base;
	w->n_active--;
	if (feature_of(track) == WATCH_SHIFT && o->alarm[other].id == a->id)
		forget_alarm(o, other);
	forget_alarm(o, track);
}

/* Whether an alarm of latency goes on as one of lasting changes: the minutes show the change, or
 * began too late to show it yet. */
static bool is_handed_over(const struct watch *w, struct watched *o, int track)
{
	const struct alarm *a = &o->alarm[track];
	struct track *lasting = &o->under[a->load]->track[WATCH_LASTING];

	if (track != WATCH_SHIFT || w->minute == 1)
		return false;
	if (o->alarm[WATCH_LASTING].id == 0 && track_is_ready(lasting) &&
	    a->age * length_of(w, o, track) <= lasting->shape->lag * w->minute) {
		o->alarm[WATCH_LASTING] = *a;
		o->alarm[WATCH_LASTING].base = track_reference(lasting);
		o->alarm[WATCH_LASTING].age = o->alarm[WATCH_LASTING].alike = 0;
		set_apart(o, WATCH_LASTING, true);
	}
	if (o->alarm[WATCH_LASTING].id != a->id)
		return false;
	forget_alarm(o, track);
	return true;
}

static void follow_alarm(struct watch *w, struct watched *o, int track)
{
	struct alarm *a = &o->alarm[track];
	struct track *t = watched_track(o, track);

	a->age++;
	a->alike += a->load == o->load[track];
	track_forget_evidence(t);
	if (a->load == o->load[track] && a->alike >= t->shape->level &&
	    fabs(track_recent(t, t->shape->level) - a->base) < fabs(a->effect) / 2)
		end_alarm(w, o, track, WATCH_BACK);
	else if (t->n_frozen == 0 && a->age >= TRACK_RANKS + t->shape->lag &&
		 !is_handed_over(w, o, track))
		end_alarm(w, o, track, WATCH_ACCEPTED);
}

/* Pushes a new value to the track of its load, and skips it in the others. */
static void push_value(struct watch *w, struct watched *o, int track)
{
	track_push(watched_track(o, track), w->scores, o->x[track]);
	for (unsigned i = 0; i < N_WATCH_LOADS; i++) {
		if (o->under[i] != NULL && i != o->load[track])
			track_skip(&o->under[i]->track[track]);
	}
}

void watched_judge(struct watch *w, struct watched *o)
{
	for (int i = 0; i < N_WATCH_TRACKS; i++) {
		double threshold = watch_threshold_of(w, i, length_of(w, o, i));

		if (isnan(o->x[i]))
			continue;
		push_value(w, o, i);
		if (track_evidence(watched_track(o, i)) < 1)
			end_possible(w, o, i);
		if (o->alarm[i].id > 0)
			follow_alarm(w, o, i);
		else if (track_evidence(watched_track(o, i)) >= threshold)
			raise_alarm(w, o, i, threshold);
	}
	if (o->sums.n >= (size_t)1 << o->level)
		o->sums = (struct sums){ .n = 0 };
}

/* --- what can be found now ------------------------------------------------------------------- */

static double reach_of_track(const struct watch *w, const struct watched *o, int track,
			     unsigned load)
{
	size_t length = length_of(w, o, track);
	const struct track *t;

	if (o->under[load] == NULL)
		return HUGE_VAL;
	t = &o->under[load]->track[track];
	if (!track_is_ready(t))
		return HUGE_VAL;
	return track_reach(t, margin_of(w, o, t, track), watch_threshold_of(w, track, length));
}

struct watch_reach watch_reach_of(const struct watch *w, size_t operation)
{
	const struct watched *o = w->op[operation];
	double seconds = reach_of_track(w, o, WATCH_SHIFT, w->load);
	double minutes =
		w->minute > 1 ? reach_of_track(w, o, WATCH_LASTING, w->load_of_minute) : HUGE_VAL;
	double min = fmin(seconds, minutes);

	return (struct watch_reach){ o->layer, o->name, isinf(min) ? NAN : min };
}

struct watch_reaches watch_reaches_of(const struct watch *w)
{
	double *v = xcalloc(w->n + 1, sizeof(*v));
	struct watch_reaches r = { 0, NAN, NAN, NAN };

	for (size_t i = 0; i < w->n; i++) {
		double latency = watch_reach_of(w, i).latency;

		if (isnan(latency))
			continue;
		v[r.n++] = latency;
		r.min = fmin(r.min, latency);
		r.largest = fmax(r.largest, latency);
	}
	if (r.n > 0)
		r.median = median_of(v, r.n);
	free(v);
	return r;
}

double watch_first_judged(const struct watch_rules *rules)
{
	const struct track_shape *s = &track_of_intervals;

	return (double)(s->min_ranks + s->lag) * rules->interval;
}

double watch_reach_after(const struct watch_rules *rules, double seconds)
{
	if (seconds < watch_first_judged(rules))
		return HUGE_VAL;
	return margin_after(rules, WATCH_SHIFT, seconds);
}
