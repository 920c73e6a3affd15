/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/coincide.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/significance.h"
#include "analyze/timeline.h"
#include "base/arena.h"
#include "base/xalloc.h"

const struct coincidence_rules coincidence_rules_default = {
	.level = 0.05,
	.min_intervals = 3,
	.tail = { 0.1, 0.01, 0.001 },
	.max_ratio = 1.5,
	.max_operations = 200,
};

/* --- chance ----------------------------------------------------------------------------- */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double coincidence_p(size_t all, size_t n, size_t k, size_t both)
{
	double N = (double)all, events = (double)k, drawn = (double)n, x = (double)both, sum = 0;
	double term = exp(log_choose(events, x) + log_choose(N - events, drawn - x) -
			  log_choose(N, drawn));

	for (; x <= fmin(events, drawn); x++) {
		sum += term;
		term *= (events - x) * (drawn - x) / ((x + 1) * (N - events - drawn + x + 1));
	}
	return fmin(1, sum);
}

/* --- sets of intervals ---------------------------------------------------------------------- */

typedef uint64_t word;
enum { WORD = 64 };

struct sets {
	size_t n_words;
	word *equal; /* intervals of about the usual length */
	size_t n_equal;
};

static void set_add(word *set, size_t i)
{
	set[i / WORD] |= (word)1 << i % WORD;
}

static size_t count_all(const struct sets *s, const word *a)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_words; i++)
		n += (size_t)__builtin_popcountll(a[i]);
	return n;
}

static size_t count_both(const struct sets *s, const word *a, const word *b)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_words; i++)
		n += (size_t)__builtin_popcountll(a[i] & b[i]);
	return n;
}

static size_t find_equal(struct sets *s, struct arena *a, const struct timeline *t, double ratio)
{
	size_t n = 0;

	s->n_words = t->n / WORD + 1;
	s->equal = arena_make(a, word, s->n_words);
	for (size_t i = 0; i < t->n; i++) {
		double length = t->interval[i].end - t->interval[i].start;

		if (!t->rounded && (length > ratio * t->usual || length * ratio < t->usual))
			n++;
		else
			set_add(s->equal, i);
	}
	s->n_equal = t->n - n;
	return n;
}

/* --- limits ------------------------------------------------------------------------------- */

enum { LOWEST = -64, OCTAVES = 192, MAX_LIMITS = 24 };

/* The octave of a latency; values that are not positive are in the first one. */
static size_t octave_of(double low)
{
	double octave = low > 0 ? floor(log2(low) + 1e-9) : LOWEST;

	return (size_t)(fmin(fmax(octave, LOWEST), LOWEST + OCTAVES - 1) - LOWEST);
}

/* Inserts a limit in ascending order, unless it is there. */
static void add_limit(size_t *limit, size_t *n, size_t octave)
{
	size_t at = *n;

	while (at > 0 && limit[at - 1] > octave)
		at--;
	if (at > 0 && limit[at - 1] == octave)
		return;
	memmove(&limit[at + 1], &limit[at], (*n - at) * sizeof(*limit));
	limit[at] = octave;
	(*n)++;
}

/* Finds limits where counts begin to rise again, from the last of the lowest counts or after a
 * gap, and where each share of `tail` is left, since slow calls need not form a peak. */
static size_t find_limits(const struct histogram *h, const double tail[COINCIDENCE_TAILS],
			  size_t limit[MAX_LIMITS])
{
	uint64_t count[OCTAVES] = { 0 }, above = h->count;
	size_t n = 0, n_tails = 0;
	bool falls = false;

	for (size_t i = 0; i < h->n; i++)
		count[octave_of(h->bucket[i].edges->low)] += h->bucket[i].count;
	for (size_t i = 1; i < OCTAVES && n + 1 < MAX_LIMITS; i++) {
		above -= count[i - 1];
		if (count[i] > count[i - 1] && falls)
			add_limit(limit, &n, count[i - 1] > 0 ? i - 1 : i);
		while (n_tails < COINCIDENCE_TAILS && count[i] > 0 &&
		       (double)above <= tail[n_tails] * (double)h->count) {
			add_limit(limit, &n, i);
			n_tails++;
		}
		falls = count[i] < count[i - 1] || (falls && count[i] == count[i - 1]);
	}
	return n;
}

/* --- events ---------------------------------------------------------------------------------- */

/* The intervals in which an operation was called, and in which it had calls above each limit. */
struct events {
	const struct operation *op;
	word *called;
	size_t n_called;
	word *above[MAX_LIMITS];
	size_t n_above[MAX_LIMITS];
	double low[MAX_LIMITS];
	size_t n_limits;
};

static void take_interval(struct events *e, const struct histogram *h, size_t at)
{
	if (h->count > 0)
		set_add(e->called, at);
	for (size_t k = 0; k < e->n_limits; k++) {
		for (size_t b = h->n; b-- > 0;) {
			if (h->bucket[b].edges->low < e->low[k] * (1 - 1e-9))
				break;
			set_add(e->above[k], at);
			break;
		}
	}
}

static bool is_enough(const struct coincidence_rules *r, size_t n, size_t all)
{
	return n >= r->min_intervals && n + r->min_intervals <= all;
}

/* Drops limits that too few or too many intervals exceed to be significant. */
static void keep_limits(struct events *e, const struct sets *s, const struct coincidence_rules *r)
{
	size_t kept = 0;

	for (size_t k = 0; k < e->n_limits; k++) {
		size_t n = count_all(s, e->above[k]);

		if (!is_enough(r, n, e->n_called))
			continue;
		e->above[kept] = e->above[k];
		e->n_above[kept] = n;
		e->low[kept++] = e->low[k];
	}
	e->n_limits = kept;
}

