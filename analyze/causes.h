/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Root causes of a peak (DARC, offline): which paths of calls make some calls of a function
 * slower than others, how much of it, and in how many calls.
 *
 * A path's added time is the mean that the chosen calls spend there, less that of the calls
 * they are compared with.  A node's own added times, over all nodes, add up to what the chosen
 * calls take longer.
 */
#ifndef ANALYZE_CAUSES_H
#define ANALYZE_CAUSES_H

#include <math.h>

#include "analyze/peaks.h"
#include "profile/call_tree.h"

#define CAUSE_NO_NODE UINT32_MAX

/* What makes a path, mark or value worth reporting as a cause. */
struct cause_rules {
	double min_share;	   /* of the added time that makes a path worth following: 0.10 */
	double percentage;	   /* of the largest maxcount: 0.5 */
	double usual;		   /* part of the other calls that an unusual one exceeds: 0.99 */
	double mark, mark_against; /* a mark is in so many of the chosen calls, of the others */
	uint64_t min_peak;	   /* calls of a faster peak to be compared with: 20 */
	uint64_t min_calls;	   /* fewer chosen calls are inconclusive: 5 */
	double value_q, value_difference; /* a value tells something: 0.05, 0.10 */
	double max_overhead; /* share of the added time that tracing may explain: 0.10 */
	double shifted;	     /* of what a path adds: less than that in unusual calls: 0.5 */
};

/* The rules that the commands use. */
extern const struct cause_rules cause_rules_default;

/* How paths are scored: time added against other calls, time spent, or DARC's maxcount. */
enum cause_method { CAUSES_ADDED, CAUSES_TIME, CAUSES_MAXCOUNT };

/* Which calls of the function one side of the question is about. */
enum cause_what {
	CHOSEN_PEAK,
	CHOSEN_RANGE,
	CHOSEN_AFTER,
	CHOSEN_BEFORE,
	CHOSEN_FASTER,
	CHOSEN_OTHERS,
	CHOSEN_ALL,
	CHOSEN_NONE
};
const char *cause_what_name(enum cause_what w); /* "peak" */

/* Of two captures, which one. */
enum cause_side { CAUSE_SIDE_NONE, CAUSE_SIDE_BEFORE, CAUSE_SIDE_AFTER };

/* Calls of the function: those in some buckets of one tree. */
struct cause_choice {
	enum cause_what what;
	enum cause_side side;
	size_t number;	    /* of a peak, from 1; 0: it is none */
	double low, high;   /* latencies */
	const bool *bucket; /* of the tree's */
	uint64_t count;
	double mean, total;
};

/* What is asked. */
struct cause_question {
	size_t peak; /* 0: the one that adds most */
	bool range;  /* low to high */
	double low, high;
	enum cause_what against; /* CHOSEN_ALL: as it is usual; CHOSEN_PEAK: against_peak */
	size_t against_peak;
	enum cause_method method;
};

/* Whether a question could be answered by the captured calls. */
enum cause_error { CAUSE_OK, CAUSE_NO_SUCH_PEAK, CAUSE_NO_CALLS };

/* Peaks of the function; h is its histogram, in ns. */
struct peaks cause_peaks(struct arena *a, const struct call_tree *t, struct histogram *ret);

/* Which calls, and against which: of one tree. */
enum cause_error causes_choose(struct arena *a, const struct call_tree *t,
			       const struct peaks *peaks, const struct cause_question *q,
			       const struct cause_rules *rules, struct cause_choice *ret_chosen,
			       struct cause_choice *ret_against);
/* Of two trees: calls after, against those before. */
enum cause_error causes_choose_pair(struct arena *a, const struct call_tree *before,
				    const struct peaks *before_peaks, const struct call_tree *after,
				    const struct peaks *after_peaks, const struct cause_question *q,
				    const struct cause_rules *rules,
				    struct cause_choice *ret_chosen,
				    struct cause_choice *ret_against);

/* Sums over the calls of one side. */
struct cause_sums {
	double present, calls, own, total, squares;
	double as_callee, as_self;
};

