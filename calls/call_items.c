/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Held calls: spans, whose children come in any order and may overlap, and the calls of all
 * threads if some are linked to others.
 *
 * Each instant of a call belongs to one node of its critical path, which is found by walking back
 * from the call's end.  Of the calls within it that have ended by then, the one that ends last is
 * on the path; the time after it is the call's own; the walk goes on from its start.  Of a call
 * that overlaps it only the time before its start is left, so that the call's own time is that in
 * which none of the calls within it runs, as in calls/late_nesting.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

uint32_t grow_item_new(struct call_grow *g)
{
	g->item = xgrow(g->item, &g->cap_items, g->n_items + 2, sizeof(*g->item));
	if (g->n_items == 0)
		g->item[0] = (struct grow_item){ .start = INT64_MIN, .end = INT64_MAX };
	g->item[++g->n_items] = (struct grow_item){ .first_value = (uint32_t)g->n_held_values };
	return (uint32_t)g->n_items;
}

/* --- spans ---------------------------------------------------------------------------------- */

static void keep_trace(struct call_grow *g, uint32_t item, struct str name)
{
	g->trace = xgrow(g->trace, &g->cap_traces, g->n_traces + 1, sizeof(*g->trace));
	g->trace[g->n_traces++] = (struct grow_trace){ item, arena_str(g->tree->arena, name) };
}

static struct str trace_of(const struct call_grow *g, uint32_t item)
{
	size_t low = 0, high = g->n_traces;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (g->trace[middle].item < item)
			low = middle + 1;
		else
			high = middle;
	}
	return low < g->n_traces && g->trace[low].item == item ? g->trace[low].name : STR("");
}

bool grow_span(struct call_sink *to, const struct call_span *s)
{
	struct call_grow *g = (struct call_grow *)to;
	uint32_t at = grow_item_new(g), name;
	struct str full = s->name;
	bool fresh;

	if (s->service.n > 0)
		full = arena_join(g->tree->arena, s->service, '/', s->name);
	name = call_tree_name(g->tree, full);
	if (grow_flags(g, name) & NAME_FUNCTION && s->trace_name.n > 0)
		keep_trace(g, at, s->trace_name);
	g->item[at].name = name;
	g->item[at].start = s->start.ns;
	g->item[at].end = s->end.ns;
	g->item[at].host = span_host(s->service);
	span_clock_see(&g->clock, s->start.ns);
	g->item[at].id = grow_span_hash(s->trace, s->id);
	g->item[at].parent_id = grow_span_hash(s->trace, s->parent);
	if (g->item[at].id != 0) {
		uint64_t *known = number_map_at(&g->span_at, g->item[at].id, &fresh);

		if (fresh)
			*known = at;
		else
			g->tree->tally.twice++;
	}
	return true;
}

static void nest_spans(struct call_grow *g)
{
	for (uint32_t i = (uint32_t)g->n_items; i > 0; i--) {
		struct grow_item *s = &g->item[i];
		const uint64_t *found = NULL;

		if (s->parent_id != 0)
			found = number_map_find(&g->span_at, s->parent_id);
		s->parent = found != NULL && *found != i ? (uint32_t)*found : 0;
		if (s->parent_id != 0 && found == NULL)
			g->tree->tally.orphans++;
		if (found != NULL && *found == i)
			g->tree->tally.cyclic++;
		s->sibling = g->item[s->parent].child;
		g->item[s->parent].child = i;
	}
}

/* --- walking ----------------------------------------------------------------------- */

/* A part of a call that is still to be walked. */
struct walk_part {
	uint32_t item, node;
	bool linked; /* in a call that serves another thread or span, or below one */
	int64_t low, high;
};

struct walk_kid {
	int64_t start, end;
	uint32_t item;
};

struct walk {
	struct call_grow *g;
	struct call_fold *fold;
	uint32_t thread;	/* of the function's call */
	size_t submit, submits; /* its first submit, and how many it has */
	uint64_t steps;		/* steps left for span links; see LINK_STEPS */
	struct walk_part *part;
	size_t n_parts, cap_parts;
	struct walk_kid *kid;
	size_t n_kids, cap_kids;
};

static void push_part(struct walk *w, struct walk_part p)
{
	w->part = xgrow(w->part, &w->cap_parts, w->n_parts + 1, sizeof(*w->part));
	w->part[w->n_parts++] = p;
}

/* Returns the slot of a node; adding another slot invalidates it. */
static struct fold_slot *slot_of(struct walk *w, uint32_t node)
{
	uint32_t at = fold_slot(w->fold, w->g->tree, node);

	return &w->fold->slot[at];
}

