/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One call of the function under study while it goes on: what it spent on each node so
 * far.  When it ends, its latency says to which bucket that is added.
 */
#ifndef PROFILE_CALL_FOLD_H
#define PROFILE_CALL_FOLD_H

#include "profile/call_tree.h"

enum { FOLD_BELOW = 4 };

/* What one call of the function has spent so far on one path; times in nanoseconds.  A slot
 * stays with its node from one call to the next; what it counts begins anew with `call`. */
struct fold_slot {
	uint32_t node, parent; /* parent: a slot */
	uint32_t call;	       /* the fold's, when it was last counted in */
	uint32_t open;	       /* instances */
	uint32_t name;
	/* What was looked for last below it: names (twice, and 1) or keys of steps (twice), and
	 * slots. */
	uint32_t below[FOLD_BELOW];
	uint64_t below_what[FOLD_BELOW];
	/* What changes together does not lie together: wide loads would wait for narrow stores. */
	uint32_t calls;
	uint32_t depth; /* instances that were open at most, in all calls */
	int64_t own;
	int64_t callees;
	int64_t total;
	int64_t most;	 /* of its callees; with its own part from fold_end() on */
	int64_t largest; /* of its calls, without what struck them; of what strikes the sum */
	int64_t unused;	 /* a power of two is found faster */
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
	struct fold_slot *slot;
	uint32_t n;
	uint32_t call;	   /* counts them, from 1 */
	uint32_t *counted; /* slots of this call, a parent before its children; room for all */
	uint32_t n_counted;
	struct fold_value *value;
	size_t n_values;
	struct str trace;	  /* that it is of; empty: none */
	int64_t mark;		  /* up to here its time belongs to nodes */
	struct call_pause *pause; /* times that it waited */
	size_t n_pauses;
	struct fold_segment *segment; /* where printed durations may have to be taken back */
	size_t n_segments;	      /* of all; the last FOLD_SEGMENTS are kept */

	size_t cap, cap_counted, cap_values, cap_pauses, cap_segments, cap_at;
	uint32_t *at; /* by node: its slot, when that is one of it */
	struct call_fold *next_free;
};

/* Frees the fold. */
void fold_release(struct call_fold *f);
/* Begins with node 0, in slot 0. */
void fold_begin(struct call_fold *f, const struct call_tree *t);
uint32_t fold_slot_new(struct call_fold *f, const struct call_tree *t, uint32_t node);
/* Slots of callers that this call was not in yet are its own, too. */
void fold_count_callers(struct call_fold *f, uint32_t at);

/* A slot is of this call, too; its callers are. */
static inline void fold_count_below(struct call_fold *f, uint32_t at)
{
	struct fold_slot *s = &f->slot[at];

	if (s->call == f->call)
		return;
	s->call = f->call;
	s->calls = s->open = 0;
	s->own = s->callees = s->total = s->most = s->largest = 0;
	f->counted[f->n_counted++] = at;
}

/* A slot is of this call, too. */
static inline void fold_count_in(struct call_fold *f, uint32_t at)
{
	if (f->slot[f->slot[at].parent].call != f->call)
		fold_count_callers(f, at);
	fold_count_below(f, at);
}

/* The slot of a node in this call; made when it is first asked for. */
static inline uint32_t fold_slot(struct call_fold *f, const struct call_tree *t, uint32_t node)
{
	uint32_t at = node < f->cap_at ? f->at[node] : f->n;

	if (at >= f->n || f->slot[at].node != node)
		at = fold_slot_new(f, t, node);
	fold_count_in(f, at);
	return at;
}

/* Where below a slot that is kept; addresses differ in their fifth bit. */
static inline uint32_t fold_which(uint64_t what)
{
	return (what >> 1 ^ what >> 5) % FOLD_BELOW;
}

/* The slot of what is called by that of `around`, for names that are looked for often. */
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

/* Forgets what keys meant. */
void fold_forget(struct call_fold *f);

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
