/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds profiles up.
 *
 * The result is the same, bit for bit, in whatever order and tree profiles are merged, also if
 * intermediate sums are written as osprof(5) and read again: counts and totals are integers,
 * operations and intervals are sorted, and what is unknown in one profile is unknown in the sum.
 *
 *	a count, a total	if every run that calls the operation states one that its
 *				buckets do not contradict; a run that never calls it states 0
 *	self time		the same, but buckets do not matter
 *	what calls what		every statement of any run; with counts if all runs that make
 *				the statement have them
 *	an extreme		if every run that calls the operation states one
 *	the granularity		if all runs that call the operation have the same
 *	machine, kernel, duet	if all name the same
 *	elapsed			the longest, as known from the most certain of its sources
 *	concurrency		the sum, if every run states it
 *	a fixed duration	if every run had one
 *	started			the earliest that is known
 *	cpu-speed		the lowest that is known
 *	contention		the sum of those that are known
 *	buckets			the finest scheme whose every edge is an edge of all
 *	spreads over hosts	if every run that calls the operation has them; no host may be
 *				in two runs
 *
 * A profile without operations changes nothing but lost events, started, elapsed, cpu-speed and
 * contention.  Whether a merge succeeds does not depend on the order, either, unless a total near
 * 1e29 meets a negative one.
 */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "profile/profile.h"

struct diag;

/* Returns the sum of n profiles, which borrows nothing from them.  NULL when an error was
 * reported: units or clock rates that differ, buckets without a common edge, sums past 64 bits, a
 * host in two profiles with spreads, or spreads in only some profiles. */
MUST_CHECK struct profile *profile_merge(const struct profile *const *p, size_t n,
					 struct diag *diag);

#endif
