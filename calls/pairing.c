/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/tables/hash.h"

struct open_call {
	size_t at, n; /* its name in slot.names */
	struct decimal began;
};

struct slot {
	struct pairing_slot key;
	struct open_call *call; /* outermost first */
	size_t n, cap;
	char *names; /* names of the calls, concatenated */
	size_t cap_names;
	struct slot *next_free;
	UT_hash_handle hh;
};

struct pairing {
	enum pairing_order order;
	struct arena *arena;
	struct slot *slots; /* with open calls */
	struct slot *free;
	uint64_t open, begins_alone, ends_alone;
};

struct pairing *pairing_new(enum pairing_order order)
{
	struct pairing *p = xcalloc(1, sizeof(*p));

	p->order = order;
	p->arena = arena_new();
	return p;
}

static void free_slot(struct slot *s)
{
	free(s->call);
	free(s->names);
}

void pairing_free(struct pairing *p)
{
	if (p == NULL)
		return;
	for (struct slot *s = p->slots; s != NULL; s = s->hh.next)
		free_slot(s);
	for (struct slot *s = p->free; s != NULL; s = s->next_free)
		free_slot(s);
	HASH_CLEAR(hh, p->slots);
	arena_free(p->arena);
	free(p);
}

uint64_t pairing_n_open(const struct pairing *p)
{
	return p->open;
}

static struct slot *find_slot(const struct pairing *p, struct pairing_slot key)
{
	struct slot *s;

	HASH_FIND(hh, p->slots, &key, sizeof(key), s);
	return s;
}

static struct slot *add_slot(struct pairing *p, struct pairing_slot key)
{
	struct slot *s = p->free;

	if (s != NULL)
		p->free = s->next_free;
	else
		s = arena_make(p->arena, struct slot, 1);
	s->key = key;
	HASH_ADD(hh, p->slots, key, sizeof(s->key), s);
	return s;
}

/* Keeps only the `kept` outermost calls; a slot without calls is freed for reuse. */
static void close_calls(struct pairing *p, struct slot *s, size_t kept)
{
	p->open -= s->n - kept;
	s->n = kept;
	if (kept > 0)
		return;
	HASH_DEL(p->slots, s);
	s->next_free = p->free;
	p->free = s;
}

static void give_up(struct pairing *p, struct slot *s)
{
	p->begins_alone += s->n;
	close_calls(p, s, 0);
}

static struct str name_of(const struct slot *s, size_t i)
{
	return (struct str){ s->names + s->call[i].at, s->call[i].n };
}

static void open_call(struct slot *s, struct str name, struct decimal at)
{
	size_t from = s->n > 0 ? s->call[s->n - 1].at + s->call[s->n - 1].n : 0;

	s->call = xgrow(s->call, &s->cap, s->n + 1, sizeof(*s->call));
	s->names = xgrow(s->names, &s->cap_names, from + name.n + 1, 1);
	if (name.n > 0)
		memcpy(s->names + from, name.p, name.n);
	s->call[s->n++] = (struct open_call){ from, name.n, at };
}

void pairing_begin(struct pairing *p, struct pairing_slot slot, struct str name, struct decimal at)
{
	struct slot *s = find_slot(p, slot);

	if (s == NULL)
		s = add_slot(p, slot);
	if (p->order == PAIRING_SINGLE && s->n > 0) {
		p->begins_alone++;
		p->open--;
		s->n = 0;
	}
	open_call(s, name, at);
	p->open++;
}

struct pairing *pairing_copy(const struct pairing *p)
{
	struct pairing *copy = pairing_new(p->order);

	for (const struct slot *s = p->slots; s != NULL; s = s->hh.next) {
		struct slot *to = add_slot(copy, s->key);

		for (size_t i = 0; i < s->n; i++)
			open_call(to, name_of(s, i), s->call[i].began);
	}
	copy->open = p->open;
	return copy;
}

/* Finds the innermost call of that name (empty: of any); s->n when there is none. */
static size_t find_call(const struct slot *s, struct str name)
{
	size_t min = s->n > PAIRING_REACH ? s->n - PAIRING_REACH : 0;

	for (size_t i = s->n; i-- > min;) {
		if (name.n == 0 || str_eq(name_of(s, i), name))
			return i;
	}
	return s->n;
}

bool pairing_is_open(const struct pairing *p, struct pairing_slot slot, struct str name)
{
	const struct slot *s = find_slot(p, slot);

	return s != NULL && find_call(s, name) < s->n;
}

bool pairing_end(struct pairing *p, struct pairing_slot slot, struct str name, struct str *ret_name,
		 struct decimal *ret_began)
{
	struct slot *s = find_slot(p, slot);
	size_t at = s != NULL ? find_call(s, name) : 0;

	if (s != NULL && at < s->n) {
		*ret_name = name_of(s, at);
		*ret_began = s->call[at].began;
		p->begins_alone += s->n - at - 1;
		close_calls(p, s, at);
		return true;
	}
	p->ends_alone++;
	if (s != NULL && p->order == PAIRING_SINGLE)
		give_up(p, s);
	return false;
}

void pairing_forget(struct pairing *p, struct pairing_slot slot)
{
	struct slot *s = find_slot(p, slot);

	if (s != NULL)
		give_up(p, s);
}

void pairing_forget_all(struct pairing *p)
{
	while (p->slots != NULL)
		give_up(p, p->slots);
}

void pairing_report(const struct pairing *p, bool go_on, struct input *in, struct diag *diag)
{
	uint64_t begins = p->begins_alone + (go_on ? 0 : p->open);

	if (begins > 0 || p->ends_alone > 0)
		diag_file(diag, DIAG_UNMATCHED_EVENTS, in,
			  "%llu begin%s without an end, %llu end%s without a begin",
			  (unsigned long long)begins, begins == 1 ? "" : "s",
			  (unsigned long long)p->ends_alone, p->ends_alone == 1 ? "" : "s");
}
