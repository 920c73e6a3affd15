/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within analyze/noise*.c only: comparisons of runs of one configuration. */
#ifndef ANALYZE_NOISE_REPLAY_H
#define ANALYZE_NOISE_REPLAY_H

#include "analyze/noise.h"

/* Counts alarms, in all and of each operation of to->v. */
MUST_CHECK bool noise_replay(const struct runs_side *side, const struct rank_rules *rank_rules,
			     const struct runs_rules *rules, size_t most, struct noise *to,
			     struct diag *diag);

#endif
