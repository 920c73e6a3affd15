/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "analyze/calls/call_groups.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* --- all of them -------------------------------------------------------------------------- */

struct calls_summary calls_summary(const struct calls *c)
{
	struct call_groups operations = call_groups_of(c, key_operation);
	bool *seen = xcalloc(c->sites.n, sizeof(*seen));
	struct calls_summary s = { .n_operations = operations.n };
	double first = HUGE_VAL, end = 0;

	call_groups_release(&operations);
	for (size_t i = 0; i < c->n; i++) {
		const struct call *v = &c->v[i];

		first = fmin(first, (double)v->start);
		end = fmax(end, (double)v->start + (double)v->latency);
		s.latency += (double)v->latency;
		s.cpu += (double)v->cpu;
		s.blocked += (double)v->blocked;
		s.minor_faults += v->minor_faults;
		s.major_faults += v->major_faults;
		s.n_blocked += call_blocked(v);
		s.n_preempted += call_preempted(v);
		s.n_kernel += v->kernel != CALL_NO_TIME;
		s.n_sites += v->site != 0 && !seen[v->site];
		seen[v->site] = true;
	}
	free(seen);
	s.duration = c->n > 0 ? end - first : 0;
	return s;
}

/* --- sites ---------------------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
	const struct site_cost *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->operation != y->operation)
		return x->operation < y->operation ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static struct site_cost cost_of(const struct calls *c, const uint32_t *call, size_t n,
				double *latency)
{
	struct site_cost s = { .operation = c->v[call[0]].operation,
			       .site = c->v[call[0]].site,
			       .calls = n };

	for (size_t i = 0; i < n; i++) {
		const struct call *v = &c->v[call[i]];

		latency[i] = (double)v->latency;
		s.total += latency[i];
		s.cpu += (double)v->cpu;
		s.blocked += (double)v->blocked;
		s.minor_faults += v->minor_faults;
		s.major_faults += v->major_faults;
		s.n_blocked += call_blocked(v);
		s.n_preempted += call_preempted(v);
	}
	s.latency = spread_of(latency, n);
	return s;
}

struct site_costs site_costs_of(struct arena *a, const struct calls *c)
{
	struct call_groups g = call_groups_of(c, key_site);
	struct site_costs all = { .v = arena_make(a, struct site_cost, g.n + 1), .n = g.n };
	double *latency = xcalloc(c->n + 1, sizeof(*latency));

	for (size_t i = 0; i < g.n; i++) {
		all.v[i] = cost_of(c, g.call + g.first[i], g.first[i + 1] - g.first[i], latency);
		all.total += all.v[i].total;
	}
	free(latency);
	call_groups_release(&g);
	qsort(all.v, all.n, sizeof(*all.v), by_total);
	return all;
}
