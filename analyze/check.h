/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consistency of a profile: its buckets against what the collector states
 * (OSprof section 4: a check of the instrumentation itself).
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

/* One contradiction between what the collector states and its buckets. */
struct finding {
	enum inconsistency what;
	const struct operation *op;
	double stated;	  /* by the collector */
	double low, high; /* what the buckets allow */
};

/* All contradictions of a profile, in an arena. */
struct consistency {
	struct finding *finding;
	size_t n;
	size_t n_totals, n_counts; /* operations that state them */
};

/* Looks for contradictions between what a profile states and what its buckets hold. */
struct consistency check(struct arena *a, const struct profile *p);

#endif