static struct events events_of(struct arena *a, const struct timeline *t, const struct sets *s,
			       const struct operation *op, const struct coincidence_rules *rules)
{
	struct events e = { .op = op, .called = arena_make(a, word, s->n_words) };
	size_t limit[MAX_LIMITS], at = 0;

	e.n_limits = find_limits(&op->hist, rules->tail, limit);
	for (size_t k = 0; k < e.n_limits; k++) {
		e.above[k] = arena_make(a, word, s->n_words);
		e.low[k] = exp2((double)limit[k] + LOWEST);
	}
	for (size_t i = 0; i < op->n_intervals; i++) {
		while (at < t->n && t->interval[at].start < op->interval[i].start)
			at++;
		if (at < t->n && s->equal[at / WORD] >> at % WORD & 1)
			take_interval(&e, &op->interval[i].hist, at);
	}
	e.n_called = count_all(s, e.called);
	keep_limits(&e, s, rules);
	return e;
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* Of `all` intervals, n have calls of `with`, and n_event have the event; no others have it. */
static struct coincidence compare_events(const struct sets *s, const struct events *x,
					 const struct events *with, size_t all, size_t n,
					 const word *event, size_t n_event)
{
	struct coincidence c = { .op = x->op,
				 .with = with->op,
				 .intervals_with = n,
				 .both = count_both(s, with->called, event),
				 .of_others = all - n };

	c.others = n_event - c.both;
	c.p = coincidence_p(all, n, n_event, c.both);
	return c;
}

/* Tests whether both operations are called in the same intervals, out of all intervals. */
static bool try_any(const struct sets *s, const struct events *x, const struct events *with,
		    const struct coincidence_rules *r, struct coincidence *ret)
{
	size_t all = s->n_equal;

	if (x >= with || !is_enough(r, x->n_called, all) || !is_enough(r, with->n_called, all))
		return false;
	*ret = compare_events(s, x, with, all, with->n_called, x->called, x->n_called);
	ret->any = true;
	ret->low = x->op->hist.n > 0 ? x->op->hist.bucket[0].edges->low : 0;
	return true;
}

/* Tests the slow calls of x, out of the intervals in which x was called. */
static bool try_limits(const struct sets *s, const struct events *x, const struct events *with,
		       const struct coincidence_rules *r, struct coincidence *ret)
{
	size_t best = 0, n_with = x->n_limits > 0 ? count_both(s, x->called, with->called) : 0;
	struct coincidence c[MAX_LIMITS];

	if (x->n_limits == 0 || !is_enough(r, n_with, x->n_called))
		return false;
	for (size_t k = 0; k < x->n_limits; k++) {
		c[k] = compare_events(s, x, with, x->n_called, n_with, x->above[k], x->n_above[k]);
		c[k].low = x->low[k];
		c[k].p = fmin(1, c[k].p * (double)x->n_limits);
		/* Of limits that separate equally well, the lowest. */
		if (c[k].p < c[best].p)
			best = k;
	}
	*ret = c[best];
	return true;
}

static int by_p(const void *a, const void *b)
{
	const struct coincidence *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return x->with < y->with ? -1 : x->with > y->with;
}

/* Fills q and keeps the significant pairs only. */
static void control_rate(struct coincidences *all, const struct coincidence_rules *r)
{
	double *p = xcalloc(all->n + 1, sizeof(*p)), *q = xcalloc(all->n + 1, sizeof(*q));
	size_t kept = 0;

	for (size_t i = 0; i < all->n; i++)
		p[i] = all->v[i].p;
	fdr_adjust(p, all->n, q);
	for (size_t i = 0; i < all->n; i++) {
		all->v[i].q = q[i];
		if (q[i] <= r->level && all->v[i].both >= r->min_intervals)
			all->v[kept++] = all->v[i];
	}
	all->n_tested = all->n;
	all->n = kept;
	if (kept > 1)
		qsort(all->v, kept, sizeof(*all->v), by_p);
	free(p);
	free(q);
}

/* Every pair is compared over all intervals, so very long runs allow fewer operations. */
static size_t max_operations(const struct timeline *t, const struct coincidence_rules *r)
{
	const double max_words = 2e7;
	double n = sqrt(max_words / (double)(t->n / WORD + 1));

	n = fmin(n, (double)r->max_operations);
	return (double)t->n_ops < n ? t->n_ops : (size_t)n;
}

struct coincidences coincidences_of(struct arena *a, const struct timeline *t,
				    const struct coincidence_rules *rules)
{
	size_t n = max_operations(t, rules);
	struct coincidences all = { .n_not_tried = t->n_ops - n };
	struct events *e;
	struct sets s;
	size_t cap = 0;

	if (t->n == 0)
		return all;
	e = arena_make(a, struct events, n + 1);
	all.n_left_out = find_equal(&s, a, t, rules->max_ratio);
	for (size_t i = 0; i < n; i++)
		e[i] = events_of(a, t, &s, t->op[i].op, rules);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n; k++) {
			struct coincidence any, slow;
			/* An idle operation is slow when nothing else happens. */
			bool pair = i != k && !e[i].op->idle && !e[k].op->idle;
			bool has_any = pair && try_any(&s, &e[i], &e[k], rules, &any);
			bool has_slow = pair && try_limits(&s, &e[i], &e[k], rules, &slow);

			if (!has_any && !has_slow)
				continue;
			all.v = arena_grow(a, all.v, &cap, all.n + 2, sizeof(*all.v));
			if (has_any)
				all.v[all.n++] = any;
			if (has_slow)
				all.v[all.n++] = slow;
		}
	}
	control_rate(&all, rules);
	return all;
}
