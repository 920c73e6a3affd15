/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated runs in one profile, and out of it again.
 *
 * A baseline keeps what each run gave as an interval of its operations: run k, from 0,
 * goes from k to k + 1.
 */
#ifndef PROFILE_REPEATS_H
#define PROFILE_REPEATS_H

#include "profile/profile.h"

struct diag;

/* Each run of a baseline as a profile of its own, n_runs of them.  They borrow from the
 * baseline, which has to outlive them; profile_free() frees each. */
void profile_part(const struct profile *baseline, struct profile **ret);

/* n runs as one baseline without floors, borrowing nothing; what each measured in time is
 * left out.  Operations are sorted; the buckets are those that all runs fit into.  NULL when
 * an error was reported, as profile_merge() does. */
MUST_CHECK struct profile *profile_of_runs(const struct profile *const *run, size_t n,
					   struct diag *diag);

#endif
