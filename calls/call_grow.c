/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sink: threads, dispatching of events, and the end of the trace. */
#include "calls/call_grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/glob.h"
#include "base/xalloc.h"
#include "calls/call_frames.h"
#include "calls/call_grow_parts.h"
#include "calls/call_meanwhile.h"

enum { TANGLED = 100, FEW_TANGLED = 20 };

/* --- names ---------------------------------------------------------------------------- */

static uint32_t number_of(struct call_sink *to, struct str name)
{
	struct call_grow *g = (struct call_grow *)to;
	uint32_t number = call_tree_name(g->tree, name);

	(void)grow_flags(g, number);
	return number + 1;
}

/* --- threads ----------------------------------------------------------------------------- */

static uint32_t thread_name(struct call_grow *g, struct pairing_slot key)
{
	uint64_t shown = key.what > 1 ? key.what : key.who;
	struct str name = arena_printf(g->tree->arena, "%llu", (unsigned long long)shown);

	return call_tree_name(g->tree, name);
}

/* "thread" is a value only if there are several: calls of the first are counted when the second
 * comes. */
static void count_first_thread(struct call_grow *g)
{
	for (uint32_t i = 0; i < g->tree->n_cells; i++) {
		const struct call_cell *c = &g->tree->cell[i];

		if (c->node == 0)
			grow_count_thread(g, g->thread[0], c->bucket, c->present);
	}
}

static struct grow_thread *thread_new(struct call_grow *g, struct pairing_slot key)
{
	struct grow_thread *t = xcalloc(1, sizeof(*t));

	t->key = key;
	t->name = thread_name(g, key);
	t->taken = g->o.task == NULL || glob_matches(g->o.task, call_tree_str(g->tree, t->name));
	t->latest = INT64_MIN;
	t->number = (uint32_t)g->n_threads;
	g->thread =
		xgrow(g->thread, &g->cap_threads, g->n_threads + 1, sizeof(struct grow_thread *));
	g->thread[g->n_threads++] = t;
	if (g->n_threads == 2)
		count_first_thread(g);
	return t;
}

/* Returns the state of a thread, adding it if new. */
static struct grow_thread *grow_thread(struct call_grow *g, struct pairing_slot key)
{
	uint64_t hash = number_map_mix(key.who * 0x9e3779b97f4a7c15U + key.what) >> 1;
	uint64_t *number;
	bool fresh;

	if (g->last != NULL && g->last->key.who == key.who && g->last->key.what == key.what)
		return g->last;
	for (;; hash++) {
		number = number_map_at(&g->thread_at, hash, &fresh);
		if (fresh) {
			*number = g->n_threads;
			g->last = thread_new(g, key);
			return g->last;
		}
		g->last = g->thread[*number];
		if (g->last->key.who == key.who && g->last->key.what == key.what)
			return g->last;
	}
}

/* --- the sink ------------------------------------------------------------------------------ */

static bool take_event(struct call_sink *to, const struct call_event *e)
{
	struct call_grow *g = (struct call_grow *)to;
	struct grow_thread *t = g->last;
	uint32_t name = 0;

	if (t == NULL || t->key.who != e->thread.who || t->key.what != e->thread.what)
		t = grow_thread(g, e->thread);
	if (e->id > 0)
		name = e->id - 1;
	else if (e->name.n > 0 || e->what != CALL_LEAVE)
		name = number_of(to, e->name) - 1;
	else
		name = CALL_NO_NODE;
	t->entered = false;
	if (g->o.sort)
		grow_hold(g, t, e, name);
	else
		grow_take(g, t, e, name);
	return true;
}

static void take_singly(struct call_sink *to, const struct pairing_slot *thread,
			const struct call_step *s)
{
	struct call_event e = { .what = s->what % 2 != 0 ? CALL_LEAVE : CALL_ENTER,
				.id = grow_step_name((struct call_grow *)to, s) + 1,
				.thread = *thread,
				.at = { s->at, 0 } };

	(void)take_event(to, &e);
}

static bool take_steps(struct call_sink *to, const struct pairing_slot *thread,
		       const struct call_step *step, size_t n)
{
	struct call_grow *g = (struct call_grow *)to;
	struct grow_thread *t = grow_thread(g, *thread);
	bool plain = !g->o.sort && g->o.meanwhile == NULL && !grow_links(g);

	while (n > 0) {
		size_t taken = plain ? grow_take_steps(g, t, step, n) : 0;

		if (taken == 0) {
			take_singly(to, thread, step);
			taken = 1;
		}
		step += taken;
		n -= taken;
	}
	return true;
}

static void take_value(struct call_sink *to, const struct call_value *v)
{
	struct call_grow *g = (struct call_grow *)to;
	struct fold_value value;

	if (g->last != NULL
		    ? !g->last->entered
		    : g->n_items == 0 || !(grow_flags(g, g->item[g->n_items].name) & NAME_FUNCTION))
		return;
	value = (struct fold_value){ call_tree_name(g->tree, v->of),
				     call_tree_name(g->tree, v->value) };
	grow_value_of(g, g->last, value);
}

static void take_wait(struct call_sink *to, const struct call_wait *w)
{
	struct call_grow *g = (struct call_grow *)to;
	struct grow_thread *t = grow_thread(g, w->thread);

	if (w->end <= w->start)
		return;
	t->waits_sorted =
		t->n_waits == 0 || (t->waits_sorted && t->wait[t->n_waits - 1].start <= w->start);
	t->wait = xgrow(t->wait, &t->cap_waits, t->n_waits + 1, sizeof(*t->wait));
	t->wait[t->n_waits++] = (struct grow_wait){ w->start, w->end, w->kind };
}

