/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fold: an open call of the function under study, and the time that it spent on each node so
 * far.  When the call ends, these times are added to the bucket of its latency.
 */
#ifndef CALLS_CALL_FOLD_H
#define CALLS_CALL_FOLD_H

#include "calls/call_tree.h"

enum { FOLD_BELOW = 4 };

/* What one call of the function has spent so far on one path, in nanoseconds.  A slot keeps its
 * node from one call to the next; its counts are reset when `call` changes. */
struct fold_slot {
	uint32_t node, parent; /* parent: a slot */
	uint32_t call;	       /* fold.call when the counts were last reset */
	uint32_t open;	       /* open calls of the node */
	uint32_t name;
	/* A cache of slots below it, by name (2 * name + 1) or by key of a step (2 * key). */
	uint32_t below[FOLD_BELOW];
	uint64_t below_what[FOLD_BELOW];
	/* Members that change together are kept apart: wide loads would wait for narrow stores. */
	uint32_t calls;
	uint32_t depth; /* most calls of the node open at once, in all calls of the function */
	int64_t own;
	int64_t callees; /* sum of its callees' `largest` */
	int64_t total;
	int64_t max;	 /* largest of its callees; in fold_end() its own part, too */
	int64_t largest; /* longest of its calls without interrupts and preemption; for these
			  * two kinds, the sum */
	int64_t unused;	 /* pads the size to a power of two, for faster indexing */
};

enum { FOLD_SEGMENTS = 1 << 16 };

/* A recent period of a node's own time. */
struct fold_segment {
	uint32_t slot;
	int64_t start, end;
};

/* A value that was recorded for the call, by the numbers of its key and its text. */
struct fold_value {
	uint32_t key, value;
};

/* A fold, empty if all zero. */
struct call_fold {
	struct fold_slot *slot;
	uint32_t n;
	uint32_t call;	   /* number of the current call, from 1 */
	uint32_t *counted; /* slots of this call, parents before children; room for all slots */
	uint32_t n_counted;
	struct fold_value *value;
	size_t n_values;
	struct str trace;	  /* trace of a span; empty: none */
	int64_t mark;		  /* time up to here was added to nodes */
	struct call_pause *pause; /* periods in which it waited */
	size_t n_pauses;
	struct fold_segment *segment; /* ring buffer of own times, in case an end is moved back */
	size_t n_segments;	      /* of all; the last FOLD_SEGMENTS are kept */

	size_t cap, cap_counted, cap_values, cap_pauses, cap_segments, cap_at;
	uint32_t *at; /* by node: its slot, if that slot has this node */
	struct call_fold *next_free;
};

/* Frees the memory of a fold. */
void fold_release(struct call_fold *f);
/* Begins a call with node 0, in slot 0. */
void fold_begin(struct call_fold *f, const struct call_tree *t);
uint32_t fold_slot_new(struct call_fold *f, const struct call_tree *t, uint32_t node);
/* Makes the callers of a slot part of this call. */
void fold_count_callers(struct call_fold *f, uint32_t at);

/* Makes a slot part of this call; its callers already are. */
static inline void fold_count_below(struct call_fold *f, uint32_t at)
{
	struct fold_slot *s = &f->slot[at];

	if (s->call == f->call)
		return;
	s->call = f->call;
	s->calls = s->open = 0;
	s->own = s->callees = s->total = s->max = s->largest = 0;
	f->counted[f->n_counted++] = at;
}

/* Makes a slot and its callers part of this call. */
static inline void fold_count_in(struct call_fold *f, uint32_t at)
{
	if (f->slot[f->slot[at].parent].call != f->call)
		fold_count_callers(f, at);
	fold_count_below(f, at);
}

/* Returns the slot of a node, which becomes part of this call; adds it if needed. */
static inline uint32_t fold_slot(struct call_fold *f, const struct call_tree *t, uint32_t node)
{
	uint32_t at = node < f->cap_at ? f->at[node] : f->n;

	if (at >= f->n || f->slot[at].node != node)
		at = fold_slot_new(f, t, node);
	fold_count_in(f, at);
	return at;
}

/* Returns the index in below[] for a name or key; function addresses differ from the fifth bit
 * on. */
static inline uint32_t fold_which(uint64_t what)
{
	return (what >> 1 ^ what >> 5) % FOLD_BELOW;
}

/* Returns the slot of a callee of slot `around`, through the cache. */
static inline uint32_t fold_below(struct call_fold *f, struct call_tree *t, uint32_t around,
				  uint32_t name, enum call_kind kind)
{
	struct fold_slot *s = &f->slot[call_kind_strikes(kind) ? 0 : around];
	uint64_t what = (uint64_t)name * 2 + 1;
	uint32_t which = fold_which(what), at;

	if (s->below_what[which] == what) {
		at = s->below[which];
		fold_count_in(f, at);
		return at;
	}
	around = (uint32_t)(s - f->slot);
	at = fold_slot(f, t, call_tree_below(t, s->node, name, kind));
	s = &f->slot[around];
	s->below_what[which] = what;
	s->below[which] = at;
	return at;
}

/* Clears the caches, as keys change their meaning. */
void fold_forget(struct call_fold *f);

/* The end of a call: its latency and start in nanoseconds, its thread and its bucket. */
struct fold_end {
	int64_t latency, start;
	uint32_t thread; /* number in the tree's names */
	uint32_t bucket;
	bool counts_max; /* count the largest contributors */
};

/* Ends the call and adds it to the tree. */
void fold_end(struct call_fold *f, struct call_tree *t, const struct fold_end *end);

#endif
