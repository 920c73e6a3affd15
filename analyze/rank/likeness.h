/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much runs have in common, to tell whether they can be of the same workload. */
#ifndef ANALYZE_RANK_LIKENESS_H
#define ANALYZE_RANK_LIKENESS_H

#include "profile/profile.h"

/* The likeness of one run with others. */
struct likeness {
	size_t shared, of;  /* operations in both; operations of the side that has more */
	double own, theirs; /* share of each side's latency in shared operations; NAN: no latency */
};

/* Whether they share less than a quarter of the operations, or, on both sides, less than half of
 * the latency. */
bool likeness_is_low(const struct likeness *l);

/* Compares the operations and latency of two profiles. */
struct likeness likeness_of(const struct profile *own, const struct profile *theirs);

/* Returns the first of n runs with low likeness to the operations that at least half of all runs
 * have, and its likeness in *ret; n when there is none.  `sum` is the sum of all runs. */
size_t find_dissimilar_run(const struct profile *const *run, size_t n, const struct profile *sum,
			   struct likeness *ret);

/* For callers that keep operations in another way: add each operation, then finish. */
struct likeness_sums {
	size_t shared, n_own, n_theirs;
	double own, theirs, own_shared, theirs_shared;
};

/* Adds one operation.  `has`: the run has it; `usual`: so do the others, or half of them. */
void likeness_add(struct likeness_sums *s, bool has, bool usual, double own, double theirs);
struct likeness likeness_finish(const struct likeness_sums *s);

#endif
