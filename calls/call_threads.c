/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes the calls of one thread as they come, and keeps the open ones, innermost last.
 *
 * A call's own time is its time without that of the calls it makes, so each instant belongs to one
 * node.  If rounded durations make a call end before a call that it made, the latter is cut off.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "calls/call_frames.h"
#include "calls/call_meanwhile.h"

static inline struct grow_frame *top_of(struct grow_thread *t)
{
	return t->n > 0 ? &t->frame[t->n - 1] : NULL;
}

/* --- entering ------------------------------------------------------------------------------ */

static int64_t start_of(const struct grow_thread *t, const struct call_event *e)
{
	const struct grow_frame *caller = t->n > 0 ? &t->frame[t->n - 1] : NULL;
	int64_t at = e->at.ns;

	if (e->timeless)
		at = caller == NULL ? t->now : caller->start;
	if (caller != NULL && at < caller->start)
		at = caller->start;
	if (caller != NULL && caller->has_child && at < caller->last_end)
		at = caller->last_end;
	return at;
}

static void keep_segment(struct call_fold *f, uint32_t slot, int64_t until)
{
	size_t at = f->n_segments++ % FOLD_SEGMENTS;

	f->segment = xgrow(f->segment, &f->cap_segments, at + 1, sizeof(*f->segment));
	f->segment[at] = (struct fold_segment){ slot, f->mark, until };
}

/* Adds the time since f->mark to a node's own time. */
static inline void add_own(const struct call_grow *g, struct call_fold *f, uint32_t slot,
			   int64_t until)
{
	if (until <= f->mark)
		return;
	f->slot[slot].own += until - f->mark;
	if (g->timed)
		keep_segment(f, slot, until);
	f->mark = until;
}

/* Enters a call within the function: finds its node. */
static inline void enter_node(struct call_grow *g, struct grow_thread *t, struct grow_frame *f)
{
	struct grow_frame *caller = &t->frame[t->n - 1];
	struct call_fold *fold = t->fold;
	struct fold_slot *s;

	if (f->kind == CALL_IS_RUNNING || f->kind == CALL_IS_INTERRUPT)
		grow_count_gap(g, caller, f->start);
	add_own(g, fold, caller->slot, f->start);
	f->slot = fold_below(fold, g->tree, caller->slot, f->name, (enum call_kind)f->kind);
	f->same = f->slot == caller->slot;
	s = &fold->slot[f->slot];
	s->calls++;
	grow_note_depth(g->tree, s, ++s->open);
}

void grow_enter_function(struct call_grow *g, struct grow_thread *t, struct grow_frame *f)
{
	if (g->tree->n_nodes == 0)
		call_tree_root(g->tree, f->name);
	t->fold = grow_fold_new(g);
	t->fold->slot[0].open = 1;
	t->fold->mark = f->start;
	t->fold_at = t->n;
	f->slot = 0;
	t->entered = true;
}

static void hold_item(struct call_grow *g, struct grow_thread *t, struct grow_frame *f)
{
	uint32_t at = grow_item_new(g), parent = t->n > 0 ? t->frame[t->n - 1].item : 0;

	g->item[at].start = f->start;
	g->item[at].end = INT64_MIN;
	g->item[at].name = f->name;
	g->item[at].kind = (uint8_t)f->kind;
	g->item[at].parent = parent;
	g->item[at].sibling = g->item[parent].child;
	g->item[at].thread = t->number;
	g->item[parent].child = at;
	f->item = at;
	t->entered = true;
}

/* Decides the kind of a call, and limits its known end to that of its caller. */
static void settle_kind(struct grow_thread *t, struct grow_frame *f, uint8_t flags)
{
	if (flags & NAME_INTERRUPT && f->kind == CALL_IS_RUNNING)
		f->kind = CALL_IS_INTERRUPT;
	if (f->kind == CALL_IS_INTERRUPT && t->interrupts > 0)
		f->kind = CALL_IS_RUNNING;
	if (f->known_end == INT64_MAX)
		return;
	t->knows_ends = true;
	if (t->n > 0 && t->frame[t->n - 1].known_end < f->known_end)
		f->known_end = t->frame[t->n - 1].known_end;
	if (f->known_end < f->start)
		f->known_end = f->start;
}

