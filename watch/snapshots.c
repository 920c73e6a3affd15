/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/snapshots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "profile/merge.h"
#include "watch/difference.h"
#include "watch/parts.h"
#include "watch/snapshot_rate.h"

enum {
	SURELY_CUMULATIVE = 4, /* such snapshots in a row; a decrease is a reset from then on */
	MAX_LAYERS = 256,
	MAX_ABSENT = 16384, /* operations kept that the last snapshot did not print */
};

/* What all layers of a source share. */
struct snapshot_series {
	enum snapshots stated; /* by the user */
	bool documents;
	bool cumulative; /* stated by the user or the format */
	struct snapshot_calls calls;
	struct snapshot_counts counts;
	bool reported; /* that snapshots were found to be cumulative */
	struct layer **layer;
	size_t n_layers, cap_layers;
};

/* The snapshots of one layer, such as a map, which is printed and cleared at once. */
struct layer {
	struct snapshot_series *series;
	char *name;
	struct profile *latest; /* the last snapshot; NULL: none */
	struct profile *known;	/* each operation as it was last printed */
	struct profile *held;	/* waits for the next snapshot to decide; NULL: none */
	double held_at;
	size_t contained; /* cumulative snapshots in a row */
	size_t suspected; /* snapshots in a row that contain the previous one, but were counted
			     whole */
	double bits;	  /* evidence of these that they are cumulative */
	struct snapshot_rate rate;
};

static struct profile *copy_in_order(const struct profile *p)
{
	struct diag diag = { .emit = NULL };

	return profile_merge(&p, 1, &diag);
}

static void replace_profile(struct profile **to, struct profile *by)
{
	profile_free(*to);
	*to = by;
}

/* --- memory ------------------------------------------------------------------------------- */

/* Remembers a snapshot.  An interval may end within one, so operations that it does not print are
 * kept as they were: of the previous snapshot, or of all if snapshots are cumulative. */
static void remember_snapshot(struct layer *s, const struct profile *now)
{
	const struct profile *older =
		s->contained > 0 || s->series->cumulative ? s->known : s->latest;
	struct profile *absent = older != NULL ? difference_absent(older, now, MAX_ABSENT) : NULL;
	const struct profile *both[] = { now, absent };
	struct diag diag = { .emit = NULL };
	struct profile *all = absent != NULL ? profile_merge(both, 2, &diag) : NULL;

	replace_profile(&s->known, all != NULL ? all : copy_in_order(now));
	replace_profile(&s->latest, copy_in_order(now));
	profile_free(absent);
}

/* --- passing on ------------------------------------------------------------------------------ */

static void pass_on(struct layer *s, struct profile *added, double at)
{
	snapshot_rate_add(&s->rate, at, (double)parts_count(added));
	s->series->calls.added(s->series->calls.ctx, added);
}

static void take_whole(struct layer *s, const struct profile *now, double at)
{
	s->contained = 0;
	remember_snapshot(s, now);
	pass_on(s, copy_in_order(now), at);
}

static void take_difference(struct layer *s, const struct profile *now, double at)
{
	struct profile *added = copy_in_order(now);
	size_t resets = s->known != NULL ? difference_subtract(added, s->known) : 0;

	s->series->counts.resets += resets;
	s->series->counts.gaps += resets > 0; /* the calls before the reset */
	if (resets > 0)
		s->series->calls.report(s->series->calls.ctx,
					"counters were reset: their current values count as new");
	s->contained = resets == 0 ? s->contained + 1 : 1;
	remember_snapshot(s, now);
	pass_on(s, added, at);
}

/* Takes a snapshot that was found to be cumulative: reports it once, and counts it. */
static void take_found_cumulative(struct layer *s, const struct profile *now, double at)
{
	if (!s->series->reported)
		s->series->calls.report(s->series->calls.ctx,
					"snapshots go on counting: their differences are taken");
	s->series->reported = true;
	/* Earlier ones were counted whole before there was enough evidence. */
	s->series->counts.gaps += s->contained == 0 && s->suspected > 1;
	s->suspected = 0;
	s->bits = 0;
	s->series->counts.differenced++;
	take_difference(s, now, at);
}

