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
#include "watch/pace.h"
#include "watch/parts.h"

enum {
	SCORE = 4, /* snapshots that went on counting: they always do */
	MAX_LAYERS = 256,
	MAX_ABSENT = 16384, /* operations that are remembered beside those of the last snapshot */
};

/* What all layers of a source share. */
struct snapshot_series {
	enum snapshots said;
	bool documents;
	bool counters; /* the user, or their format, says that they go on counting */
	struct snapshot_calls calls;
	struct snapshot_counts counts;
	bool reported; /* that they go on counting, unasked */
	struct printed **layer;
	size_t n_layers, cap_layers;
};

/* One layer, which is what is printed and cleared at a time: a map. */
struct printed {
	struct snapshot_series *all;
	char *name;
	struct profile *latest; /* as it was printed; NULL: there was none */
	struct profile *known;	/* what each operation had when it was last printed */
	struct profile *held;	/* may be either; NULL: none waits */
	double held_at;
	size_t contained; /* in a row that held all of the one before */
	size_t suspected; /* the same, which were not enough evidence, and counted whole */
	double bits;	  /* of evidence that they have */
	struct pace pace;
};

static struct profile *copy_in_order(const struct profile *p)
{
	struct diag diag = { .emit = NULL };

	return profile_merge(&p, 1, &diag);
}

static void replace(struct profile **to, struct profile *by)
{
	profile_free(*to);
	*to = by;
}

/* --- what is known ------------------------------------------------------------------------ */

/* A snapshot may come in two parts, when an interval ends between them: what the second one does
 * not print is as it was.  Where counters are known to go on, it stays known for good. */
static void remember(struct printed *s, const struct profile *now)
{
	const struct profile *older = s->contained > 0 || s->all->counters ? s->known : s->latest;
	struct profile *absent = older != NULL ? difference_absent(older, now, MAX_ABSENT) : NULL;
	const struct profile *both[] = { now, absent };
	struct diag diag = { .emit = NULL };
	struct profile *all = absent != NULL ? profile_merge(both, 2, &diag) : NULL;

	replace(&s->known, all != NULL ? all : copy_in_order(now));
	replace(&s->latest, copy_in_order(now));
	profile_free(absent);
}

/* --- handing over ----------------------------------------------------------------------------- */

static void hand_over(struct printed *s, struct profile *added, double at)
{
	pace_add(&s->pace, at, (double)parts_count(added));
	s->all->calls.added(s->all->calls.ctx, added);
}

static void take_whole(struct printed *s, const struct profile *now, double at)
{
	s->contained = 0;
	remember(s, now);
	hand_over(s, copy_in_order(now), at);
}

static void take_difference(struct printed *s, const struct profile *now, double at)
{
	struct profile *added = copy_in_order(now);
	size_t resets = s->known != NULL ? difference_take_away(added, s->known) : 0;

	s->all->counts.resets += resets;
	s->all->counts.gaps += resets > 0; /* what came between */
	if (resets > 0)
		s->all->calls.report(s->all->calls.ctx,
				     "counters were reset: what they hold now is taken as new");
	s->contained = resets == 0 ? s->contained + 1 : 1;
	remember(s, now);
	hand_over(s, added, at);
}

/* Unasked: it is reported once, and counted. */
static void find_going_on(struct printed *s, const struct profile *now, double at)
{
	if (!s->all->reported)
		s->all->calls.report(s->all->calls.ctx,
				     "snapshots go on counting: their differences are taken");
	s->all->reported = true;
	/* Those before, which were no evidence by themselves, counted whole. */
	s->all->counts.gaps += s->contained == 0 && s->suspected > 1;
	s->suspected = 0;
	s->bits = 0;
	s->all->counts.differenced++;
	take_difference(s, now, at);
}

/* --- finding out --------------------------------------------------------------------------------
 */

enum verdict { CLEARED, GOES_ON, MAY_BE_EITHER };

/* Whether this snapshot goes on counting where the last one was.  Documents mostly do; of what
 * is printed again and again it has to be sure, or to have been so for a while. */
static enum verdict verdict_of(struct printed *s, const struct profile *now, double at)
{
	static const double min_bits = 10, sure_bits = 24;
	static const double explained = 1.25; /* one that comes late has more than that */
	double all = (double)parts_count(now), before;