static void enter_call(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
		       uint32_t name, int64_t known_end)
{
	uint8_t flags = grow_flags(g, name);
	struct grow_frame *f;

	if (t->n >= CALL_MAX_OPEN) {
		grow_close_all(g, t, true);
		g->tree->tally.lost++;
		g->deep = true;
	}
	if (flags & NAME_TWICE && t->n > 0)
		t->frame[t->n - 1].awaits = true;
	f = grow_frame_new(t, name, e->kind);
	f->start = start_of(t, e);
	f->known_end = known_end;
	settle_kind(t, f, flags);
	f->plain = f->kind == CALL_IS_RUNNING && (flags & ~NAME_FUNCTION) == NAME_KNOWN;
	t->latest = f->start > t->latest ? f->start : t->latest;
	if (g->o.meanwhile != NULL)
		meanwhile_enter(g->o.meanwhile, t, f);
	else if (grow_links(g))
		hold_item(g, t, f);
	else if (t->fold != NULL) {
		g->tree->tally.recursive += (flags & NAME_FUNCTION) != 0;
		enter_node(g, t, f);
	} else if (flags & NAME_FUNCTION && t->taken && (g->o.within == NULL || t->within > 0))
		grow_enter_function(g, t, f);
	t->within += (flags & NAME_WITHIN) != 0;
	t->interrupts += f->kind == CALL_IS_INTERRUPT;
	t->n++;
}

/* --- leaving -------------------------------------------------------------------------------- */

/* If the callees of a call end after it, because durations are rounded, takes back the own times
 * after its end.  Returns the end, which is later if the segments kept do not reach back so far. */
static int64_t clip_callees(struct call_grow *g, struct grow_thread *t, const struct grow_frame *f,
			    int64_t end)
{
	struct call_fold *fold = f->slot != CALL_NO_NODE ? t->fold : NULL;
	size_t kept;

	if (!f->has_child || f->last_end <= end)
		return end;
	g->tree->tally.clipped++;
	g->tree->tally.clipped_ns += (uint64_t)(f->last_end - end);
	if (fold == NULL)
		return end;
	kept = fold->n_segments < FOLD_SEGMENTS ? fold->n_segments : FOLD_SEGMENTS;
	for (; fold->mark > end && kept > 0; kept--) {
		struct fold_segment *s = &fold->segment[(fold->n_segments - 1) % FOLD_SEGMENTS];
		int64_t from = s->start > end ? s->start : end;

		fold->slot[s->slot].own -= s->end - from;
		fold->mark = s->end = from;
		if (s->start < from)
			break;
		fold->n_segments--;
	}
	return fold->mark > end ? fold->mark : end;
}

static inline void leave_node(struct call_grow *g, struct grow_thread *t,
			      const struct grow_frame *f, int64_t end)
{
	struct fold_slot *s = &t->fold->slot[f->slot];
	int64_t time = end - f->start;

	add_own(g, t->fold, f->slot, end);
	s->own -= f->taken < s->own ? f->taken : s->own;
	s->open--;
	if (call_kind_strikes((enum call_kind)f->kind))
		s->largest += f->same ? 0 : time;
	else if (!f->same && time - f->struck > s->largest)
		s->largest = time - f->struck;
	if (f->kind == CALL_IS_BLOCKED)
		grow_pause(g, t->fold, f->start, end);
}

/* Updates the caller of a call that has ended. */
static inline void report_caller(struct grow_thread *t, const struct grow_frame *f, int64_t end)
{
	struct grow_frame *caller = top_of(t);

	t->now = end;
	if (caller == NULL)
		return;
	caller->struck += call_kind_strikes((enum call_kind)f->kind) ? end - f->start : f->struck;
	caller->last_end = end;
	caller->has_child = true;
}

