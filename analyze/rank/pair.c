/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/pair.h"

#include "base/arena.h"
#include "base/tables/hash.h"
#include "profile/profile.h"

struct entry {
	struct str key; /* layer, NUL, name */
	size_t at;	/* index of the operation */
	UT_hash_handle hh;
};

/* Finds the operations of one profile by the keys of another. */
struct directory {
	const struct profile *p;
	struct arena *arena;
	bool *taken;	     /* for each operation: it has a pair */
	struct entry *table; /* made once the order of operations differs */
	size_t next;	     /* index where the next operation is expected */
};

static struct str key_of(struct arena *a, const struct operation *op)
{
	return arena_printf(a, "%.*s%c%.*s", STR_ARG(op->layer), '\0', STR_ARG(op->name));
}

static void fill_table(struct directory *d)
{
	struct entry *entry = arena_make(d->arena, struct entry, d->p->n_ops);

	for (size_t i = 0; i < d->p->n_ops; i++) {
		struct entry *e = &entry[i];

		e->at = i;
		e->key = key_of(d->arena, &d->p->op[i]);
		HASH_ADD_KEYPTR(hh, d->table, e->key.p, e->key.n, e);
	}
}

static bool same_operation(const struct operation *a, const struct operation *b)
{
	return str_eq(a->name, b->name) && str_eq(a->layer, b->layer);
}

/* Tries the next operation before the table: two runs of one program usually list their operations
 * in the same order. */
static const struct operation *look_up(struct directory *d, const struct operation *op)
{
	struct entry *e;
	struct str key;

	if (d->next < d->p->n_ops && same_operation(&d->p->op[d->next], op)) {
		d->taken[d->next] = true;
		return &d->p->op[d->next++];
	}
	if (d->table == NULL)
		fill_table(d);
	key = key_of(d->arena, op);
	HASH_FIND(hh, d->table, key.p, key.n, e);
	if (e == NULL)
		return NULL;
	d->taken[e->at] = true;
	d->next = e->at + 1;
	return &d->p->op[e->at];
}

struct operation_pair *pair_operations(struct arena *a, const struct profile *before,
				       const struct profile *after, size_t *ret_n)
{
	struct operation_pair *v =
		arena_make(a, struct operation_pair, before->n_ops + after->n_ops);
	struct directory d = { .p = after, .arena = arena_new() };
	size_t n = 0;

	d.taken = arena_make(d.arena, bool, after->n_ops);
	for (size_t i = 0; i < before->n_ops; i++) {
		v[n].before = &before->op[i];
		v[n++].after = look_up(&d, &before->op[i]);
	}
	for (size_t i = 0; i < after->n_ops; i++) {
		if (!d.taken[i])
			v[n++].after = &after->op[i];
	}
	HASH_CLEAR(hh, d.table);
	arena_free(d.arena);
	*ret_n = n;
	return v;
}
