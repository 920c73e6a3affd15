/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/nesting.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/tables/hash.h"
#include "base/tables/hash_index.h"
#include "base/tables/number_map.h"
#include "base/xalloc.h"
#include "profile/builder/builder.h"
#include "profile/nest.h"

/* An open call. */
struct frame {
	uint32_t op;
	uint64_t serial;    /* number among the thread's calls, from 1 */
	decimal_int inside; /* latency of the calls directly within it */
};

/* Upper operation of calls that lie in no open call. */
enum { NO_CALL = 0 };

/* Calls of one operation directly within another, on a thread. */
struct edge {
	uint32_t upper, lower;
	uint64_t reached, calls;
	decimal_int total;
	uint64_t marked; /* serial of the last call of `upper` counted in `reached` */
	/* The part of calls and total outside of that call. */
	uint64_t other_calls;
	decimal_int other_total;
};

/* A mark of an edge, saved while a recursive call of the same operation has the mark, with the
 * calls that lay within the marked call up to then. */
struct unmarked {
	uint32_t edge;
	size_t depth; /* of the recursive call */
	uint64_t marked;
	uint64_t calls;
	decimal_int total;
};

struct thread {
	struct pairing_slot key;
	struct frame *frame; /* outermost first */
	size_t n, cap;
	uint32_t *n_open; /* by operation */
	size_t cap_open;
	struct number_map by_ends;
	struct edge *edge;
	size_t n_edges, cap_edges;
	struct unmarked *unmarked;
	size_t n_unmarked, cap_unmarked;
	uint64_t serial;
	decimal_int before; /* latency of outermost calls since the first event, or since the last
			     * end without a begin */
	uint32_t *outer;    /* edges of these calls, with NO_CALL as upper operation */
	size_t n_outer, cap_outer;
	UT_hash_handle hh;
};

struct name {
	struct str layer, name;
};

struct nesting {
	struct arena *arena;
	struct hash_index hash_index;
	struct name *name; /* of operation i + 1 */
	size_t n_names, cap_names;
	struct thread *threads;
	struct thread *current;
	uint64_t n_entered, n_unbegun;
};

struct nesting *nesting_new(void)
{
	struct nesting *n = xcalloc(1, sizeof(*n));

	n->arena = arena_new();
	return n;
}

void nesting_restart(struct nesting *n)
{
	for (struct thread *t = n->threads; t != NULL; t = t->hh.next) {
		number_map_release(&t->by_ends);
		free(t->frame);
		free(t->n_open);
		free(t->edge);
		free(t->unmarked);
		free(t->outer);
	}
	HASH_CLEAR(hh, n->threads);
	n->current = NULL;
	n->n_entered = n->n_unbegun = 0;
}

void nesting_free(struct nesting *n)
{
	if (n == NULL)
		return;
	nesting_restart(n);
	hash_index_release(&n->hash_index);
	free(n->name);
	arena_free(n->arena);
	free(n);
}

uint32_t nesting_number(struct nesting *n, struct str layer, struct str name)
{
	uint32_t hash;
	size_t at, number;

	hash_index_reserve(&n->hash_index, n->n_names);
	hash = hash_index_hash(&n->hash_index, name,
			       layer.n > 0 ? hash_index_hash(&n->hash_index, layer, 0) : 0);
	at = hash_index_first(&n->hash_index, hash);
	while (hash_index_next(&n->hash_index, &at, hash, &number)) {
		if (str_eq(n->name[number].name, name) && str_eq(n->name[number].layer, layer))
			return (uint32_t)number + 1;
		at++;
	}
	hash_index_take(&n->hash_index, at, hash, n->n_names);
	n->name = xgrow(n->name, &n->cap_names, n->n_names + 1, sizeof(*n->name));
	n->name[n->n_names++] =
		(struct name){ arena_str(n->arena, layer), arena_str(n->arena, name) };
	return (uint32_t)n->n_names;
}

