/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cumulative profile counted since an earlier one. */
#ifndef WATCH_DIFFERENCE_H
#define WATCH_DIFFERENCE_H

#include <stddef.h>

#include "profile/profile.h"

/* Operations of both profiles must be in order, as profile_merge() leaves them. */

/* Whether `later` has every operation of `earlier` with at least as many calls in each bucket. */
bool difference_contains(const struct profile *later, const struct profile *earlier);
/* Whether an operation of both has fewer calls in a bucket of `later`. */
bool difference_shrinks(const struct profile *later, const struct profile *earlier);
/* Subtracts `earlier` from `later`.  An operation with a bucket that shrank was reset and stays
 * whole; returns how many were. */
size_t difference_subtract(struct profile *later, const struct profile *earlier);
/* Returns the operations of `earlier` that `later` lacks, at most `max`, borrowed; NULL: none. */
struct profile *difference_absent(const struct profile *earlier, const struct profile *later,
				  size_t max);

/* If `later` contains `earlier`: returns the bits of evidence that this is no coincidence, since a
 * higher load would not explain as many buckets; 0 if few buckets are unchanged. */
double difference_bits(const struct profile *later, const struct profile *earlier);
/* Whether `later` has about twice the calls, as after one lost clear(); `or_more`: or more. */
bool difference_is_doubled(const struct profile *later, const struct profile *earlier,
			   bool or_more);

#endif
