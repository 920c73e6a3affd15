/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast path for many enters and leaves of one thread at once.  It does what
 * calls/call_threads.c does one by one, for running calls without stated latencies.
 *
 * Most calls were made by the same caller before: then the key of a step leads to the slot of its
 * node without looking up the function's name.
 */
#include "calls/call_frames.h"

enum { KEYS = 1 << 13 /* a power of two */ };

/* What is the same for all steps. */
struct limits {
	const struct call_step *last;
	int64_t until; /* start of the next wait: steps after it are left to grow_take() */
	int64_t overhead;
};

/* The next step, and the thread's state that each step needs.  No pointer to it may escape, or the
 * compiler would reload it after each store. */
struct stepping {
	const struct call_step *s;
	int64_t latest;
	struct call_fold *fold;
	struct grow_frame *next, *end;	 /* the first free frame, the end of all frames */
	struct grow_frame *first, *root; /* root: frame of the function's call */
};

/* --- keys ------------------------------------------------------------------------------------ */

static void forget_keys(struct call_grow *g)
{
	for (struct call_fold *f = g->free_folds; f != NULL; f = f->next_free)
		fold_forget(f);
	for (size_t i = 0; i < g->n_threads; i++) {
		struct grow_thread *t = g->thread[i];

		if (t->fold != NULL)
			fold_forget(t->fold);
		for (size_t k = 0; k < t->n; k++)
			t->frame[k].leave = 0;
	}
	for (size_t i = 0; i < KEYS; i++)
		g->key[i].enter = UINT64_MAX;
}

void grow_keys(struct call_sink *to, const struct call_keys *keys)
{
	struct call_grow *g = (struct call_grow *)to;

	g->keys = *keys;
	if (g->key == NULL)
		g->key = xreallocarray(NULL, KEYS, sizeof(*g->key));
	forget_keys(g);
}

static RARELY void find_key(struct call_grow *g, struct grow_key *key, uint64_t enter)
{
	key->enter = enter;
	key->name = g->keys.number(g->keys.reader, enter / 2) - 1;
	key->flags = grow_flags(g, key->name);
}

/* Returns the meaning of a step's key, valid until the next call. */
static inline const struct grow_key *key_of(struct call_grow *g, const struct call_step *s)
{
	uint64_t enter = s->what & ~UINT64_C(1);
	struct grow_key *key = &g->key[(enter >> 1 ^ enter >> 14) % KEYS];

	if (key->enter != enter)
		find_key(g, key, enter);
	return key;
}

uint32_t grow_step_name(struct call_grow *g, const struct call_step *s)
{
	return key_of(g, s)->name;
}

/* Whether a name has no flag but NAME_FUNCTION. */
static inline bool is_plain(const struct grow_key *key)
{
	return (key->flags & ~NAME_FUNCTION) == NAME_KNOWN;
}

/* --- steps ----------------------------------------------------------------------------------- */

static inline int64_t min_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Adds the time since f->mark to a node's own time. */
static inline void add_own(struct call_fold *f, struct fold_slot *s, int64_t until)
{
	int64_t own = until - f->mark;

	if (own > 0) {
		s->own += own;
		f->mark = until;
	}
}

/* Like grow_count_gap(), for a caller with a call before; returns the overhead to subtract from
 * the caller. */
static inline int64_t count_gap(struct call_tree *tree, int64_t gap, int64_t overhead)
{
	if (gap < (int64_t)COUNT_OF(tree->gap))
		tree->gap[gap]++;
	else
		tree->wide_gaps++;
	return gap < overhead ? gap : overhead;
}

/* Whether the next call is a leaf: it calls nothing. */
static inline bool is_leaf(const struct limits *l, const struct call_step *s)
{
	return s < l->last && s[1].what == (s[0].what | 1) && s[1].at >= s[0].at &&
	       s[1].at <= l->until;
}

