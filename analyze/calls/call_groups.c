/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/calls/call_groups.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "base/tables/hash.h"
#include "base/xalloc.h"

struct group {
	uint64_t key;
	size_t number, n;
	UT_hash_handle hh;
};

uint64_t key_operation(const struct call *c)
{
	return c->operation;
}

uint64_t key_site(const struct call *c)
{
	return (uint64_t)c->operation << 32 | c->site;
}

static struct group *group_of(struct group **table, uint64_t key)
{
	struct group *g;

	HASH_FIND(hh, *table, &key, sizeof(key), g);
	if (g == NULL) {
		g = xcalloc(1, sizeof(*g));
		g->key = key;
		g->number = HASH_COUNT(*table);
		HASH_ADD(hh, *table, key, sizeof(g->key), g);
	}
	return g;
}

/* Counts the calls of each group and writes each call's group to number[]; groups are numbered in
 * the order of their first call. */
static struct group *count_groups(const struct calls *c, uint64_t (*key)(const struct call *c),
				  uint32_t *number)
{
	struct group *table = NULL;

	for (size_t i = 0; i < c->n; i++) {
		struct group *g = group_of(&table, key(&c->v[i]));

		g->n++;
		number[i] = (uint32_t)g->number;
	}
	return table;
}

struct call_groups call_groups_of(const struct calls *c, uint64_t (*key)(const struct call *c))
{
	uint32_t *number = xcalloc(c->n + 1, sizeof(*number));
	struct group *table = count_groups(c, key, number), *g, *next;
	struct call_groups all = { .n = HASH_COUNT(table) };
	size_t *at = xcalloc(all.n + 1, sizeof(*at)), sum = 0;

	all.call = xcalloc(c->n + 1, sizeof(*all.call));
	all.first = xcalloc(all.n + 1, sizeof(*all.first));
	all.key = xcalloc(all.n + 1, sizeof(*all.key));
	HASH_ITER(hh, table, g, next)
	{
		/* cppcheck-suppress uninitvar; HASH_ITER sets g */
		all.key[g->number] = g->key;
		all.first[g->number] = at[g->number] = sum;
		sum += g->n;
		HASH_DEL(table, g);
		free(g);
	}
	all.first[all.n] = sum;
	for (size_t i = 0; i < c->n; i++)
		all.call[at[number[i]]++] = (uint32_t)i;
	free(at);
	free(number);
	return all;
}

void call_groups_release(struct call_groups *g)
{
	free(g->call);
	free(g->first);
	free(g->key);
}

struct spread spread_of(double *v, size_t n)
{
	struct spread s = { NAN, NAN, NAN, NAN };
	double sum = 0;

	if (n == 0)
		return s;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	s.median = median_of(v, n); /* sorts */
	s.min = v[0];
	s.max = v[n - 1];
	s.mean = sum / (double)n;
	return s;
}
