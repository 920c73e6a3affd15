/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Duets: runs of two programs at once on one processor (Bulej and others 2020).
 *
 * What else the machine does slows both partners at the same time, so that it is no part of their
 * difference.  Each duet gives one difference, over the time in which both ran: a partner that
 * goes on alone has the processor to itself.
 */
#ifndef ANALYZE_DUET_H
#define ANALYZE_DUET_H

#include "analyze/run_order.h"

struct arena;
struct operation;

/* The partners of the runs before, by their number. */
struct duets {
	size_t n;	       /* 0: not all runs are partners */
	const size_t *partner; /* [n] numbers of runs after */
	const double *until;   /* [n] seconds in which both have intervals; 0: not known */
};

/* Finds partners, which state the same duet, in the arena. */
struct duets duets_of(struct arena *a, const struct runs_side *before,
		      const struct runs_side *after);

/* Returns an operation of a run over the first `until` seconds, which may be itself; all of it if
 * it was not called in them.  Means are then those of its buckets. */
const struct operation *duet_part(struct arena *a, const struct operation *op, double until);

#endif