void nesting_name(const struct nesting *n, uint32_t op, struct str *ret_layer, struct str *ret_name)
{
	*ret_layer = n->name[op - 1].layer;
	*ret_name = n->name[op - 1].name;
}

static struct thread *thread_of(struct nesting *n, struct pairing_slot key)
{
	struct thread *t = n->current;

	if (t != NULL && t->key.who == key.who && t->key.what == key.what)
		return t;
	HASH_FIND(hh, n->threads, &key, sizeof(key), t);
	if (t == NULL) {
		t = arena_make(n->arena, struct thread, 1);
		t->key = key;
		HASH_ADD(hh, n->threads, key, sizeof(t->key), t);
	}
	return n->current = t;
}

/* --- open calls -------------------------------------------------------------------------- */

static uint32_t *open_calls(struct thread *t, uint32_t op)
{
	size_t had = t->cap_open;

	if (op >= had) {
		t->n_open = xgrow(t->n_open, &t->cap_open, (size_t)op + 1, sizeof(*t->n_open));
		for (size_t i = had; i < t->cap_open; i++)
			t->n_open[i] = 0;
	}
	return &t->n_open[op];
}

void nesting_enter(struct nesting *n, struct pairing_slot thread, uint32_t op)
{
	struct thread *t = thread_of(n, thread);

	n->n_entered++;
	t->frame = xgrow(t->frame, &t->cap, t->n + 1, sizeof(*t->frame));
	t->frame[t->n++] = (struct frame){ op, ++t->serial, 0 };
	++*open_calls(t, op);
}

/* Finds the innermost call of an operation (0: of any); t->n when there is none. */
static size_t find_frame(const struct thread *t, uint32_t op)
{
	size_t min = t->n > PAIRING_REACH ? t->n - PAIRING_REACH : 0;

	for (size_t i = t->n; i-- > min;) {
		if (op == 0 || t->frame[i].op == op)
			return i;
	}
	return t->n;
}

/* Ends the calls from `depth` on; the latency within them then counts as within the first. */
static struct frame close_frames(struct thread *t, size_t depth)
{
	struct frame closed = t->frame[depth];

	for (size_t i = depth + 1; i < t->n; i++)
		closed.inside += t->frame[i].inside;
	for (size_t i = depth; i < t->n; i++)
		--t->n_open[t->frame[i].op];
	t->n = depth;
	while (t->n_unmarked > 0 && t->unmarked[t->n_unmarked - 1].depth >= depth) {
		const struct unmarked *u = &t->unmarked[--t->n_unmarked];
		struct edge *e = &t->edge[u->edge];

		e->marked = u->marked;
		e->other_calls = e->calls - u->calls;
		e->other_total = e->total - u->total;
	}
	return closed;
}

/* --- what calls what --------------------------------------------------------------------- */

static struct edge *edge_of(struct thread *t, uint32_t upper, uint32_t lower)
{
	bool is_new;
	uint64_t *number = number_map_at(&t->by_ends, (uint64_t)upper << 32 | lower, &is_new);

	if (is_new) {
		*number = t->n_edges;
		t->edge = xgrow(t->edge, &t->cap_edges, t->n_edges + 1, sizeof(*t->edge));
		t->edge[t->n_edges++] = (struct edge){ .upper = upper, .lower = lower };
	}
	return &t->edge[*number];
}

static void mark_open(struct thread *t, struct edge *e)
{
	size_t depth = t->n - 1;
	uint64_t serial = t->frame[depth].serial;

	if (e->marked == serial)
		return;
	if (*open_calls(t, e->upper) > 1) {
		t->unmarked = xgrow(t->unmarked, &t->cap_unmarked, t->n_unmarked + 1,
				    sizeof(*t->unmarked));
		t->unmarked[t->n_unmarked++] = (struct unmarked){
			.edge = (uint32_t)(e - t->edge),
			.depth = depth,
			.marked = e->marked,
			.calls = e->calls - e->other_calls,
			.total = e->total - e->other_total,
		};
	}
	e->marked = serial;
	e->other_calls = e->calls;
	e->other_total = e->total;
	e->reached++;
}

