/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a thread's open calls; shared by call_threads.c, which takes calls one by one, and
 * call_steps.c, which takes many at once. */
#ifndef CALLS_CALL_FRAMES_H
#define CALLS_CALL_FRAMES_H

#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

/* Returns a new frame, which is not counted in t->n yet. */
static inline struct grow_frame *grow_frame_new(struct grow_thread *t, uint32_t name,
						enum call_kind kind)
{
	struct grow_frame *f;

	t->frame = xgrow(t->frame, &t->cap, t->n + 1, sizeof(*t->frame));
	f = &t->frame[t->n];
	f->leave = 0;
	f->name = name;
	f->slot = CALL_NO_NODE;
	f->item = 0;
	f->kind = (uint8_t)kind;
	f->has_child = f->same = f->plain = f->awaits = false;
	f->struck = f->last_end = f->taken = 0;
	return f;
}

/* Counts the gap between a call and the one before it of the same caller. */
static inline void grow_count_gap(struct call_grow *g, struct grow_frame *caller, int64_t start)
{
	struct call_tree *tree = g->tree;
	int64_t gap = start - caller->last_end;

	if (!caller->has_child)
		return;
	if (gap < (int64_t)COUNT_OF(tree->gap))
		tree->gap[gap]++;
	else
		tree->wide_gaps++;
	caller->taken += gap < g->o.overhead ? gap : g->o.overhead;
}

/* Notes that `open` calls of a node are open at once. */
static inline void grow_note_depth(struct call_tree *tree, struct fold_slot *s, uint32_t open)
{
	if (open <= s->depth)
		return;
	s->depth = open;
	if (open > tree->node[s->node].depth)
		tree->node[s->node].depth = open;
}

/* Begins a call of the function, whose frame is not counted in t->n yet. */
void grow_enter_function(struct call_grow *g, struct grow_thread *t, struct grow_frame *f);

/* Sets the meaning of keys from here on. */
void grow_keys(struct call_sink *to, const struct call_keys *keys);
/* Returns the name of the function that a step enters or leaves. */
uint32_t grow_step_name(struct call_grow *g, const struct call_step *s);
/* Takes the first of n steps on the fast path and returns how many it took; it stops where
 * grow_take() has to take the next one. */
size_t grow_take_steps(struct call_grow *g, struct grow_thread *t, const struct call_step *s,
		       size_t n);

#endif
