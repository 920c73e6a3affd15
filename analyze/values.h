/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which recorded variable separates the peaks of an operation (OSprof 3.1, figure 8: readdir past
 * the end of a directory is fast).
 *
 * Calls are put into the peaks of their operation's histogram, and into classes by the variable:
 * one for each value, or ranges of equally many calls.  What the class tells of the peak is the
 * mutual information of the two, as a share of the entropy of the peaks and less what classes of
 * these sizes tell by chance.  How likely chance alone tells as much comes from tables with the
 * same sums of rows and columns, drawn as if peaks were dealt out to calls at random.
 */
#ifndef ANALYZE_VALUES_H
#define ANALYZE_VALUES_H

#include "analyze/peaks.h"
#include "profile/profile.h"
#include "profile/variables.h"

struct arena;
struct out;

/* Whether a variable separates the peaks, or why it cannot. */
enum value_verdict {
	VALUE_SEPARATES,
	VALUE_DOES_NOT,
	VALUE_IS_ONE,	 /* all calls have the same one */
	VALUE_IS_UNIQUE, /* names that hardly ever come again */
	VALUE_IS_ABSENT, /* no call of the operation has one */
};
const char *value_verdict_name(enum value_verdict v); /* "separates" */

/* What the calls of one class have in common. */
enum value_class_kind { CLASS_RANGE, CLASS_TEXT, CLASS_OTHERS, CLASS_MISSING };

/* Calls with the same value of a variable, or with values in a range. */
struct value_class {
	enum value_class_kind kind;
	double low, high; /* smallest and largest of a range */
	struct str text;
	uint64_t calls;
	uint64_t *of_group; /* in each group */
	bool chosen;	    /* of the split: on its first side */
};

/* What its calls have, for people: a number or "3 to 17" of so many digits, "(none)", or a text as
 * it was recorded: whoever prints this escapes it. */
void value_class_put(struct out *o, const struct value_class *c, int digits);

/* What two sides of the classes tell: numbers up to `most` and those from `least` on, or the
 * chosen classes and the others. */
struct value_split {
	bool found, ordered;
	double most, least;
	double share;		/* of the entropy */
	uint64_t *first, *rest; /* calls of both sides in each group */
	uint64_t n_first, n_rest;
};

/* How far one variable separates the peaks of one operation. */
struct separation {
	struct str name;
	bool derived;
	enum value_verdict verdict;
	double information; /* bits */
	double share;	    /* of the entropy of the groups, less what chance gives; 0 to 1 */
	double p, q;	    /* q: controlled over all operations and variables tested */
	size_t draws;	    /* tables that p comes from */
	size_t as_telling;  /* of these, those that tell as much by chance */
	uint64_t random;    /* where the next draw goes on */
	/* The same of one question only: whether a call is after the first `cut` groups, that
	 * which is reported best; 0: none. */
	size_t cut;
	double cut_share;
	size_t n_values;    /* that differ */
	uint64_t n_missing; /* calls without one, a class of their own */
	struct value_class *class;
	size_t n;
	struct value_split split;
};

/* A peak, or an operation of a value profile. */
struct value_group {
	struct str name;  /* empty: a peak */
	double low, high; /* of a peak */
	double core_low, core_high;
	uint64_t calls;
	uint32_t number; /* from 1 */
};

/* All variables of one operation, by what they tell of its peaks. */
struct operation_values {
	struct str layer, name;
	const struct operation *op; /* NULL: the groups are operations */
	uint64_t calls;
	struct value_group *group;
	size_t n_groups;      /* 1: nothing to separate */
	double entropy;	      /* bits */
	struct separation *v; /* most telling first */
	size_t n;
};

/* What makes a variable a separating one, and how values are put into classes. */
struct value_rules {
	double level;	     /* of q: 0.05 */
	double min_share;    /* of the entropy that a separating variable explains: 0.1, or ... */
	double min_cut;	     /* ... of that of one cut between groups: 0.5 */
	uint64_t min_calls;  /* of an operation: 20 */
	size_t ranges;	     /* of numbers with more values than that: 32 */
	size_t max_texts;    /* classes of names; rarer ones are one: 255 */
	size_t permutations; /* 999, more where so few cannot tell (values_draw_more()) */
	size_t enough;	     /* as telling ones by chance after which no more are drawn: 20 */
	uint64_t seed;
	bool octaves_first; /* finer buckets matter only where octaves show one peak */
};
extern const struct value_rules value_rules_default;

/* The variables of all operations of a capture; in an arena. */
struct values {
	struct operation_values *v; /* by latency */
	size_t n;
	size_t n_few; /* operations left out for their few calls */
};

/* Of the profile's operations those that calls were recorded of; `v` is of the same files. */
struct values values_of(struct arena *a, const struct profile *p, const struct variables *v,
			const struct value_rules *rules);
/* Of a value profile: which value tells which of its operations a call is of. */
struct values values_of_profile(struct arena *a, const struct profile *p,
				const struct value_rules *rules);

#endif
