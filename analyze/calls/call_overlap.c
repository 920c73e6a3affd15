/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other threads did during calls, found in one pass over the starts and ends of each run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/calls/calls.h"
#include "analyze/idle.h"
#include "analyze/peaks.h"
#include "base/arena.h"
#include "base/sort.h"
#include "base/xalloc.h"

/* --- which calls are slow ------------------------------------------------------------- */

static const double worth = 0.01; /* share of the operation's latency */

/* Returns the lower edge of the first peak after the fastest that holds `worth` of the latency;
 * NAN when there is none. */
static double slow_limit(struct arena *a, const uint64_t *count)
{
	enum { OCTAVES = 64 };
	struct histogram h = { .scheme = &bucket_octaves,
			       .bucket = arena_make(a, struct bucket, OCTAVES) };
	struct peaks p;
	double all = 0;

	for (int i = 0; i < OCTAVES; i++) {
		if (count[i] == 0)
			continue;
		h.bucket[h.n++] = (struct bucket){ edges_make(a, &bucket_octaves, i), count[i] };
		h.count += count[i];
	}
	p = peaks_find(a, &h, &peak_rules_default);
	for (size_t k = 0; k < p.n; k++)
		all += p.v[k].total;
	for (size_t k = 1; k < p.n; k++) {
		if (p.v[k].total >= worth * all)
			return p.v[k].low;
	}
	return NAN;
}

static double *slow_limits(struct arena *a, const struct calls *c)
{
	enum { OCTAVES = 64 };
	size_t n = c->operations.n;
	uint64_t *count = xcalloc(n * OCTAVES, sizeof(*count));
	double *limit = arena_make(a, double, n);

	for (size_t i = 0; i < c->n_all; i++) {
		int octave = c->v[i].latency > 0 ? 63 - __builtin_clzll(c->v[i].latency) : 0;

		count[c->v[i].operation * OCTAVES + (size_t)octave]++;
	}
	for (size_t o = 0; o < n; o++)
		limit[o] = slow_limit(a, count + o * OCTAVES);
	free(count);
	return limit;
}

/* --- the sweep ---------------------------------------------------------------------------- */

/* The time, up to `since`, during which at least one call (`one`) and at least two calls (`two`)
 * of an operation were active. */
struct activity {
	size_t active;
	uint64_t since, one, two;
	uint64_t ended, last_end; /* number of calls that ended, and when the last one did */
};

/* A call in progress, with the activity of all operations at its start. */
struct ongoing {
	bool open;
	struct activity *at_start;
};

/* What slow and other calls of one operation share with another operation. */
struct shared_time {
	double slow, other;		/* ns of overlap */
	uint64_t with_slow, with_other; /* calls that ended together with one */
};

/* A call that ended a short while ago.  The holder of a lock releases it before it returns, so the
 * call that waited for the lock may return first. */
struct ended_call {
	uint32_t operation, thread;
	bool slow;
	uint64_t latest; /* until when another call counts as ending together with it */
	bool *with;	 /* for each operation: a call of it ended together with this one */
};

enum { MAX_ENDED = 8 };
/* Calls end together when they do so within this share of the call's latency, or within this many
 * ns, which recording the end of a call may take. */
static const double slack = 0.1, recording = 50e3;

static uint64_t slack_of(const struct call *call)
{
	return (uint64_t)fmax(slack * (double)call->latency, recording);
}

struct sweep {
	struct ended_call recent[MAX_ENDED];
	size_t n_recent;
	const struct calls *c;
	const double *limit;
	size_t n_ops;
	struct activity *op;
	struct ongoing *thread;
	uint64_t *busy_until;	    /* of each thread: end of its outermost call */
	struct shared_time *shared; /* [operation * n_ops + other] */
	double *slow_time, *other_time;
	uint64_t *n_slow, *n_other;
};

static void advance_time(struct activity *a, uint64_t now)
{
	a->one += a->active > 0 ? now - a->since : 0;
	a->two += a->active > 1 ? now - a->since : 0;
	a->since = now;
}

static void begin_call(struct sweep *s, const struct call *call)
{
	struct ongoing *t = &s->thread[call->thread];

	for (size_t o = 0; o < s->n_ops; o++)
		advance_time(&s->op[o], call->start);
	if (t->at_start == NULL)
		t->at_start = xcalloc(s->n_ops, sizeof(*t->at_start));
	memcpy(t->at_start, s->op, s->n_ops * sizeof(*t->at_start));
	t->open = true;
	s->op[call->operation].active++;
}

