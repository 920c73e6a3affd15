/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a few stalls of the machine can explain of a single pair of runs.
 *
 * A stall, such as the time slices of another process or a flush of the disk, delays one call, or
 * one call of each concurrent client.  One run does not show how many of them a run has, so a
 * change that vanishes with the slowest few calls of both sides is no evidence.
 */
#ifndef ANALYZE_RANK_STALLS_H
#define ANALYZE_RANK_STALLS_H

#include <stdbool.h>

struct ranked;
struct ranking;

/* Returns how much total latency an operation gained without the slowest calls of either side, for
 * as many runs as before. */
double stalls_free_change(const struct ranking *all, const struct ranked *r);
/* Returns its larger share of the run's busy time without the slowest calls. */
double stalls_free_share(const struct ranking *all, const struct ranked *r);
/* Whether both sides have so many calls that stalls cannot move the body of their distribution:
 * more than twice as many as they may delay. */
bool stalls_leave_body(const struct ranking *all, const struct ranked *r);

#endif
