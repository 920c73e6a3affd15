/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/names.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/scan.h"
#include "base/tables/hash.h"

struct entry {
	struct str key, name;
	UT_hash_handle hh;
};

struct names {
	struct arena *arena;
	struct entry *table;
};

struct names *names_new(void)
{
	struct names *n = xcalloc(1, sizeof(*n));

	n->arena = arena_new();
	return n;
}

void names_add(struct names *n, struct str key, struct str name)
{
	struct entry *e = arena_make(n->arena, struct entry, 1);

	e->key = arena_str(n->arena, key);
	e->name = name;
	HASH_ADD_KEYPTR(hh, n->table, e->key.p, e->key.n, e);
}

static bool read_line(struct names *n, struct cursor line, struct diag *diag)
{
	struct str key, name;
	struct entry *e;

	if (!scan_word(&line, &key) || key.p[0] == '#')
		return true;
	name = str_trim(cursor_rest(&line));
	if (name.n == 0) {
		diag_at(diag, DIAG_NAME_BAD, line.in, line.at, 1, "expected KEY NAME");
		return false;
	}
	HASH_FIND(hh, n->table, key.p, key.n, e);
	if (e != NULL) {
		diag_at(diag, DIAG_OPERATION_TWICE, line.in, (size_t)(key.p - line.in->bytes.p),
			key.n, "%.*s has a name already", STR_ARG(key));
		return false;
	}
	names_add(n, key, name);
	return true;
}

struct names *names_read(struct input *in, struct diag *diag)
{
	struct names *n = names_new();
	struct cursor c = cursor_on(in), line;

	while (scan_line(&c, &line)) {
		if (!read_line(n, line, diag)) {
			names_free(n);
			return NULL;
		}
	}
	return n;
}

void names_free(struct names *n)
{
	if (n == NULL)
		return;
	HASH_CLEAR(hh, n->table);
	arena_free(n->arena);
	free(n);
}

struct str names_find(const struct names *n, struct str key)
{
	struct entry *e;

	HASH_FIND(hh, n->table, key.p, key.n, e);
	return e != NULL ? e->name : key;
}
