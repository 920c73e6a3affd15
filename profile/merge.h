/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding profiles up.
 *
 * The result is the same, bit for bit, in whatever order and by whatever tree profiles are
 * merged, and also where what lies between is written as osprof(5) and read again: counts and
 * totals are integers, operations and intervals are sorted, and what is not known of all is
 * not known of the sum.
 *
 *	a count, a total	where every run that calls the operation states one, and
 *				its buckets do not refute it; never called is a stated 0
 *	self time		the same, and it needs no buckets
 *	what calls what		what any of them says; counts of it where all that say it do
 *	an extreme		where every run that calls it states one
 *	the granularity		where all runs that call it have the same
 *	machine, kernel		where all name the same
 *	elapsed			the longest
 *	started			the earliest that is known
 *	cpu-speed		the lowest that is known
 *	contention		the sum of those that are known
 *	buckets			the finest scheme whose every edge is one of all of them
 *	spreads over hosts	where every run that calls it has them; no host in two runs
 *
 * A profile without an operation is the identity but for what was lost, when it began, how
 * long it took, how fast the processor was and what others used of it.
 * Whether there is a result does not depend on the order, either, as long as no total comes
 * near 1e29 with another that is negative.
 */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "profile/profile.h"

struct diag;

/* Borrows nothing from the profiles.  NULL when an error was reported: units or
 * clock rates that differ, buckets that have no edge in common, sums past 64 bits, hosts twice
 * or of which only some have spreads. */
MUST_CHECK struct profile *profile_merge(const struct profile *const *p, size_t n,
					 struct diag *diag);

#endif