/* Finds the slot of the next call; CALL_NO_NODE to leave it to grow_take(). */
static RARELY uint32_t find_below(struct call_grow *g, struct call_fold *fold, uint32_t around,
				  const struct call_step *s)
{
	const struct grow_key *key = key_of(g, s);
	uint32_t at, which = fold_which(s->what);

	if (!is_plain(key))
		return CALL_NO_NODE;
	/* Recursion is counted each time. */
	g->tree->tally.recursive += (key->flags & NAME_FUNCTION) != 0;
	if (key->flags & NAME_FUNCTION)
		return fold_below(fold, g->tree, around, key->name, CALL_IS_RUNNING);
	at = fold_slot(
		fold, g->tree,
		call_tree_below(g->tree, fold->slot[around].node, key->name, CALL_IS_RUNNING));
	/* Do not cache "(others)", whose name differs. */
	if (fold->slot[at].name == key->name) {
		fold->slot[around].below_what[which] = s->what;
		fold->slot[around].below[which] = at;
	}
	return at;
}

/* Takes a series of equal leaf calls, as a loop makes them; leaf calls need no frame.  Returns the
 * step after them. */
static NOINLINE const struct call_step *take_leaves(struct call_tree *tree, struct call_fold *fold,
						    struct grow_frame *caller, uint32_t at,
						    const struct call_step *s,
						    const struct limits *l)
{
	const struct call_step *last = l->last, *first = s;
	const uint64_t enter = s->what, leave = enter | 1;
	const int64_t until = l->until, overhead = l->overhead;
	struct fold_slot *slot = &fold->slot[at];
	int64_t mark = s[1].at, max = mark - s->at, all = max, taken = 0;

	grow_note_depth(tree, slot, slot->open + 1);
	if (caller->has_child)
		taken = count_gap(tree, s->at - caller->last_end, overhead);
	for (s += 2; s < last && s[0].what == enter && s[1].what == leave; s += 2) {
		int64_t gap = s[0].at - mark, time = s[1].at - s[0].at;

		if (gap < 0 || time < 0 || s[1].at > until)
			break;
		mark = s[1].at;
		if (overhead > 0)
			taken += gap < overhead ? gap : overhead;
		(void)count_gap(tree, gap, 0);
		all += time;
		max = max_of(time, max);
	}
	slot->calls += (uint32_t)((size_t)(s - first) / 2);
	slot->own += all;
	slot->largest = max_of(max, slot->largest);
	fold->slot[caller->slot].own += mark - all - min_of(first->at, fold->mark);
	fold->mark = caller->last_end = mark;
	caller->taken += taken;
	caller->has_child = true;
	return s;
}

static inline void use_frames(struct stepping *k, const struct grow_thread *t, size_t n)
{
	k->first = t->frame;
	k->next = t->frame + n;
	k->end = t->frame + (t->cap < CALL_MAX_OPEN ? t->cap : CALL_MAX_OPEN);
	k->root = k->fold != NULL ? t->frame + t->fold_at : NULL;
}

/* Makes room for frames; false when too many calls are open. */
static inline bool more_frames(struct stepping *k, struct grow_thread *t)
{
	size_t n = (size_t)(k->next - k->first);

	if (n >= CALL_MAX_OPEN)
		return false;
	t->frame = xgrow(t->frame, &t->cap, n + 1, sizeof(*t->frame));
	use_frames(k, t, n);
	return true;
}

/* Opens a call; the caller has made room. */
static inline struct grow_frame *frame_new(struct stepping *k, uint32_t name)
{
	const struct call_step *s = k->s++;
	struct grow_frame *f = k->next++;

	*f = (struct grow_frame){ .leave = s->what | 1,
				  .name = name,
				  .slot = CALL_NO_NODE,
				  .kind = CALL_IS_RUNNING,
				  .plain = true,
				  .start = s->at,
				  .known_end = INT64_MAX };
	k->latest = s->at;
	return f;
}

/* Enters a call within the function; false to leave it to grow_take(). */
static inline bool enter_node(struct call_grow *g, struct stepping *k, const struct limits *l)
{
	struct call_fold *fold = k->fold;
	struct grow_frame *caller = k->next - 1, *f;
	const uint64_t what = k->s->what;
	uint32_t around = caller->slot, which = fold_which(what), at;
	struct fold_slot *slot = &fold->slot[around];

	if (slot->below_what[which] == what) {
		at = slot->below[which];
		fold_count_below(fold, at);
		if (at != around && is_leaf(l, k->s)) {
			k->s = take_leaves(g->tree, fold, caller, at, k->s, l);
			k->latest = k->s[-1].at;
			return true;
		}
	} else {
		at = find_below(g, fold, around, k->s);
		if (at == CALL_NO_NODE)
			return false;
	}
	slot = &fold->slot[at];
	f = frame_new(k, slot->name);
	f->slot = at;
	f->same = at == around;
	if (caller->has_child)
		caller->taken += count_gap(g->tree, f->start - caller->last_end, l->overhead);
	add_own(fold, &fold->slot[around], f->start);
	slot->calls++;
	grow_note_depth(g->tree, slot, ++slot->open);
	return true;
}

