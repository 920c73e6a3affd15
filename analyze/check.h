/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consistency checks of a profile: its buckets against the numbers that the collector
 * states, which checks the instrumentation itself (OSprof section 4).
 */
#ifndef ANALYZE_CHECK_H
#define ANALYZE_CHECK_H

#include "profile/profile.h"

struct arena;

/* Which two numbers of an operation contradict each other. */
enum inconsistency {
	CHECK_COUNT,	 /* stated count against the sum of the buckets */
	CHECK_TOTAL,	 /* stated total against the edges of the buckets */
	CHECK_MIN,	 /* stated minimum against the lowest bucket */
	CHECK_MAX,	 /* stated maximum against the highest bucket */
	CHECK_INTERVALS, /* sum of the intervals against the whole run */
};
const char *inconsistency_name(enum inconsistency i); /* "count" */

/* One contradiction between a stated number and the buckets. */
struct finding {
	enum inconsistency what;
	const struct operation *op;
	double stated;	  /* by the collector; for CHECK_INTERVALS, calls in all intervals */
	double low, high; /* range that the buckets allow */
};

/* All contradictions of a profile, in an arena. */
struct consistency {
	struct finding *finding;
	size_t n;
	size_t n_totals, n_counts; /* operations that state a total, a count */
};

/* Returns all contradictions between the stated numbers of a profile and its buckets. */
struct consistency check(struct arena *a, const struct profile *p);

#endif