/* Ends the innermost call at `end`, or later if clip_callees() says so, but not before its start. */
static void leave_call(struct call_grow *g, struct grow_thread *t, int64_t end)
{
	const struct grow_frame *f = &t->frame[--t->n];

	if (end > f->known_end)
		end = f->known_end;
	if (end < f->start)
		end = f->start;
	end = clip_callees(g, t, f, end);
	t->latest = end > t->latest ? end : t->latest;
	if (g->o.meanwhile != NULL)
		meanwhile_leave(g->o.meanwhile, t, f, end);
	else if (grow_links(g))
		g->item[f->item].end = end;
	else if (t->fold != NULL) {
		leave_node(g, t, f, end);
		if (t->n == t->fold_at) {
			grow_fold_end(g, t->fold, t, f->start, end - f->start);
			t->fold = NULL;
		}
	}
	t->within -= (grow_flags(g, f->name) & NAME_WITHIN) != 0;
	t->interrupts -= f->kind == CALL_IS_INTERRUPT;
	report_caller(t, f, end);
}

/* Ends whole calls that end by `at`. */
static void leave_passed(struct call_grow *g, struct grow_thread *t, int64_t at)
{
	while (t->n > 0 && t->frame[t->n - 1].known_end <= at)
		leave_call(g, t, t->frame[t->n - 1].known_end);
}

static size_t find_open(const struct grow_thread *t, uint32_t name)
{
	size_t min = t->n > PAIRING_REACH ? t->n - PAIRING_REACH : 0;

	for (size_t i = t->n; i-- > min;) {
		if (name == CALL_NO_NODE || t->frame[i].name == name)
			return i;
	}
	return t->n;
}

/* setjmp() returns again after longjmp(): ends the calls made since by its caller, the innermost
 * open call that called setjmp().  False when there is none. */
static bool take_return(struct call_grow *g, struct grow_thread *t, const struct call_event *e)
{
	size_t n = t->n;

	while (n > 0 && !t->frame[n - 1].awaits)
		n--;
	if (n == 0)
		return false;
	g->tree->tally.unmatched += t->n - n;
	while (t->n > n) {
		const struct grow_frame *f = &t->frame[t->n - 1];

		if (!e->timeless)
			leave_call(g, t, e->at.ns);
		else
			leave_call(g, t,
				   e->timed && t->n == n + 1 ? f->start + e->latency.ns
							     : f->last_end);
	}
	return true;
}

static void take_leave(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
		       uint32_t name)
{
	size_t at = find_open(t, name);
	int64_t end;

	g->tree->tally.ends++;
	if (at == t->n && name != CALL_NO_NODE && grow_flags(g, name) & NAME_TWICE &&
	    take_return(g, t, e))
		return;
	if (at == t->n) {
		g->tree->tally.unmatched++;
		g->tree->tally.off_order += t->n > 0 && e->kind == CALL_IS_RUNNING;
		return;
	}
	end = e->timed ? t->frame[at].start + e->latency.ns : e->at.ns;
	if (e->timeless && !e->timed)
		end = t->frame[at].has_child ? t->frame[at].last_end : t->frame[at].start;
	g->tree->tally.unmatched += e->jumped;
	if (at + 1 < t->n) {
		g->tree->tally.off_order++;
		g->tree->tally.unmatched += t->n - at - 1;
	}
	while (t->n > at + 1) {
		int64_t last = e->timeless ? t->frame[t->n - 1].last_end : e->at.ns;

		leave_call(g, t, last);
	}
	leave_call(g, t, end);
}

/* --- times off the processor ------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct grow_wait *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static uint32_t wait_name(struct call_grow *g, enum call_kind kind)
{
	return call_tree_name(g->tree, kind == CALL_IS_PREEMPTED ? STR("[preempted]")
				       : kind == CALL_IS_BLOCKED ? STR("[blocked]")
								 : STR("[off processor]"));
}

static void take_waits(struct call_grow *g, struct grow_thread *t, int64_t before)
{
	if (!t->waits_sorted) {
		qsort(t->wait, t->n_waits, sizeof(*t->wait), by_start);
		t->waits_sorted = true;
	}
	while (t->next_wait < t->n_waits && t->wait[t->next_wait].start < before) {
		const struct grow_wait *w = &t->wait[t->next_wait++];
		struct call_event e = { .kind = w->kind, .at = { w->start, 0 } };

		leave_passed(g, t, w->start);
		if (t->n == 0)
			continue;
		enter_call(g, t, &e, wait_name(g, w->kind), INT64_MAX);
		leave_call(g, t, w->end < before ? w->end : before);
	}
}

/* --- events ------------------------------------------------------------------------ */

