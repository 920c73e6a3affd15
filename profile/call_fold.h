/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One call of the function under study while it goes on: what it spent on each node so
 * far.  When it ends, its latency says to which bucket that is added.
 */
#ifndef PROFILE_CALL_FOLD_H
#define PROFILE_CALL_FOLD_H

#include "profile/call_tree.h"

/* What one call of the function has spent so far on one path; times in nanoseconds. */
struct fold_slot {
	uint32_t node, parent; /* parent: a slot */
	uint32_t calls, open;
	int64_t own;
	int64_t largest; /* of its calls, without what struck them; of what strikes the sum */
	int64_t total, callees, most;
};

enum { FOLD_SEGMENTS = 1 << 16 };

/* Own time of a node, lately. */
struct fold_segment {
	uint32_t slot;
	int64_t start, end;
};

/* A value that was recorded during the call, by the numbers of its key and its text. */
struct fold_value {
	uint32_t key, value;
};

/* All zero is one without memory. */
struct call_fold {
	struct fold_slot *slot; /* a parent before its children */
	uint32_t n;
	struct fold_value *value;
	size_t n_values;
	struct str trace;	  /* that it is of; empty: none */
	int64_t mark;		  /* up to here its time belongs to nodes */
	struct call_pause *pause; /* times that it waited */
	size_t n_pauses;
	struct fold_segment *segment; /* where printed durations may have to be taken back */
	size_t n_segments;	      /* of all; the last FOLD_SEGMENTS are kept */

	size_t cap, cap_values, cap_pauses, cap_segments, cap_at;
	uint32_t *at; /* by node: its slot, when that is one of it */
	struct call_fold *next_free;
};

/* Frees the fold. */
void fold_release(struct call_fold *f);
/* Begins with node 0, in slot 0. */
void fold_begin(struct call_fold *f, const struct call_tree *t);
uint32_t fold_slot_new(struct call_fold *f, const struct call_tree *t, uint32_t node);

/* The slot of a node; made when it is first asked for. */
static inline uint32_t fold_slot(struct call_fold *f, const struct call_tree *t, uint32_t node)
{
	if (node < f->cap_at) {
		uint32_t at = f->at[node];

		if (at < f->n && f->slot[at].node == node)
			return at;
	}
	return fold_slot_new(f, t, node);
}

/* What ends a call: its latency and start in nanoseconds, its thread and its bucket. */
struct fold_end {
	int64_t latency, start;
	uint32_t thread; /* name of the tree */
	uint32_t bucket;
	bool counts_max; /* its largest contributors are counted */
};

/* Adds it to the tree. */
void fold_end(struct call_fold *f, struct call_tree *t, const struct fold_end *end);

#endif