/* Keeps an outermost call, as a call around it may end whose begin was not seen. */
static void count_outer(struct thread *t, uint32_t op, decimal_int latency)
{
	struct edge *e = edge_of(t, NO_CALL, op);

	if (e->calls == 0) {
		t->outer = xgrow(t->outer, &t->cap_outer, t->n_outer + 1, sizeof(*t->outer));
		t->outer[t->n_outer++] = (uint32_t)(e - t->edge);
	}
	e->calls++;
	e->total += latency;
	t->before += latency;
}

/* Moves the outermost calls below `upper`; drops them if it is NO_CALL. */
static void move_outer(struct thread *t, uint32_t upper)
{
	for (size_t i = 0; i < t->n_outer; i++) {
		struct edge moved = t->edge[t->outer[i]], *e;

		t->edge[t->outer[i]].calls = 0;
		t->edge[t->outer[i]].total = 0;
		if (upper == NO_CALL)
			continue;
		e = edge_of(t, upper, moved.lower);
		e->calls += moved.calls;
		e->total += moved.total;
		e->reached++;
	}
	t->n_outer = 0;
	t->before = 0;
}

/* Counts a call that ended in the innermost open call. */
static void count_in_upper(struct thread *t, uint32_t op, decimal_int latency, decimal_int within)
{
	struct edge *e;

	if (t->n == 0) {
		count_outer(t, op, latency);
		return;
	}
	t->frame[t->n - 1].inside += within;
	e = edge_of(t, t->frame[t->n - 1].op, op);
	mark_open(t, e);
	e->calls++;
	e->total += latency;
}

/* Rounding may make the calls within it a little longer than the call itself. */
static struct decimal self_of(decimal_int latency, decimal_int inside)
{
	return (struct decimal){ latency > inside ? latency - inside : 0 };
}

/* Ends a call that began before the first event: all outermost calls since lie within it. */
static struct nested_call end_unbegun(struct thread *t, uint32_t op, struct decimal latency)
{
	struct nested_call c = { .outermost = true, .known = t->n == 0 };

	c.self = self_of(latency.billionths, t->before);
	move_outer(t, c.known ? op : NO_CALL);
	if (c.known && op != NO_CALL)
		count_outer(t, op, latency.billionths);
	else
		t->before = latency.billionths;
	return c;
}

struct nested_call nesting_leave(struct nesting *n, struct pairing_slot thread, uint32_t op,
				 struct decimal latency)
{
	struct thread *t = thread_of(n, thread);
	size_t depth = find_frame(t, op);
	struct nested_call c = { .known = true };
	struct frame closed;

	if (depth == t->n) {
		n->n_unbegun++;
		return end_unbegun(t, op, latency);
	}
	closed = close_frames(t, depth);
	c.self = self_of(latency.billionths, closed.inside);
	c.outermost = t->n_open[closed.op] == 0;
	count_in_upper(t, closed.op, latency.billionths, latency.billionths);
	return c;
}

struct nested_call nesting_leave_within(struct nesting *n, struct pairing_slot thread,
					struct decimal latency, struct decimal within)
{
	struct thread *t = thread_of(n, thread);
	struct frame closed = close_frames(t, t->n - 1);
	struct nested_call c = { .self = self_of(latency.billionths, closed.inside),
				 .outermost = t->n_open[closed.op] == 0,
				 .known = true };

	count_in_upper(t, closed.op, latency.billionths, within.billionths);
	return c;
}

/* Uses a thread of its own, without open calls. */
void nesting_state(struct nesting *n, uint32_t upper, uint32_t lower, bool first,
		   struct decimal latency)
{
	struct edge *e = edge_of(thread_of(n, (struct pairing_slot){ UINT64_MAX, UINT64_MAX }),
				 upper, lower);

	e->calls++;
	e->total += latency.billionths;
	e->reached += first;
}