static void count_end(struct sweep *s, struct ended_call *e, uint32_t other)
{
	struct shared_time *to = &s->shared[e->operation * s->n_ops + other];

	if (e->with[other])
		return;
	e->with[other] = true;
	*(e->slow ? &to->with_slow : &to->with_other) += 1;
}

/* Remembers a call that ends now, and counts the calls that ended shortly before it and during
 * it as ending together with it. */
static void remember_call(struct sweep *s, const struct call *call, bool slow)
{
	struct ended_call *e = &s->recent[s->n_recent++ % MAX_ENDED];
	const struct activity *was = s->thread[call->thread].at_start;
	uint64_t now = call->start + call->latency;

	if (e->with == NULL)
		e->with = xcalloc(s->n_ops, sizeof(*e->with));
	memset(e->with, 0, s->n_ops * sizeof(*e->with));
	e->operation = call->operation;
	e->thread = call->thread;
	e->slow = slow;
	e->latest = now + slack_of(call);
	for (size_t o = 0; o < s->n_ops; o++) {
		if (s->op[o].ended > was[o].ended && s->op[o].last_end + slack_of(call) >= now)
			count_end(s, e, (uint32_t)o);
	}
}

static void end_shortly_after(struct sweep *s, const struct call *call)
{
	for (size_t i = 0; i < MAX_ENDED && i < s->n_recent; i++) {
		struct ended_call *e = &s->recent[i];

		if (e->thread != call->thread && call->start + call->latency <= e->latest)
			count_end(s, e, call->operation);
	}
}

static void end_call(struct sweep *s, const struct call *call)
{
	struct ongoing *t = &s->thread[call->thread];
	bool slow = (double)call->latency >= s->limit[call->operation];

	for (size_t o = 0; o < s->n_ops; o++) {
		struct activity *now = &s->op[o];
		const struct activity *was = &t->at_start[o];
		struct shared_time *to = &s->shared[call->operation * s->n_ops + o];
		bool own = o == call->operation;
		uint64_t time;

		advance_time(now, call->start + call->latency);
		time = own ? now->two - was->two : now->one - was->one;
		*(slow ? &to->slow : &to->other) += (double)time;
	}
	(slow ? s->slow_time : s->other_time)[call->operation] += (double)call->latency;
	(slow ? s->n_slow : s->n_other)[call->operation]++;
	end_shortly_after(s, call);
	remember_call(s, call, slow);
	s->op[call->operation].active--;
	s->op[call->operation].ended++;
	s->op[call->operation].last_end = call->start + call->latency;
	t->open = false;
}

/* Drops calls nested in another call of the same thread. */
static size_t outermost_calls(struct sweep *s, struct sort_item *item, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct call *call = &s->c->v[item[i].number];

		if (call->start < s->busy_until[call->thread])
			continue;
		s->busy_until[call->thread] = call->start + call->latency;
		item[kept++] = item[i];
	}
	return kept;
}

static void sweep_run(struct sweep *s, struct sort_item *starts, size_t n)
{
	struct sort_item *ends = xcalloc(n + 1, sizeof(*ends));
	size_t at = 0;

	sort_by_key(starts, n);
	n = outermost_calls(s, starts, n);
	for (size_t i = 0; i < n; i++) {
		const struct call *call = &s->c->v[starts[i].number];

		ends[i] = (struct sort_item){ call->start + call->latency, starts[i].number };
	}
	sort_by_key(ends, n);
	memset(s->op, 0, s->n_ops * sizeof(*s->op));
	s->n_recent = 0;
	for (size_t i = 0; i < n; i++) {
		const struct call *call = &s->c->v[ends[i].number];

		/* A thread's next call may begin at the very time its previous one ends; a call
		 * of zero length must begin before it ends. */
		while (at < n && (starts[at].key < ends[i].key || !s->thread[call->thread].open))
			begin_call(s, &s->c->v[starts[at++].number]);
		end_call(s, call);
	}
	free(ends);
}

/* --- results -----------------------------------------------------------------------------------
 */

enum { MIN_SLOW = 20 };

/* Slow calls wait for an operation when most of their time overlaps with it, most of them end
 * together with it, and at least one of the two shares is clearly lower for the other calls. */