/* --- deciding --------------------------------------------------------------------------------- */

enum verdict { DELTA, CUMULATIVE, MAY_BE_EITHER };

/* Decides whether a snapshot is cumulative.  If it contains the previous one, a document is;
 * others need enough evidence, or a rate of calls that fits. */
static enum verdict verdict_of(struct layer *s, const struct profile *now, double at)
{
	static const double min_bits = 10, sure_bits = 24;
	static const double max_growth = 1.25; /* a late snapshot has grown more */
	double all = (double)parts_count(now), before;

	if (s->latest == NULL || (double)parts_count(s->latest) == 0)
		return DELTA;
	if (s->contained > 0)
		return difference_shrinks(now, s->known) ? DELTA : CUMULATIVE;
	if (!difference_contains(now, s->latest)) {
		s->bits = 0;
		s->suspected = 0;
		return DELTA;
	}
	if (s->series->documents)
		return CUMULATIVE;
	before = (double)parts_count(s->latest);
	s->bits += difference_bits(now, s->latest);
	s->suspected++;
	/* The rate includes snapshots that were counted whole by mistake: do not ask it then. */
	if (s->bits >= sure_bits && all < max_growth * before)
		return CUMULATIVE;
	if (s->bits < min_bits &&
	    !difference_is_doubled(now, s->latest, !snapshot_rate_is_known(&s->rate)))
		return DELTA;
	if (s->bits < min_bits && !snapshot_rate_is_known(&s->rate))
		return MAY_BE_EITHER;
	if (s->bits < min_bits && snapshot_rate_is_burst(&s->rate, at))
		return DELTA;
	return snapshot_rate_fits_all(&s->rate, at, all, before) ? DELTA : CUMULATIVE;
}

/* Takes the snapshot that waited, now that the next one has decided what it is. */
static void release_held(struct layer *s, bool cumulative)
{
	struct profile *held = s->held;

	if (held == NULL)
		return;
	s->held = NULL;
	if (cumulative)
		take_found_cumulative(s, held, s->held_at);
	else
		take_whole(s, held, s->held_at);
	profile_free(held);
}

static void decide_kind(struct layer *s, const struct profile *now, double at)
{
	switch (verdict_of(s, now, at)) {
	case CUMULATIVE:
		take_found_cumulative(s, now, at);
		break;
	case MAY_BE_EITHER:
		s->held = copy_in_order(now);
		s->held_at = at;
		break;
	case DELTA:
		/* A decrease after many cumulative snapshots is a counter reset. */
		if (s->contained >= SURELY_CUMULATIVE)
			take_difference(s, now, at);
		else
			take_whole(s, now, at);
		break;
	}
}

/* Takes the first document, whose calls count only if later documents turn out to be deltas. */
static void take_first_document(struct layer *s, const struct profile *now, double at)
{
	remember_snapshot(s, now);
	if (s->series->cumulative)
		return;
	s->held = copy_in_order(now);
	s->held_at = at;
}

static void take_document(struct layer *s, const struct profile *now, double at)
{
	bool cumulative = s->series->cumulative || verdict_of(s, now, at) == CUMULATIVE ||
			  s->contained >= SURELY_CUMULATIVE;

	if (s->held != NULL && !cumulative)
		pass_on(s, copy_in_order(s->held), s->held_at);
	replace_profile(&s->held, NULL);
	if (s->series->cumulative)
		take_difference(s, now, at);
	else
		decide_kind(s, now, at);
}

static void take_snapshot(struct layer *s, const struct profile *now, double at)
{
	if (s->series->documents && s->latest == NULL)
		take_first_document(s, now, at);
	else if (s->series->documents)
		take_document(s, now, at);
	else if (s->series->cumulative)
		take_difference(s, now, at);
	else {
		if (s->held != NULL)
			release_held(s, difference_contains(now, s->held));
		decide_kind(s, now, at);
	}
}

