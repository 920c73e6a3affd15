/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Span links: work that a call of the function handed to a span that is not below it; and the clocks
 * of spans of several hosts. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

void grow_span_link(struct call_sink *to, const struct call_span_link *l)
{
	struct call_grow *g = (struct call_grow *)to;

	g->link = xgrow(g->link, &g->cap_links, g->n_links + 1, sizeof(*g->link));
	g->link[g->n_links++] = (struct grow_span_link){ .to = grow_span_hash(l->trace, l->id),
							 .item = (uint32_t)g->n_items };
}

static int by_link(const void *a, const void *b)
{
	const struct grow_span_link *x = a, *y = b;

	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Returns the span that a link names; 0 if it is missing or not usable, which is counted. */
static uint32_t linked_span(struct call_grow *g, const struct grow_span_link *l, bool repeated)
{
	const uint64_t *found = l->to != 0 ? number_map_find(&g->span_at, l->to) : NULL;

	if (found == NULL) {
		g->tree->links.missing++;
		return 0;
	}
	if (repeated) {
		g->tree->links.twice++;
		return 0;
	}
	if (*found == l->item || g->item[l->item].start < g->item[*found].start) {
		g->tree->links.early++;
		return 0;
	}
	g->tree->links.found++;
	return (uint32_t)*found;
}

/* Skips links between spans below the same call: its tree has both already. */
void grow_link_spans(struct call_grow *g)
{
	g->tree->links.submits += g->n_links;
	qsort(g->link, g->n_links, sizeof(*g->link), by_link);
	for (size_t i = 0; i < g->n_links; i++) {
		const struct grow_span_link *l = &g->link[i];
		uint32_t from = linked_span(g, l, i > 0 && by_link(l, l - 1) == 0);
		uint32_t call = g->item[from].thread;
		int64_t at = g->item[from].start;

		if (from == 0 || call == 0 || call == g->item[l->item].thread)
			continue;
		if (at < g->item[call].start)
			at = g->item[call].start;
		g->submit = xgrow(g->submit, &g->cap_submits, g->n_submits + 1, sizeof(*g->submit));
		g->submit[g->n_submits++] = (struct grow_submit){
			.at = at,
			.served = g->item[l->item].start,
			.thread = call,
			.item = from,
			.serve = l->item,
		};
	}
	grow_sort_submits(g);
}

static int by_thread(const void *a, const void *b)
{
	const struct grow_submit *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->served != y->served)
		return x->served < y->served ? -1 : 1;
	return x->serve < y->serve ? -1 : x->serve > y->serve;
}

void grow_sort_submits(struct call_grow *g)
{
	if (g->n_submits > 0)
		qsort(g->submit, g->n_submits, sizeof(*g->submit), by_thread);
}

void grow_correct_clocks(struct call_grow *g)
{
	struct skew_span *span = xcalloc(g->n_items, sizeof(*span));
	int64_t *shift = xcalloc(g->n_items, sizeof(*shift));

	for (size_t i = 0; i < g->n_items; i++) {
		const struct grow_item *s = &g->item[i + 1];

		span[i] = (struct skew_span){ s->start, s->end, s->parent, s->host };
	}
	g->skew = span_skew_find(span, g->n_items, g->clock.step, shift);
	for (size_t i = 0; i < g->n_items; i++) {
		g->item[i + 1].start += shift[i];
		g->item[i + 1].end += shift[i];
	}
	free(shift);
	free(span);
}
