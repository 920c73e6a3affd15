/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_switches.h"

#include <stdlib.h>

#include "base/xalloc.h"

void uftrace_switch_add(struct uftrace_switches *s, struct uftrace_switch one)
{
	s->v = xgrow(s->v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v[s->n++] = one;
}

static int by_thread(const void *a, const void *b)
{
	const struct uftrace_switch *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->back - y->back;
}

static void add_wait(struct uftrace_switches *s, const struct uftrace_switch *left,
		     const struct uftrace_switch *back)
{
	s->wait = xgrow(s->wait, &s->cap_waits, s->n_waits + 1, sizeof(*s->wait));
	s->wait[s->n_waits++] = (struct uftrace_wait){
		.tid = back->tid, .start = left->ns, .end = back->ns, .preempted = left->preempted
	};
}

uint64_t uftrace_switches_pair(struct uftrace_switches *s)
{
	const struct uftrace_switch *left = NULL;
	uint64_t alone = 0;

	if (s->n > 0)
		qsort(s->v, s->n, sizeof(*s->v), by_thread);
	for (size_t i = 0; i < s->n; i++) {
		const struct uftrace_switch *one = &s->v[i];

		if (left != NULL && left->tid != one->tid)
			left = NULL;
		alone += i > 0 && one[-1].tid == one->tid && one[-1].back == one->back;
		if (one->back && left != NULL)
			add_wait(s, left, one);
		left = one->back ? NULL : one;
	}
	return alone;
}

struct uftrace_waits uftrace_waits_of(const struct uftrace_switches *s, uint64_t tid)
{
	struct uftrace_waits w = { .n = 0 };
	size_t at = 0;

	while (at < s->n_waits && s->wait[at].tid != tid)
		at++;
	if (at == s->n_waits)
		return w;
	w.next = &s->wait[at];
	while (at + w.n < s->n_waits && w.next[w.n].tid == tid)
		w.n++;
	return w;
}

static bool push_call(struct call_sink *to, const struct uftrace_wait *w)
{
	struct call_event e = { .what = CALL_ENTER,
				.thread = { w->tid, 0 },
				.name = w->preempted ? STR("linux:schedule (pre-empted)")
						     : STR("linux:schedule"),
				.at = call_time_ns(w->start) };

	e.where = e.name;
	if (!to->class->event(to, &e))
		return false;
	e.what = CALL_LEAVE;
	e.at = call_time_ns(w->end);
	return to->class->event(to, &e);
}

bool uftrace_waits_push(struct uftrace_waits *w, struct call_sink *to, uint64_t ns, uint64_t last,
			bool is_open)
{
	bool ok = true;

	for (; ok && w->n > 0 && w->next->end <= ns; w->next++, w->n--)
		ok = !is_open || w->next->start < last || push_call(to, w->next);
	return ok;
}

uint64_t uftrace_switches_push(struct uftrace_switches *s, struct call_sink *to)
{
	uint64_t alone = uftrace_switches_pair(s);

	for (size_t i = 0; i < s->n_waits; i++) {
		const struct uftrace_wait *one = &s->wait[i];
		struct call_wait w = { .thread = { one->tid, 0 },
				       .start = (int64_t)one->start,
				       .end = (int64_t)one->end,
				       .kind = one->preempted ? CALL_IS_PREEMPTED
							      : CALL_IS_BLOCKED };

		to->class->wait(to, &w);
	}
	return alone;
}

void uftrace_switches_release(struct uftrace_switches *s)
{
	free(s->v);
	free(s->wait);
}
