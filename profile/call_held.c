/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of threads that are held until the end: their waits come later, or their order. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "profile/call_grow_parts.h"

void grow_hold(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
	       uint32_t name)
{
	enum { VALUED = NAME_FUNCTION | NAME_SUBMIT | NAME_SERVE };

	t->held = xgrow(t->held, &t->cap_held, t->n_held + 1, sizeof(*t->held));
	t->held[t->n_held++] = (struct grow_event){ .at = e->at.ns,
						    .latency = e->latency.ns,
						    .name = name,
						    .what = (uint8_t)e->what,
						    .kind = (uint8_t)e->kind,
						    .timed = e->timed,
						    .timeless = e->timeless,
						    .first_value = (uint32_t)g->n_held_values };
	t->entered = e->what == CALL_ENTER && grow_flags(g, name) & VALUED;
}

static void replay_held(struct call_grow *g, struct grow_thread *t)
{
	for (size_t i = 0; i < t->n_held; i++) {
		const struct grow_event *h = &t->held[i];
		struct call_event e = { .what = (enum call_what)h->what,
					.kind = (enum call_kind)h->kind,
					.timed = h->timed,
					.timeless = h->timeless,
					.at = { h->at, 0 },
					.latency = { h->latency, 0 } };

		t->entered = false;
		grow_take(g, t, &e, h->name);
		for (uint32_t k = 0; t->entered && k < h->n_values; k++)
			grow_value_of(g, t, g->held_value[h->first_value + k]);
	}
	t->n_held = 0;
}

/* --- order ---------------------------------------------------------------------------- */

static void add_whole(struct call_grow *g, struct grow_thread *t, struct grow_whole w)
{
	w.number = g->n_whole++;
	t->whole = xgrow(t->whole, &t->cap_whole, t->n_whole + 1, sizeof(*t->whole));
	t->whole[t->n_whole++] = w;
}

/* Begins and ends become whole calls, to be put in order with the others. */
void grow_hold_whole(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
		     uint32_t name)
{
	size_t at = t->n;

	if (e->what == CALL_WHOLE) {
		add_whole(g, t,
			  (struct grow_whole){ e->at.ns, e->at.ns + e->latency.ns, name, e->kind,
					       0 });
		return;
	}
	if (e->what == CALL_ENTER) {
		t->frame = xgrow(t->frame, &t->cap, t->n + 1, sizeof(*t->frame));
		t->frame[t->n++] = (struct grow_frame){
			.name = name, .kind = e->kind, .start = e->at.ns, .known_end = INT64_MAX
		};
		return;
	}
	g->tree->tally.ends++;
	while (at > 0 && name != CALL_NO_NODE && t->frame[at - 1].name != name)
		at--;
	if (at == 0) {
		g->tree->tally.unmatched++;
		g->tree->tally.off_order += t->n > 0 && e->kind == CALL_IS_RUNNING;
		return;
	}
	g->tree->tally.off_order += at < t->n;
	g->tree->tally.unmatched += t->n - at;
	for (; t->n >= at; t->n--) {
		const struct grow_frame *f = &t->frame[t->n - 1];

		add_whole(g, t, (struct grow_whole){ f->start, e->at.ns, f->name, f->kind, 0 });
	}
}

static int by_start(const void *a, const void *b)
{
	const struct grow_whole *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void replay_whole(struct call_grow *g, struct grow_thread *t)
{
	grow_close_all(g, t, false);
	t->now = 0;
	t->latest = INT64_MIN;
	qsort(t->whole, t->n_whole, sizeof(*t->whole), by_start);
	for (size_t i = 0; i < t->n_whole; i++) {
		const struct grow_whole *w = &t->whole[i];
		struct call_event e = { .what = CALL_WHOLE,
					.kind = w->kind,
					.timed = true,
					.unordered = true,
					.at = { w->start, 0 },
					.latency = { w->end - w->start, 0 } };

		grow_take(g, t, &e, w->name);
	}
	t->n_whole = 0;
}

void grow_replay(struct call_grow *g, struct grow_thread *t)
{
	if (t->n_held > 0)
		replay_held(g, t);
	if (t->n_whole > 0)
		replay_whole(g, t);
}