/* Enters a call outside of the function; false to leave it to grow_take(). */
static inline bool enter_outside(struct call_grow *g, struct grow_thread *t, struct stepping *k,
				 const struct limits *l)
{
	const struct grow_key *key = key_of(g, k->s);

	if (!is_plain(key))
		return false;
	if (key->flags == NAME_KNOWN && is_leaf(l, k->s)) {
		k->latest = k->s[1].at;
		k->s += 2;
		return true;
	}
	(void)frame_new(k, key->name);
	if (key->flags & NAME_FUNCTION && t->taken && (g->o.within == NULL || t->within > 0)) {
		k->root = k->next - 1;
		t->n = (size_t)(k->root - k->first);
		grow_enter_function(g, t, k->root);
		k->fold = t->fold;
	}
	return true;
}

static inline void take_leave(struct call_grow *g, struct grow_thread *t, struct stepping *k)
{
	int64_t at = (k->s++)->at;
	struct grow_frame *f = --k->next;
	struct call_fold *fold = k->fold;

	if (fold != NULL) {
		struct fold_slot *slot = &fold->slot[f->slot];
		int64_t time = at - f->start - f->struck;

		add_own(fold, slot, at);
		if (f->taken > 0)
			slot->own -= f->taken < slot->own ? f->taken : slot->own;
		slot->open--;
		if (!f->same)
			slot->largest = max_of(time, slot->largest);
		if (f == k->root) {
			grow_fold_end(g, fold, t, f->start, at - f->start);
			k->fold = t->fold = NULL;
		}
	}
	k->latest = at;
	if (f != k->first) {
		f[-1].struck += f->struck;
		f[-1].last_end = at;
		f[-1].has_child = true;
	}
}

/* Whether a step ends the innermost call, though its key differs or the call was not begun by a
 * step. */
static RARELY bool is_end(struct call_grow *g, const struct grow_frame *innermost,
			  const struct call_step *s)
{
	return innermost->plain && innermost->name == grow_step_name(g, s);
}

/* Takes one step, or a series of leaf calls; false to leave it to grow_take(). */
static inline bool take_next(struct call_grow *g, struct grow_thread *t, struct stepping *k,
			     const struct limits *l)
{
	uint64_t what;

	if (k->s > l->last || k->s->at < k->latest || k->s->at > l->until)
		return false;
	what = k->s->what;
	if (k->next > k->first && what == k->next[-1].leave) {
		take_leave(g, t, k);
		return true;
	}
	if (what % 2 == 0)
		return (k->next < k->end || more_frames(k, t)) &&
		       (k->fold != NULL ? enter_node(g, k, l) : enter_outside(g, t, k, l));
	if (k->next == k->first || !is_end(g, k->next - 1, k->s))
		return false;
	take_leave(g, t, k);
	return true;
}

/* Stops at a step that is earlier than the previous one, comes after the begin of a wait, or does
 * not end the innermost call. */
size_t grow_take_steps(struct call_grow *g, struct grow_thread *t, const struct call_step *s,
		       size_t n)
{
	const struct limits l = {
		.last = s + n - 1,
		.until = t->next_wait < t->n_waits ? t->wait[t->next_wait].start : INT64_MAX,
		.overhead = g->o.overhead,
	};
	struct stepping k = { .s = s, .latest = t->latest, .fold = t->fold };
	const size_t n_before = t->n;

	if (g->timed || t->knows_ends || (t->n_waits > 0 && !t->waits_sorted))
		return 0;
	use_frames(&k, t, t->n);
	while (take_next(g, t, &k, &l))
		;
	t->n = (size_t)(k.next - k.first);
	t->latest = k.latest;
	t->entered = false;
	/* Steps are begins plus ends, and open calls change by begins minus ends. */
	g->tree->tally.ends += ((size_t)(k.s - s) + n_before - t->n) / 2;
	return (size_t)(k.s - s);
}
