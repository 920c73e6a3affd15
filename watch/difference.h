/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was added to a profile that goes on counting. */
#ifndef WATCH_DIFFERENCE_H
#define WATCH_DIFFERENCE_H

#include <stddef.h>

#include "profile/profile.h"

/* Whether every operation of `earlier` is in `later` with at least as many calls in each
 * bucket; both in order (profile_merge() puts them so). */
bool difference_contains(const struct profile *later, const struct profile *earlier);
/* Whether an operation of both has fewer calls in a bucket of `later`. */
bool difference_shrinks(const struct profile *later, const struct profile *earlier);
/* Leaves what came since.  Operations that shrank were reset, and stay whole: how many. */
size_t difference_take_away(struct profile *later, const struct profile *earlier);
/* The operations of `earlier` that `later` has not, at most so many, borrowed; NULL: none. */
struct profile *difference_absent(const struct profile *earlier, const struct profile *later,
				  size_t most);

/* Of a `later` that contains `earlier`: the bits of evidence that it is no chance, as a load that
 * grew as much does not explain so many buckets; 0 where few buckets stayed as they are. */
double difference_bits(const struct profile *later, const struct profile *earlier);
/* It has about twice the calls, which is what one clear() that was lost leaves; `or_more`: or even
 * more. */
bool difference_is_doubled(const struct profile *later, const struct profile *earlier,
			   bool or_more);

#endif
