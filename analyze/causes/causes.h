/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Root causes of a peak (DARC, offline): which call paths make some calls of a function
 * slower than others, by how much, and in how many calls.
 *
 * The added time of a path is the mean time that the chosen calls spend there less the mean
 * time of the calls they are compared with.  The own added times of all nodes add up to the
 * time that the chosen calls take longer.
 */
#ifndef ANALYZE_CAUSES_CAUSES_H
#define ANALYZE_CAUSES_CAUSES_H

#include <math.h>

#include "analyze/peaks.h"
#include "calls/call_tree.h"

#define CAUSE_NO_NODE UINT32_MAX

/* What makes a path, mark or value worth reporting as a cause; comments give the defaults. */
struct cause_rules {
	double min_share;	   /* smallest share of the added time of a path to follow: 0.10 */
	double percentage;	   /* maxcount a callee needs, as a share of the largest one: 0.5 */
	double usual;		   /* an unusual call exceeds this share of the other calls: 0.99 */
	double mark, mark_against; /* least share of the chosen, most of others: 0.8, 0.2 */
	uint64_t min_peak;	   /* fewest calls of a faster peak to compare with: 20 */
	uint64_t min_calls;	   /* fewer chosen calls are inconclusive: 5 */
	double value_q, value_difference; /* largest q, smallest difference: 0.05, 0.10 */
	double max_overhead; /* share of the added time that tracing may explain: 0.10 */
	double shifted;	     /* all calls are shifted if unusual ones add a smaller share: 0.5 */
};

/* The rules that the commands use. */
extern const struct cause_rules cause_rules_default;

/* How paths are scored: by time added over other calls, by time spent, or by DARC's maxcount. */
enum cause_method { CAUSES_ADDED, CAUSES_TIME, CAUSES_MAXCOUNT };

/* How the calls of one side of a question were chosen. */
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

/* Which of two captures. */
enum cause_side { CAUSE_SIDE_NONE, CAUSE_SIDE_BEFORE, CAUSE_SIDE_AFTER };

/* A choice of the function's calls: those in some buckets of one tree; times in ns. */
struct cause_choice {
	enum cause_what what;
	enum cause_side side;
	size_t number;	    /* of a peak, from 1; 0 when it is not a peak */
	double low, high;   /* range of latencies */
	const bool *bucket; /* for each bucket of the tree: chosen */
	uint64_t count;
	double mean, total;
};

/* A question: which calls to explain, and which to compare them with. */
struct cause_question {
	size_t peak; /* from 1; 0: the one that adds most */
	bool range;  /* use low to high instead of a peak */
	double low, high;
	enum cause_what against; /* CHOSEN_ALL: the default; CHOSEN_PEAK: against_peak */
	size_t against_peak;
	enum cause_method method;
};

/* Whether a question could be answered by the captured calls. */
enum cause_error { CAUSE_OK, CAUSE_NO_SUCH_PEAK, CAUSE_NO_CALLS };

/* Returns the peaks of the function, and its histogram, in ns, in *ret. */
struct peaks cause_peaks(struct arena *a, const struct call_tree *t, struct histogram *ret);

/* Chooses the calls to explain and those to compare them with, both of one tree. */
enum cause_error causes_choose(struct arena *a, const struct call_tree *t,
			       const struct peaks *peaks, const struct cause_question *q,
			       const struct cause_rules *rules, struct cause_choice *ret_chosen,
			       struct cause_choice *ret_against);
/* The same for two trees: calls after are compared with calls before. */
enum cause_error causes_choose_pair(struct arena *a, const struct call_tree *before,
				    const struct peaks *before_peaks, const struct call_tree *after,
				    const struct peaks *after_peaks, const struct cause_question *q,
				    const struct cause_rules *rules,
				    struct cause_choice *ret_chosen,
				    struct cause_choice *ret_against);

/* Sums over the chosen calls in one node's cells (struct call_cell). */
struct cause_sums {
	double present, calls, own, total, squares;
	double as_callee, as_self;
};

/* A path of calls with its sums on both sides. */
struct cause_node {
	struct str name;
	enum call_kind kind;
	uint32_t parent, child, sibling; /* numbers of nodes; CAUSE_NO_NODE: none */
	uint32_t depth;
	struct cause_sums chosen, against;
	double added, own_added; /* ns per call of the function: with all below; its own */
};