	if (s->latest == NULL || (double)parts_count(s->latest) == 0)
		return CLEARED;
	if (s->contained > 0)
		return difference_shrinks(now, s->known) ? CLEARED : GOES_ON;
	if (!difference_contains(now, s->latest)) {
		s->bits = 0;
		s->suspected = 0;
		return CLEARED;
	}
	if (s->all->documents)
		return GOES_ON;
	before = (double)parts_count(s->latest);
	s->bits += difference_bits(now, s->latest);
	s->suspected++;
	/* The rate of those that were counted whole would say that they fit. */
	if (s->bits >= sure_bits && all < explained * before)
		return GOES_ON;
	if (s->bits < min_bits && !difference_is_doubled(now, s->latest, !pace_is_known(&s->pace)))
		return CLEARED;
	if (s->bits < min_bits && !pace_is_known(&s->pace))
		return MAY_BE_EITHER;
	if (s->bits < min_bits && pace_is_burst(&s->pace, at))
		return CLEARED;
	return pace_fits_all(&s->pace, at, all, before) ? CLEARED : GOES_ON;
}

/* The one after it shows what it was. */
static void let_go(struct printed *s, bool goes_on)
{
	struct profile *held = s->held;

	if (held == NULL)
		return;
	s->held = NULL;
	if (goes_on)
		find_going_on(s, held, s->held_at);
	else
		take_whole(s, held, s->held_at);
	profile_free(held);
}

static void find_out(struct printed *s, const struct profile *now, double at)
{
	switch (verdict_of(s, now, at)) {
	case GOES_ON:
		find_going_on(s, now, at);
		break;
	case MAY_BE_EITHER:
		s->held = copy_in_order(now);
		s->held_at = at;
		break;
	case CLEARED:
		/* What went on for a while and was reset goes on. */
		if (s->contained >= SCORE)
			take_difference(s, now, at);
		else
			take_whole(s, now, at);
		break;
	}
}

/* The first one, which counts if those after it are cleared. */
static void take_first_document(struct printed *s, const struct profile *now, double at)
{
	remember(s, now);
	if (s->all->counters)
		return;
	s->held = copy_in_order(now);
	s->held_at = at;
}

static void take_document(struct printed *s, const struct profile *now, double at)
{
	bool goes_on =
		s->all->counters || verdict_of(s, now, at) == GOES_ON || s->contained >= SCORE;

	if (s->held != NULL && !goes_on)
		hand_over(s, copy_in_order(s->held), s->held_at);
	replace(&s->held, NULL);
	if (s->all->counters)
		take_difference(s, now, at);
	else
		find_out(s, now, at);
}

static void take(struct printed *s, const struct profile *now, double at)
{
	if (s->all->documents && s->latest == NULL)
		take_first_document(s, now, at);
	else if (s->all->documents)
		take_document(s, now, at);
	else if (s->all->counters)
		take_difference(s, now, at);
	else {
		if (s->held != NULL)
			let_go(s, difference_contains(now, s->held));
		find_out(s, now, at);
	}
}

/* --- layers ------------------------------------------------------------------------------------
 */

struct snapshot_series *snapshots_new(enum snapshots said, bool documents,
				      const struct snapshot_calls *calls)
{
	struct snapshot_series *s = xcalloc(1, sizeof(*s));

	s->said = said;
	s->counters = said == SNAPSHOTS_CUMULATIVE;
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

void snapshots_count_on(struct snapshot_series *s)
{
	/* A document may be of a run of its own, whatever its format says of several in a file. */
	s->counters |= s->said == SNAPSHOTS_AUTO && !s->documents;
}

/* A document is all of its layers; where there are very many, what is left is one, too. */
static struct printed *layer_of(struct snapshot_series *s, struct str name)
{
	struct printed *l;

	for (size_t i = 0; i < s->n_layers; i++) {
		if (s->documents || str_eq(str_from(s->layer[i]->name), name))
			return s->layer[i];
	}
	if (s->n_layers == MAX_LAYERS)
		return s->layer[MAX_LAYERS - 1];
	l = xcalloc(1, sizeof(*l));
	l->all = s;
	l->name = xcalloc(name.n + 1, 1);
	if (name.n > 0)
		memcpy(l->name, name.p, name.n);
	s->layer = xgrow(s->layer, &s->cap_layers, s->n_layers + 1, sizeof(*s->layer));
	s->layer[s->n_layers++] = l;
	return l;
}

/* The operations of a profile that are of this layer, in order; NULL: there are none. */
static struct profile *part_of_layer(struct snapshot_series *s, const struct profile *p,
				     const struct printed *l, uint64_t lost)
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
	uint64_t lost = p->lost; /* of no one operation: with the first layer */

	for (size_t i = 0; i < p->n_ops; i++)
		(void)layer_of(s, p->op[i].layer);
	for (size_t i = 0; i < s->n_layers; i++) {
		struct profile *now = part_of_layer(s, p, s->layer[i], lost);

		if (now == NULL)
			continue;
		take(s->layer[i], now, at);
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
		let_go(s->layer[i], true);
}
