/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bucket schemes: which latencies share a counter.
 *
 * Bucket i holds low(i) <= v < high(i).  A scheme is a plain value (explicit
 * edges are borrowed).  An octave is a doubling of latency: a log2 ratio of 1.
 * Its buckets run from `first` to `limit`:
 *
 *	below first	LOG2, LOG_LINEAR: first-1 is [0, low(first)), the zero
 *			bucket, and first-2 everything negative;
 *			LINEAR, EDGES: first-1 is everything below
 *	limit		everything from low(limit) on: the open top
 */
#ifndef PROFILE_BUCKET_H
#define PROFILE_BUCKET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* How a scheme's bucket edges follow from their numbers. */
enum bucket_kind {
	BUCKET_LOG2,	   /* bucket i is [2^(i/r), 2^((i+1)/r)), r the resolution (OSprof 3) */
	BUCKET_LINEAR,	   /* bucket i is [origin + i step, origin + (i+1) step) */
	BUCKET_LOG_LINEAR, /* r equal buckets in each doubling, none narrower than step */
	BUCKET_EDGES,	   /* bucket i is [edge[i], edge[i+1]) */
};

enum {
	BUCKET_NO_FIRST = INT_MIN / 4, /* no bucket is the lowest (LINEAR) */
	BUCKET_NO_LIMIT = INT_MAX / 4, /* the top is not open */
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
/* Buckets of one width from an origin on. */
struct bucket_scheme bucket_linear(double origin, double step);
/* Linear buckets within each power of two, as HdrHistogram has them. */
struct bucket_scheme bucket_log_linear(unsigned resolution, double step);
struct bucket_scheme bucket_edges(const double *edge, size_t n_edges); /* n_edges >= 1 */

extern const struct bucket_scheme bucket_octaves; /* bucket_log2(1) */

/* A copy in the arena, explicit edges and all. */
const struct bucket_scheme *bucket_scheme_copy(struct arena *a, const struct bucket_scheme *s);
/* The same where mostly one scheme comes again and again: `last` is what was given for the
 * one before (NULL: there was none), and is given again where the two are equal. */
const struct bucket_scheme *bucket_scheme_keep(struct arena *a, const struct bucket_scheme *s,
					       const struct bucket_scheme *last);

/* Whether buckets of one number have the same edges in both. */
bool bucket_scheme_eq(const struct bucket_scheme *a, const struct bucket_scheme *b);

int bucket_lowest(const struct bucket_scheme *s); /* the number of the lowest bucket there is */
bool bucket_exists(const struct bucket_scheme *s, int i);
/* Both edges of a bucket that exists; false for one that does not. */
bool bucket_bounds(const struct bucket_scheme *s, int i, double *ret_low, double *ret_high);
double bucket_low(const struct bucket_scheme *s, int i);  /* -HUGE_VAL when open below */
double bucket_high(const struct bucket_scheme *s, int i); /* HUGE_VAL when open above */
int bucket_find(const struct bucket_scheme *s, double value);

/* Where a bucket lies on a scale of octaves (factors of two).  The bucket that
 * holds zero lies one bucket below the lowest positive one. */
double bucket_position(const struct bucket_scheme *s, int i);

/* How well the buckets of two schemes fit into those of a common one. */
enum bucket_common {
	COMMON_SAME,  /* the two are equal */
	COMMON_EXACT, /* every bucket of both lies within one of *ret */
	COMMON_SPLIT, /* some have to be split: approximate */
};

/* The finest scheme that both can be put on without splitting; where there is
 * none worth having, the one that splits least.  Commutative and associative
 * as long as it answers COMMON_EXACT.  `edges` receives the edges of an EDGES
 * scheme (room for the smaller number of the two). */
enum bucket_common bucket_scheme_common(const struct bucket_scheme *a,
					const struct bucket_scheme *b, double *edges,
					struct bucket_scheme *ret);

/* The same for adding up, where what comes out must not depend on the order: the finest one
 * whose every edge is one of both, however coarse; false when there is none. */
bool bucket_scheme_join(const struct bucket_scheme *a, const struct bucket_scheme *b, double *edges,
			struct bucket_scheme *ret);

#endif
