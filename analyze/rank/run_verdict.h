/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the run as a whole became slower.
 *
 * A factor or a cost that operations share is a result, not something to be removed: a compiler
 * flag, a debug allocator or a mitigation slows everything.  But a machine does that, too.  Where
 * the sides took turns, the machine cannot be the cause, and the shared effect is tested over the
 * runs like an operation.  Otherwise it has to be larger than what a machine does by itself.
 */
#ifndef ANALYZE_RANK_RUN_VERDICT_H
#define ANALYZE_RANK_RUN_VERDICT_H

#include "analyze/rank/ranked.h"

/* What a machine does by itself, in octaves: less than a factor of two where nothing more is known
 * (of 70 unchanged pairs on a busy machine the largest was 1.87), less than 1.5 where the drift
 * within the sides and the processor's speed are known. */
#define MACHINE_ALONE 1.0
#define MACHINE_KNOWN 0.585

/* Fills ranking.run for one run a side; `slowness`: octaves that the processor was slower after. */
void run_verdict_of_pair(struct ranking *all, double slowness);
/* The verdict of a change that counts: regressed if it is positive. */
enum verdict run_direction(double octaves);
/* Returns the end of an interval that is nearer to no change; 0 when it is on both sides. */
double effect_lower_end(const struct effect *e);
/* Whether its interval lies within +-least octaves. */
bool effect_is_within(const struct effect *e, double min);
const char *run_verdict_name(const struct ranking *all); /* "changed" for changed-shape */
const char *runs_order_name(enum runs_order order);	 /* "turns" */

#endif
