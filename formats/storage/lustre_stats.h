/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of Lustre with their extremes and sums, a line each: stats and job_stats.
 *
 *	open                     15 samples [usecs] 12 3341 8134 5123412
 *	read:            { samples: 9, unit: usecs, min: 44, max: 579, sum: 3892, sumsq: 67 }
 */
#ifndef FORMATS_STORAGE_LUSTRE_STATS_H
#define FORMATS_STORAGE_LUSTRE_STATS_H

#include "formats/lines.h"
#include "formats/statistics.h"

/* One line taken apart; strings are borrowed from it, times are in its unit. */
struct lustre_counter {
	struct statistics of;
	struct str unit;
	bool has_sum; /* and extremes */
};

/* Whether this is a line of a counter with its unit. */
bool lustre_is_counter(struct str line);
/* Of the current line, which is one; false when an error was reported. */
MUST_CHECK bool lustre_read_counter(const struct lines *l, struct lustre_counter *ret);

#endif
