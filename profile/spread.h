/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much hosts differ, kept in a sum of hosts.
 *
 * Each host gives an operation one number a feature, computed of nothing but the host's own
 * calls and rounded to 2^-20 octave.  What is kept is how many hosts there are, the sum and
 * the sum of squares of their numbers, and the hosts that lie farthest away: integers, so that
 * spreads of different hosts add up to the same bits in any order and by any tree.
 */
#ifndef PROFILE_SPREAD_H
#define PROFILE_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"

struct arena;
struct operation;
struct profile;

/* The numbers that each host gives an operation. */
enum spread_feature {
	SPREAD_SHIFT, /* mean log2 position of its calls, of the buckets */
	SPREAD_MEAN,  /* log2 of the mean latency */
	SPREAD_TAIL,  /* log2 odds of a call beyond 8 times the host's median */
	SPREAD_CALLS, /* log2 of the number of calls */
};
enum { N_SPREADS = SPREAD_CALLS + 1 };
extern const char *const spread_names[]; /* by number, then NULL */

enum {
	SPREAD_BITS = 20, /* an octave is 2^20 units */
	SPREAD_SIDE = 8,  /* hosts that are named on either side */
	SPREAD_KEPT = 2 * SPREAD_SIDE,
	SPREAD_OCTAVES = 2048, /* that a number has at most */
};

/* A host that lies far from the others, and its number in units of 2^-20 of a log2. */
struct extreme {
	int64_t value;
	struct str host;
};

/* Of one feature of an operation. */
struct host_spread {
	uint64_t n;		     /* hosts; 0: not known */
	struct decimal sum, squares; /* whole numbers */
	/* Ascending, equal ones by name: all hosts up to SPREAD_KEPT, else the lowest and the
	 * highest SPREAD_SIDE. */
	const struct extreme *extreme;
	size_t n_extremes;
};

/* How the hosts of one operation differ, feature by feature; in the profile's arena. */
struct host_spreads {
	struct host_spread of[N_SPREADS];
};

/* Whether the numbers can be those of hosts at all. */
bool spread_is_possible(const struct host_spread *s);

double spread_mean(const struct host_spread *s);     /* octaves */
double spread_variance(const struct host_spread *s); /* of hosts, square octaves; NAN below two */
static inline double spread_octaves(int64_t value)
{
	return (double)value / (double)(1 << SPREAD_BITS);
}

/* Makes the profile of one host, which it names first, a sum of that one: every operation that
 * it calls gets its numbers. */
void profile_make_spreads(struct profile *p);

/* The difference of two hosts' numbers, b less a, operation by operation that both call; a
 * profile without buckets.  Both are sums of the same single host. */
struct profile *profile_spread_differences(const struct profile *a, const struct profile *b);

/* Those of one operation in n sums of different hosts, in the arena; of a feature that some
 * sum calls and does not have nothing is known.  `is_called` says so of each.  False: sums
 * past what a decimal holds.  *ret is NULL where there are none. */
MUST_CHECK bool spreads_add(struct arena *a, const struct operation *const *op,
			    const bool *is_called, size_t n, struct host_spreads **ret);
/* A copy that borrows nothing. */
struct host_spreads *spreads_copy(struct arena *a, const struct host_spreads *s);

#endif