/* Whether a whole call should have come earlier. */
static bool is_late(const struct grow_thread *t, const struct call_event *e)
{
	const struct grow_frame *around = t->n > 0 ? &t->frame[t->n - 1] : NULL;

	if (e->at.ns < t->latest && (around == NULL || around->known_end == INT64_MAX ||
				     e->at.ns < around->start || around->has_child))
		return around == NULL || e->at.ns < around->start ||
		       (around->has_child && e->at.ns < around->last_end);
	return around != NULL && around->start == e->at.ns && around->known_end != INT64_MAX &&
	       around->known_end < e->at.ns + e->latency.ns;
}

void grow_take(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
	       uint32_t name)
{
	g->timed = g->timed || e->timed;
	if (!e->timeless) {
		/* With stated durations this is normal: they are rounded, so an end may be later
		 * than the next event. */
		if (!g->timed && e->what != CALL_WHOLE && e->at.ns < t->latest) {
			g->tree->tally.backwards++;
			g->wants_order = g->wants_order || e->unordered;
		}
		if (t->next_wait < t->n_waits)
			take_waits(g, t, e->at.ns);
		if (t->n > 0 && t->frame[t->n - 1].known_end <= e->at.ns)
			leave_passed(g, t, e->at.ns);
	}
	switch (e->what) {
	case CALL_ENTER:
		enter_call(g, t, e, name, INT64_MAX);
		break;
	case CALL_LEAVE:
		take_leave(g, t, e, name);
		break;
	case CALL_WHOLE:
		if (e->unordered) {
			g->wants_order = g->wants_order || (!g->o.sort && is_late(t, e));
			enter_call(g, t, e, name, e->at.ns + e->latency.ns);
			break;
		}
		enter_call(g, t, e, name, INT64_MAX);
		leave_call(g, t, t->frame[t->n - 1].start + e->latency.ns);
		break;
	}
}

void grow_value_of(struct call_grow *g, struct grow_thread *t, struct fold_value v)
{
	struct call_fold *f = t != NULL ? t->fold : NULL;

	if (f != NULL) {
		f->value = xgrow(f->value, &f->cap_values, f->n_values + 1, sizeof(*f->value));
		f->value[f->n_values++] = v;
		return;
	}
	g->held_value = xgrow(g->held_value, &g->cap_held_values, g->n_held_values + 1, sizeof(v));
	g->held_value[g->n_held_values++] = v;
	if (g->o.sort && t != NULL && !g->replaying)
		t->held[t->n_held - 1].n_values++;
	else if (g->n_items > 0)
		g->item[g->n_items].n_values++;
}

/* Whether an open call is held as a call of the function: walk_call() then counts it. */
static bool is_held_function(struct call_grow *g, const struct grow_thread *t)
{
	for (size_t i = 0; grow_links(g) && t->taken && i < t->n; i++) {
		if (grow_flags(g, t->frame[i].name) & NAME_FUNCTION)
			return true;
	}
	return false;
}

void grow_close_all(struct call_grow *g, struct grow_thread *t, bool lost)
{
	while (!lost && t->n > 0 && t->frame[t->n - 1].known_end != INT64_MAX)
		leave_call(g, t, t->frame[t->n - 1].known_end);
	if (t->fold != NULL) {
		t->fold->next_free = g->free_folds;
		g->free_folds = t->fold;
		t->fold = NULL;
		g->tree->tally.unfinished++;
		g->tree->tally.unfinished_others += t->n - 1;
	} else {
		g->tree->tally.unfinished_others += t->n - is_held_function(g, t);
	}
	t->n = t->within = t->interrupts = 0;
}
