/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bucket schemes: which latencies share a counter.
 *
 * Bucket i holds low(i) <= v < high(i).  A scheme is a plain value (explicit
 * edges are borrowed).  An octave is a doubling of latency: a log2 ratio of 1.
 * The buckets of a scheme run from `first` to `limit`:
 *
 *	below first	LOG2, LOG_LINEAR: first-1 is [0, low(first)), the bucket of
 *			zero, and first-2 holds everything negative;
 *			LINEAR, EDGES: first-1 holds everything below low(first)
 *	limit		holds everything from low(limit) on: the open top
 */
#ifndef PROFILE_BUCKET_H
#define PROFILE_BUCKET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* How the edges of a bucket follow from its number. */
enum bucket_kind {
	BUCKET_LOG2,	   /* bucket i is [2^(i/r), 2^((i+1)/r)), r the resolution (OSprof 3) */
	BUCKET_LINEAR,	   /* bucket i is [origin + i step, origin + (i+1) step) */
	BUCKET_LOG_LINEAR, /* r equal buckets in each octave, none narrower than step */
	BUCKET_EDGES,	   /* bucket i is [edge[i], edge[i+1]) */
};

enum {
	BUCKET_NO_FIRST = INT_MIN / 4, /* there is no lowest bucket (LINEAR) */
	BUCKET_NO_LIMIT = INT_MAX / 4, /* there is no open top */
	BUCKET_MAX_RESOLUTION = 4096,
};

/* The rule that divides latencies into buckets, in the unit of the profile. */
struct bucket_scheme {
	enum bucket_kind kind;
	unsigned resolution; /* LOG2, LOG_LINEAR; LOG_LINEAR: a power of two */
	double origin, step; /* LINEAR; LOG_LINEAR: step only */
	const double *edge;  /* EDGES: ascending, finite */
	size_t n_edges;
	int first, limit;
};

/* Buckets [2^(b/r), 2^((b+1)/r)) for resolution r. */
struct bucket_scheme bucket_log2(unsigned resolution);
/* Buckets of equal width, counted from an origin. */
struct bucket_scheme bucket_linear(double origin, double step);
/* Linear buckets within each power of two, as HdrHistogram has them. */
struct bucket_scheme bucket_log_linear(unsigned resolution, double step);
struct bucket_scheme bucket_edges(const double *edge, size_t n_edges); /* n_edges >= 1 */

extern const struct bucket_scheme bucket_octaves; /* bucket_log2(1) */

/* Returns a copy in the arena, with its explicit edges. */
const struct bucket_scheme *bucket_scheme_copy(struct arena *a, const struct bucket_scheme *s);
/* The same for a series of schemes that are mostly equal: returns `last`, the result of the
 * previous call (NULL: none), if it equals s. */
const struct bucket_scheme *bucket_scheme_keep(struct arena *a, const struct bucket_scheme *s,
					       const struct bucket_scheme *last);

/* Whether each number means the same edges in both schemes. */
bool bucket_scheme_eq(const struct bucket_scheme *a, const struct bucket_scheme *b);

int bucket_lowest(const struct bucket_scheme *s); /* the number of the lowest bucket there is */
bool bucket_exists(const struct bucket_scheme *s, int i);
/* Returns both edges of a bucket; false when it does not exist. */
bool bucket_bounds(const struct bucket_scheme *s, int i, double *ret_low, double *ret_high);
double bucket_low(const struct bucket_scheme *s, int i);  /* -HUGE_VAL when open below */
double bucket_high(const struct bucket_scheme *s, int i); /* HUGE_VAL when open above */
int bucket_find(const struct bucket_scheme *s, double value);

/* Returns the log2 position of a bucket.  The bucket of zero lies one bucket below the lowest
 * positive one. */
double bucket_position(const struct bucket_scheme *s, int i);

/* How well the buckets of two schemes fit into those of a common one. */
enum bucket_common {
	COMMON_SAME,  /* the two are equal */
	COMMON_EXACT, /* every bucket of both lies within one of *ret */
	COMMON_SPLIT, /* some buckets have to be split: counts become approximate */
};

/* Finds the finest scheme that fits both without splitting a bucket; where there is none
 * worth having, the one that splits least.  Commutative, and associative as long as it returns
 * COMMON_EXACT.  `edges` receives the edges of an EDGES scheme (room for the smaller number
 * of the two). */
enum bucket_common bucket_scheme_common(const struct bucket_scheme *a,
					const struct bucket_scheme *b, double *edges,
					struct bucket_scheme *ret);

/* The same for sums, which must not depend on the order: finds the finest scheme whose every edge
 * is an edge of both, however coarse; false when there is none. */
bool bucket_scheme_join(const struct bucket_scheme *a, const struct bucket_scheme *b, double *edges,
			struct bucket_scheme *ret);

#endif
