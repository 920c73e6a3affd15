/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes one profile out of another that contains it: a whole build less its preparation (FSprof,
 * section 5.2).
 *
 * The inverse of profile_merge(): subtracting b from the sum of a and b gives a, bit for bit, but
 * for what a sum does not keep.
 *
 *	an extreme		the whole's, if it lies beyond the part's; else not known
 *	a deviation		the whole's, if the part never calls the operation
 *	elapsed			not known: whether the two followed each other is not stated
 *	started, cpu-speed	the whole's, if the part's is later, or higher
 *	an operation, an interval	if any of its calls is left
 *	machine, kernel, duet	the whole's
 */
#ifndef PROFILE_SUBTRACT_H
#define PROFILE_SUBTRACT_H

#include "profile/profile.h"

struct diag;

/* Returns whole - part, which borrows nothing from them.  NULL when an error was reported: the part
 * has more of anything than the whole (the message names the operation and the bucket), units or
 * clock rates differ, buckets have no common edges, or one of them is a sum by host. */
MUST_CHECK struct profile *profile_subtract(const struct profile *whole, const struct profile *part,
					    struct diag *diag);

#endif
