/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds operations that have another name on the other side. */
#include "analyze/idle.h"
#include "analyze/rank/pair.h"
#include "base/arena.h"
#include "profile/profile.h"

/* The pairs with one side only, in order. */
struct unmatched {
	struct operation_pair **before, **after;
	size_t n_before, n_after;
};

static struct unmatched find_unmatched(struct arena *a, struct operation_pair *v, size_t n)
{
	struct unmatched u = { .before = arena_make(a, struct operation_pair *, n + 1),
			       .after = arena_make(a, struct operation_pair *, n + 1) };

	for (size_t i = 0; i < n; i++) {
		if (v[i].after == NULL && v[i].before != NULL)
			u.before[u.n_before++] = &v[i];
		if (v[i].before == NULL && v[i].after != NULL)
			u.after[u.n_after++] = &v[i];
	}
	return u;
}

/* Joins two pairs, unless their units differ; leaves `after` empty, to be removed later. */
static void join_pairs(struct operation_pair *before, struct operation_pair *after)
{
	if (before->before->unit != after->after->unit)
		return;
	before->after = after->after;
	before->renamed = true;
	after->after = NULL;
}

static void join_as_reported(struct unmatched *u, const struct rename_rule *rename,
			     size_t n_renames)
{
	for (size_t r = 0; r < n_renames; r++) {
		for (size_t i = 0; i < u->n_before; i++) {
			if (u->before[i]->after != NULL ||
			    !str_eq(u->before[i]->before->name, rename[r].before))
				continue;
			for (size_t k = 0; k < u->n_after; k++) {
				const struct operation *op = u->after[k]->after;

				if (op != NULL && str_eq(op->name, rename[r].after) &&
				    (str_eq(op->layer, u->before[i]->before->layer) ||
				     u->n_after == 1)) {
					join_pairs(u->before[i], u->after[k]);
					break;
				}
			}
		}
	}
}

/* The name of a system call without the prefixes of collectors and the suffix 64. */
static struct str plain_spelling(struct str name)
{
	struct str bare = idle_bare_name(name);

	if (bare.n > 2 && str_has_suffix(bare, STR("64")) && !is_digit(bare.p[bare.n - 3]))
		bare.n -= 2;
	return bare;
}

/* Returns the only pair of `v` with this spelling; NULL when there is none, or several. */
static struct operation_pair *only_spelled(struct operation_pair *const *v, size_t n, bool after,
					   struct str name)
{
	struct operation_pair *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct operation *op = after ? v[i]->after : v[i]->before;

		if (op == NULL || !str_eq(plain_spelling(op->name), name))
			continue;
		if (found != NULL)
			return NULL;
		found = v[i];
	}
	return found;
}

enum { MAX_COMPARED_NAMES = 200 }; /* with more names, similar ones are no evidence */

static void join_spellings(const struct unmatched *u)
{
	if (u->n_before > MAX_COMPARED_NAMES || u->n_after > MAX_COMPARED_NAMES)
		return;
	for (size_t i = 0; i < u->n_before; i++) {
		struct operation_pair *b = u->before[i], *a;
		struct str name = plain_spelling(b->before->name);

		if (b->after != NULL)
			continue;
		a = only_spelled(u->after, u->n_after, true, name);
		if (a != NULL && only_spelled(u->before, u->n_before, false, name) == b)
			join_pairs(b, a);
	}
}

/* Lengths of the prefix and of the suffix common to all names of a side. */
struct affixes {
	size_t prefix, suffix;
};

static struct affixes affixes_of(struct operation_pair *const *v, size_t n, bool after)
{
	struct str first = after ? v[0]->after->name : v[0]->before->name;
	struct affixes r = { first.n, first.n };

	for (size_t i = 1; i < n; i++) {
		struct str name = after ? v[i]->after->name : v[i]->before->name;
		size_t k = 0;

		while (k < r.prefix && k < name.n && name.p[k] == first.p[k])
			k++;
		r.prefix = k;
		for (k = 0; k < r.suffix && k < name.n &&
			    name.p[name.n - 1 - k] == first.p[first.n - 1 - k];)
			k++;
		r.suffix = k;
	}
	return r;
}

/* A name without the prefix and suffix common to its side. */
static struct str own_part(struct str name, struct affixes common)
{
	struct str own = str_skip(name, common.prefix);

	own.n -= own.n < common.suffix ? own.n : common.suffix;
	return own;
}

/* What a name calls: a command without its arguments and folders, the last part of a path. */
static struct str called_name(struct str name)
{
	size_t end = 0, start;

	while (end < name.n && name.p[end] != ' ')
		end++;
	for (start = end; start > 0 && name.p[start - 1] != '/';)
		start--;
	return (struct str){ name.p + start, end - start };
}

/* Of a single name, nothing tells what would be common to all: both must call the same. */
static void join_single(struct operation_pair *before, struct operation_pair *after)
{
	struct str name = called_name(before->before->name);

	if (name.n > 0 && str_eq(name, called_name(after->after->name)))
		join_pairs(before, after);
}

/* Joins sides that share no name, where names differ only in an affix common to all names of a side.
 */
static void join_sides(const struct unmatched *u)
{
	struct affixes before, after;

	if (u->n_before != u->n_after || u->n_before == 0 || u->n_before > MAX_COMPARED_NAMES)
		return;
	if (u->n_before == 1) {
		join_single(u->before[0], u->after[0]);
		return;
	}
	before = affixes_of(u->before, u->n_before, false);
	after = affixes_of(u->after, u->n_after, true);
	for (size_t i = 0; i < u->n_before; i++) {
		struct str own = own_part(u->before[i]->before->name, before);

		for (size_t k = 0; k < u->n_after && own.n > 0; k++) {
			if (u->after[k]->after != NULL &&
			    str_eq(own, own_part(u->after[k]->after->name, after))) {
				join_pairs(u->before[i], u->after[k]);
				break;
			}
		}
	}
}

static size_t take_out_empty(struct operation_pair *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].before != NULL || v[i].after != NULL)
			v[kept++] = v[i];
	}
	return kept;
}

size_t pair_renamed(struct operation_pair *v, size_t n, const struct rename_rule *rename,
		    size_t n_renames)
{
	struct arena *a = arena_new();
	struct unmatched u = find_unmatched(a, v, n);
	bool none_matches = u.n_before + u.n_after == n;

	if (u.n_before > 0 && u.n_after > 0) {
		join_as_reported(&u, rename, n_renames);
		join_spellings(&u);
		n = take_out_empty(v, n);
		u = find_unmatched(a, v, n);
		if (none_matches && u.n_before + u.n_after == n)
			join_sides(&u);
		n = take_out_empty(v, n);
	}
	arena_free(a);
	return n;
}