/* A path that makes the chosen calls slower.  Times are in ns per call of the function. */
struct cause {
	uint32_t node;
	bool spread; /* neither a callee nor its own time stands out: `added` is with all below */
	double added, share, error;	 /* share of all added time; standard error */
	double more_calls, slower_calls; /* parts of the time with all below: more, slower calls */
	double overhead;		 /* lower bound of tracing's cost, as a share of `added` */
	bool fresh, gone;		 /* only the chosen calls have it; none of them has it */
	double unusual;			 /* share of the chosen calls that are unusual there */
	double in; /* share of them that it makes slower: unusual calls, or all that have it */
	uint64_t maxcount;
	double runs_q;			 /* of `added`, where runs were tested */
	const struct call_cell *example; /* with the slowest chosen call, in `tree`; or NULL */
};

/* A value whose frequency differs between the chosen calls and the others; shares of each side. */
struct cause_value {
	struct str of, value; /* `of`: the argument or attribute */
	double chosen, against, q;
};

/* A path that most of the chosen calls take and few of the others; shares of each side's calls. */
struct cause_mark {
	uint32_t node;
	double chosen, against;
};

/* The answer to one question: scored paths, values and marks, in the caller's arena. */
struct causes {
	const struct call_tree *tree, *base; /* trees of the chosen calls and of the others */
	struct cause_choice chosen, against;
	enum cause_method method;
	double added, elsewhere;
	double overhead, overhead_share; /* ns per traced call, on its caller; of `added` */
	struct cause_node *node;
	uint32_t n_nodes;
	struct cause *cause;
	size_t n_causes;
	struct cause_mark *mark;
	size_t n_marks;
	struct cause_value *value;
	size_t n_values;
	bool inconclusive;
	size_t n_runs[2]; /* before, after; 0 when not tested */
	double runs_q;	  /* of `added` */

	/* Private. */
	double more_calls; /* additional traced calls per call of the function, over all nodes */
	const uint32_t *node_of_tree, *node_of_base; /* from nodes of a tree to `node` */
	const uint32_t *in_tree, *in_base;	     /* and back; CAUSE_NO_NODE: not there */
};

/* Compares `chosen`, calls of `tree`, with `against`, calls of `base`, which may be the same
 * tree.  Results lie in the arena and borrow from the trees. */
void causes_find(struct causes *ret, struct arena *a, const struct call_tree *tree,
		 const struct cause_choice *chosen, const struct call_tree *base,
		 const struct cause_choice *against, enum cause_method method,
		 const struct cause_rules *rules);
/* The same for other calls of the same trees; nodes keep their numbers. */
void causes_update(struct causes *c, struct arena *a, const struct cause_choice *chosen,
		   const struct cause_choice *against, const struct cause_rules *rules);

/* Swaps the two trees; nodes keep their numbers.  The caller must call causes_update() next. */
void causes_swap_sides(struct causes *c);

/* The trees of the runs of one side; causes_test_runs() may add nodes without cells to them. */
struct causes_runs {
	struct call_tree *const *tree;
	size_t n;
};
/* Tests the causes over repeated runs; does nothing with fewer than two runs a side. */
void causes_test_runs(struct causes *c, struct arena *a, const struct causes_runs *before,
		      const struct causes_runs *after);

/* Mean per call of the function. */
static inline double cause_mean(const struct cause_choice *c, double sum)
{
	return c->count > 0 ? sum / (double)c->count : 0;
}

/* Returns in *ret the n children of a node, by falling absolute added time. */
size_t cause_children(const struct causes *c, struct arena *a, uint32_t node, uint32_t **ret);
/* Returns in *ret the n names from the function down to a node. */
size_t cause_path(const struct causes *c, struct arena *a, uint32_t node, struct str **ret);
/* Counts the chosen (or other) calls by their time in a node, in log2 buckets of resolution 4. */
void cause_times(const struct causes *c, uint32_t node, bool against, uint64_t ret[CALL_Y_BUCKETS]);

/* Returns the earth mover's distance of two histograms in octaves; NAN when one is empty. */
double cause_distance(const struct histogram *before, const struct histogram *after);

#endif