static void note_call(struct walk *w, uint32_t node, uint32_t item, int64_t latency)
{
	struct fold_slot *s = slot_of(w, node);

	s->calls++;
	if (call_kind_strikes((enum call_kind)w->g->item[item].kind)) {
		s->largest += latency;
		return;
	}
	if (w->g->struck != NULL)
		latency -= w->g->struck[item];
	if (latency > s->largest)
		s->largest = latency;
}

static void add_own(struct walk *w, uint32_t node, int64_t ns)
{
	slot_of(w, node)->own += ns;
}

static uint32_t queued_node(struct walk *w, uint32_t around)
{
	struct call_tree *t = w->g->tree;

	return call_tree_child(t, around, call_tree_name(t, STR("[queued]")), CALL_IS_QUEUED);
}

/* Following span links may take this many steps in all, plus 64 for each span: any number of spans
 * may wait for a served span, and each of them walks it. */
enum { LINK_STEPS = 1 << 22 };

static bool can_step(struct walk *w, uint64_t steps)
{
	if (w->g->n_links == 0)
		return true;
	if (w->steps >= steps) {
		w->steps -= steps;
		return true;
	}
	w->steps = 0;
	w->g->tree->links.left++;
	return false;
}

/* Divides the waiting time from *low to high where another thread works for this call: first the
 * work is queued, then served.  Advances *low to what is left.  The wait itself remains the
 * largest contributor, as DARC would measure it.  Spans do not show when they wait: their own time
 * counts as waiting if the span they wait for ends before they do. */
static void wait_for_others(struct walk *w, const struct walk_part *p, int64_t *low, int64_t high)
{
	bool is_span = w->g->n_threads == 0;
	uint32_t node = p->node, around = is_span ? node : w->g->tree->node[node].parent;

	for (size_t i = w->submit; i < w->submit + w->submits && *low < high; i++) {
		const struct grow_submit *s = &w->g->submit[i];
		const struct grow_item *serve = &w->g->item[s->serve];
		int64_t begin = *low > s->at ? *low : s->at;
		int64_t until = high < serve->start ? high : serve->start;
		int64_t from = *low > serve->start ? *low : serve->start;
		int64_t to = high < serve->end ? high : serve->end;

		if (s->at >= high || !can_step(w, 1))
			return;
		if (is_span && serve->end > w->g->item[p->item].end)
			continue;
		if (until > begin) {
			uint32_t queued = queued_node(w, around);

			add_own(w, queued, until - begin);
			slot_of(w, queued)->calls++;
			if (begin > *low)
				add_own(w, node, begin - *low);
			*low = until;
		}
		if (to > from) {
			uint32_t below = grow_node(w->g, around, serve->name, CALL_IS_RUNNING);

			if (from > *low)
				add_own(w, node, from - *low);
			slot_of(w, below)->calls++;
			push_part(w, (struct walk_part){ s->serve, below, true, from, to });
			*low = to;
		}
	}
}

static void own_part(struct walk *w, const struct walk_part *p, int64_t low, int64_t high)
{
	const struct grow_item *c = &w->g->item[p->item];

	if (high <= low)
		return;
	if (w->submits > 0 && c->thread == w->thread && !p->linked &&
	    (w->g->n_threads == 0 || (c->kind == CALL_IS_BLOCKED && p->node != 0)))
		wait_for_others(w, p, &low, high);
	if (c->kind == CALL_IS_BLOCKED && c->thread == w->thread)
		grow_pause(w->g, w->fold, low, high);
	add_own(w, p->node, high - low);
}

static int by_end(const void *a, const void *b)
{
	const struct walk_kid *x = a, *y = b;

	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->start != y->start)
		return x->start > y->start ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static void sort_kids(struct walk *w, uint32_t item)
{
	const struct call_grow *g = w->g;

	w->n_kids = 0;
	for (uint32_t k = g->item[item].child; k != 0; k = g->item[k].sibling) {
		if (g->item[k].end < g->item[k].start)
			continue; /* no end was found */
		w->kid = xgrow(w->kid, &w->cap_kids, w->n_kids + 1, sizeof(*w->kid));
		w->kid[w->n_kids++] = (struct walk_kid){ g->item[k].start, g->item[k].end, k };
	}
	if (w->n_kids > 0)
		qsort(w->kid, w->n_kids, sizeof(*w->kid), by_end);
}

static void count_clipped(struct walk *w, const struct walk_kid *k, const struct grow_item *around)
{
	int64_t beyond =
		span_clock_beyond(&w->g->clock, k->start, k->end, around->start, around->end);

	w->g->tree->below_ns += (uint64_t)(k->end - k->start);
	if (beyond == 0)
		return;
	w->g->tree->tally.clipped++;
	w->g->tree->tally.clipped_ns += (uint64_t)beyond;
}

