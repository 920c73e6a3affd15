/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds values of arguments and attributes whose frequency differs between the chosen calls and
 * the others. */
#include <stdlib.h>

#include "analyze/causes/causes_parts.h"
#include "analyze/distance.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/tables/number_map.h"
#include "base/xalloc.h"

enum { MAX_VALUES = 20 };

struct tally {
	struct str of, value;
	uint64_t chosen, against;
	double q;
};

struct tallies {
	struct tally *v;
	size_t n, cap;
	struct str_table names;
	struct number_map at;
};

static struct tally *tally_of(struct tallies *t, struct arena *a, struct str of, struct str value)
{
	bool fresh;
	uint64_t key = (uint64_t)str_table_add(&t->names, of, a, &fresh) << 32;
	uint64_t *number;

	key |= str_table_add(&t->names, value, a, &fresh);
	number = number_map_at(&t->at, key, &fresh);
	if (fresh) {
		*number = t->n;
		t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof(*t->v));
		t->v[t->n++] = (struct tally){ .of = of, .value = value };
	}
	return &t->v[*number];
}

static void count_values(struct tallies *t, struct arena *a, const struct call_tree *tree,
			 const struct cause_choice *choice, bool against)
{
	for (uint32_t i = 0; i < tree->n_values; i++) {
		const struct call_value_count *v = &tree->value[i];
		struct tally *to;

		if (!choice->bucket[v->bucket])
			continue;
		to = tally_of(t, a, call_tree_str(tree, v->key), call_tree_str(tree, v->value));
		*(against ? &to->against : &to->chosen) += v->count;
	}
}

static double likelihood_part(double observed, double expected)
{
	return observed > 0 ? 2 * observed * log(observed / expected) : 0;
}

/* G-test of the 2 x 2 table: calls with and without the value, chosen and others. */
static double p_of(const struct tally *t, double chosen, double against)
{
	double n = chosen + against, with = (double)(t->chosen + t->against), without = n - with;
	double g = likelihood_part((double)t->chosen, chosen * with / n) +
		   likelihood_part((double)t->against, against * with / n) +
		   likelihood_part(chosen - (double)t->chosen, chosen * without / n) +
		   likelihood_part(against - (double)t->against, against * without / n);

	return chi_square_tail(g, 1);
}

static int by_difference(const void *a, const void *b)
{
	const struct cause_value *x = a, *y = b;
	double left = fabs(x->chosen - x->against), right = fabs(y->chosen - y->against);

	if (left != right)
		return left > right ? -1 : 1;
	return str_eq(x->of, y->of) ? str_cmp(x->value, y->value) : str_cmp(x->of, y->of);
}

void causes_find_values(struct causes *c, struct arena *a, const struct cause_rules *rules)
{
	struct tallies t = { .n = 0 };
	double chosen = (double)c->chosen.count, against = (double)c->against.count, *p, *q;

	if (c->chosen.count == 0 || c->against.count == 0)
		return;
	count_values(&t, a, c->tree, &c->chosen, false);
	count_values(&t, a, c->base, &c->against, true);
	p = xcalloc(t.n + 1, sizeof(*p));
	q = xcalloc(t.n + 1, sizeof(*q));
	for (size_t i = 0; i < t.n; i++)
		p[i] = p_of(&t.v[i], chosen, against);
	if (t.n > 0)
		fdr_adjust(p, t.n, q);
	c->value = arena_alloc(a, t.n + 1, sizeof(*c->value));
	for (size_t i = 0; i < t.n; i++) {
		struct cause_value v = { t.v[i].of, t.v[i].value, (double)t.v[i].chosen / chosen,
					 (double)t.v[i].against / against, q[i] };

		if (q[i] <= rules->value_q && fabs(v.chosen - v.against) >= rules->value_difference)
			c->value[c->n_values++] = v;
	}
	qsort(c->value, c->n_values, sizeof(*c->value), by_difference);
	if (c->n_values > MAX_VALUES)
		c->n_values = MAX_VALUES;
	free(p);
	free(q);
	free(t.v);
	str_table_release(&t.names);
	number_map_release(&t.at);
}
