/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links calls by flows: a trace's own statements that a call handed work to another thread. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

static int by_id(const void *a, const void *b)
{
	const struct grow_flow *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (int)x->what - (int)y->what;
}

/* The items of a thread, which are consecutive and sorted by start: the first, and the one after
 * the last. */
struct stretch {
	uint32_t first, end;
};

static struct stretch *find_stretches(const struct call_grow *g)
{
	struct stretch *v = xcalloc(g->n_threads + 1, sizeof(*v));

	for (uint32_t i = 1; i <= g->n_items; i++) {
		struct stretch *s = &v[g->item[i].thread];

		s->first = s->end == 0 ? i : s->first;
		s->end = i + 1;
	}
	return v;
}

/* Finds the first call of a thread that starts at or after a time; s.end when there is none. */
static uint32_t first_from(const struct call_grow *g, struct stretch s, int64_t at)
{
	uint32_t low = s.first, high = s.end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (g->item[middle].start < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds the innermost call that is open at a time; 0: none. */
static uint32_t open_at(const struct call_grow *g, struct stretch s, int64_t at)
{
	uint32_t found = s.end > s.first ? first_from(g, s, at + 1) - 1 : 0;

	if (found < s.first)
		return 0;
	while (found != 0 && g->item[found].end <= at)
		found = g->item[found].parent;
	return found;
}

static uint32_t call_of(const struct call_grow *g, const struct stretch *threads,
			const struct grow_flow *f)
{
	struct stretch s = threads[f->thread];
	uint32_t found = f->next ? first_from(g, s, f->at) : open_at(g, s, f->at);

	return found < s.end && found >= s.first && g->item[found].end >= g->item[found].start
		       ? found
		       : 0;
}

static size_t add_submit(struct call_grow *g, size_t n, const struct stretch *threads,
			 uint32_t thread, int64_t at, uint32_t serve)
{
	uint32_t submit = open_at(g, threads[thread], at);

	if (submit == 0 || thread == g->item[serve].thread)
		return n;
	g->submit = xgrow(g->submit, &g->cap_submits, n + 1, sizeof(*g->submit));
	g->submit[n] = (struct grow_submit){ at, g->item[serve].start, thread, submit, serve };
	return n + 1;
}

/* Links each point to the next one of the same id.  The call in which a flow starts also waits for
 * the calls after a step. */
size_t grow_link_flows(struct call_grow *g, size_t n_submits)
{
	const struct grow_flow *start = NULL;
	struct stretch *threads;

	if (g->n_flows == 0)
		return n_submits;
	threads = find_stretches(g);
	qsort(g->flow, g->n_flows, sizeof(*g->flow), by_id);
	for (size_t i = 0; i < g->n_flows; i++) {
		const struct grow_flow *from = &g->flow[i], *to = from + 1;
		uint32_t serve;

		g->tree->links.submits += from->what != CALL_FLOW_END;
		g->tree->links.serves += from->what != CALL_FLOW_START;
		if (from->what == CALL_FLOW_START || start == NULL || start->id != from->id)
			start = from;
		if (i + 1 == g->n_flows || from->id != to->id || from->what == CALL_FLOW_END ||
		    to->what == CALL_FLOW_START)
			continue;
		serve = call_of(g, threads, to);
		if (serve == 0)
			continue;
		g->tree->links.found++;
		n_submits = add_submit(g, n_submits, threads, from->thread, from->at, serve);
		if (start->thread != from->thread)
			n_submits =
				add_submit(g, n_submits, threads, start->thread, from->at, serve);
	}
	free(threads);
	return n_submits;
}
