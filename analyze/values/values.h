/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which recorded variables separate the peaks of an operation (OSprof 3.1, figure 8: readdir past
 * the end of a directory is fast).
 *
 * Calls are grouped by the peaks of their operation's histogram, and classified by the variable:
 * one class for each value, or ranges with equally many calls.  The score is the mutual
 * information of class and peak, less what classes of these sizes have by chance, as a share of
 * the entropy of the peaks.  Its p comes from a permutation test: random tables with the same row
 * and column sums, drawn as if peaks were assigned to calls at random.
 */
#ifndef ANALYZE_VALUES_VALUES_H
#define ANALYZE_VALUES_VALUES_H

#include "analyze/peaks.h"
#include "profile/profile.h"
#include "profile/variables.h"

struct arena;
struct out;

/* Whether a variable separates the peaks, or why it cannot. */
enum value_verdict {
	VALUE_SEPARATES,
	VALUE_DOES_NOT,
	VALUE_IS_ONE,	 /* all calls have the same value */
	VALUE_IS_UNIQUE, /* text values that hardly ever recur */
	VALUE_IS_ABSENT, /* no call of the operation has a value */
};
const char *value_verdict_name(enum value_verdict v); /* "separates" */

/* The kinds of classes: numbers in a range, one text, all rarer texts, no value. */
enum value_class_kind { CLASS_RANGE, CLASS_TEXT, CLASS_OTHERS, CLASS_MISSING };

/* A class: calls with the same value of a variable, or with values in a range. */
struct value_class {
	enum value_class_kind kind;
	double low, high; /* smallest and largest of a range */
	struct str text;
	uint64_t calls;
	uint64_t *of_group; /* calls in each group */
	bool chosen;	    /* on the first side of the split */
};

/* Writes the value of a class for display: a number or "3 to 17" with so many digits, "(none)", or
 * the text as it was recorded, which the caller must escape. */
void value_class_put(struct out *o, const struct value_class *c, int digits);

/* The best split of the classes into two sides: numbers up to `most` against numbers from `least`
 * on (`ordered`), or the chosen classes against the others. */
struct value_split {
	bool found, ordered;
	double max, min;
	double share;		/* of the entropy that the side explains */
	uint64_t *first, *rest; /* calls of each side in each group */
	uint64_t n_first, n_rest;
};

/* How well one variable separates the peaks of one operation. */
struct separation {
	struct str name;
	bool derived;
	enum value_verdict verdict;
	double information; /* mutual information of class and group, in bits */
	double share;	    /* of the entropy of the groups, corrected for chance; 0 to 1 */
	double p, q;	    /* q: p adjusted over all operations and variables tested */
	size_t draws;	    /* random tables that p comes from */
	size_t as_telling;  /* random tables with at least as much information */
	uint64_t random;    /* random state for the next draw */
	/* The same for the best cut of the groups in two: whether a call is in the first `cut`
	 * groups; 0: none. */
	size_t cut;
	double cut_share;
	size_t n_values;    /* distinct values */
	uint64_t n_missing; /* calls without a value, which have a class of their own */
	struct value_class *class;
	size_t n;
	struct value_split split;
};

/* A group of calls: a peak, or an operation of a value profile. */
struct value_group {
	struct str name;  /* of the operation; empty for a peak */
	double low, high; /* extent of a peak */
	double core_low, core_high;
	uint64_t calls;
	uint32_t number; /* from 1 */
};

/* All variables of one operation, and how well they separate its peaks. */
struct operation_values {
	struct str layer, name;
	const struct operation *op; /* NULL: the groups are operations */
	uint64_t calls;
	struct value_group *group;
	size_t n_groups;      /* with 1 there is nothing to separate */
	double entropy;	      /* of the groups, in bits */
	struct separation *v; /* the best first */
	size_t n;
};

/* When a variable separates, and how values are classified; comments give the defaults. */
struct value_rules {
	double level;	     /* largest q: 0.05 */
	double min_share;    /* smallest share of the entropy explained: 0.1, or ... */
	double min_cut;	     /* ... smallest share of the entropy of one cut: 0.5 */
	uint64_t min_calls;  /* fewest calls of an operation: 20 */
	size_t ranges;	     /* numbers with more distinct values get so many ranges: 32 */
	size_t max_texts;    /* classes for texts; all rarer texts share one: 255 */
	size_t permutations; /* tables to draw: 999, or more if q needs it (values_draw_more()) */
	size_t enough;	     /* draws stop at this many tables with as much information: 20 */
	uint64_t seed;
	bool octaves_first; /* use finer buckets only if octaves show a single peak */
};
extern const struct value_rules value_rules_default;

/* The variables of all operations of a capture; in an arena. */
struct values {
	struct operation_values *v; /* by falling latency */
	size_t n;
	size_t n_few; /* operations left out for too few calls */
};

/* Analyses the operations of a profile that have recorded calls; `v` is of the same files. */
struct values values_of(struct arena *a, const struct profile *p, const struct variables *v,
			const struct value_rules *rules);
/* Analyses a value profile: which values tell its operations apart. */
struct values values_of_profile(struct arena *a, const struct profile *p,
				const struct value_rules *rules);

#endif
