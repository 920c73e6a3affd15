/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding profiles up.
 *
 * The result is the same, bit for bit, in whatever order profiles are merged:
 * counts and totals are integers, operations and intervals are sorted.  An exact
 * total or a stated count survives only where every run that has the operation
 * gives one, a machine only where all of them name the same.
 */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "profile/profile.h"

struct diag;

/* Borrows nothing from the profiles.  NULL when an error was reported: units or
 * clock rates that differ, buckets that do not fit together, sums past 64 bits. */
MUST_CHECK struct profile *profile_merge(const struct profile *const *p, size_t n,
					 struct diag *diag);

#endif
