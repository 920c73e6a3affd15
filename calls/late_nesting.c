/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/late_nesting.h"

#include <stdlib.h>

#include "base/tables/number_map.h"
#include "base/xalloc.h"
#include "calls/span_clock.h"

enum { BILLIONTHS = 1000000000 }; /* of a nanosecond */

struct kept {
	struct pairing_slot thread;
	int64_t start, latency;
	uint32_t start_part, latency_part; /* billionths */
	uint32_t op, number;
};

struct kept_span {
	int64_t start, end;
	uint64_t id, parent_id; /* hashed with the trace's id; 0: none */
	uint32_t start_part, end_part;
	uint32_t op, parent; /* parent, child, sibling: number of a span + 1; 0: none */
	uint32_t child, sibling;
	uint16_t host;
	bool inner; /* it lies in a span of the same operation */
};

struct late_nesting {
	struct nesting *names;
	struct kept *call;
	size_t n, cap;
	struct kept_span *span;
	size_t n_spans, cap_spans;
	struct span_clock clock;
	struct late_clipped clipped;
	struct skew skew;
	int64_t *shift; /* how far each span was moved; NULL: not yet known */
};

struct late_nesting *late_nesting_new(struct nesting *names)
{
	struct late_nesting *l = xcalloc(1, sizeof(*l));

	l->names = names;
	return l;
}

void late_nesting_free(struct late_nesting *l)
{
	if (l == NULL)
		return;
	free(l->call);
	free(l->span);
	free(l->shift);
	free(l);
}

size_t late_nesting_n(const struct late_nesting *l)
{
	return l->n + l->n_spans;
}

/* --- calls of threads ------------------------------------------------------------------- */

void late_nesting_call(struct late_nesting *l, struct pairing_slot thread, uint32_t op,
		       struct call_time start, struct call_time latency)
{
	l->call = xgrow(l->call, &l->cap, l->n + 1, sizeof(*l->call));
	l->call[l->n] = (struct kept){ .thread = thread,
				       .start = start.ns,
				       .latency = latency.ns,
				       .start_part = start.part,
				       .latency_part = latency.part,
				       .op = op,
				       .number = (uint32_t)l->n };
	l->n++;
}

static struct decimal start_of(const struct kept *k)
{
	return call_time_decimal((struct call_time){ k->start, k->start_part });
}

static struct decimal latency_of(const struct kept *k)
{
	return call_time_decimal((struct call_time){ k->latency, k->latency_part });
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Compares by thread, then by start; of calls with the same start, the longer is the outer one. */
static int by_thread(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->thread.who != y->thread.who)
		return compare_u64(x->thread.who, y->thread.who);
	if (x->thread.what != y->thread.what)
		return compare_u64(x->thread.what, y->thread.what);
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->start_part != y->start_part)
		return compare_u64(x->start_part, y->start_part);
	if (x->latency != y->latency)
		return x->latency > y->latency ? -1 : 1;
	if (x->latency_part != y->latency_part)
		return compare_u64(y->latency_part, x->latency_part);
	return compare_u64(x->number, y->number);
}

static void sort_calls(struct late_nesting *l)
{
	for (size_t i = 1; i < l->n; i++) {
		if (by_thread(&l->call[i - 1], &l->call[i]) > 0) {
			qsort(l->call, l->n, sizeof(*l->call), by_thread);
			return;
		}
	}
}

/* An open call, by its number. */
struct open_call {
	size_t at;
	decimal_int end;
	struct decimal within; /* the part of its latency in the call around it */
};

struct settling {
	struct late_nesting *l;
	void (*take)(void *ctx, const struct late_call *call);
	void *ctx;
	struct open_call *open;
	size_t n, cap;
};

static void close_top(struct settling *s)
{
	const struct open_call *top = &s->open[--s->n];
	const struct kept *k = &s->l->call[top->at];
	struct late_call call = { .op = k->op, .start = start_of(k), .latency = latency_of(k) };

	call.nested = nesting_leave_within(s->l->names, k->thread, call.latency, top->within);
	s->take(s->ctx, &call);
}

static void open_one(struct settling *s, size_t at)
{
	const struct kept *k = &s->l->call[at];
	struct decimal start = start_of(k), latency = latency_of(k);
	struct open_call o = { .at = at, .end = start.billionths + latency.billionths };

	while (s->n > 0 && s->open[s->n - 1].end <= start.billionths)
		close_top(s);
	o.within = latency;
	if (s->n > 0 && s->open[s->n - 1].end < o.end)
		o.within.billionths = s->open[s->n - 1].end - start.billionths;
	nesting_enter(s->l->names, k->thread, k->op);
	s->open = xgrow(s->open, &s->cap, s->n + 1, sizeof(*s->open));
	s->open[s->n++] = o;
}