void nesting_abandon(struct nesting *n, struct pairing_slot thread, uint32_t op)
{
	struct thread *t = thread_of(n, thread);
	size_t depth = find_frame(t, op);
	struct frame closed;

	if (depth == t->n)
		return;
	closed = close_frames(t, depth);
	if (t->n > 0)
		t->frame[t->n - 1].inside += closed.inside;
	else
		t->before += closed.inside;
}

struct nested_call nesting_leaf(struct nesting *n, struct pairing_slot thread, uint32_t op,
				struct decimal latency)
{
	struct thread *t = thread_of(n, thread);

	count_in_upper(t, op, latency.billionths, latency.billionths);
	return (struct nested_call){ latency, *open_calls(t, op) == 0, true };
}

/* Serial numbers ascend with the depth. */
static bool is_open(const struct thread *t, uint64_t serial)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->frame[middle].serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->n && t->frame[low].serial == serial;
}

static void withdraw_calls(struct edge *e, uint64_t calls, decimal_int total)
{
	e->calls -= calls;
	e->total -= total;
	e->reached--;
}

/* Takes back calls directly within calls that never end.  As these are not counted, their operation
 * would otherwise have more time below it than its own total. */
static void withdraw_open(struct thread *t)
{
	for (size_t i = 0; i < t->n_edges; i++) {
		struct edge *e = &t->edge[i];

		if (is_open(t, e->marked))
			withdraw_calls(e, e->calls - e->other_calls, e->total - e->other_total);
	}
	for (size_t i = 0; i < t->n_unmarked; i++) {
		const struct unmarked *u = &t->unmarked[i];

		if (is_open(t, u->marked))
			withdraw_calls(&t->edge[u->edge], u->calls, u->total);
	}
	t->n_unmarked = 0;
}

static void forget_calls(struct thread *t)
{
	if (t->n > 0) {
		withdraw_open(t);
		(void)close_frames(t, 0);
	}
	move_outer(t, NO_CALL);
}

void nesting_forget(struct nesting *n, const struct pairing_slot *thread)
{
	if (thread != NULL) {
		forget_calls(thread_of(n, *thread));
		return;
	}
	for (struct thread *t = n->threads; t != NULL; t = t->hh.next)
		forget_calls(t);
}

bool nesting_is_any(const struct nesting *n)
{
	for (const struct thread *t = n->threads; t != NULL; t = t->hh.next) {
		for (size_t i = 0; i < t->n_edges; i++) {
			if (t->edge[i].upper != NO_CALL && t->edge[i].calls > 0)
				return true;
		}
	}
	return false;
}

bool nesting_is_known(const struct nesting *n)
{
	return n->n_entered > 0 || n->n_unbegun < 2;
}

/* --- to the builder ---------------------------------------------------------------------- */

/* Names alone are enough if there is only one layer and no operation has its name. */
static bool needs_layer(const struct nesting *n)
{
	for (size_t i = 0; i < n->n_names; i++) {
		if (!str_eq(n->name[i].layer, n->name[0].layer) ||
		    str_eq(n->name[i].name, n->name[0].layer))
			return true;
	}
	return false;
}

static struct nest_end end_of(const struct name *name, bool with_layer)
{
	return (struct nest_end){ .both = with_layer,
				  .layer = with_layer ? name->layer : STR(""),
				  .name = name->name };
}

/* Pushes the edges thread by thread; nests_sort() adds equal ones up. */
void nesting_push(struct nesting *n, struct builder *b)
{
	bool with_layer = needs_layer(n);

	nesting_forget(n, NULL);
	for (const struct thread *t = n->threads; t != NULL; t = t->hh.next) {
		for (size_t i = 0; i < t->n_edges; i++) {
			const struct edge *e = &t->edge[i];
			struct nest nest;

			if (e->upper == NO_CALL || e->calls == 0)
				continue;
			nest = (struct nest){
				.upper = end_of(&n->name[e->upper - 1], with_layer),
				.lower = end_of(&n->name[e->lower - 1], with_layer),
				.measured = true,
				.reached = e->reached,
				.calls = e->calls,
				.total = { e->total },
			};

			build_nest(b, &nest);
		}
	}
}
