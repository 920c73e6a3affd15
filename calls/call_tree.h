/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of buckets: all paths of calls below one function, and for each bucket of that
 * function's latency the time that calls in this bucket spent on each path (DARC, offline).
 *
 * Results for a peak, a range, or the sum of captures are sums over cells.  Memory grows with
 * paths times filled buckets, never with calls.  A parent has a lower number than its children;
 * node 0 is the function itself.  Times are in nanoseconds.
 */
#ifndef CALLS_CALL_TREE_H
#define CALLS_CALL_TREE_H

#include "base/attr.h"
#include "base/tables/number_map.h"
#include "base/tables/str_table.h"
#include "calls/call_sink.h"

enum {
	CALL_TREE_RESOLUTION = 8, /* buckets of the function's latency in each octave */
	CALL_Y_RESOLUTION = 4,	  /* buckets of y, a node's time in a call, in each octave */
	CALL_TREE_NODES = 1 << 20,
	CALL_TREE_VALUES = 10000, /* values of one key; a key with more is dropped */
	CALL_TREE_EXTRA = 4,	  /* edges that ranges may add */
	CALL_Y_BUCKETS = 64 * CALL_Y_RESOLUTION,
	CALL_TREE_EDGES = 64 * CALL_TREE_RESOLUTION + 1 + CALL_TREE_EXTRA,
	CALL_TREE_NEAR = 2048, /* cells of lower nodes are found in an array, not in a hash table */
	CALL_CELL_HOT = 4,
};

/* One path of calls below the function: the innermost call's name, and its caller's node. */
struct call_node {
	uint32_t parent; /* node 0 is its own parent */
	uint32_t name;	 /* number in the tree's names */
	enum call_kind kind;
	uint32_t depth; /* largest number of its calls open at once (recursion) */
};

/* What calls in one bucket of the function's latency did in one node. */
struct call_cell {
	uint32_t node, bucket;
	uint64_t present;	     /* calls of the function in which the node occurs */
	uint64_t calls;		     /* calls of the node */
	int64_t own;		     /* self time */
	int64_t total;		     /* time with all nodes below it */
	double squares;		     /* sum of squares of the totals of individual calls */
	uint64_t as_callee, as_self; /* DARC's maxcounts: how often it was the largest */
	/* The call with the largest total. */
	int64_t largest, start, latency;
	uint32_t thread; /* number in the tree's names; for spans, the trace */
	/* Private cache: counts of y used last, and their buckets + 1. */
	uint32_t hot_y[CALL_CELL_HOT];
	uint8_t hot_bucket[CALL_CELL_HOT];
};

/* How often a value occurs in calls in a bucket. */
struct call_value_count {
	uint32_t key, value; /* numbers in the tree's names */
	uint32_t bucket;
	uint64_t count;
};

/* A period in which a call of the function waited. */
struct call_pause {
	int64_t start, end;
	uint64_t thread;
	uint32_t bucket;
};

/* Counts of what was found in the traces. */
struct call_tally {
	uint64_t threads, calls, recursive, lost, unfinished, unfinished_others;
	uint64_t unmatched, clipped, clipped_ns, orphans, twice, cyclic;
	uint64_t ends, off_order; /* ends of calls, and those not of the innermost call */
	uint64_t backwards;	  /* events earlier than the previous one of their thread */
};

/* Counts of work that one thread hands to another: by calls (--link), flows, or span links. */
struct call_link_counts {
	uint64_t submits; /* calls of SUBMIT with the argument, starts of flows, span links */
	uint64_t serves;  /* calls of SERVE with the argument, ends of flows */
	uint64_t found;	  /* submits for which the call that serves them is in the trace */
	/* Span links only. */
	uint64_t missing; /* links to a span that is not there */
	uint64_t early;	  /* links to the span itself, or to one that starts later */
	uint64_t twice;	  /* repeated links */
	uint64_t left;	  /* waits and served calls that were skipped, as there are too many */
};

/* The paths below one function with their times, by bucket of its latency; call_tree_free() frees
 * it. */
struct call_tree {
	struct arena *arena;
	struct str_table names;
	double *edge; /* bucket edges, ascending: bucket i is [edge[i], edge[i + 1]) */
	uint32_t n_edges;
	struct call_node *node;
	uint32_t n_nodes;
	struct call_cell *cell;
	uint32_t n_cells;
	uint64_t *y; /* keys of y_count: cell << 8 | bucket of y */
	uint64_t *y_count;
	uint32_t n_y;
	struct call_value_count *value;
	uint32_t n_values;
	bool filtered;	    /* the trace was filtered by depth or time */
	bool full;	    /* there were too many paths; further ones became "(others)" */
	bool spans;	    /* cell.thread is a trace of spans */
	bool unfolded;	    /* recursive calls have nodes of their own */
	uint64_t gap[4096]; /* gaps from a call's end to the next one's start, counted by ns */
	uint64_t wide_gaps; /* gaps of 4096 ns or more */
	uint64_t overhead;  /* ns subtracted from the caller for each call */
	uint64_t below_ns;  /* time of spans that have a parent, as they state it; not kept */
	struct call_tally tally;
	struct call_link_counts links;

