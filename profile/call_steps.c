/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many enters and leaves of one thread at once: as profile/call_threads.c takes them one by
 * one, of calls that run and times that nothing printed.
 */
#include "profile/call_frames.h"

/* Steps that are not taken yet, and what holds for all of them. */
struct stepping {
	const struct call_step *s, *end;
	int64_t until; /* something else comes then */
	int64_t latest;
	uint64_t ends;
	const uint8_t *flag; /* of names */
	size_t n_flags;
};

static inline uint32_t name_of(const struct call_step *s)
{
	return (uint32_t)(s->what / 2) - 1;
}

static inline uint8_t flags_of(const struct stepping *k, uint32_t name)
{
	return name < k->n_flags ? k->flag[name] : 0;
}

static inline void add_own(struct call_fold *f, struct fold_slot *s, int64_t until)
{
	if (until > f->mark) {
		s->own += until - f->mark;
		f->mark = until;
	}
}

/* A call that calls nothing comes next. */
static inline bool is_leaf(const struct stepping *k, const struct call_step *s)
{
	return k->end - s > 1 && s[1].what == (s[0].what | 1) && s[1].at >= s[0].at &&
	       s[1].at <= k->until;
}

/* Such calls need no frame, and a loop makes one after another: how many of the same function
 * there are; 0 when they continue their caller's node. */
static inline size_t take_leaves(struct call_grow *g, struct grow_thread *t, struct stepping *k)
{
	struct call_fold *fold = t->fold;
	struct grow_frame *caller = &t->frame[t->n - 1];
	const struct call_step *s = k->s;
	const uint64_t what = s->what;
	uint32_t at = fold_below(fold, g->tree, caller->slot, name_of(s), CALL_IS_RUNNING);
	struct fold_slot *slot = &fold->slot[at];
	int64_t own = 0, mark = fold->mark;
	uint32_t calls = 0;

	if (at == caller->slot)
		return 0;
	grow_note_depth(g->tree, slot, slot->open + 1);
	do {
		int64_t start = s[0].at, end = s[1].at, time = end - start;

		grow_count_gap(g, caller, start);
		own += start > mark ? start - mark : 0;
		slot->own += time;
		slot->largest = time > slot->largest ? time : slot->largest;
		mark = caller->last_end = end;
		caller->has_child = true;
		calls++;
		s += 2;
	} while (is_leaf(k, s) && s->what == what && s->at >= mark);
	slot->calls += calls;
	fold->slot[caller->slot].own += own;
	t->now = k->latest = fold->mark = mark;
	k->ends += calls;
	k->s = s;
	return calls;
}

static inline void take_enter(struct call_grow *g, struct grow_thread *t, struct stepping *k,
			      uint8_t flags)
{
	const struct call_step *s = k->s++;
	struct grow_frame *f = grow_frame_new(t, name_of(s), CALL_IS_RUNNING);
	struct call_fold *fold = t->fold;

	k->latest = f->start = s->at;
	f->known_end = INT64_MAX;
	if (fold != NULL) {
		struct fold_slot *slot;
		uint32_t around = f[-1].slot;

		g->tree->tally.recursive += (flags & NAME_FUNCTION) != 0;
		grow_count_gap(g, &f[-1], s->at);
		add_own(fold, &fold->slot[around], s->at);
		f->slot = fold_below(fold, g->tree, around, f->name, CALL_IS_RUNNING);
		f->same = f->slot == around;
		slot = &fold->slot[f->slot];
		slot->calls++;
		grow_note_depth(g->tree, slot, ++slot->open);
	} else if (flags & NAME_FUNCTION && t->taken && (g->o.within == NULL || t->within > 0)) {
		grow_enter_function(g, t, f);
	}
	t->n++;
}

static inline void take_leave(struct call_grow *g, struct grow_thread *t, struct stepping *k)
{
	int64_t at = (k->s++)->at;
	struct grow_frame *f = &t->frame[--t->n];
	struct call_fold *fold = t->fold;

	if (fold != NULL) {
		struct fold_slot *slot = &fold->slot[f->slot];
		int64_t time = at - f->start - f->struck;

		add_own(fold, slot, at);
		slot->own -= f->taken < slot->own ? f->taken : slot->own;
		slot->open--;
		time = f->same ? 0 : time;
		slot->largest = time > slot->largest ? time : slot->largest;
		if (t->n == t->fold_at) {
			grow_fold_end(g, fold, t, f->start, at - f->start);
			t->fold = NULL;
		}
	}
	t->now = k->latest = at;
	k->ends++;
	if (t->n > 0) {
		f[-1].struck += f->struck;
		f[-1].last_end = at;
		f[-1].has_child = true;
	}
}

/* Stops at what means more than that a call begins or ends: it is before the one that came
 * last, or something else comes before it, or it does not end the innermost call. */
size_t grow_take_steps(struct call_grow *g, struct grow_thread *t, const struct call_step *s,
		       size_t n)
{
	struct stepping k = {
		.s = s,
		.end = s + n,
		.until = t->next_wait < t->n_waits ? t->wait[t->next_wait].start : INT64_MAX,
		.latest = t->latest,
		.flag = g->flag,
		.n_flags = g->cap_flags,
	};

	if (g->timed || t->knows_ends || (t->n_waits > 0 && !t->waits_sorted))
		return 0;
	while (k.s < k.end && k.s->at >= k.latest && k.s->at <= k.until) {
		uint32_t name = name_of(k.s);
		uint8_t flags = flags_of(&k, name);

		if (k.s->what % 2 != 0) {
			const struct grow_frame *top = &t->frame[t->n - 1];

			if ((flags & ~NAME_FUNCTION) != NAME_KNOWN || t->n == 0 ||
			    top->name != name || top->kind != CALL_IS_RUNNING)
				break;
			take_leave(g, t, &k);
		} else if ((flags & ~NAME_FUNCTION) != NAME_KNOWN || t->n >= CALL_MAX_OPEN) {
			break;
		} else if (flags != NAME_KNOWN || t->fold == NULL || !is_leaf(&k, k.s) ||
			   take_leaves(g, t, &k) == 0) {
			take_enter(g, t, &k, flags);
		}
	}
	t->latest = k.latest;
	t->entered = false;
	g->tree->tally.ends += k.ends;
	return (size_t)(k.s - s);
}
