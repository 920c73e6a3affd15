/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which of all tested variables separate. */
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "analyze/values/values_parts.h"
#include "base/xalloc.h"

static bool is_tested(const struct separation *s)
{
	return s->verdict == VALUE_SEPARATES || s->verdict == VALUE_DOES_NOT;
}

static size_t count_tested(const struct values *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->v[i].n; k++)
			n += is_tested(&all->v[i].v[k]);
	}
	return n;
}

/* --- enough draws ------------------------------------------------------------------------ */

/* Whether no random table has as much information. */
static bool is_beyond_chance(const struct separation *s)
{
	return is_tested(s) && s->as_telling == 0;
}

static size_t count_beyond_chance(const struct values *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->v[i].n; k++)
			n += is_beyond_chance(&all->v[i].v[k]);
	}
	return n;
}

static void draw_up_to(struct values *all, const struct value_rules *rules, size_t draws)
{
	for (size_t i = 0; i < all->n; i++) {
		struct operation_values *o = &all->v[i];

		for (size_t k = 0; k < o->n; k++) {
			if (is_beyond_chance(&o->v[k]))
				values_draw_more(&o->v[k], o->group, o->n_groups, rules, draws);
		}
	}
}

/* After N draws, p is at least 1 / (N + 1).  If k of n variables have this p, their q is n / k
 * times that, so few draws could not find any among many variables.  Only these k get more draws,
 * about n / level in all. */
static void draw_enough(struct values *all, const struct value_rules *rules, size_t n)
{
	size_t draws = rules->permutations, beyond, needed;

	while ((beyond = count_beyond_chance(all)) > 0) {
		needed = (size_t)ceil((double)n / (rules->level * (double)beyond));
		if (needed <= draws)
			return;
		draws = needed;
		draw_up_to(all, rules, draws);
	}
}

/* --- verdicts ------------------------------------------------------------------------------ */

static void judge_variable(struct separation *s, const struct value_rules *rules)
{
	bool reports = s->share >= rules->min_share || s->cut_share >= rules->min_cut;

	s->verdict = s->q <= rules->level && reports ? VALUE_SEPARATES : VALUE_DOES_NOT;
}

/* Fills q and the verdicts of the n tested variables. */
static void control_rate(struct values *all, const struct value_rules *rules, size_t n)
{
	double *p = xcalloc(n + 1, sizeof(*p)), *q = xcalloc(n + 1, sizeof(*q));
	size_t at = 0;

	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->v[i].n; k++) {
			if (is_tested(&all->v[i].v[k]))
				p[at++] = all->v[i].v[k].p;
		}
	}
	fdr_adjust(p, n, q);
	at = 0;
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->v[i].n; k++) {
			struct separation *s = &all->v[i].v[k];

			if (!is_tested(s))
				continue;
			s->q = q[at++];
			judge_variable(s, rules);
		}
	}
	free(p);
	free(q);
}

/* Among variables that explain equally many percent, the one whose split explains more comes first,
 * since it is the simpler explanation. */
static int by_share(const void *a, const void *b)
{
	const struct separation *x = a, *y = b;
	double percent_x = round(100 * x->share), percent_y = round(100 * y->share);

	if (x->verdict != y->verdict)
		return (int)x->verdict - (int)y->verdict;
	if (percent_x != percent_y)
		return percent_x > percent_y ? -1 : 1;
	if (fabs(x->split.share - y->split.share) > 1e-6)
		return x->split.share > y->split.share ? -1 : 1;
	if (x->derived != y->derived)
		return x->derived - y->derived;
	return str_cmp(x->name, y->name);
}

void values_conclude(struct values *all, const struct value_rules *rules)
{
	size_t n = count_tested(all);

	draw_enough(all, rules, n);
	control_rate(all, rules, n);
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].n > 0)
			qsort(all->v[i].v, all->v[i].n, sizeof(*all->v[i].v), by_share);
	}
}
