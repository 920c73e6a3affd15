/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs have in common: whether they can be of one workload at all. */
#ifndef ANALYZE_LIKENESS_H
#define ANALYZE_LIKENESS_H

#include "profile/profile.h"

/* Of one run with others. */
struct likeness {
	size_t shared, of;  /* operations that both have, of those that either has more of */
	double own, theirs; /* shares of latency that these hold; NAN: there is none */
};

/* Fewer than a quarter of the operations, or less than half of the latency of both. */
bool likeness_is_low(const struct likeness *l);

/* How much of the latency of either profile lies in operations that the other has, too. */
struct likeness likeness_of(const struct profile *own, const struct profile *theirs);

/* The first of n runs that is unlike what half of all runs have, or more; n when there is
 * none.  `sum` is all of them added up. */
size_t find_unlike(const struct profile *const *run, size_t n, const struct profile *sum,
		   struct likeness *ret);

/* For who keeps operations in another way: each operation is added, then it is finished. */
struct likeness_sums {
	size_t shared, n_own, n_theirs;
	double own, theirs, own_shared, theirs_shared;
};

/* `usual`: the others have it, or half of them. */
void likeness_add(struct likeness_sums *s, bool has, bool usual, double own, double theirs);
struct likeness likeness_finish(const struct likeness_sums *s);

#endif
