/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of buckets: all paths of calls below one function, and for each bucket of that
 * function's latency what the calls in it spent on each path (DARC, offline).
 *
 * Any peak, any range, any two captures are sums over cells.  Memory goes with paths times
 * filled buckets, never with calls.  A parent's number is below its child's; node 0 is the
 * function itself.  Times are nanoseconds.
 */
#ifndef PROFILE_CALL_TREE_H
#define PROFILE_CALL_TREE_H

#include "base/attr.h"
#include "base/number_map.h"
#include "base/str_table.h"
#include "profile/call_sink.h"

enum {
	CALL_TREE_RESOLUTION = 8, /* buckets of the function's latency in each octave */
	CALL_Y_RESOLUTION = 4,	  /* of a node's time */
	CALL_TREE_NODES = 1 << 20,
	CALL_TREE_VALUES = 10000, /* of one key; a key with more is dropped */
	CALL_TREE_EXTRA = 4,	  /* edges that ranges may add */
	CALL_Y_BUCKETS = 64 * CALL_Y_RESOLUTION,
	CALL_TREE_EDGES = 64 * CALL_TREE_RESOLUTION + 1 + CALL_TREE_EXTRA,
	CALL_TREE_NEAR = 2048, /* nodes whose cells are found without a search */
	CALL_CELL_HOT = 4,
};

/* One path of calls below the function: the innermost call's name, and its caller's node. */
struct call_node {
	uint32_t parent; /* of node 0: itself */
	uint32_t name;	 /* of the tree's names */
	enum call_kind kind;
	uint32_t depth; /* instances of it that were open within one another, at most */
};

/* What calls in one bucket of the function's latency did in one node. */
struct call_cell {
	uint32_t node, bucket;
	uint64_t present;	     /* calls of the function in which the node occurs */
	uint64_t calls;		     /* of the node */
	int64_t own;		     /* time of its own */
	int64_t total;		     /* with all below it */
	double squares;		     /* of the totals of per-call records */
	uint64_t as_callee, as_self; /* maxcounts */
	/* The call whose total is largest. */
	int64_t largest, start, latency;
	uint32_t thread; /* of the tree's names; of spans the trace */
	/* Its own: counts of y that were looked for last, and their buckets and 1. */
	uint32_t hot_y[CALL_CELL_HOT];
	uint8_t hot_bucket[CALL_CELL_HOT];
};

/* How often a value occurs in calls in a bucket. */
struct call_value_count {
	uint32_t key, value, bucket; /* names */
	uint64_t count;
};

/* A time in which a call of the function waited. */
struct call_pause {
	int64_t start, end;
	uint64_t thread;
	uint32_t bucket;
};

/* What the readers met. */
struct call_tally {
	uint64_t threads, calls, recursive, lost, unfinished, unfinished_others;
	uint64_t unmatched, clipped, clipped_ns, orphans, twice, cyclic;
	uint64_t ends, off_order; /* ends of calls, those that do not name the innermost one */
	uint64_t backwards;	  /* events before the one that came last on their thread */
};

/* Work that one thread hands to another: by calls (--link), by flows, by links of spans. */
struct call_link_counts {
	uint64_t submits; /* calls of SUBMIT with the argument, points that a flow starts from,
			     links */
	uint64_t serves;  /* calls of SERVE with the argument, points where a flow ends */
	uint64_t found;	  /* submits for which the call that serves them is in the trace */
	/* Of links of spans. */
	uint64_t missing; /* the span that they name is not there */
	uint64_t early;	  /* to itself, or to a span that starts later */
	uint64_t twice;	  /* to one that the span links to already */
	uint64_t left; /* waits and served calls that were not looked into, as they are too many */
};

/* The paths below one function with the times, by bucket of its latency. Lives in its arena. */
struct call_tree {
	struct arena *arena;
	struct str_table names;
	double *edge; /* of buckets, ascending: bucket i is [edge[i], edge[i + 1]) */
	uint32_t n_edges;
	struct call_node *node;
	uint32_t n_nodes;
	struct call_cell *cell;
	uint32_t n_cells;
	uint64_t *y; /* n_y counts: cell << 8 | bucket of y */
	uint64_t *y_count;
	uint32_t n_y;
	struct call_value_count *value;
	uint32_t n_values;
	bool filtered;	    /* the trace was filtered by depth or time */
	bool full;	    /* further paths joined "(others)" */
	bool spans;	    /* the threads of cells are traces of spans */
	bool unfolded;	    /* recursion keeps its instances apart */
	uint64_t gap[4096]; /* between a call's end and the next one's start, in ns */
	uint64_t wide_gaps; /* of 4096 ns or more */
	uint64_t overhead;  /* ns that were taken from callers for each call */
	struct call_tally tally;
	struct call_link_counts links;

