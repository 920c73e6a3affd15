/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/roster.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/word.h"
#include "profile/sampler_parts.h"

enum { PARTS = 16 }; /* a power of two; so many that threads seldom wait for each other */

struct roster {
	size_t n;		     /* parts: 1 for a thread that is alone */
	struct sampler *part[PARTS]; /* by name */
	pthread_mutex_t *lock;	     /* of each, while threads are at work */
	struct told told;
};

/* Each is held for less than a microsecond: waiting for it is cheaper than sleeping. */
static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	(void)pthread_mutexattr_init(&attr);
#ifdef __GLIBC__
	(void)pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
	(void)pthread_mutex_init(lock, &attr);
	(void)pthread_mutexattr_destroy(&attr);
}

struct roster *roster_new(const struct sampler_options *options, size_t n_threads)
{
	struct roster *r = xcalloc(1, sizeof(*r));

	r->n = n_threads > 1 ? PARTS : 1;
	r->lock = xcalloc(r->n, sizeof(*r->lock));
	init_lock(&r->told.lock);
	for (size_t i = 0; i < r->n; i++) {
		r->part[i] = sampler_new(options);
		init_lock(&r->lock[i]);
	}
	return r;
}

void roster_free(struct roster *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++) {
		sampler_free(r->part[i]);
		(void)pthread_mutex_destroy(&r->lock[i]);
	}
	free(r->lock);
	(void)pthread_mutex_destroy(&r->told.lock);
	free(r->told.met);
	free(r);
}

struct told *roster_told(struct roster *r)
{
	return &r->told;
}

void roster_enrol(struct roster *r, struct sampler *s)
{
	s->roster = r;
}

/* Names mostly differ in their last bytes. */
static size_t part_of(const struct roster *r, struct str name)
{
	uint64_t word = 0;
	size_t n = name.n < WORD_BYTES ? name.n : WORD_BYTES;

	if (n > 0)
		memcpy(&word, name.p + name.n - n, n);
	return (word * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->n - 1);
}

struct entry *roster_meet(struct roster *r, const struct sample *sample)
{
	size_t part = part_of(r, sample->name);
	struct entry *e;

	(void)pthread_mutex_lock(&r->lock[part]);
	e = sampler_entry(r->part[part], sample);
	if (e->part != part) /* new; others read it without the lock */
		e->part = part;
	(void)pthread_mutex_unlock(&r->lock[part]);
	return e;
}

static void add(struct sampler *s, struct entry *e, long interval, const struct counted *more)
{
	if (!cell_add(sampler_cell(s, e, interval), more, s->arena))
		e->overflow = true;
}

void roster_add(struct roster *r, struct entry *e, long interval, const struct counted *more)
{
	(void)pthread_mutex_lock(&r->lock[e->part]);
	add(r->part[e->part], e, interval, more);
	(void)pthread_mutex_unlock(&r->lock[e->part]);
}

/* --- when all threads are done ----------------------------------------------------- */

/* Where the first sample stood. */
static void take_line(struct sampler *into, struct entry *e, const struct entry *from)
{
	e->place = from->place;
	e->where = from->where;
	e->line = from->line;
	if (from->line.text.p == NULL)
		return;
	e->line.text = arena_str(into->arena, from->line.text);
	e->where.p = e->line.text.p + (from->where.p - from->line.text.p);
}

static void take_far(struct sampler *into, const struct entry *far)
{
	if (far == NULL || (into->far != NULL && into->far->place <= far->place))
		return;
	if (into->far == NULL)
		into->far = arena_make(into->arena, struct entry, 1);
	take_line(into, into->far, far);
}

/* The intervals of all are those of the first part. */
static void take_intervals(struct sampler *into, const struct sampler *from)
{
	take_far(into, from->far);
	into->too_wide |= from->too_wide;
	if (!from->started)
		return;
	if (!into->started || from->least < into->least)
		into->least = from->least;
	if (!into->started || from->most > into->most)
		into->most = from->most;
	into->started = true;
	into->base = from->base;
	into->too_wide |= into->most - into->least >= SAMPLER_MAX_INTERVALS;
}

static void take_entry(struct sampler *into, const struct entry *e)
{
	const struct sample first = {
		.layer = e->layer, .name = e->name, .where = e->where, .place = e->place
	};
	bool is_new;
	struct entry *mine = sampler_entry_of(into, &first, &is_new);

	if (is_new || e->place < mine->place)
		take_line(into, mine, e);
	mine->overflow |= e->overflow;
	for (const struct cell *c = &e->first; c != NULL; c = c->next) {
		const struct counted more = {
			c->count, c->total, c->least, c->most, c->tally, c->n
		};

		add(into, mine, c->interval, &more);
	}
}

void roster_take(struct roster *r, struct sampler *s)
{
	free(r->told.met); /* nobody listens any more */
	r->told.met = NULL;
	r->told.n = r->told.cap = 0;
	if (r->n == 1 && r->part[0]->n == 0) {
		sampler_free(r->part[0]);
		r->part[0] = s;
		return;
	}
	take_intervals(r->part[0], s);
	for (size_t i = 0; i < s->n; i++)
		take_entry(r->part[part_of(r, s->entry[i]->name)], s->entry[i]);
	sampler_free(s);
}

void roster_granularity(struct roster *r, double granularity)
{
	r->part[0]->options.granularity = granularity;
}

bool roster_push(struct roster *r, struct builder *b)
{
	return samplers_push(r->part, r->n, b);
}
