/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a few stalls of the machine can explain of a single pair of runs.
 *
 * A stall, such as the time slices of another process or a flush of the disk, delays one call, or
 * one call of each concurrent client.  One run does not show how many of them a run has, so a
 * change that vanishes with the slowest few calls of both sides is no evidence.
 *
 * A machine that is busy, whose disk is slow or whose caches are cold, delays more than a few calls,
 * but of several operations, and not their fastest calls.  That shows in the other operations.
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

/* The latency of an operation's calls, for as many calls as before: before, and after as if the
 * fastest tenth had not moved.  What differs are delays of some of the calls. */
struct delays {
	double before, after;
};
/* Returns zeros for an operation that does not show it: a summary, or one with few calls. */
struct delays stalls_delays(const struct ranked *r);
/* Returns how much of the change of its mean latency, in octaves, are delays as those of the other
 * operations; 0 if there are too few others. */
double stalls_explain(const struct ranking *all, const struct ranked *r);

#endif
