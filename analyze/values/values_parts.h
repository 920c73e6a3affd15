/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the files of analyze/values/values*.c share. */
#ifndef ANALYZE_VALUES_VALUES_PARTS_H
#define ANALYZE_VALUES_VALUES_PARTS_H

#include "analyze/values/values.h"
#include "base/sort.h"

/* The calls of one operation, with their groups. */
struct grouped_calls {
	const uint32_t *call; /* call numbers */
	const uint32_t *group;
	size_t n, n_groups;
};

/* The numeric values of a variable, ascending, each with the group of its call. */
struct sorted_numbers {
	struct sort_item *item;
	size_t n;
};

/* Returns the i-th smallest number. */
double sorted_number(const struct sorted_numbers *s, size_t i);

/* Fills the classes, n_values and n_missing of *to, and *ret; the caller frees ret->item. */
void values_classify(struct arena *a, const struct variable *v, const struct grouped_calls *calls,
		     const struct value_rules *rules, struct separation *to,
		     struct sorted_numbers *ret);

/* Fills information, share and p.  `entropy` is that of the groups. */
void values_test(struct separation *s, const struct value_group *group, size_t n_groups,
		 double entropy, const struct value_rules *rules, uint64_t seed);
/* Draws more tables, until there are `draws`, or enough with as much information; updates p. */
void values_draw_more(struct separation *s, const struct value_group *group, size_t n_groups,
		      const struct value_rules *rules, size_t draws);
/* Fills q and verdicts of all tested variables, and sorts them. */
void values_conclude(struct values *all, const struct value_rules *rules);
/* Returns the entropy of n groups in bits. */
double values_entropy(const struct value_group *group, size_t n);

/* Fills cut and cut_share; both sides of the cut must have min_calls. */
void values_cut(struct separation *s, const struct value_group *group, size_t n_groups,
		uint64_t min_calls);

/* Finds the best split.  `numbers` may be NULL; then ranges are split only between classes. */
void values_split(struct arena *a, struct separation *s, const struct sorted_numbers *numbers,
		  size_t n_groups, double entropy);

#endif
