/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of analyze/values.h have in common. */
#ifndef ANALYZE_VALUES_PARTS_H
#define ANALYZE_VALUES_PARTS_H

#include "analyze/values.h"
#include "base/sort.h"

/* The calls of one operation. */
struct grouped_calls {
	const uint32_t *call; /* numbers of calls */
	const uint32_t *group;
	size_t n, n_groups;
};

/* The numbers that a variable has, in ascending order, each with the group of its call. */
struct sorted_numbers {
	struct sort_item *item;
	size_t n;
};

/* The i-th number in ascending order. */
double sorted_number(const struct sorted_numbers *s, size_t i);

/* Fills the classes, n_values and n_missing.  The caller frees ret->item. */
void values_classify(struct arena *a, const struct variable *v, const struct grouped_calls *calls,
		     const struct value_rules *rules, struct separation *to,
		     struct sorted_numbers *ret);

/* information, share and p of classes.  `entropy` is that of the groups. */
void values_test(struct separation *s, const struct value_group *group, size_t n_groups,
		 double entropy, const struct value_rules *rules, uint64_t seed);
/* Draws tables until `draws` of them were drawn in all, or enough tell as much; p follows. */
void values_draw_more(struct separation *s, const struct value_group *group, size_t n_groups,
		      const struct value_rules *rules, size_t draws);
/* Verdicts and q of all variables that were tested, which are then put in order. */
void values_conclude(struct values *all, const struct value_rules *rules);
/* Bits; counts of n kinds. */
double values_entropy(const struct value_group *group, size_t n);

/* cut and cut_share, both sides of which have so many calls. */
void values_cut(struct separation *s, const struct value_group *group, size_t n_groups,
		uint64_t min_calls);

/* Where two sides tell most.  `numbers` may be NULL: edges of ranges are those of classes. */
void values_split(struct arena *a, struct separation *s, const struct sorted_numbers *numbers,
		  size_t n_groups, double entropy);

#endif
