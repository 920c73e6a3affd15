/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/watch/watch.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/watch/watch_judge.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* Seconds of a value of the track of lasting changes, at least. */
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

static struct watched *watched_new(struct watch *w, const struct operation *op)
{
	struct watched *o = xcalloc(1, sizeof(*o));

	o->layer = arena_str(w->arena, op->layer);
	o->name = arena_str(w->arena, op->name);
	o->seed = w->rules.seed + 3 * (w->n + 1);
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
	w->common.seed = rules->seed;
	return w;
}

static void free_tracks(struct watched *o)
{
	for (int i = 0; i < N_WATCH_LOADS; i++)
		free(o->under[i]);
}

void watch_free(struct watch *w)
{
	if (w == NULL)
		return;
	for (size_t i = 0; i < w->n; i++) {
		free_tracks(w->op[i]);
		free(w->op[i]);
	}
	free_tracks(&w->common);
	free(w->op);
	free(w->event);
	free(w->sorted);
	track_scores_free(w->scores);
	arena_free(w->arena);
	free(w);
}

/* --- intervals -------------------------------------------------------------------------- */

static int operation_order(const struct watched *o, const struct operation *op)
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

/* Merges the operations of an interval into those followed; both are in order. */
static void take_all(struct watch *w, const struct profile *p, const struct contention *contention,
		     bool complete)
{
	bool late = w->intervals > 0;
	size_t at = 0, i = 0, n = 0;
	struct watched **op = xcalloc(w->n + p->n_ops + 1, sizeof(*op));

	while (at < w->n || i < p->n_ops) {
		int cmp = at == w->n	  ? 1
			  : i == p->n_ops ? -1
					  : operation_order(w->op[at], &p->op[i]);

		if (cmp > 0 && w->n + (n - at) >= w->rules.max_operations) {
			i++;
			continue;
		}
		op[n] = cmp > 0 ? add_operation(w, &p->op[i], late) : w->op[at++];
		watched_take(w, op[n], cmp >= 0 ? &p->op[i] : NULL, contention, complete);
		i += cmp >= 0;
		n++;
	}
	free(w->op);
	w->op = op;
	w->n = n;
}

static bool is_ready_under(const struct watched *o, unsigned load)
{
	const struct tracks *under = o->under[load];

	return under != NULL && (track_is_ready(&under->track[WATCH_SHIFT]) ||
				 track_is_ready(&under->track[WATCH_CALLS]));
}

static bool is_ready(const struct watched *o)
{
	bool ready = false;

	for (unsigned i = 0; i < N_WATCH_LOADS && !ready; i++)
		ready = is_ready_under(o, i);
	return ready;
}

/* Returns the contention of an interval; unknown with any_load. */
static struct contention load_to_tell(const struct watch *w, const struct profile *p)
{
	return w->rules.any_load ? (struct contention){ .capacity = 0 } : p->contention;
}

static void take_load(struct watch *w, const struct contention *c)
{
	w->load = watch_load_of(c);
	contention_add(&w->minute_contention, c);
	if ((w->intervals + 1) % w->minute > 0)
		return;
	w->load_of_minute = watch_load_of(&w->minute_contention);
	w->minute_contention = (struct contention){ .capacity = 0 };
}

void watch_push(struct watch *w, const struct profile *interval, bool complete,
		const struct watch_event **ret, size_t *ret_n)
{
	struct contention contention = load_to_tell(w, interval);

	w->n_events = 0;
	take_load(w, &contention);
	take_all(w, interval, &contention, complete);
	watch_take_common_off(w);
	w->n_ready = 0;
	w->load_is_known = false;
	for (size_t i = 0; i < w->n; i++) {
		w->n_ready += is_ready(w->op[i]);
		w->load_is_known |= is_ready_under(w->op[i], w->load);
	}
	for (size_t i = 0; i < w->n; i++)
		watched_judge(w, w->op[i]);
	watched_judge(w, &w->common);
	w->intervals++;
	*ret = w->event;
	*ret_n = w->n_events;
}

static void freeze_tracks(struct watched *o)
{
	for (int i = 0; i < N_WATCH_LOADS * N_WATCH_TRACKS; i++) {
		struct tracks *under = o->under[i / N_WATCH_TRACKS];
		struct track *t = under != NULL ? &under->track[i % N_WATCH_TRACKS] : NULL;

		if (t != NULL && t->n >= t->shape->min_ranks)
			track_freeze(t);
	}
}

bool watch_freeze(struct watch *w)
{
	size_t ready = 0;

	for (size_t i = 0; i < w->n; i++) {
		freeze_tracks(w->op[i]);
		ready += is_ready(w->op[i]);
	}
	freeze_tracks(&w->common);
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

bool watch_load_is_new(const struct watch *w)
{
	return w->n_ready > 0 && !w->load_is_known;
}

size_t watch_active(const struct watch *w)
{
	return w->n_active;
}

size_t watch_possible(const struct watch *w)
{
	return w->n_possible;
}

double watch_threshold(const struct watch *w)
{
	return watch_threshold_of(w, WATCH_SHIFT, 1);
}