static bool is_same_thread(const struct kept *a, const struct kept *b)
{
	return a->thread.who == b->thread.who && a->thread.what == b->thread.what;
}

static void settle_calls(struct settling *s)
{
	struct late_nesting *l = s->l;

	sort_calls(l);
	for (size_t i = 0; i < l->n; i++) {
		while (i > 0 && s->n > 0 && !is_same_thread(&l->call[i - 1], &l->call[i]))
			close_top(s);
		open_one(s, i);
	}
	while (s->n > 0)
		close_top(s);
}

/* --- spans ------------------------------------------------------------------------------- */

static uint64_t id_of(const struct call_span *s, uint64_t id)
{
	uint64_t mixed;

	if (id == 0)
		return 0;
	mixed = number_map_mix(s->trace[0] ^ number_map_mix(s->trace[1] ^ number_map_mix(id)));
	return mixed == 0 || mixed == UINT64_MAX ? 1 : mixed;
}

void late_nesting_span(struct late_nesting *l, const struct call_span *s, uint32_t op)
{
	l->span = xgrow(l->span, &l->cap_spans, l->n_spans + 1, sizeof(*l->span));
	l->span[l->n_spans++] = (struct kept_span){ .start = s->start.ns,
						    .end = s->end.ns,
						    .start_part = s->start.part,
						    .end_part = s->end.part,
						    .id = id_of(s, s->id),
						    .parent_id = id_of(s, s->parent),
						    .host = span_host(s->service),
						    .op = op };
	span_clock_see(&l->clock, s->start.ns);
}

struct late_clipped late_nesting_clipped(const struct late_nesting *l)
{
	return l->clipped;
}

/* If two spans have the same id, the first becomes the parent of the children of both. */
static void find_parents(struct late_nesting *l)
{
	struct number_map at = { .slot = NULL };

	for (size_t i = 0; i < l->n_spans; i++) {
		bool fresh = false;
		uint64_t *number;

		if (l->span[i].id == 0)
			continue;
		number = number_map_at(&at, l->span[i].id, &fresh);
		if (fresh)
			*number = i;
	}
	for (size_t i = l->n_spans; i-- > 0;) {
		struct kept_span *s = &l->span[i];
		const uint64_t *found =
			s->parent_id != 0 ? number_map_find(&at, s->parent_id) : NULL;

		if (found == NULL || *found == i)
			continue;
		s->parent = (uint32_t)*found + 1;
		s->sibling = l->span[*found].child;
		l->span[*found].child = (uint32_t)i + 1;
	}
	number_map_release(&at);
}

/* Moves spans of other hosts to the clock of their callers. */
static void correct_clocks(struct late_nesting *l)
{
	struct skew_span *span = xcalloc(l->n_spans, sizeof(*span));

	l->shift = xcalloc(l->n_spans, sizeof(*l->shift));
	for (size_t i = 0; i < l->n_spans; i++) {
		const struct kept_span *s = &l->span[i];

		span[i] = (struct skew_span){ s->start, s->end, s->parent, s->host };
	}
	l->skew = span_skew_find(span, l->n_spans, l->clock.step, l->shift);
	for (size_t i = 0; i < l->n_spans; i++) {
		l->span[i].start += l->shift[i];
		l->span[i].end += l->shift[i];
	}
	free(span);
}

struct skew late_nesting_skew(const struct late_nesting *l)
{
	return l->skew;
}

struct covered {
	decimal_int start, end;
	uint32_t op;
};

/* The last to end first, as calls/call_items.c orders them. */
static int by_end(const void *a, const void *b)
{
	const struct covered *x = a, *y = b;

	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->start < y->start) - (x->start > y->start);
}

static int by_op(const void *a, const void *b)
{
	const struct covered *x = a, *y = b;

	return (x->op > y->op) - (x->op < y->op);
}

static decimal_int start_of_span(const struct kept_span *s)
{
	return call_time_decimal((struct call_time){ s->start, s->start_part }).billionths;
}

static decimal_int end_of_span(const struct kept_span *s)
{
	return call_time_decimal((struct call_time){ s->end, s->end_part }).billionths;
}

/* Does what span_clock_fit() does, in billionths. */
static void fit_clock(const struct span_clock *clock, struct covered *c, decimal_int low,
		      decimal_int at)
{
	const decimal_int step = (decimal_int)clock->step * BILLIONTHS;
	decimal_int by = 0;

	if (c->end > at && c->end - at < step)
		by = at - c->end;
	else if (c->end < at && c->start < low && low - c->start < step)
		by = low - c->start < at - c->end ? low - c->start : at - c->end;
	c->start += by;
	c->end += by;
}

