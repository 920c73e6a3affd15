/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/values/values.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/totals.h"
#include "analyze/values/values_parts.h"
#include "base/arena.h"
#include "base/out.h"
#include "base/tables/str_table.h"
#include "base/xalloc.h"
#include "profile/accumulator/accumulator.h"

const struct value_rules value_rules_default = {
	.level = 0.05,
	.min_share = 0.1,
	.min_cut = 0.5,
	.min_calls = 20,
	.ranges = 32,
	.max_texts = 255,
	.permutations = 999,
	.enough = 20,
	.seed = 1,
	.octaves_first = true,
};

const char *value_verdict_name(enum value_verdict v)
{
	static const char *const names[] = { "separates", "does-not-separate", "one-value",
					     "unique", "absent" };

	return names[v];
}

void value_class_put(struct out *o, const struct value_class *c, int digits)
{
	switch (c->kind) {
	case CLASS_RANGE:
		out_digits(o, c->low, digits);
		if (c->high != c->low) {
			out_text(o, " to ");
			out_digits(o, c->high, digits);
		}
		break;
	case CLASS_TEXT:
		out_bytes(o, c->text);
		break;
	case CLASS_OTHERS:
		out_text(o, "(all rarer ones)");
		break;
	case CLASS_MISSING:
		out_text(o, "(none)");
		break;
	}
}

/* --- one variable -------------------------------------------------------------------- */

/* Text values that mostly occur once only identify calls. */
static bool is_unique(const struct separation *s, uint64_t calls)
{
	uint64_t named = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->class[i].kind == CLASS_RANGE)
			return false;
		named += s->class[i].kind != CLASS_MISSING ? s->class[i].calls : 0;
	}
	return 2 * named > calls && 2 * s->n_values > named;
}

/* Whether there is nothing to test; sets the verdict to the reason. */
static bool is_idle(struct separation *s, uint64_t calls)
{
	if (s->n == 1)
		s->verdict = s->n_missing == calls ? VALUE_IS_ABSENT : VALUE_IS_ONE;
	else if (is_unique(s, calls))
		s->verdict = VALUE_IS_UNIQUE;
	else
		return false;
	s->p = s->q = NAN;
	return true;
}

/* The seed depends on the operation and variable only, not on what else is tested. */
static uint64_t seed_of(const struct value_rules *rules, struct str operation, struct str variable)
{
	uint64_t seed = rules->seed;

	for (size_t i = 0; i < operation.n; i++)
		seed = seed * UINT64_C(0x100000001b3) + (unsigned char)operation.p[i];
	for (size_t i = 0; i < variable.n; i++)
		seed = seed * UINT64_C(0x100000001b3) + (unsigned char)variable.p[i];
	return seed;
}

static void test_variable(struct arena *a, struct operation_values *o, struct separation *s,
			  const struct sorted_numbers *numbers, const struct value_rules *rules)
{
	if (is_idle(s, o->calls))
		return;
	values_test(s, o->group, o->n_groups, o->entropy, rules, seed_of(rules, o->name, s->name));
	values_cut(s, o->group, o->n_groups, rules->min_calls);
	values_split(a, s, numbers, o->n_groups, o->entropy);
	s->verdict = VALUE_DOES_NOT; /* until q is known */
}

/* --- the calls of one operation --------------------------------------------------------- */

/* Returns the peak that holds a latency; peaks ascend and cover all calls. */
static uint32_t peak_of(const struct peaks *p, double latency)
{
	uint32_t k = (uint32_t)p->n - 1;

	while (k > 0 && latency < p->v[k].low)
		k--;
	return k;
}

static void take_peaks(struct arena *a, struct operation_values *o, const struct peaks *p,
		       const struct grouped_calls *calls)
{
	o->n_groups = p->n;
	o->group = arena_make(a, struct value_group, p->n + 1);
	for (size_t k = 0; k < p->n; k++)
		o->group[k] = (struct value_group){ .low = p->v[k].low,
						    .high = p->v[k].high,
						    .core_low = p->v[k].core_low,
						    .core_high = p->v[k].core_high,
						    .number = (uint32_t)k + 1 };
	for (size_t i = 0; i < calls->n; i++)
		o->group[calls->group[i]].calls++;
	o->entropy = values_entropy(o->group, o->n_groups);
}

