/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/tables/hash.h"
#include "base/xalloc.h"

struct call_name {
	struct str text;
	uint32_t number;
	UT_hash_handle hh;
};

/* A process or a thread of one run. */
struct call_id {
	uint64_t key; /* run and id */
	uint32_t number;
	UT_hash_handle hh;
};

/* --- names -------------------------------------------------------------------------- */

uint32_t calls_name(struct calls *c, struct call_names *names, struct str name)
{
	struct call_name *known;

	HASH_FIND(hh, names->table, name.p, name.n, known);
	if (known == NULL) {
		known = arena_make(c->arena, struct call_name, 1);
		known->text = arena_str(c->arena, name);
		known->number = (uint32_t)names->n;
		HASH_ADD_KEYPTR(hh, names->table, known->text.p, known->text.n, known);
		names->v = xgrow(names->v, &names->cap, names->n + 1, sizeof(*names->v));
		names->v[names->n++] = known->text;
	}
	return known->number;
}

static void release_names(struct call_names *names)
{
	HASH_CLEAR(hh, names->table);
	free(names->v);
}

/* --- records -------------------------------------------------------------------------- */

struct calls *calls_new(void)
{
	struct calls *c = xcalloc(1, sizeof(*c));

	c->arena = arena_new();
	(void)calls_name(c, &c->operations, STR(""));
	(void)calls_name(c, &c->sites, STR(""));
	(void)calls_name(c, &c->resources, STR(""));
	return c;
}

void calls_free(struct calls *c)
{
	if (c == NULL)
		return;
	release_names(&c->operations);
	release_names(&c->sites);
	release_names(&c->resources);
	HASH_CLEAR(hh, c->processes);
	HASH_CLEAR(hh, c->threads);
	arena_free(c->arena);
	free(c->v);
	free(c);
}

/* Returns the number of an id of the current run; *last caches the one returned last. */
static uint32_t number_of(struct calls *c, uint32_t id, struct call_id **table,
			  struct call_id **last, size_t *n)
{
	uint64_t key = (uint64_t)c->n_runs << 32 | id;
	struct call_id *known = *last;

	if (known != NULL && known->key == key)
		return known->number;
	HASH_FIND(hh, *table, &key, sizeof(key), known);
	if (known == NULL) {
		known = arena_make(c->arena, struct call_id, 1);
		*known = (struct call_id){ .key = key, .number = (uint32_t)(*n)++ };
		HASH_ADD(hh, *table, key, sizeof(known->key), known);
	}
	*last = known;
	return known->number;
}

void calls_thread_ids(const struct calls *c, uint32_t *ret)
{
	for (const struct call_id *i = c->threads; i != NULL; i = i->hh.next)
		ret[i->number] = (uint32_t)i->key;
}

void calls_next_run(struct calls *c)
{
	c->n_runs++;
}

void calls_add(struct calls *c, const struct call *call, uint32_t process_id, uint32_t thread_id)
{
	assert(c->n_runs > 0);
	c->v = xgrow(c->v, &c->cap, c->n + 1, sizeof(*c->v));
	c->v[c->n] = *call;
	c->v[c->n].process =
		number_of(c, process_id, &c->processes, &c->last_process, &c->n_processes);
	c->v[c->n].thread = number_of(c, thread_id, &c->threads, &c->last_thread, &c->n_threads);
	c->v[c->n].run = (uint32_t)c->n_runs;
	c->n_all = ++c->n;
}

void calls_keep(struct calls *c, const bool *wanted)
{
	struct call *other = xcalloc(c->n + 1, sizeof(*other));
	size_t kept = 0, n_others = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (wanted[c->v[i].operation])
			c->v[kept++] = c->v[i];
		else
			other[n_others++] = c->v[i];
	}
	if (n_others > 0)
		memcpy(c->v + kept, other, n_others * sizeof(*other));
	free(other);
	c->n = kept;
}
