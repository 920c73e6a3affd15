/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/watch.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/watch_judge.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* Seconds that a value of a lasting change is made of, at least. */
static const double a_minute = 60;

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

static void start_tracks(struct watched *o, uint64_t seed)
{
	for (int f = 0; f < N_WATCH_FEATURES; f++)
		track_start(&o->track[f], &track_of_intervals, seed + (unsigned)f);
	track_start(&o->track[WATCH_LASTING], &track_of_minutes, ~seed);
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
		watch_add_event(w, o)->what = WATCH_APPEARED;
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
		watched_take(w, op[n], cmp >= 0 ? &p->op[i] : NULL, complete);
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
	watch_take_common_off(w);
	w->n_ready = 0;
	for (size_t i = 0; i < w->n; i++)
		w->n_ready += is_ready(w->op[i]);
	for (size_t i = 0; i < w->n; i++)
		watched_judge(w, w->op[i]);
	watched_judge(w, &w->common);
	w->intervals++;
	*ret = w->event;
	*ret_n = w->n_events;
}

static void freeze(struct watched *o)
{
	for (int i = 0; i < N_WATCH_TRACKS; i++) {
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
	return watch_threshold_of(w, WATCH_SHIFT, 1);
}
