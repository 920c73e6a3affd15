/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mixes of operations, which characterise workloads (FSprof, section 5.2): which part of the calls,
 * and of the time, each operation has.  Parts have no unit, so that workloads of other sizes, other
 * machines and other clocks compare.
 */
#ifndef ANALYZE_MIX_H
#define ANALYZE_MIX_H

#include <stddef.h>

#include "profile/profile.h"

struct arena;

/* One operation in n runs, by number of the run. */
struct mix_row {
	const struct operation *op; /* of the first run that has it */
	double *calls;		    /* 0 where the run has no call of it */
	double *time;		    /* self time, in the run's unit */
};

/* The mixes of n_runs runs; all lies in the arena, operations are borrowed. */
struct mix {
	size_t n_runs, n;
	struct mix_row *row; /* most calls first, by their largest part in any run */
	double *calls;	     /* of a run, all operations */
	double *time;
	/* Total variation distance of run i and run k, at [i * n_runs + k]: the part of the calls,
	 * or of the time, that is of other operations, 0 to 1.  NAN where a run has none. */
	double *by_calls, *by_time;
};

/* Idle operations do not count: how long they wait says nothing of the work. */
struct mix mix_of(struct arena *a, const struct profile *const *p, size_t n);

/* Returns the run, other than i, whose calls differ least from those of run i; i if there is
 * none. */
size_t mix_nearest(const struct mix *m, size_t i);

#endif
