/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of a run, shares in it, and operations in order of them (OSprof 3.1). */
#ifndef ANALYZE_TOTALS_H
#define ANALYZE_TOTALS_H

#include "profile/profile.h"

struct arena;

/* Sums over a run; latencies in the profile's unit. */
struct totals {
	double latency; /* of all operations measured in the profile's unit */
	double idle;	/* of those among them that wait by design */
	double count;	/* of their calls */
	size_t n_ops;	/* all operations of the run */
};

/* Calls and latency of all operations of a profile, busy and idle. */
struct totals totals_of(const struct profile *p);

/* What the run worked: all but idle time. */
double totals_busy(const struct totals *t);

/* Its share of what the run worked, of an idle operation of all latency; NAN for values
 * that are not latencies of the run, 0 where the run has none. */
double share_of_latency(const struct totals *run, const struct profile *p,
			const struct operation *op);

/* The operations by falling latency of their own; ties in file order. */
const struct operation **order_by_latency(struct arena *a, const struct profile *p);

/* The same by all of it, so that who calls comes before what is called. */
const struct operation **order_by_inclusive(struct arena *a, const struct profile *p);

/* For who goes through such an order, at each i: asks for the memory of operations that will
 * be looked at soon, as it may lie anywhere.  What only asks for memory does nothing in the
 * eyes of a compiler, which leaves out calls of it: hence inline. */
static ALWAYS_INLINE void order_fetch(const struct operation *const *order, size_t n, size_t i)
{
	enum { FAR = 8, NEAR = 4, LINE = 64, MAX_BUCKETS = 16 };

	if (i + FAR < n) {
		const struct operation *op = order[i + FAR];

		for (const char *at = (const char *)op; at < (const char *)(op + 1); at += LINE)
			__builtin_prefetch(at);
		__builtin_prefetch((const char *)(op + 1) - 1);
	}
	if (i + NEAR < n) {
		const struct operation *op = order[i + NEAR];

		__builtin_prefetch(op->name.p);
		for (size_t k = 0; k < op->hist.n && k < MAX_BUCKETS;
		     k += LINE / sizeof(struct bucket))
			__builtin_prefetch(&op->hist.bucket[k]);
	}
}

#endif