/* A path of calls with its sums on both sides. */
struct cause_node {
	struct str name;
	enum call_kind kind;
	uint32_t parent, child, sibling; /* in no order; CAUSE_NO_NODE: no more */
	uint32_t depth;
	struct cause_sums chosen, against;
	double added, own_added; /* ns a call of the function, with all below and its own */
};

/* A path that makes the chosen calls slower: what it adds (ns a call), and in how many calls. */
struct cause {
	uint32_t node;
	bool spread; /* no callee stands out, nor its own time */
	double added, share, error;
	double more_calls, slower_calls;
	double overhead; /* what tracing costs there at least, as a share of what it adds */
	bool fresh, gone;
	double unusual; /* part of the chosen calls */
	double in;	/* part of them that it makes slower: the unusual ones, or all with it */
	uint64_t maxcount;
	double runs_q;			 /* of what it adds, where runs were tested */
	const struct call_cell *example; /* of the chosen calls, in `tree`; NULL: none */
};

/*
 * A recorded value that is more frequent in the chosen calls than in the others; parts of the
 * calls.
 */
struct cause_value {
	struct str of, value;
	double chosen, against, q;
};

/*
 * A path that tells the chosen calls from the others by whether they take it; parts of the
 * calls.
 */
struct cause_mark {
	uint32_t node;
	double chosen, against;
};

/* The answer to one question: scored paths, values and marks, in the caller's arena. */
struct causes {
	const struct call_tree *tree, *base; /* of the chosen calls, of the others */
	struct cause_choice chosen, against;
	enum cause_method method;
	double added, elsewhere;
	double overhead, overhead_share; /* ns that a traced call costs its caller; of added */
	struct cause_node *node;
	uint32_t n_nodes;
	struct cause *cause;
	size_t n_causes;
	struct cause_mark *mark;
	size_t n_marks;
	struct cause_value *value;
	size_t n_values;
	bool inconclusive;
	size_t n_runs[2]; /* before, after; 0: they were not tested */
	double runs_q;	  /* of what the chosen calls take longer */

	/* Its own. */
	double more_calls;			     /* of all nodes, a call of the function */
	const uint32_t *node_of_tree, *node_of_base; /* by their numbers */
	const uint32_t *in_tree, *in_base;	     /* and back; CAUSE_NO_NODE: not there */
};

/* `base`: the tree of `against`, the same one or another. */
void causes_find(struct causes *ret, struct arena *a, const struct call_tree *tree,
		 const struct cause_choice *chosen, const struct call_tree *base,
		 const struct cause_choice *against, enum cause_method method,
		 const struct cause_rules *rules);
/* The same for other calls of the same trees: nodes stay where they are. */
void causes_again(struct causes *c, struct arena *a, const struct cause_choice *chosen,
		  const struct cause_choice *against, const struct cause_rules *rules);

/* Both sides change places; causes_again() is to follow. Nodes stay where they are. */
void causes_turn(struct causes *c);

/* The trees of the runs of one side, to which nodes without cells may be added. */
struct causes_runs {
	struct call_tree *const *tree;
	size_t n;
};
/* Holds the runs against each other, from two a side on. */
void causes_test_runs(struct causes *c, struct arena *a, const struct causes_runs *before,
		      const struct causes_runs *after);

/* Means a call of the function. */
static inline double cause_mean(const struct cause_choice *c, double sum)
{
	return c->count > 0 ? sum / (double)c->count : 0;
}

/* The nodes below one, what adds (or takes away) most first. */
size_t cause_children(const struct causes *c, struct arena *a, uint32_t node, uint32_t **ret);
/* Names from the function down; n of them. */
size_t cause_path(const struct causes *c, struct arena *a, uint32_t node, struct str **ret);
/* How many chosen (or other) calls have a node's time in each bucket of resolution 4. */
void cause_times(const struct causes *c, uint32_t node, bool against, uint64_t ret[CALL_Y_BUCKETS]);

/* How far histograms of the function lie apart, in octaves; NAN: one is empty. */
double cause_distance(const struct histogram *before, const struct histogram *after);

#endif
