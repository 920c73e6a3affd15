/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DARC's decisions (section 3).  From the function down, the search goes on with those among a
 * node's own time and its callees that were the largest in enough of the calls.  A path ends
 * where the own time is chosen, or at a node without callees.
 */
#include <stdlib.h>

#include "analyze/causes/causes_parts.h"
#include "base/arena.h"
#include "base/xalloc.h"

static void end_path(struct causes *c, struct arena *a, size_t *cap, uint32_t node, double count,
		     bool own, const struct cause_rules *rules)
{
	struct cause one = causes_cause(c, node, false, rules);

	(void)own;
	one.maxcount = (uint64_t)count;
	c->cause = arena_grow(a, c->cause, cap, c->n_causes + 1, sizeof(*c->cause));
	c->cause[c->n_causes++] = one;
}

static double largest_count(const struct causes *c, uint32_t node)
{
	double max = c->node[node].chosen.as_self;

	for (uint32_t k = c->node[node].child; k != CAUSE_NO_NODE; k = c->node[k].sibling)
		max = fmax(max, c->node[k].chosen.as_callee);
	return max;
}

static bool has_callees(const struct causes *c, uint32_t node)
{
	for (uint32_t k = c->node[node].child; k != CAUSE_NO_NODE; k = c->node[k].sibling) {
		if (c->node[k].chosen.present > 0)
			return true;
	}
	return false;
}

static int by_maxcount(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->maxcount != y->maxcount)
		return x->maxcount > y->maxcount ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

void causes_by_maxcount(struct causes *c, struct arena *a, const struct cause_rules *rules)
{
	uint32_t *front = xcalloc((size_t)c->n_nodes + 1, sizeof(*front));
	size_t n = 0, cap = 0;

	if (c->n_nodes > 0 && c->chosen.count > 0)
		front[n++] = 0;
	while (n > 0) {
		uint32_t at = front[--n];
		double max = largest_count(c, at);
		double least = rules->percentage * max;

		if (max <= 0)
			continue;
		if (c->node[at].chosen.as_self >= least)
			end_path(c, a, &cap, at, c->node[at].chosen.as_self, true, rules);
		for (uint32_t k = c->node[at].child; k != CAUSE_NO_NODE; k = c->node[k].sibling) {
			const struct cause_sums *s = &c->node[k].chosen;

			if (s->present == 0 || s->as_callee < least)
				continue;
			if (has_callees(c, k))
				front[n++] = k;
			else
				end_path(c, a, &cap, k, s->as_callee, false, rules);
		}
	}
	if (c->n_causes > 0)
		qsort(c->cause, c->n_causes, sizeof(*c->cause), by_maxcount);
	c->elsewhere = c->added;
	for (size_t i = 0; i < c->n_causes; i++)
		c->elsewhere -= c->cause[i].added;
	free(front);
}
