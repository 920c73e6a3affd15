/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For analyze/rank/noise*.c only: replays, comparisons of runs of one configuration. */
#ifndef ANALYZE_RANK_NOISE_REPLAY_H
#define ANALYZE_RANK_NOISE_REPLAY_H

#include "analyze/rank/noise.h"

/* Runs all replays and counts alarms, in to and for each operation of to->v.  Returns false when
 * an error was reported. */
MUST_CHECK bool noise_replay(const struct runs_side *side, const struct rank_rules *rank_rules,
			     const struct runs_rules *rules, size_t max, struct noise *to,
			     struct diag *diag);

#endif
