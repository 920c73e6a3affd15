/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A histogram: buckets with their edges and counts.
 *
 * Only buckets that are not empty are kept, ascending; the scheme tells which
 * ones lie between.  Analyses work on edges and never need to know how the
 * collector numbers its buckets.
 */
#ifndef PROFILE_HISTOGRAM_H
#define PROFILE_HISTOGRAM_H

#include <math.h>
#include <stdint.h>

#include "base/attr.h"
#include "profile/edges.h"

struct arena;

/* One bucket that has calls. */
struct bucket {
	const struct edges *edges; /* shared by the buckets that lie there */
	uint64_t count;		   /* > 0 */
};

/* The latency distribution of one operation, in the profile's unit. */
struct histogram {
	/* Never NULL: &bucket_octaves where there are no buckets.  It is shared: histograms of
	 * one profile mostly have the same one, in the profile's arena; those that are made of
	 * others here may have theirs. */
	const struct bucket_scheme *scheme;
	struct bucket *bucket; /* n of them, in an arena */
	size_t n;
	uint64_t count;	  /* of all buckets */
	bool approximate; /* edges were rounded by the collector, or split by us */
	/* Latencies are whole multiples of it, as the collector's clock or its digits have
	 * it; 0: not known.  A bucket that holds no multiple cannot but be empty. */
	double granularity;
};

/* The middle of the edges, known to +-33 % for a resolution of 1 (OSprof 3.3);
 * the finite edge of an open bucket. */
static inline double bucket_mean(const struct bucket *b)
{
	const struct edges *e = b->edges;

	if (e->high == HUGE_VAL)
		return e->low;
	if (e->low == -HUGE_VAL)
		return e->high;
	return e->low + (e->high - e->low) / 2;
}

double histogram_total(const struct histogram *h);     /* sum of count x mean, in its unit */
double histogram_total_min(const struct histogram *h); /* every call at its bucket's low edge */
double histogram_total_max(const struct histogram *h); /* every call at the high edge */

/* The bucket that holds the call at quantile q in [0, 1]: the smallest call at
 * 0, the largest at 1.  It belongs to h; NULL when that is empty. */
const struct bucket *histogram_quantile(const struct histogram *h, double q);
/* The same of n quantiles, ascending, in one pass. */
void histogram_quantiles(const struct histogram *h, const double *q, size_t n,
			 const struct bucket **ret);

/* Whether a latency can lie in [low, high): always, unless the granularity is known. */
bool histogram_can_hold(const struct histogram *h, double low, double high);

/* A copy in the pool's arena: it shares its scheme and edges with others there, and nothing
 * with `h`. */
struct histogram histogram_copy(struct edges_pool *to, const struct histogram *h);

/* h with every edge a bucket of `to`, of which the arena gets a copy; false, with *ret untouched,
 * when a bucket of h does not lie within one of `to`.  Counts are kept to the last one. */
MUST_CHECK bool histogram_rebin(struct arena *a, const struct histogram *h,
				const struct bucket_scheme *to, struct histogram *ret);

/* The same where buckets have to be split: each one's count is spread evenly
 * between its edges and rounded so that the sum stays. */
struct histogram histogram_rebin_split(struct arena *a, const struct histogram *h,
				       const struct bucket_scheme *to);

/* All edges multiplied by factor > 0 (a change of unit); EDGES, marked approximate
 * unless factor is 1. */
struct histogram histogram_scaled(struct arena *a, const struct histogram *h, double factor);

/* Whether two histograms could be added, and whether exactly. */
enum merge { MERGE_DONE, MERGE_OVERFLOW, MERGE_INEXACT };

/* a + b on their common scheme, exact or not at all.  *ret may share buckets with a or b.  On
 * failure it is untouched: MERGE_OVERFLOW when a count exceeds 64 bits, MERGE_INEXACT when their
 * buckets have no common scheme; histogram_rebin_split() makes one, approximately. */
MUST_CHECK enum merge histogram_merge(struct arena *arena, const struct histogram *a,
				      const struct histogram *b, struct histogram *ret);

/* The sum of n >= 1, as one after the other is added to it, but in time that is linear in
 * their buckets where their schemes are equal. */
MUST_CHECK enum merge histogram_sum(struct arena *arena, const struct histogram *h, size_t n,
				    struct histogram *ret);

/* Whether every bucket of `later` holds at least what `earlier` does (on equal schemes). */
bool histogram_contains(const struct histogram *later, const struct histogram *earlier);
/* Leaves what came since, bucket by bucket; needs histogram_contains(). */
void histogram_take_away(struct histogram *from, const struct histogram *earlier);

#endif
