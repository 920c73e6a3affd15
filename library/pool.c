/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library/pool.h"

#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct held {
	uintptr_t thing; /* 0: an empty place, unless it is a descriptor */
	size_t bytes;
	enum held_kind kind;
	bool taken;
};

/* A hash table with linear probing. */
struct pool {
	struct held *place;
	size_t n, cap; /* cap: a power of two; at most half of it is taken */
};

/* What this thread runs.  With a place in the block that each thread has from its beginning: others
 * are allocated at the first use, and end the program where that fails. */
struct running {
	struct pool *pool; /* NULL: nothing */
	jmp_buf *back;
};
static _Thread_local struct running running __attribute__((tls_model("initial-exec")));

/* --- the table ---------------------------------------------------------------------------------- */

static size_t home_of(const struct pool *p, uintptr_t thing)
{
	return (size_t)((thing >> 4 ^ thing) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (p->cap - 1);
}

static size_t place_of(const struct pool *p, enum held_kind kind, uintptr_t thing)
{
	size_t i = home_of(p, thing);

	while (p->place[i].taken && !(p->place[i].thing == thing && p->place[i].kind == kind))
		i = (i + 1) & (p->cap - 1);
	return i;
}

static bool grow_pool(struct pool *p)
{
	struct pool larger = { .cap = p->cap > 0 ? 2 * p->cap : 64 };

	larger.place = unnoted_calloc(larger.cap, sizeof(*larger.place));
	if (larger.place == NULL)
		return false;
	for (size_t i = 0; i < p->cap; i++) {
		const struct held *h = &p->place[i];

		if (h->taken)
			larger.place[place_of(&larger, h->kind, h->thing)] = *h;
	}
	larger.n = p->n;
	unnoted_free(p->place);
	*p = larger;
	return true;
}

bool pool_reserve(void)
{
	struct pool *p = running.pool;

	return p == NULL || 2 * (p->n + 1) <= p->cap || grow_pool(p);
}

void pool_hold(enum held_kind kind, uintptr_t thing, size_t bytes)
{
	struct pool *p = running.pool;

	if (p == NULL)
		return;
	p->place[place_of(p, kind, thing)] = (struct held){ thing, bytes, kind, true };
	p->n++;
}

void pool_forget(enum held_kind kind, uintptr_t thing)
{
	struct pool *p = running.pool;
	size_t hole;

	if (p == NULL || p->n == 0)
		return;
	hole = place_of(p, kind, thing);
	if (!p->place[hole].taken)
		return;
	p->place[hole].taken = false;
	p->n--;
	/* Moves back what stands after the hole because its own place was taken. */
	for (size_t i = (hole + 1) & (p->cap - 1); p->place[i].taken; i = (i + 1) & (p->cap - 1)) {
		size_t home = home_of(p, p->place[i].thing);

		if (((i - home) & (p->cap - 1)) < ((i - hole) & (p->cap - 1)))
			continue;
		p->place[hole] = p->place[i];
		p->place[i].taken = false;
		hole = i;
	}
}

/* --- pools ---------------------------------------------------------------------------------------- */

struct pool *pool_new(void)
{
	return unnoted_calloc(1, sizeof(struct pool));
}

void pool_free(struct pool *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->cap; i++) {
		if (p->place[i].taken)
			held_release(p->place[i].kind, p->place[i].thing, p->place[i].bytes);
	}
	unnoted_free(p->place);
	unnoted_free(p);
}

bool pool_is_running(void)
{
	return running.pool != NULL;
}

bool pool_run(struct pool *p, void (*body)(void *arg), void *arg)
{
	const struct running before = running;
	const locale_t locale = uselocale((locale_t)0);
	jmp_buf back;

	if (setjmp(back) != 0) {
		running = before;
		(void)uselocale(locale);
		return false;
	}
	running = (struct running){ p, &back };
	body(arg);
	running = before;
	return true;
}

/* In place of that of base/xalloc.c. */
void xalloc_die(void)
{
	if (running.back == NULL)
		abort(); /* cannot be: only what runs in a pool calls it */
	longjmp(*running.back, 1);
}
