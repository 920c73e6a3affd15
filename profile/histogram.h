/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A histogram: buckets with their edges and counts.
 *
 * Only buckets that are not empty are kept, in ascending order; the scheme tells
 * which buckets lie between.  Analyses use the edges and never need to know how
 * the collector numbers its buckets.
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
	const struct edges *edges; /* shared by buckets with the same edges */
	uint64_t count;		   /* > 0 */
};

/* The latency distribution of one operation, in the profile's unit. */
struct histogram {
	/* Never NULL: &bucket_octaves if there are no buckets.  Shared, in the profile's arena:
	 * histograms of one profile mostly have the same scheme, and histograms made from others
	 * here may have theirs. */
	const struct bucket_scheme *scheme;
	struct bucket *bucket; /* n of them, in an arena */
	size_t n;
	uint64_t count;	  /* sum of all buckets */
	bool approximate; /* the collector rounded edges, or we split buckets */
	/* Latencies are whole multiples of this step of the collector's clock or of its printed
	 * digits; 0: not known.  A bucket that holds no multiple is always empty. */
	double granularity;
};

/* Returns the middle of the edges, or the finite edge of an open bucket. */
static inline double bucket_middle(const struct bucket *b)
{
	const struct edges *e = b->edges;

	if (e->high == HUGE_VAL)
		return e->low;
	if (e->low == -HUGE_VAL)
		return e->high;
	return e->low + (e->high - e->low) / 2;
}

/* Returns the estimated mean latency of the calls of bucket i: from its count and the counts around
 * it, by a monotone curve; the finite edge of an open bucket. */
double histogram_bucket_mean(const struct histogram *h, size_t i);
double histogram_total(const struct histogram *h);     /* sum of count x mean, in its unit */
double histogram_total_min(const struct histogram *h); /* every call at its bucket's low edge */
double histogram_total_max(const struct histogram *h); /* every call at the high edge */

/* Returns the bucket that holds quantile q in [0, 1]: the shortest call at 0, the longest at 1.
 * It belongs to h; NULL when h is empty. */
const struct bucket *histogram_quantile(const struct histogram *h, double q);
/* The same for n ascending quantiles, in one pass. */
void histogram_quantiles(const struct histogram *h, const double *q, size_t n,
			 const struct bucket **ret);

/* Whether a latency can lie in [low, high): false only where a known granularity has no multiple
 * there. */
bool histogram_can_hold(const struct histogram *h, double low, double high);

/* Narrows [*low, *high) to the latencies that it can hold: with a known granularity, half a step to
 * both sides of its multiples. */
void histogram_narrow(const struct histogram *h, double *low, double *high);

/* Returns a copy in the pool's arena, which shares scheme and edges with others there but nothing
 * with `h`. */
struct histogram histogram_copy(struct edges_pool *to, const struct histogram *h);

/* Puts h on scheme `to`, of which the arena gets a copy, with exact counts; false, with *ret
 * untouched, when a bucket of h does not lie within one of `to`. */
MUST_CHECK bool histogram_rebin(struct arena *a, const struct histogram *h,
				const struct bucket_scheme *to, struct histogram *ret);

/* The same, but splits buckets: the count of each is spread evenly between its edges and rounded
 * so that the sum stays. */
struct histogram histogram_rebin_split(struct arena *a, const struct histogram *h,
				       const struct bucket_scheme *to);

/* Returns h with all edges multiplied by factor > 0, for a change of unit.  Unless factor is 1,
 * the scheme is EDGES and the result is marked approximate. */
struct histogram histogram_scaled(struct arena *a, const struct histogram *h, double factor);

/* Whether two histograms could be added, and whether exactly. */
enum merge { MERGE_DONE, MERGE_OVERFLOW, MERGE_INEXACT };

/* Adds a and b on their common scheme, exactly or not at all.  *ret may share buckets with a or b.
 * On failure *ret is untouched: MERGE_OVERFLOW when a count exceeds 64 bits, MERGE_INEXACT when
 * there is no common scheme; histogram_rebin_split() can then put both on one, approximately. */
MUST_CHECK enum merge histogram_merge(struct arena *arena, const struct histogram *a,
				      const struct histogram *b, struct histogram *ret);

/* Adds up n >= 1 histograms as repeated histogram_merge() does, but in time linear in their
 * buckets if their schemes are equal. */
MUST_CHECK enum merge histogram_sum(struct arena *arena, const struct histogram *h, size_t n,
				    struct histogram *ret);

/* Returns the first bucket of `earlier` that holds more calls than that of `later`, which holds
 * *ret_later; NULL: there is none.  Requires equal schemes. */
const struct bucket *histogram_excess(const struct histogram *later,
				      const struct histogram *earlier, uint64_t *ret_later);
/* Whether the schemes are equal and every bucket of `later` holds at least as many calls as that of
 * `earlier`. */
bool histogram_contains(const struct histogram *later, const struct histogram *earlier);
/* Subtracts an earlier cumulative histogram, bucket by bucket; requires histogram_contains(). */
void histogram_subtract(struct histogram *from, const struct histogram *earlier);

#endif