/* Returns the time of the parent that its children cover, counting each instant once. */
static decimal_int union_of(const struct span_clock *clock, struct covered *c, size_t n,
			    decimal_int start, decimal_int end)
{
	decimal_int sum = 0, at = end;

	if (n > 1)
		qsort(c, n, sizeof(*c), by_end);
	for (size_t i = 0; i < n; i++) {
		decimal_int from, to;

		fit_clock(clock, &c[i], start, at);
		from = c[i].start > start ? c[i].start : start;
		to = c[i].end < at ? c[i].end : at;
		if (to <= from)
			continue;
		sum += to - from;
		at = from;
	}
	return sum;
}

/* Visits all spans below a root; spans in a cycle are never reached. */
static void walk_tree(struct late_nesting *l, uint32_t root, uint32_t *n_open)
{
	uint32_t at = root;

	while (at != 0) {
		struct kept_span *s = &l->span[at - 1];

		s->inner = n_open[s->op]++ > 0;
		if (s->child != 0) {
			at = s->child;
			continue;
		}
		for (; at != 0; at = l->span[at - 1].parent) {
			n_open[l->span[at - 1].op]--;
			if (at == root)
				return;
			if (l->span[at - 1].sibling != 0)
				break;
		}
		at = at != 0 ? l->span[at - 1].sibling : 0;
	}
}

static void find_inner(struct late_nesting *l)
{
	uint32_t max = 0;
	uint32_t *n_open;

	for (size_t i = 0; i < l->n_spans; i++)
		max = l->span[i].op > max ? l->span[i].op : max;
	n_open = xcalloc((size_t)max + 1, sizeof(*n_open));
	for (size_t i = 0; i < l->n_spans; i++) {
		if (l->span[i].parent == 0)
			walk_tree(l, (uint32_t)i + 1, n_open);
	}
	free(n_open);
}

static void count_clipped(struct late_nesting *l, const struct kept_span *child,
			  const struct kept_span *parent)
{
	int64_t beyond =
		span_clock_beyond(&l->clock, child->start, child->end, parent->start, parent->end);

	l->clipped.n += beyond > 0;
	l->clipped.ns += (double)beyond;
	l->clipped.of += (double)(child->end - child->start);
}

/* Returns the start as it was added. */
static struct decimal printed_start(const struct late_nesting *l, const struct kept_span *span)
{
	int64_t ns = span->start - l->shift[span - l->span];

	return call_time_decimal((struct call_time){ ns, span->start_part });
}

static void settle_span(struct settling *s, const struct kept_span *span, struct covered **room,
			size_t *cap)
{
	struct late_nesting *l = s->l;
	decimal_int start = start_of_span(span), end = end_of_span(span);
	struct late_call call = { .op = span->op,
				  .start = printed_start(l, span),
				  .latency = { end - start } };
	size_t n = 0;

	for (uint32_t at = span->child; at != 0; at = l->span[at - 1].sibling) {
		const struct kept_span *child = &l->span[at - 1];

		count_clipped(l, child, span);
		*room = xgrow(*room, cap, n + 1, sizeof(**room));
		(*room)[n++] =
			(struct covered){ start_of_span(child), end_of_span(child), child->op };
	}
	call.nested.self.billionths = end - start - union_of(&l->clock, *room, n, start, end);
	call.nested.outermost = !span->inner;
	call.nested.known = true;
	if (n > 1)
		qsort(*room, n, sizeof(**room), by_op);
	for (size_t i = 0; i < n; i++)
		nesting_state(l->names, span->op, (*room)[i].op,
			      i == 0 || (*room)[i].op != (*room)[i - 1].op,
			      (struct decimal){ (*room)[i].end - (*room)[i].start });
	s->take(s->ctx, &call);
}

static void settle_spans(struct settling *s)
{
	struct covered *room = NULL;
	size_t cap = 0;

	if (s->l->n_spans == 0)
		return;
	find_parents(s->l);
	correct_clocks(s->l);
	find_inner(s->l);
	for (size_t i = 0; i < s->l->n_spans; i++)
		settle_span(s, &s->l->span[i], &room, &cap);
	free(room);
}

void late_nesting_settle(struct late_nesting *l,
			 void (*take)(void *ctx, const struct late_call *call), void *ctx)
{
	struct settling s = { .l = l, .take = take, .ctx = ctx };

	settle_calls(&s);
	settle_spans(&s);
	free(s.open);
}
