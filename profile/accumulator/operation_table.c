/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/accumulator/operation_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/word.h"
#include "profile/accumulator/accumulator_parts.h"

enum { PARTS = 16 }; /* a power of two; enough that threads seldom wait for each other */

struct operation_table {
	size_t n;			 /* parts; 1 for a single thread */
	struct accumulator *part[PARTS]; /* operations, distributed by name */
	pthread_mutex_t *lock;		 /* one for each part */
	struct shared_names shared;
};

/* Locks are held for less than a microsecond, so spinning is cheaper than sleeping. */
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

struct operation_table *operation_table_new(const struct accumulator_options *options,
					    size_t n_threads)
{
	struct operation_table *r = xcalloc(1, sizeof(*r));

	r->n = n_threads > 1 ? PARTS : 1;
	r->lock = xcalloc(r->n, sizeof(*r->lock));
	init_lock(&r->shared.lock);
	for (size_t i = 0; i < r->n; i++) {
		r->part[i] = accumulator_new(options);
		init_lock(&r->lock[i]);
	}
	return r;
}

void operation_table_free(struct operation_table *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++) {
		accumulator_free(r->part[i]);
		(void)pthread_mutex_destroy(&r->lock[i]);
	}
	free(r->lock);
	(void)pthread_mutex_destroy(&r->shared.lock);
	free(r->shared.met);
	free(r);
}

struct shared_names *operation_table_shared_names(struct operation_table *r)
{
	return &r->shared;
}

void operation_table_register(struct operation_table *r, struct accumulator *s)
{
	s->operation_table = r;
}

/* Hashes the last bytes, in which names mostly differ. */
static size_t part_of(const struct operation_table *r, struct str name)
{
	uint64_t word = 0;
	size_t n = name.n < WORD_BYTES ? name.n : WORD_BYTES;

	if (n > 0)
		memcpy(&word, name.p + name.n - n, n);
	return (word * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->n - 1);
}

struct entry *operation_table_look_up(struct operation_table *r, const struct sample *sample)
{
	size_t part = part_of(r, sample->name);
	struct entry *e;

	(void)pthread_mutex_lock(&r->lock[part]);
	e = accumulator_entry(r->part[part], sample);
	if (e->part != part) /* new; others read it without the lock */
		e->part = part;
	(void)pthread_mutex_unlock(&r->lock[part]);
	return e;
}

static void add_to_cell(struct accumulator *s, struct entry *e, long interval,
			const struct counted *more)
{
	if (!cell_add(accumulator_cell(s, e, interval), more, s->arena))
		e->overflow = true;
}

void operation_table_add(struct operation_table *r, struct entry *e, long interval,
			 const struct counted *more)
{
	(void)pthread_mutex_lock(&r->lock[e->part]);
	add_to_cell(r->part[e->part], e, interval, more);
	(void)pthread_mutex_unlock(&r->lock[e->part]);
}

/* --- when all threads are done ----------------------------------------------------- */

/* Takes over where an operation's first sample stood. */
static void take_line(struct accumulator *into, struct entry *e, const struct entry *from)
{
	e->offset = from->offset;
	e->where = from->where;
	e->line = from->line;
	if (from->line.text.p == NULL)
		return;
	e->line.text = arena_str(into->arena, from->line.text);
	e->where.p = e->line.text.p + (from->where.p - from->line.text.p);
}

static void take_far(struct accumulator *into, const struct entry *far)
{
	if (far == NULL || (into->far != NULL && into->far->offset <= far->offset))
		return;
	if (into->far == NULL)
		into->far = arena_make(into->arena, struct entry, 1);
	take_line(into, into->far, far);
}

/* The first part holds the range of intervals of all parts. */
static void take_intervals(struct accumulator *into, const struct accumulator *from)
{
	take_far(into, from->far);
	into->too_wide |= from->too_wide;
	if (!from->started)
		return;
	if (!into->started || from->min < into->min)
		into->min = from->min;
	if (!into->started || from->max > into->max)
		into->max = from->max;
	into->started = true;
	into->base = from->base;
	into->too_wide |= into->max - into->min >= ACCUMULATOR_MAX_INTERVALS;
}

static void take_entry(struct accumulator *into, const struct entry *e)
{
	const struct sample first = {
		.layer = e->layer, .name = e->name, .where = e->where, .offset = e->offset
	};
	bool is_new;
	struct entry *mine = accumulator_entry_of(into, &first, &is_new);

	if (is_new || e->offset < mine->offset)
		take_line(into, mine, e);
	mine->overflow |= e->overflow;
	mine->n_impossible += e->n_impossible;
	if (e->impossible.billionths > mine->impossible.billionths)
		mine->impossible = e->impossible;
	if (e->n_cells == 0)
		return;
	for (const struct cell *c = &e->first; c != NULL; c = c->next) {
		const struct counted more = { c->count, c->total, c->min, c->max, c->tally, c->n };

		add_to_cell(into, mine, c->interval, &more);
	}
}

void operation_table_merge(struct operation_table *r, struct accumulator *s)
{
	free(r->shared.met); /* no thread reads it any more */
	r->shared.met = NULL;
	r->shared.n = r->shared.cap = 0;
	if (r->n == 1 && r->part[0]->n == 0) {
		accumulator_free(r->part[0]);
		r->part[0] = s;
		return;
	}
	accumulator_take_seen(r->part[0], s);
	take_intervals(r->part[0], s);
	for (size_t i = 0; i < s->n; i++)
		take_entry(r->part[part_of(r, s->entry[i]->name)], s->entry[i]);
	accumulator_free(s);
}

void operation_table_forget_nested(struct operation_table *r)
{
	for (size_t i = 0; i < r->n; i++)
		accumulator_forget_nested(r->part[i]);
}

void operation_table_granularity(struct operation_table *r, double granularity)
{
	r->part[0]->options.granularity = granularity;
}

bool operation_table_push(struct operation_table *r, struct builder *b)
{
	return accumulators_push(r->part, r->n, b);
}