static bool is_wait(const struct overlap_with *w, uint64_t n_slow)
{
	double others = w->other_ended_with >= 0 ? w->other_ended_with : 0;

	return n_slow >= MIN_SLOW && w->slow_share >= 0.5 && w->ended_with >= 0.5 &&
	       (overlap_excess(w) >= 0.2 || w->ended_with - others >= 0.2);
}

static int by_share(const void *a, const void *b)
{
	const struct overlap_with *x = a, *y = b;

	double more_x = overlap_excess(x), more_y = overlap_excess(y);

	if (x->waits != y->waits)
		return x->waits ? -1 : 1;
	if (more_x != more_y)
		return more_x > more_y ? -1 : 1;
	return x->operation < y->operation ? -1 : x->operation > y->operation;
}

static int by_slow_time(const void *a, const void *b)
{
	const struct overlap *x = a, *y = b;

	if (x->slow_time != y->slow_time)
		return x->slow_time > y->slow_time ? -1 : 1;
	return x->operation < y->operation ? -1 : x->operation > y->operation;
}

static struct overlap overlap_of(struct arena *a, const struct sweep *s, size_t o)
{
	struct overlap r = { .operation = (uint32_t)o,
			     .limit = s->limit[o],
			     .n_slow = s->n_slow[o],
			     .slow_time = s->slow_time[o],
			     .with = arena_make(a, struct overlap_with, s->n_ops) };

	for (size_t k = 0; k < s->n_ops; k++) {
		const struct shared_time *t = &s->shared[o * s->n_ops + k];

		if (t->slow > 0)
			r.with[r.n++] = (struct overlap_with){
				.operation = (uint32_t)k,
				.slow_share = t->slow / s->slow_time[o],
				.other_share =
					s->other_time[o] > 0 ? t->other / s->other_time[o] : NAN,
				.ended_with = (double)t->with_slow / (double)s->n_slow[o],
				.other_ended_with =
					s->n_other[o] > 0
						? (double)t->with_other / (double)s->n_other[o]
						: NAN,
			};
	}
	for (size_t k = 0; k < r.n; k++)
		r.with[k].waits = wait_class_of(s->c->operations.v[o]) != WAIT_CLASS_SLEEP &&
				  is_wait(&r.with[k], r.n_slow);
	qsort(r.with, r.n, sizeof(*r.with), by_share);
	return r;
}

static void sweep_all(struct sweep *s)
{
	struct sort_item *item = xcalloc(s->c->n_all + 1, sizeof(*item));
	size_t n;

	for (uint32_t run = 0; run <= s->c->n_runs; run++) {
		n = 0;
		for (size_t i = 0; i < s->c->n_all; i++) {
			if (s->c->v[i].run == run)
				item[n++] = (struct sort_item){ s->c->v[i].start, i };
		}
		sweep_run(s, item, n);
	}
	free(item);
}

struct overlaps overlaps_of(struct arena *a, const struct calls *c)
{
	size_t n = c->operations.n;
	struct sweep s = { .c = c,
			   .limit = slow_limits(a, c),
			   .n_ops = n,
			   .op = arena_make(a, struct activity, n),
			   .thread = xcalloc(c->n_threads + 1, sizeof(struct ongoing)),
			   .busy_until = xcalloc(c->n_threads + 1, sizeof(uint64_t)),
			   .shared = xcalloc(n * n + 1, sizeof(struct shared_time)),
			   .slow_time = arena_make(a, double, n),
			   .other_time = arena_make(a, double, n),
			   .n_slow = arena_make(a, uint64_t, n),
			   .n_other = arena_make(a, uint64_t, n) };
	struct overlaps all = { arena_make(a, struct overlap, n), 0, c->n_threads };
	bool *wanted = xcalloc(n + 1, sizeof(*wanted));

	sweep_all(&s);
	for (size_t i = 0; i < c->n; i++)
		wanted[c->v[i].operation] = true;
	for (size_t o = 0; o < n; o++) {
		if (wanted[o] && s.n_slow[o] > 0)
			all.v[all.n++] = overlap_of(a, &s, o);
	}
	qsort(all.v, all.n, sizeof(*all.v), by_slow_time);
	for (size_t i = 0; i < c->n_threads; i++)
		free(s.thread[i].at_start);
	for (size_t i = 0; i < MAX_ENDED; i++)
		free(s.recent[i].with);
	free(s.thread);
	free(s.busy_until);
	free(s.shared);
	free(wanted);
	return all;
}