	/* Its own. */
	size_t cap_nodes, cap_cells, cap_y, cap_y_count, cap_values;
	struct number_map children, cells, ys, values, value_kinds;
	uint32_t *near[CALL_TREE_EDGES + 1]; /* by bucket and node: a cell, from 1 */
};

/* An empty tree; call_tree_free() frees it. */
struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *t); /* NULL is fine */
/* Edges of ranges, before the first call. */
void call_tree_add_edge(struct call_tree *t, double edge);

/* The number of a name, new or known. */
uint32_t call_tree_name(struct call_tree *t, struct str name);
static inline struct str call_tree_str(const struct call_tree *t, uint32_t name)
{
	return t->names.key[name];
}
/* The name of a node's function; it lies in the tree. */
static inline struct str call_node_name(const struct call_tree *t, uint32_t node)
{
	return t->names.key[t->node[node].name];
}

/* The node of that name below another one, new or known; "(others)" where there are too many. */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind);
/* The same with folding: a name that is on the path already is that node. */
uint32_t call_tree_fold(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind);
/* One of both, by whether recursion is folded. */
static inline uint32_t call_tree_below(struct call_tree *t, uint32_t parent, uint32_t name,
				       enum call_kind kind)
{
	return t->unfolded ? call_tree_child(t, parent, name, kind)
			   : call_tree_fold(t, parent, name, kind);
}
/* Node 0. */
void call_tree_root(struct call_tree *t, uint32_t name);

/* The number of the bucket of a latency in ns. */
uint32_t call_tree_bucket(const struct call_tree *t, int64_t latency);
struct call_cell *call_tree_cell_new(struct call_tree *t, uint32_t node, uint32_t bucket);
/* The cell of a node in a bucket, new or known. */
static inline struct call_cell *call_tree_cell(struct call_tree *t, uint32_t node, uint32_t bucket)
{
	if (node < CALL_TREE_NEAR && t->near[bucket] != NULL && t->near[bucket][node] != 0)
		return &t->cell[t->near[bucket][node] - 1];
	return call_tree_cell_new(t, node, bucket);
}
/* NULL when there is none. */
const struct call_cell *call_tree_find_cell(const struct call_tree *t, uint32_t node,
					    uint32_t bucket);
/* How many calls of a cell have their time in this bucket of y. */
uint64_t call_tree_y(const struct call_tree *t, const struct call_cell *cell, unsigned bucket);
/* The number of a count of y, new or known. */
uint32_t call_tree_y_new(struct call_tree *t, const struct call_cell *cell, unsigned bucket);
static inline void call_tree_count_y(struct call_tree *t, struct call_cell *cell, unsigned bucket,
				     uint64_t n)
{
	unsigned which = bucket % CALL_CELL_HOT;

	if (cell->hot_bucket[which] != bucket + 1) {
		cell->hot_y[which] = call_tree_y_new(t, cell, bucket);
		cell->hot_bucket[which] = (uint8_t)(bucket + 1);
	}
	t->y_count[cell->hot_y[which]] += n;
}
void call_tree_count_value(struct call_tree *t, uint32_t key, uint32_t value, uint32_t bucket,
			   uint64_t n);
/* floor(4 log2 v), for v > 0. */
static inline unsigned call_y_bucket(int64_t v)
{
	unsigned octave = 63U - (unsigned)__builtin_clzll((unsigned long long)v);
	uint64_t m = (uint64_t)v << (63 - octave);

	/* 2^(1/4), 2^(1/2), 2^(3/4), times 2^63 */
	return octave * 4 + (m >= UINT64_C(0x9837f0518db8a800)) +
	       (m >= UINT64_C(0xb504f333f9de6800)) + (m >= UINT64_C(0xd744fccad69d6800));
}
double call_y_edge(unsigned bucket); /* its upper edge */

/* How many gaps there were between calls. */
uint64_t call_tree_gaps(const struct call_tree *t);
/* The shortest of a hundred of them, in ns: no call costs its caller more than that. */
int64_t call_tree_short_gap(const struct call_tree *t);

/* Adds one tree to another of the same function: what other threads, files, machines did. */
void call_tree_merge(struct call_tree *to, const struct call_tree *from);

const char *call_kind_name(enum call_kind k); /* "blocked" */
bool call_kind_parse(struct str s, enum call_kind *ret);
/* Interrupts and preemption strike: they are the function's own children wherever they do. */
static inline bool call_kind_strikes(enum call_kind k)
{
	return k == CALL_IS_PREEMPTED || k == CALL_IS_INTERRUPT;
}

#endif