static void take_variables(struct arena *a, struct operation_values *o, const struct variables *v,
			   const struct grouped_calls *calls, const struct value_rules *rules)
{
	o->v = arena_make(a, struct separation, v->n_v + 1);
	for (size_t i = 0; i < v->n_v; i++) {
		struct separation s = { .name = v->v[i]->name, .derived = v->v[i]->from != NULL };
		struct sorted_numbers numbers;

		values_classify(a, v->v[i], calls, rules, &s, &numbers);
		test_variable(a, o, &s, &numbers, rules);
		free(numbers.item);
		if (s.verdict != VALUE_IS_ABSENT)
			o->v[o->n++] = s;
	}
}

/* Fine buckets split a peak into paths that differ by less than a factor of two, but also split
 * noise into peaks. */
static struct peaks find_peaks(struct arena *a, const struct operation *op,
			       const struct value_rules *rules)
{
	struct bucket_scheme scheme = accumulator_scheme(op->unit, 1);
	struct peaks p = { .n = 0 };
	struct histogram octaves;

	if (rules->octaves_first && histogram_rebin(a, &op->hist, &scheme, &octaves))
		p = peaks_find(a, &octaves, &peak_rules_default);
	return p.n > 1 ? p : peaks_find(a, &op->hist, &peak_rules_default);
}

static void take_operation(struct arena *a, struct operation_values *o, const struct variables *v,
			   const uint32_t *call, const struct value_rules *rules)
{
	struct peaks p = find_peaks(a, o->op, rules);
	uint32_t *group = xcalloc(o->calls + 1, sizeof(*group));
	struct grouped_calls calls = { call, group, o->calls, p.n };

	for (size_t i = 0; p.n > 0 && i < o->calls; i++)
		group[i] = peak_of(&p, v->latency[call[i]]);
	take_peaks(a, o, &p, &calls);
	if (p.n > 1)
		take_variables(a, o, v, &calls, rules);
	free(group);
}

/* --- all of them -------------------------------------------------------------------------- */

/* An index of the recorded operations by name, and by layer and name: the first of each. */
struct recorded {
	struct arena *arena;
	struct str_table names, pairs;
	size_t *of_name, *of_pair; /* by number in names, in pairs */
	size_t n_names, n_pairs;   /* table sizes before find_recorded() added misses */
};

static struct str pair_key(struct recorded *r, struct str layer, struct str name)
{
	return arena_join(r->arena, layer, '\0', name);
}

static void index_recorded(struct recorded *r, const struct variables *v)
{
	bool is_new;

	*r = (struct recorded){ .arena = arena_new(),
				.of_name = xcalloc(v->n_operations + 1, sizeof(*r->of_name)),
				.of_pair = xcalloc(v->n_operations + 1, sizeof(*r->of_pair)) };
	for (size_t i = 0; i < v->n_operations; i++) {
		const struct traced_operation *op = &v->operations[i];
		size_t at = str_table_add(&r->names, op->name, r->arena, &is_new);

		if (is_new)
			r->of_name[at] = i;
		at = str_table_add(&r->pairs, pair_key(r, op->layer, op->name), r->arena, &is_new);
		if (is_new)
			r->of_pair[at] = i;
	}
	r->n_names = r->names.n;
	r->n_pairs = r->pairs.n;
}

static void release_recorded(struct recorded *r)
{
	str_table_release(&r->names);
	str_table_release(&r->pairs);
	free(r->of_name);
	free(r->of_pair);
	arena_free(r->arena);
}

/* Finds a recorded operation; false when there is none.  Without a layer, the name is enough, since
 * a profile of one layer does not name it. */
static bool find_recorded(struct recorded *r, const struct operation *op, size_t *ret)
{
	bool is_new, any_layer = op->layer.n == 0;
	struct str key = any_layer ? op->name : pair_key(r, op->layer, op->name);
	size_t known = any_layer ? r->n_names : r->n_pairs;
	size_t at = str_table_add(any_layer ? &r->names : &r->pairs, key, r->arena, &is_new);

	if (at >= known)
		return false;
	*ret = any_layer ? r->of_name[at] : r->of_pair[at];
	return true;
}

