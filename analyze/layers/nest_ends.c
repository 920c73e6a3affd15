/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/layers/nest_ends.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"

enum { MAX_TO_REDUCE = 256 }; /* with more statements, cycles and chains are not looked for */

/* --- operations by their names ---------------------------------------------------------- */

struct keyed {
	struct str key;
	uint32_t op;
};

static int by_key(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;
	int order = str_cmp(a->key, b->key);

	return order != 0 ? order : (a->op > b->op) - (a->op < b->op);
}

static uint32_t *sorted_by(struct arena *a, const struct profile *p, bool layer)
{
	struct keyed *k = xcalloc(p->n_ops + 1, sizeof(*k));
	uint32_t *r = arena_make(a, uint32_t, p->n_ops);

	for (size_t i = 0; i < p->n_ops; i++)
		k[i] = (struct keyed){ layer ? p->op[i].layer : p->op[i].name, (uint32_t)i };
	qsort(k, p->n_ops, sizeof(*k), by_key);
	for (size_t i = 0; i < p->n_ops; i++)
		r[i] = k[i].op;
	free(k);
	return r;
}

struct nest_book nest_book_of(struct arena *a, const struct profile *p)
{
	return (struct nest_book){ p, sorted_by(a, p, true), sorted_by(a, p, false) };
}

static struct str key_at(const struct nest_book *b, const uint32_t *order, size_t i)
{
	const struct operation *op = &b->profile->op[order[i]];

	return order == b->by_layer ? op->layer : op->name;
}

/* Binary search: the first index not below the key, or, with `beyond`, the first above it. */
static size_t key_bound(const struct nest_book *b, const uint32_t *order, struct str key,
			bool beyond)
{
	size_t low = 0, high = b->profile->n_ops;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = str_cmp(key_at(b, order, middle), key);

		if (c < 0 || (beyond && c == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct op_set find_key(const struct nest_book *b, const uint32_t *order, struct str key)
{
	size_t first = key_bound(b, order, key, false), end = key_bound(b, order, key, true);

	return (struct op_set){ order + first, end - first, order == b->by_layer };
}

/* Finds an operation by layer and name; by name alone when no operation of the profile has a
 * layer, as after its only layer was dropped. */
static struct op_set find_in_layer(const struct nest_book *b, struct str layer, struct str name)
{
	struct op_set s = find_key(b, b->by_name, name);

	for (size_t i = 0; i < s.n; i++) {
		if (str_eq(b->profile->op[s.op[i]].layer, layer))
			return (struct op_set){ s.op + i, 1, false };
	}
	if (find_key(b, b->by_layer, STR("")).n < b->profile->n_ops)
		s.n = 0;
	return s;
}

struct op_set nest_book_find(const struct nest_book *b, const struct nest_end *e)
{
	struct op_set s;

	if (e->both)
		return find_in_layer(b, e->layer, e->name);
	s = find_key(b, b->by_layer, e->name);
	if (s.n == 0)
		s = find_key(b, b->by_name, e->name);
	/* "syscall/read", as tables print it */
	for (size_t i = 0; i < e->name.n && s.n == 0; i++) {
		if (e->name.p[i] == '/')
			s = find_in_layer(b, (struct str){ e->name.p, i },
					  str_skip(e->name, i + 1));
	}
	return s;
}

/* --- circles ------------------------------------------------------------------------------ */

static bool same_set(const struct op_set *a, const struct op_set *b)
{
	return a->op == b->op && a->n == b->n;
}

static bool is_open(const struct nesting_rule *rule, size_t n, const bool *gone, size_t i)
{
	bool above = false, below = false;

	if (same_set(&rule[i].upper, &rule[i].lower))
		return true;
	for (size_t k = 0; k < n; k++) {
		above |= !gone[k] && same_set(&rule[k].lower, &rule[i].upper);
		below |= !gone[k] && same_set(&rule[k].upper, &rule[i].lower);
	}
	return above && below;
}

/* Repeatedly removes rules that begin or end a chain, until only cycles and paths between them
 * are left; returns how many rules these are. */
static size_t find_circles(const struct nesting_rule *rule, size_t n, bool *gone)
{
	size_t left = n;
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++) {
			if (gone[i] || is_open(rule, n, gone, i))
				continue;
			gone[i] = more = true;
			left--;
		}
	}
	return left;
}

/* Reports a cycle as "a > b > a", following the statements from the first one. */
static void report_circle(const struct nesting_rule *rule, size_t n, const bool *gone,
			  struct str source, struct diag *diag)
{
	struct out *text = out_to_memory();
	bool *met = xcalloc(n, sizeof(*met));
	size_t i = 0;

	while (gone[i])
		i++;
	nest_end_write(text, &rule[i].nest->upper);
	while (!met[i]) {
		size_t next = 0;

		met[i] = true;
		out_text(text, " > ");
		nest_end_write(text, &rule[i].nest->lower);
		while (next < n && (gone[next] || !same_set(&rule[next].upper, &rule[i].lower)))
			next++;
		if (next == n || met[next])
			break;
		i = next;
	}
	diag_plain(diag, DIAG_NEST_CYCLE, "%.*s: %.*s; not used", STR_ARG(source),
		   STR_ARG(out_memory(text)));
	free(met);
	out_free(text);
}

/* --- chains ------------------------------------------------------------------------------- */

/* Whether a chain of statements not visited yet leads from one end to the other. */
static bool chain_leads(const struct nesting_rule *rule, size_t n, const struct op_set *from,
			const struct op_set *to, bool *met)
{
	for (size_t i = 0; i < n; i++) {
		if (met[i] || !same_set(&rule[i].upper, from))
			continue;
		met[i] = true;
		if (same_set(&rule[i].lower, to) || chain_leads(rule, n, &rule[i].lower, to, met))
			return true;
	}
	return false;
}

/* Whether a chain of other statements implies statement i. */
static bool is_implied(const struct nesting_rule *rule, size_t n, size_t i)
{
	bool *met = xcalloc(n, sizeof(*met)), implied;

	met[i] = true;
	implied = chain_leads(rule, n, &rule[i].upper, &rule[i].lower, met);
	free(met);
	return implied;
}

size_t nesting_rules_reduce(struct nesting_rule *rule, size_t n, struct str source,
			    struct diag *diag, size_t *n_reported)
{
	bool *gone = xcalloc(n + 1, sizeof(*gone));
	size_t kept = 0;

	if (n > 0 && n <= MAX_TO_REDUCE && find_circles(rule, n, gone) > 0) {
		report_circle(rule, n, gone, source, diag);
		++*n_reported;
		for (size_t i = 0; i < n; i++) {
			if (gone[i])
				rule[kept++] = rule[i];
		}
		n = kept;
	}
	for (size_t i = 0; i < n; i++)
		gone[i] = n <= MAX_TO_REDUCE && is_implied(rule, n, i);
	kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (!gone[i])
			rule[kept++] = rule[i];
	}
	free(gone);
	return kept;
}
