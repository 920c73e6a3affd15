/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the events of threads until the end, to sort them. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

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
						    .first_value = (uint32_t)g->n_held_values };
	t->entered = e->what != CALL_LEAVE && grow_flags(g, name) & VALUED;
}

/* Notes lost events right after the last event. */
void grow_hold_loss(struct grow_thread *t)
{
	if (t->n_held == 0)
		return;
	t->held = xgrow(t->held, &t->cap_held, t->n_held + 1, sizeof(*t->held));
	t->held[t->n_held] =
		(struct grow_event){ .what = GROW_LOST, .at = t->held[t->n_held - 1].at };
	t->n_held++;
	t->entered = false;
}

/* --- order ---------------------------------------------------------------------------- */

static void add_whole(struct call_grow *g, struct grow_thread *t, const struct grow_whole *w)
{
	t->whole = xgrow(t->whole, &t->cap_whole, t->n_whole + 1, sizeof(*t->whole));
	t->whole[t->n_whole] = *w;
	t->whole[t->n_whole++].number = g->n_whole++;
}

static int by_time(const void *a, const void *b)
{
	const struct grow_event *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Finds the end of the innermost open call among the events from `from` on that have the same time;
 * t->n_held when there is none.  In unordered input, such an end may come after a begin. */
static size_t end_of_top(const struct grow_thread *t, const struct grow_whole *open, size_t n_open,
			 size_t from)
{
	for (size_t i = from; n_open > 0 && i < t->n_held && t->held[i].at == t->held[from].at;
	     i++) {
		if (t->held[i].what == CALL_LEAVE && t->held[i].name == open[n_open - 1].name &&
		    open[n_open - 1].start < t->held[i].at)
			return i;
	}
	return t->n_held;
}

static size_t close_open(struct call_grow *g, struct grow_thread *t, struct grow_whole *open,
			 size_t n, const struct grow_event *e)
{
	size_t at = n;

	g->tree->tally.ends++;
	while (at > 0 && e->name != CALL_NO_NODE && open[at - 1].name != e->name)
		at--;
	if (at == 0) {
		g->tree->tally.unmatched++;
		g->tree->tally.off_order += n > 0 && e->kind == CALL_IS_RUNNING;
		return n;
	}
	g->tree->tally.off_order += at < n;
	g->tree->tally.unmatched += n - at;
	for (; n >= at; n--) {
		open[n - 1].end = e->at;
		add_whole(g, t, &open[n - 1]);
	}
	return n;
}

static bool is_by_time(const struct grow_thread *t)
{
	for (size_t i = 1; i < t->n_held; i++) {
		if (t->held[i].at < t->held[i - 1].at)
			return false;
	}
	return true;
}

static struct grow_whole whole_of(const struct grow_event *e)
{
	return (struct grow_whole){ .start = e->at,
				    .end = e->at + e->latency,
				    .name = e->name,
				    .kind = (enum call_kind)e->kind,
				    .first_value = e->first_value,
				    .n_values = e->n_values };
}

static void count_unfinished(struct call_grow *g, const struct grow_whole *open, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (grow_flags(g, open[i].name) & NAME_FUNCTION)
			g->tree->tally.unfinished++;
		else
			g->tree->tally.unfinished_others++;
	}
}

/* Turns begins and ends into whole calls, to be sorted with the others. */
static void pair_held(struct call_grow *g, struct grow_thread *t)
{
	struct grow_whole *open = NULL;
	size_t n = 0, cap = 0;
	bool ordered = is_by_time(t);

	for (size_t i = 0; i < t->n_held; i++)
		t->held[i].number = i;
	if (!ordered)
		qsort(t->held, t->n_held, sizeof(*t->held), by_time);
	for (size_t i = 0; i < t->n_held; i++) {
		size_t end = ordered ? t->n_held : end_of_top(t, open, n, i);
		struct grow_event e = t->held[i];

		if (end < t->n_held && end > i) {
			e = t->held[end];
			t->held[end] = t->held[i];
			t->held[i] = e;
		}
		if (e.what == CALL_WHOLE) {
			struct grow_whole w = whole_of(&e);

			add_whole(g, t, &w);
		} else if (e.what == CALL_ENTER) {
			open = xgrow(open, &cap, n + 1, sizeof(*open));
			open[n++] = whole_of(&e);
		} else if (e.what == GROW_LOST) {
			count_unfinished(g, open, n);
			n = 0;
		} else {
			n = close_open(g, t, open, n, &e);
		}
	}
	count_unfinished(g, open, n);
	t->n_held = 0;
	free(open);
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
	pair_held(g, t);
	if (t->n_whole > 0)
		qsort(t->whole, t->n_whole, sizeof(*t->whole), by_start);
	for (size_t i = 0; i < t->n_whole; i++) {
		const struct grow_whole *w = &t->whole[i];
		struct call_event e = { .what = CALL_WHOLE,
					.kind = w->kind,
					.timed = true,
					.unordered = true,
					.at = { w->start, 0 },
					.latency = { w->end - w->start, 0 } };

		t->entered = false;
		grow_take(g, t, &e, w->name);
		for (uint32_t k = 0; t->entered && k < w->n_values; k++)
			grow_value_of(g, t, g->held_value[w->first_value + k]);
	}
	t->n_whole = 0;
}

void grow_replay(struct call_grow *g, struct grow_thread *t)
{
	if (t->n_held > 0)
		replay_whole(g, t);
}
