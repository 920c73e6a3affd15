/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines repeated runs in one profile, a baseline, and takes them apart again.
 *
 * A baseline keeps each run as an interval of its operations: run k, counted from 0, is the
 * interval from k to k + 1.
 */
#ifndef PROFILE_REPEATS_H
#define PROFILE_REPEATS_H

#include "profile/profile.h"

struct diag;

/* Stores each of a baseline's n_runs runs as a profile in ret.  They borrow from the baseline,
 * which has to outlive them; profile_free() frees each. */
void profile_part(const struct profile *baseline, struct profile **ret);

/* Makes a baseline of n runs, without noise floors; borrows nothing.  The runs' own intervals are
 * left out.  Operations are sorted, and buckets are those that all runs fit into.  NULL when an
 * error was reported, as by profile_merge(). */
MUST_CHECK struct profile *profile_of_runs(const struct profile *const *run, size_t n,
					   struct diag *diag);

#endif