static void walk_part(struct walk *w, struct walk_part p)
{
	int64_t at = p.high;

	w->n_kids = 0;
	if (!p.linked || can_step(w, 1))
		sort_kids(w, p.item);
	if (p.linked && w->n_kids > 0 && !can_step(w, w->n_kids))
		w->n_kids = 0;
	for (size_t i = 0; i < w->n_kids; i++) {
		struct walk_kid *k = &w->kid[i];
		const struct grow_item *item = &w->g->item[k->item];
		int64_t start, end;
		uint32_t node;

		if (k->end < p.low || k->start > p.high)
			continue;
		count_clipped(w, k, &w->g->item[p.item]);
		span_clock_fit(&w->g->clock, p.low, at, &k->start, &k->end);
		start = k->start > p.low ? k->start : p.low;
		end = k->end < p.high ? k->end : p.high;
		if (end < start)
			continue;
		node = grow_node(w->g, p.node, item->name, (enum call_kind)item->kind);
		if (node != p.node)
			note_call(w, node, k->item, end - start);
		else
			slot_of(w, node)->calls++;
		end = end < at ? end : at;
		if (start >= at)
			continue;
		own_part(w, &p, end, at);
		push_part(w, (struct walk_part){ k->item, node, p.linked, start, end });
		at = start;
	}
	own_part(w, &p, p.low, at);
}

/* --- calls of the function --------------------------------------------------------- */

static void find_submits(struct walk *w, const struct grow_item *c)
{
	const struct call_grow *g = w->g;
	size_t low = 0, high = g->n_submits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct grow_submit *s = &g->submit[middle];

		if (s->thread < c->thread || (s->thread == c->thread && s->at < c->start))
			low = middle + 1;
		else
			high = middle;
	}
	w->submit = low;
	w->submits = 0;
	while (low + w->submits < g->n_submits && g->submit[low + w->submits].thread == c->thread &&
	       g->submit[low + w->submits].at < c->end)
		w->submits++;
}

static void walk_call(struct walk *w, uint32_t at)
{
	struct call_grow *g = w->g;
	struct grow_item *c = &g->item[at];
	struct grow_thread *t = g->n_threads > 0 ? g->thread[c->thread] : NULL;

	if (c->end < c->start) {
		g->tree->tally.unfinished++;
		return;
	}
	if (g->tree->n_nodes == 0)
		call_tree_root(g->tree, c->name);
	w->fold = grow_fold_new(g);
	w->fold->trace = trace_of(g, at);
	g->tree->spans = g->tree->spans || w->fold->trace.n > 0;
	w->thread = c->thread;
	find_submits(w, c);
	push_part(w, (struct walk_part){ at, 0, false, c->start, c->end });
	while (w->n_parts > 0)
		walk_part(w, w->part[--w->n_parts]);
	for (uint32_t i = 0; i < c->n_values; i++) {
		struct call_fold *f = w->fold;

		f->value = xgrow(f->value, &f->cap_values, f->n_values + 1, sizeof(*f->value));
		f->value[f->n_values++] = g->held_value[c->first_value + i];
	}
	grow_fold_end(g, w->fold, t, c->start, c->end - c->start);
}

/* Marks all items below one, and unlinks those that were marked before, so that a cycle is cut
 * where it closes. */
static void visit_below(struct walk *w, uint32_t root, uint32_t **stack, size_t *cap)
{
	struct call_grow *g = w->g;
	size_t n = 0;

	*stack = xgrow(*stack, cap, 1, sizeof(**stack));
	(*stack)[n++] = root;
	g->item[root].done = true;
	while (n > 0) {
		uint32_t at = (*stack)[--n], *link = &g->item[at].child;

		while (*link != 0) {
			if (g->item[*link].done) {
				*link = g->item[*link].sibling;
				continue;
			}
			g->item[*link].done = true;
			*stack = xgrow(*stack, cap, n + 1, sizeof(**stack));
			(*stack)[n++] = *link;
			link = &g->item[*link].sibling;
		}
	}
}

static void cut_cycles(struct walk *w)
{
	struct call_grow *g = w->g;
	uint32_t *stack = NULL;
	size_t cap = 0;

	visit_below(w, 0, &stack, &cap);
	for (uint32_t i = 1; i <= g->n_items; i++) {
		if (g->item[i].done)
			continue;
		g->tree->tally.cyclic++;
		visit_below(w, i, &stack, &cap);
		g->item[i].parent = 0;
		g->item[i].sibling = g->item[0].child;
		g->item[0].child = i;
	}
	free(stack);
}

static bool is_taken(struct call_grow *g, uint32_t at, bool within)
{
	const struct grow_item *c = &g->item[at];

	return grow_flags(g, c->name) & NAME_FUNCTION && (g->o.within == NULL || within) &&
	       (g->n_threads == 0 || g->thread[c->thread]->taken);
}