/* --- layers ----------------------------------------------------------------------------------- */

struct snapshot_series *snapshots_new(enum snapshots stated, bool documents,
				      const struct snapshot_calls *calls)
{
	struct snapshot_series *s = xcalloc(1, sizeof(*s));

	s->stated = stated;
	s->cumulative = stated == SNAPSHOTS_CUMULATIVE;
	s->documents = documents;
	s->calls = *calls;
	return s;
}

void snapshots_free(struct snapshot_series *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->n_layers; i++) {
		profile_free(s->layer[i]->latest);
		profile_free(s->layer[i]->known);
		profile_free(s->layer[i]->held);
		free(s->layer[i]->name);
		free(s->layer[i]);
	}
	free(s->layer);
	free(s);
}

const struct snapshot_counts *snapshots_counts(const struct snapshot_series *s)
{
	return &s->counts;
}

void snapshots_set_cumulative(struct snapshot_series *s)
{
	/* What a format states of snapshots in one file need not hold between documents: each may
	 * come from a run of its own. */
	s->cumulative |= s->stated == SNAPSHOTS_AUTO && !s->documents;
}

/* Returns the series of a layer.  A document is one series with all of its layers; layers beyond
 * MAX_LAYERS share the last one. */
static struct layer *layer_of(struct snapshot_series *s, struct str name)
{
	struct layer *l;

	for (size_t i = 0; i < s->n_layers; i++) {
		if (s->documents || str_eq(str_from(s->layer[i]->name), name))
			return s->layer[i];
	}
	if (s->n_layers == MAX_LAYERS)
		return s->layer[MAX_LAYERS - 1];
	l = xcalloc(1, sizeof(*l));
	l->series = s;
	l->name = xcalloc(name.n + 1, 1);
	if (name.n > 0)
		memcpy(l->name, name.p, name.n);
	s->layer = xgrow(s->layer, &s->cap_layers, s->n_layers + 1, sizeof(*s->layer));
	s->layer[s->n_layers++] = l;
	return l;
}

/* Returns the operations of a layer, in order; NULL if there are none. */
static struct profile *part_of_layer(struct snapshot_series *s, const struct profile *p,
				     const struct layer *l, uint64_t lost)
{
	struct profile *part = profile_new("watch"), *sorted = NULL;

	part->format = p->format;
	part->unit = p->unit;
	part->hz = p->hz;
	part->lost = lost;
	part->op = arena_make(part->arena, struct operation, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++) {
		if (layer_of(s, p->op[i].layer) == l)
			part->op[part->n_ops++] = p->op[i];
	}
	if (part->n_ops > 0)
		sorted = copy_in_order(part);
	profile_free(part);
	return sorted;
}

void snapshots_take(struct snapshot_series *s, const struct profile *p, double at)
{
	uint64_t lost = p->lost; /* of the whole profile: counted with the first layer */

	for (size_t i = 0; i < p->n_ops; i++)
		(void)layer_of(s, p->op[i].layer);
	for (size_t i = 0; i < s->n_layers; i++) {
		struct profile *now = part_of_layer(s, p, s->layer[i], lost);

		if (now == NULL)
			continue;
		take_snapshot(s->layer[i], now, at);
		profile_free(now);
		lost = 0;
	}
	if (lost > 0)
		s->calls.added(s->calls.ctx, copy_in_order(p));
}

void snapshots_take_each(struct snapshot_series *s, const struct profile *p, double at)
{
	double next, start = part_next(p, -HUGE_VAL);

	for (; start < HUGE_VAL; start = next) {
		struct profile *print;

		next = part_next(p, start);
		print = part_of(p, start, next == HUGE_VAL);
		snapshots_take(s, print, at);
		profile_free(print);
	}
}

void snapshots_end(struct snapshot_series *s)
{
	for (size_t i = 0; i < s->n_layers && !s->documents; i++)
		release_held(s->layer[i], true);
}
