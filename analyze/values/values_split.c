/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits the values of a variable into the two sides with most information about the groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/values/values_parts.h"
#include "base/arena.h"
#include "base/xalloc.h"

struct sides {
	uint64_t *first, *all; /* calls in each group */
	uint64_t n_first, n_all;
	size_t n_groups;
};

static double n_log_n(uint64_t n)
{
	return n > 1 ? (double)n * log2((double)n) : 0;
}

/* Mutual information of side and group, in bits. */
static double mutual_information(const struct sides *s)
{
	double sum = n_log_n(s->n_all) - n_log_n(s->n_first) - n_log_n(s->n_all - s->n_first);

	for (size_t g = 0; g < s->n_groups; g++)
		sum += n_log_n(s->first[g]) + n_log_n(s->all[g] - s->first[g]) - n_log_n(s->all[g]);
	return s->n_all > 0 ? sum / (double)s->n_all : 0;
}

static void begin_sides(struct sides *s)
{
	memset(s->first, 0, s->n_groups * sizeof(*s->first));
	s->n_first = 0;
}

static void take_class(struct sides *s, const struct value_class *c)
{
	for (size_t g = 0; g < s->n_groups; g++)
		s->first[g] += c->of_group[g];
	s->n_first += c->calls;
}

static void keep_split(struct separation *to, const struct sides *s, double reported)
{
	struct value_split *split = &to->split;

	split->found = true;
	split->share = reported;
	split->n_first = s->n_first;
	split->n_rest = s->n_all - s->n_first;
	for (size_t g = 0; g < s->n_groups; g++) {
		split->first[g] = s->first[g];
		split->rest[g] = s->all[g] - s->first[g];
	}
}

/* Whether it is better by more than rounding errors. */
static bool is_better(const struct separation *to, double reported)
{
	return reported > to->split.share + 1e-9;
}

/* --- an edge among numbers -------------------------------------------------------------- */

/* Finds the best edge between ranges, which are the first classes, ascending; returns how many
 * ranges lie below it, 0 when none is found. */
static size_t find_edge(struct separation *to, struct sides *s, size_t n_ranges)
{
	size_t best = 0;

	begin_sides(s);
	for (size_t i = 0; i + 1 < n_ranges; i++) {
		double reported;

		take_class(s, &to->class[i]);
		reported = mutual_information(s);
		if (!is_better(to, reported))
			continue;
		keep_split(to, s, reported);
		to->split.ordered = true;
		to->split.max = to->class[i].high;
		to->split.min = to->class[i + 1].low;
		best = i + 1;
	}
	return best;
}

/* Moves the edge to the best position between single values of the two ranges next to it. */
static void refine_edge(struct separation *to, struct sides *s, const struct sorted_numbers *v,
			size_t edge)
{
	size_t at = 0, end;

	begin_sides(s);
	for (size_t i = 0; i + 1 < edge; i++) {
		take_class(s, &to->class[i]);
		at += to->class[i].calls;
	}
	end = at + to->class[edge - 1].calls + to->class[edge].calls;
	for (; at + 1 < end; at++) {
		double reported;

		s->first[v->item[at].number]++;
		s->n_first++;
		if (v->item[at].key == v->item[at + 1].key)
			continue;
		reported = mutual_information(s);
		if (!is_better(to, reported))
			continue;
		keep_split(to, s, reported);
		to->split.max = sorted_number(v, at);
		to->split.min = sorted_number(v, at + 1);
	}
}

/* --- one value, or several names, against all others ---------------------------------------- */

static void choose_classes(struct separation *to, const size_t *order, size_t n)
{
	to->split.ordered = false;
	for (size_t i = 0; i < to->n; i++)
		to->class[i].chosen = false;
	for (size_t i = 0; i < n; i++)
		to->class[order[i]].chosen = true;
}

static bool is_one_value(const struct value_class *c)
{
	return c->kind != CLASS_OTHERS && (c->kind != CLASS_RANGE || c->low == c->high);
}

static void find_value(struct separation *to, struct sides *s)
{
	for (size_t i = 0; i < to->n; i++) {
		double reported;

		if (!is_one_value(&to->class[i]))
			continue;
		begin_sides(s);
		take_class(s, &to->class[i]);
		reported = mutual_information(s);
		if (is_better(to, reported)) {
			keep_split(to, s, reported);
			choose_classes(to, &i, 1);
		}
	}
}

struct placed_class {
	double mean; /* number of the group */
	size_t number;
};

static int by_mean(const void *a, const void *b)
{
	const struct placed_class *x = a, *y = b;

	if (x->mean != y->mean)
		return x->mean < y->mean ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Tries splits of the texts in the order of their mean group, the only order that texts have.  With
 * two groups, the best split is among these. */
static void find_names(struct separation *to, struct sides *s)
{
	struct placed_class *position = xcalloc(to->n + 1, sizeof(*position));
	size_t *order = xcalloc(to->n + 1, sizeof(*order));

	for (size_t i = 0; i < to->n; i++) {
		position[i].number = i;
		for (size_t g = 0; g < s->n_groups; g++)
			position[i].mean += (double)g * (double)to->class[i].of_group[g] /
					    (double)to->class[i].calls;
	}
	qsort(position, to->n, sizeof(*position), by_mean);
	begin_sides(s);
	for (size_t i = 0; i + 1 < to->n; i++) {
		double reported;

		order[i] = position[i].number;
		take_class(s, &to->class[order[i]]);
		reported = mutual_information(s);
		if (is_better(to, reported)) {
			keep_split(to, s, reported);
			choose_classes(to, order, i + 1);
		}
	}
	free(position);
	free(order);
}

/* Makes the side with fewer classes the chosen one, which is named in reports. */
static void name_shorter(struct separation *to)
{
	struct value_split *split = &to->split;
	uint64_t *groups = split->first, n = split->n_first;
	size_t chosen = 0;

	for (size_t i = 0; i < to->n; i++)
		chosen += to->class[i].chosen;
	if (split->ordered || 2 * chosen <= to->n)
		return;
	for (size_t i = 0; i < to->n; i++)
		to->class[i].chosen = !to->class[i].chosen;
	split->first = split->rest;
	split->rest = groups;
	split->n_first = split->n_rest;
	split->n_rest = n;
}

void values_split(struct arena *a, struct separation *to, const struct sorted_numbers *numbers,
		  size_t n_groups, double entropy)
{
	struct sides s = { .first = arena_make(a, uint64_t, n_groups),
			   .all = arena_make(a, uint64_t, n_groups),
			   .n_groups = n_groups };
	size_t n_ranges = 0, edge;

	to->split.first = arena_make(a, uint64_t, n_groups);
	to->split.rest = arena_make(a, uint64_t, n_groups);
	for (size_t i = 0; i < to->n; i++) {
		for (size_t g = 0; g < n_groups; g++)
			s.all[g] += to->class[i].of_group[g];
		s.n_all += to->class[i].calls;
		n_ranges += to->class[i].kind == CLASS_RANGE;
	}
	/* Calls without a number count on the side of the larger numbers. */
	if (n_ranges > 1) {
		edge = find_edge(to, &s, n_ranges);
		if (edge > 0 && numbers != NULL)
			refine_edge(to, &s, numbers, edge);
	}
	if (n_ranges == 0)
		find_names(to, &s);
	find_value(to, &s);
	name_shorter(to);
	to->split.share = entropy > 0 ? to->split.share / entropy : 0;
}
