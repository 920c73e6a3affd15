/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the number of calls is a result.
 *
 * A benchmark of a fixed duration, or any closed loop, makes as many calls as fit into its time:
 * slower calls are fewer, and their number says nothing.  How calls relate to each other still does
 * (an fsync for each transaction, or for every tenth).
 */
#ifndef ANALYZE_RANK_WORKLOAD_H
#define ANALYZE_RANK_WORKLOAD_H

#include "analyze/rank/ranked.h"

/* Decides about the workload of two sides, and takes the number of iterations out of the numbers of
 * calls, once operations are measured and their elapsed times compared. */
void workload_find(struct ranking *all, const struct rank_side *before,
		   const struct rank_side *after, enum workload workload);

#endif