/* Calls `take` for each outermost call of the function. */
static void walk_all(struct walk *w, void (*take)(struct walk *w, uint32_t item))
{
	struct call_grow *g = w->g;
	struct todo {
		uint32_t item;
		bool within;
	} *stack = NULL;
	size_t n = 0, cap = 0;

	stack = xgrow(stack, &cap, 1, sizeof(*stack));
	stack[n++] = (struct todo){ 0, false };
	while (n > 0) {
		struct todo at = stack[--n];

		if (at.item != 0 && is_taken(g, at.item, at.within)) {
			take(w, at.item);
			continue;
		}
		if (at.item != 0 && grow_flags(g, g->item[at.item].name) & NAME_WITHIN)
			at.within = true;
		for (uint32_t k = g->item[at.item].child; k != 0; k = g->item[k].sibling) {
			stack = xgrow(stack, &cap, n + 1, sizeof(*stack));
			stack[n++] = (struct todo){ k, at.within };
		}
	}
	free(stack);
}

/* Notes in all spans below a call of the function that they belong to it. */
static void own_spans(struct walk *w, uint32_t call)
{
	struct grow_item *item = w->g->item;
	uint32_t at = call;

	for (;;) {
		item[at].thread = call;
		if (item[at].child != 0) {
			at = item[at].child;
			continue;
		}
		while (at != call && item[at].sibling == 0)
			at = item[at].parent;
		if (at == call)
			return;
		at = item[at].sibling;
	}
}

/* --- links ------------------------------------------------------------------------- */

struct served {
	uint32_t value, item;
	int64_t start;
};

static int by_value(const void *a, const void *b)
{
	const struct served *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Finds the first call that serves a value from time `at` on; 0: none. */
static uint32_t first_served(const struct served *v, size_t n, uint32_t value, int64_t at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v[middle].value < value || (v[middle].value == value && v[middle].start < at))
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && v[low].value == value ? v[low].item : 0;
}

static bool argument_of(const struct call_grow *g, const struct grow_item *c, unsigned argument,
			uint32_t *ret)
{
	if (argument == 0 || argument > c->n_values)
		return false;
	*ret = g->held_value[c->first_value + argument - 1].value;
	return true;
}

static void link_items(struct call_grow *g)
{
	struct served *v = NULL;
	size_t n = 0, cap = 0, kept = 0;
	uint32_t value;

	for (uint32_t i = 1; i <= g->n_items; i++) {
		const struct grow_item *c = &g->item[i];

		if (grow_flags(g, c->name) & NAME_SERVE && c->end >= c->start &&
		    argument_of(g, c, g->o.link.serve_argument, &value)) {
			v = xgrow(v, &cap, n + 1, sizeof(*v));
			v[n++] = (struct served){ value, i, c->start };
		}
	}
	if (n > 0)
		qsort(v, n, sizeof(*v), by_value);
	g->tree->links.serves += n;
	for (uint32_t i = 1; i <= g->n_items; i++) {
		const struct grow_item *c = &g->item[i];
		uint32_t serve;

		if (!(grow_flags(g, c->name) & NAME_SUBMIT) ||
		    !argument_of(g, c, g->o.link.submit_argument, &value))
			continue;
		serve = first_served(v, n, value, c->start);
		g->tree->links.submits++;
		g->tree->links.found += serve != 0;
		if (serve == 0)
			continue;
		g->submit = xgrow(g->submit, &g->cap_submits, kept + 1, sizeof(*g->submit));
		g->submit[kept++] =
			(struct grow_submit){ c->start, g->item[serve].start, c->thread, i, serve };
	}
	kept = grow_link_flows(g, kept);
	g->n_submits = kept;
	grow_sort_submits(g);
	free(v);
}

/* Adds up the time of interrupts and preemption in each call; a call has a lower number than those
 * within it. */
static void find_struck(struct call_grow *g)
{
	g->struck = xcalloc(g->n_items + 1, sizeof(*g->struck));
	for (size_t i = g->n_items; i > 0; i--) {
		const struct grow_item *c = &g->item[i];

		if (c->end < c->start)
			continue;
		g->struck[c->parent] += call_kind_strikes((enum call_kind)c->kind)
						? c->end - c->start
						: g->struck[i];
	}
}

void grow_items(struct call_grow *g)
{
	struct walk w = { .g = g };

	if (g->n_threads == 0) {
		nest_spans(g);
		if (g->n_items > 0)
			grow_correct_clocks(g);
		cut_cycles(&w);
		if (g->n_links > 0) {
			w.steps = LINK_STEPS + 64 * (uint64_t)g->n_items;
			walk_all(&w, own_spans);
			grow_link_spans(g);
		}
	} else {
		link_items(g);
		find_struck(g);
	}
	walk_all(&w, walk_call);
	free(w.part);
	free(w.kid);
}
