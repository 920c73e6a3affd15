/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was added to a profile that goes on counting. */
#ifndef WATCH_DIFFERENCE_H
#define WATCH_DIFFERENCE_H

#include <stddef.h>

#include "profile/profile.h"

/* Whether every operation of `earlier` is in `later` with at least as many calls in each
 * bucket; both in order (profile_merge() puts them so). */
bool difference_contains(const struct profile *later, const struct profile *earlier);
/* Leaves what came since.  Operations that shrank were reset, and stay whole: how many. */
size_t difference_take_away(struct profile *later, const struct profile *earlier);

/* Whether it is no chance that `later` contains `earlier`: many buckets that a load that grew
 * as much does not explain, or about twice the calls, which is what one clear() that was lost
 * leaves. */
bool difference_is_sure(const struct profile *later, const struct profile *earlier);

#endif
