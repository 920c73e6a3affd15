/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spreads: how much hosts differ, kept in a profile that is a sum of hosts.
 *
 * For each operation and feature a host has one number, computed from its own calls only and
 * rounded to 2^-20 octave.  A spread holds the number of hosts, the sum and the sum of squares of
 * their numbers, and the most extreme hosts.  All are integers, so that spreads add up to the same
 * bits in any order and tree.
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

/* The numbers that a host has for an operation. */
enum spread_feature {
	SPREAD_SHIFT, /* mean log2 position of its calls, by their buckets */
	SPREAD_MEAN,  /* log2 of the mean latency */
	SPREAD_TAIL,  /* log2 odds of a call beyond 8 times the host's median */
	SPREAD_CALLS, /* log2 of the number of calls */
};
enum { N_SPREADS = SPREAD_CALLS + 1 };
extern const char *const spread_names[]; /* by feature; NULL-terminated */

enum {
	SPREAD_BITS = 20, /* an octave is 2^20 units */
	SPREAD_SIDE = 8,  /* hosts kept by name on either side */
	SPREAD_KEPT = 2 * SPREAD_SIDE,
	SPREAD_OCTAVES = 2048, /* absolute values of numbers are below this */
};

/* A host that lies far from the others, and its number in units of 2^-20 octave. */
struct extreme {
	int64_t value;
	struct str host;
};

/* The spread of one feature of an operation. */
struct host_spread {
	uint64_t n;		     /* hosts; 0: not known */
	struct decimal sum, squares; /* whole numbers */
	/* By value, then name: all hosts if there are up to SPREAD_KEPT, else the lowest and the
	 * highest SPREAD_SIDE. */
	const struct extreme *extreme;
	size_t n_extremes;
};

/* The spreads of one operation by feature, in the profile's arena. */
struct host_spreads {
	struct host_spread of[N_SPREADS];
};

/* Whether a spread that was read is consistent. */
bool spread_is_possible(const struct host_spread *s);

double spread_mean(const struct host_spread *s);     /* octaves */
double spread_variance(const struct host_spread *s); /* square octaves; NAN below two hosts */
static inline double spread_octaves(int64_t value)
{
	return (double)value / (double)(1 << SPREAD_BITS);
}

/* Turns the profile of a single host, p->host[0], into a sum of hosts: adds the host's numbers to
 * every operation with calls. */
void profile_make_spreads(struct profile *p);

/* Returns a profile without buckets whose spreads are the differences b minus a, for each operation
 * in both.  Both must be sums of the same single host. */
struct profile *profile_spread_differences(const struct profile *a, const struct profile *b);

/* Adds up the spreads of one operation in n sums of different hosts, in the arena.  A feature is
 * unknown if some sum has calls (`is_called`) but not the feature.  *ret is NULL if no feature is
 * known.  False when a sum does not fit in a decimal. */
MUST_CHECK bool spreads_add(struct arena *a, const struct operation *const *op,
			    const bool *is_called, size_t n, struct host_spreads **ret);
/* Returns a copy that borrows nothing; NULL for NULL. */
struct host_spreads *spreads_copy(struct arena *a, const struct host_spreads *s);

#endif