/* The calls that a flow links can only be found when calls are sorted. */
static void take_flow(struct call_sink *to, const struct call_flow *f)
{
	struct call_grow *g = (struct call_grow *)to;

	g->wants_order = g->wants_order || !g->o.sort;
	if (!g->o.sort)
		return;
	g->flow = xgrow(g->flow, &g->cap_flows, g->n_flows + 1, sizeof(*g->flow));
	g->flow[g->n_flows++] = (struct grow_flow){ .id = f->id,
						    .at = f->at,
						    .thread = grow_thread(g, f->thread)->number,
						    .what = (uint8_t)f->what,
						    .next = f->next };
}

static void take_lost(struct call_sink *to, const struct pairing_slot *thread, uint64_t events)
{
	struct call_grow *g = (struct call_grow *)to;

	g->tree->tally.lost += events;
	for (size_t i = 0; i < g->n_threads; i++) {
		struct grow_thread *t = g->thread[i];

		if (thread != NULL && (t->key.who != thread->who || t->key.what != thread->what))
			continue;
		if (g->o.sort)
			grow_hold_loss(t);
		else
			grow_close_all(g, t, true);
	}
}

/* Takes a saved tree, unless another function than its own is asked for. */
static bool take_tree(struct call_sink *to, const struct call_tree *t)
{
	struct call_grow *g = (struct call_grow *)to;

	if (t->n_nodes == 0)
		return true;
	if (g->o.function == NULL || grow_is_function(g, call_node_name(t, 0))) {
		call_tree_merge(g->tree, t);
		if (g->o.function != NULL)
			(void)grow_flags(g, call_tree_name(g->tree, call_node_name(t, 0)));
	} else {
		(void)call_tree_name(g->tree, call_node_name(t, 0));
	}
	return true;
}

static const struct call_sink_class grow_class = {
	.number = number_of,
	.event = take_event,
	.keys = grow_keys,
	.steps = take_steps,
	.span = grow_span,
	.value = take_value,
	.link = grow_span_link,
	.wait = take_wait,
	.flow = take_flow,
	.lost = take_lost,
	.tree = take_tree,
};

struct call_grow *call_grow_new(const struct call_grow_options *o)
{
	struct call_grow *g = xcalloc(1, sizeof(*g));

	g->sink.class = &grow_class;
	g->o = *o;
	g->tree = call_tree_new();
	g->tree->unfolded = o->unfold;
	g->tree->overhead = (uint64_t)o->overhead;
	g->trace_start = INT64_MAX;
	g->trace_end = INT64_MIN;
	if (o->filter && o->low > 0)
		call_tree_add_edge(g->tree, o->low);
	if (o->filter && o->high < 9e18)
		call_tree_add_edge(g->tree, o->high);
	return g;
}

void call_grow_free(struct call_grow *g)
{
	if (g == NULL)
		return;
	for (size_t i = 0; i < g->n_threads; i++) {
		struct grow_thread *t = g->thread[i];

		if (t->fold != NULL) {
			fold_release(t->fold);
			free(t->fold);
		}
		free(t->frame);
		free(t->wait);
		free(t->whole);
		free(t->held);
		free(t);
	}
	while (g->free_folds != NULL) {
		struct call_fold *f = g->free_folds;

		g->free_folds = f->next_free;
		fold_release(f);
		free(f);
	}
	number_map_release(&g->thread_at);
	number_map_release(&g->span_at);
	free(g->struck);
	call_tree_free(g->tree);
	free(g->thread);
	free(g->flag);
	free(g->key);
	free(g->match);
	free(g->pause);
	free(g->held_value);
	free(g->item);
	free(g->trace);
	free(g->submit);
	free(g->flow);
	free(g->link);
	free(g);
}

struct call_sink *call_grow_sink(struct call_grow *g, enum call_pass pass)
{
	g->sink.pass = pass;
	return &g->sink;
}

void call_grow_finish(struct call_grow *g)
{
	g->replaying = true;
	for (size_t i = 0; i < g->n_threads; i++)
		grow_replay(g, g->thread[i]);
	for (size_t i = 0; i < g->n_threads; i++)
		grow_close_all(g, g->thread[i], false);
	if (g->n_items > 0)
		grow_items(g);
	g->tree->tally.threads += g->n_threads;
}

struct call_tree *call_grow_tree(const struct call_grow *g)
{
	return g->tree;
}

struct call_tree *call_grow_take(struct call_grow *g)
{
	struct call_tree *t = g->tree;

	g->tree = NULL;
	return t;
}

size_t call_grow_matches(const struct call_grow *g, const uint32_t **ret)
{
	*ret = g->match;
	return g->n_matches;
}

bool call_grow_wants_order(const struct call_grow *g)
{
	return g->wants_order;
}

struct skew call_grow_skew(const struct call_grow *g)
{
	return g->skew;
}

bool call_grow_is_deep(const struct call_grow *g)
{
	return g->deep;
}

bool call_grow_is_tangled(const struct call_grow *g)
{
	const struct call_tally *t = &g->tree->tally;

	return (t->off_order > FEW_TANGLED && t->off_order > t->ends / TANGLED) ||
	       (t->backwards > FEW_TANGLED && t->backwards > t->ends / TANGLED);
}

size_t call_grow_pauses(const struct call_grow *g, const struct call_pause **ret, bool *ret_more)
{
	*ret = g->pause;
	*ret_more = g->more_pauses;
	return g->n_pauses;
}
