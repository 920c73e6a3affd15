/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of a run, shares of them, and operations sorted by latency (OSprof 3.1). */
#ifndef ANALYZE_TOTALS_H
#define ANALYZE_TOTALS_H

#include "profile/profile.h"

struct arena;

/* Sums over a run; latencies in the profile's unit. */
struct totals {
	double latency; /* own time of all operations in the profile's unit */
	double idle;	/* ... of those that wait by design */
	double count;	/* number of calls of all operations in the profile's unit */
	size_t n_ops;	/* all operations of the run */
};

/* Calls and latency of all operations of a profile, busy and idle. */
struct totals totals_of(const struct profile *p);

/* Returns the busy time of the run: its latency without idle time. */
double totals_busy(const struct totals *t);

/* Returns an operation's share of the run's busy time, or, for an idle operation, of all latency.
 * NAN when the operation has another unit than the run, 0 when the run has no latency. */
double share_of_latency(const struct totals *run, const struct profile *p,
			const struct operation *op);

/* Returns the operations by falling own time, ties in file order; in the arena. */
const struct operation **order_by_latency(struct arena *a, const struct profile *p);

/* The same by inclusive time, so that callers come before their callees. */
const struct operation **order_by_inclusive(struct arena *a, const struct profile *p);

/* Prefetches the operations after order[i] in a loop over such an order, since they may lie
 * anywhere in memory.  It must be inlined, because compilers drop calls of a function that only
 * prefetches. */
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