/* Returns all call numbers, grouped by operation; those of operation i begin at first[i]. */
static uint32_t *order_calls(const struct variables *v, size_t *first)
{
	uint32_t *call = xcalloc(v->n + 1, sizeof(*call));
	size_t *at = xcalloc(v->n_operations + 1, sizeof(*at)), sum = 0;

	for (size_t i = 0; i < v->n; i++)
		at[v->operation[i]]++;
	for (size_t i = 0; i <= v->n_operations; i++) {
		size_t n = i < v->n_operations ? at[i] : 0;

		first[i] = at[i] = sum;
		sum += n;
	}
	for (size_t i = 0; i < v->n; i++)
		call[at[v->operation[i]]++] = (uint32_t)i;
	free(at);
	return call;
}

struct values values_of(struct arena *a, const struct profile *p, const struct variables *v,
			const struct value_rules *rules)
{
	const struct operation **order = order_by_latency(a, p);
	size_t *first = xcalloc(v->n_operations + 1, sizeof(*first));
	uint32_t *call = order_calls(v, first);
	struct values all = { arena_make(a, struct operation_values, p->n_ops + 1), 0, 0 };
	struct recorded known;

	index_recorded(&known, v);
	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation_values *o = &all.v[all.n];
		size_t recorded = 0;

		order_fetch(order, p->n_ops, i);
		if (!find_recorded(&known, order[i], &recorded))
			continue;
		*o = (struct operation_values){ .layer = order[i]->layer,
						.name = order[i]->name,
						.op = order[i],
						.calls = first[recorded + 1] - first[recorded] };
		if (o->calls < rules->min_calls) {
			all.n_few++;
			continue;
		}
		take_operation(a, o, v, call + first[recorded], rules);
		all.n++;
	}
	release_recorded(&known);
	free(first);
	free(call);
	values_conclude(&all, rules);
	return all;
}

/* --- value profiles ------------------------------------------------------------------------- */

static int by_low(const void *a, const void *b)
{
	const struct value_class *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->high < y->high ? -1 : x->high > y->high;
}

/* Makes a class for each distinct bucket of all operations. */
static void classes_of_buckets(struct arena *a, const struct profile *p, struct separation *s)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < p->n_ops; i++)
		n += p->op[i].hist.n;
	s->class = arena_make(a, struct value_class, n + 1);
	for (size_t i = 0; i < p->n_ops; i++) {
		for (size_t k = 0; k < p->op[i].hist.n; k++) {
			const struct bucket *b = &p->op[i].hist.bucket[k];
			struct value_class *c = &s->class[s->n++];

			*c = (struct value_class){ .low = b->edges->low,
						   .high = b->edges->high,
						   .calls = b->count,
						   .of_group = arena_make(a, uint64_t, p->n_ops) };
			c->of_group[i] = b->count;
		}
	}
	qsort(s->class, s->n, sizeof(*s->class), by_low);
	for (size_t i = 0; i < s->n; i++) {
		struct value_class *c = &s->class[i];

		if (kept > 0 && by_low(&s->class[kept - 1], c) == 0) {
			s->class[kept - 1].calls += c->calls;
			for (size_t g = 0; g < p->n_ops; g++)
				s->class[kept - 1].of_group[g] += c->of_group[g];
		} else {
			s->class[kept++] = *c;
		}
	}
	s->n = s->n_values = kept;
}

struct values values_of_profile(struct arena *a, const struct profile *p,
				const struct value_rules *rules)
{
	struct operation_values *o = arena_make(a, struct operation_values, 1);
	struct separation *s = arena_make(a, struct separation, 1);
	struct values all = { o, 1, 0 };

	*o = (struct operation_values){ .n_groups = p->n_ops,
					.group = arena_make(a, struct value_group, p->n_ops + 1),
					.v = s,
					.n = 1 };
	for (size_t i = 0; i < p->n_ops; i++) {
		o->group[i] = (struct value_group){ .name = p->op[i].name,
						    .calls = p->op[i].hist.count,
						    .number = (uint32_t)i + 1 };
		o->calls += p->op[i].hist.count;
	}
	o->entropy = values_entropy(o->group, o->n_groups);
	*s = (struct separation){ .name = STR("value") };
	classes_of_buckets(a, p, s);
	test_variable(a, o, s, NULL, rules);
	values_conclude(&all, rules);
	return all;
}
