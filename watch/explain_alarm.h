/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains an alarm by the sentence of `osprof rank` about the intervals since its onset and those
 * before.
 */
#ifndef WATCH_EXPLAIN_ALARM_H
#define WATCH_EXPLAIN_ALARM_H

#include "watch/recent.h"
#include "watch/report.h"

struct arena;

/* Fills in what the comparison says about the alarm's operation, or nothing if one side lacks it.
 * Texts lie in the arena.  `since`: the interval of the onset, as recent_sum() counts. */
void explain_alarm(struct arena *a, struct reported_alarm *reported, const struct recent *recent,
		   size_t since, const struct watch_rules *rules);

#endif
