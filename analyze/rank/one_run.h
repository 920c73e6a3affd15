/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one run a side does not show: how much runs vary.
 *
 * The calls of a run are not independent: they share its caches, its disk and its neighbours.  So
 * the movement of unchanged operations from run to run does not fall with the square root of the
 * number of their calls, but with its fourth root, as sums of numbers with long memory do.  How much
 * the numbers of calls vary shows in the other operations.
 */
#ifndef ANALYZE_RANK_ONE_RUN_H
#define ANALYZE_RANK_ONE_RUN_H

#include <stdbool.h>

#include "analyze/rank/ranked.h"

struct rank_rules;

/* Returns the small-sample penalty, which is added to every minimum. */
double one_run_penalty(const struct ranked *r, const struct rank_rules *rules);
/* Whether both sides are summaries that state a standard deviation, and with it the error of their
 * means. */
bool one_run_states_spread(const struct ranked *r);

/* Returns how far numbers of calls may differ between runs of the same work. */
struct calls_noise one_run_calls_noise(const struct ranking *all);
/* Returns that of all->calls_noise in the direction in which this operation's number changed. */
double one_run_noise_of_calls(const struct ranking *all, const struct ranked *r);
/* Returns how far the latency of an operation may move because the runs made other calls. */
double one_run_other_calls(const struct ranking *all, const struct ranked *r);

#endif