	/* Private. */
	size_t cap_nodes, cap_cells, cap_y, cap_y_count, cap_values;
	struct number_map children, cells, ys, values, value_kinds;
	uint32_t *near[CALL_TREE_EDGES + 1]; /* by bucket and node: number of a cell + 1 */
};

/* Returns an empty tree; call_tree_free() frees it. */
struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *t); /* NULL is fine */
/* Adds a bucket edge for a range, before the first call; ignored beyond CALL_TREE_EXTRA. */
void call_tree_add_edge(struct call_tree *t, double edge);

/* Returns the number of a name, adding it if new. */
uint32_t call_tree_name(struct call_tree *t, struct str name);
static inline struct str call_tree_str(const struct call_tree *t, uint32_t name)
{
	return t->names.key[name];
}
/* Returns the name of a node's function, which lies in the tree. */
static inline struct str call_node_name(const struct call_tree *t, uint32_t node)
{
	return t->names.key[t->node[node].name];
}

/* Returns the node of that name below another one, adding it if new; "(others)" if there are too
 * many nodes. */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind);
/* The same, but folds recursion: a name that is on the path already returns that node. */
uint32_t call_tree_fold(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind);
/* Calls one of these two, depending on `unfolded`. */
static inline uint32_t call_tree_below(struct call_tree *t, uint32_t parent, uint32_t name,
				       enum call_kind kind)
{
	return t->unfolded ? call_tree_child(t, parent, name, kind)
			   : call_tree_fold(t, parent, name, kind);
}
/* Adds node 0. */
void call_tree_root(struct call_tree *t, uint32_t name);

/* Returns the bucket of a latency in ns. */
uint32_t call_tree_bucket(const struct call_tree *t, int64_t latency);
struct call_cell *call_tree_cell_new(struct call_tree *t, uint32_t node, uint32_t bucket);
/* Returns the cell of a node in a bucket, adding it if new; valid until the next one is added. */
static inline struct call_cell *call_tree_cell(struct call_tree *t, uint32_t node, uint32_t bucket)
{
	if (node < CALL_TREE_NEAR && t->near[bucket] != NULL && t->near[bucket][node] != 0)
		return &t->cell[t->near[bucket][node] - 1];
	return call_tree_cell_new(t, node, bucket);
}
/* Returns the cell of a node in a bucket; NULL when there is none. */
const struct call_cell *call_tree_find_cell(const struct call_tree *t, uint32_t node,
					    uint32_t bucket);
/* Returns how many calls of a cell have their time in this bucket of y. */
uint64_t call_tree_y(const struct call_tree *t, const struct call_cell *cell, unsigned bucket);
/* Returns the index in y_count of a bucket of y, adding it if new. */
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
/* Returns floor(4 log2 v), for v > 0. */
static inline unsigned call_y_bucket(int64_t v)
{
	unsigned octave = 63U - (unsigned)__builtin_clzll((unsigned long long)v);
	uint64_t m = (uint64_t)v << (63 - octave);

	/* 2^(1/4), 2^(1/2), 2^(3/4), times 2^63 */
	return octave * 4 + (m >= UINT64_C(0x9837f0518db8a800)) +
	       (m >= UINT64_C(0xb504f333f9de6800)) + (m >= UINT64_C(0xd744fccad69d6800));
}
double call_y_edge(unsigned bucket); /* its upper edge */

/* Returns the number of gaps between calls. */
uint64_t call_tree_gaps(const struct call_tree *t);
/* Returns the first percentile of gaps in ns, an upper bound on what a call costs its caller. */
int64_t call_tree_short_gap(const struct call_tree *t);

/* Adds one tree to another of the same function, from other threads, files or machines. */
void call_tree_merge(struct call_tree *to, const struct call_tree *from);

const char *call_kind_name(enum call_kind k); /* "blocked" */
bool call_kind_parse(struct str s, enum call_kind *ret);
/* Whether a kind strikes at any point: interrupts and preemption are children of node 0 wherever
 * they happen. */
static inline bool call_kind_strikes(enum call_kind k)
{
	return k == CALL_IS_PREEMPTED || k == CALL_IS_INTERRUPT;
}

#endif
