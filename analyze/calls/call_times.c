/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "analyze/calls/call_groups.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* Buffers for the latencies of one operation's calls. */
struct room {
	double *user, *kernel, *undisturbed;
};

/* Time that the caller sees beyond the time in the kernel, or beyond CPU time. */
static double time_beyond(const struct call *c, bool has_kernel)
{
	return (double)c->latency - (double)(has_kernel ? c->kernel : c->cpu);
}

static struct call_times times_of(const struct calls *c, const uint32_t *call, size_t n,
				  const struct room *room)
{
	struct call_times t = { .operation = c->v[call[0]].operation, .calls = n };
	size_t n_user = 0;

	for (size_t i = 0; i < n; i++)
		t.n_kernel += c->v[call[i]].kernel != CALL_NO_TIME;
	for (size_t i = 0; i < n; i++) {
		const struct call *v = &c->v[call[i]];
		double more;

		t.n_blocked += call_blocked(v);
		t.n_preempted += call_preempted(v);
		if (t.n_kernel > 0 && v->kernel == CALL_NO_TIME)
			continue;
		more = time_beyond(v, t.n_kernel > 0);
		t.beyond += more;
		t.beyond_blocked += call_blocked(v) ? more : 0;
		t.beyond_preempted += call_preempted(v) ? more : 0;
		if (t.n_kernel > 0)
			room->kernel[n_user] = (double)v->kernel;
		room->user[n_user++] = (double)v->latency;
		if (!call_blocked(v) && !call_preempted(v))
			room->undisturbed[t.n_undisturbed++] = (double)v->latency;
	}
	t.user = spread_of(room->user, n_user);
	t.kernel = spread_of(room->kernel, t.n_kernel);
	t.undisturbed = spread_of(room->undisturbed, t.n_undisturbed);
	return t;
}

static int by_latency(const void *a, const void *b)
{
	const struct call_times *x = a, *y = b;
	double tx = x->user.mean * (double)x->calls, ty = y->user.mean * (double)y->calls;

	if (tx != ty)
		return tx > ty ? -1 : 1;
	return x->operation < y->operation ? -1 : x->operation > y->operation;
}

struct all_times all_times_of(struct arena *a, const struct calls *c)
{
	struct call_groups g = call_groups_of(c, key_operation);
	struct all_times all = { .v = arena_make(a, struct call_times, g.n + 1), .n = g.n };
	struct room room = { xcalloc(c->n + 1, sizeof(double)), xcalloc(c->n + 1, sizeof(double)),
			     xcalloc(c->n + 1, sizeof(double)) };

	for (size_t i = 0; i < g.n; i++) {
		all.v[i] = times_of(c, g.call + g.first[i], g.first[i + 1] - g.first[i], &room);
		all.has_kernel |= all.v[i].n_kernel > 0;
	}
	free(room.user);
	free(room.kernel);
	free(room.undisturbed);
	call_groups_release(&g);
	qsort(all.v, all.n, sizeof(*all.v), by_latency);
	return all;
}
