/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An alarm in the sentence of `osprof rank`: the intervals since it began against those before. */
#ifndef WATCH_EXPLAIN_ALARM_H
#define WATCH_EXPLAIN_ALARM_H

#include "watch/recent.h"
#include "watch/report.h"

struct arena;

/* Fills what a comparison says of the alarm's operation; nothing where there is none on both
 * sides.  Texts lie in the arena.  `since`: the interval that it began in, as recent_sum()
 * counts. */
void explain_alarm(struct arena *a, struct reported_alarm *reported, const struct recent *recent,
		   size_t since, const struct watch_rules *rules);

#endif
