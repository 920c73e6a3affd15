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

/* One line taken apart; strings are borrowed from it, extremes and sum are in its unit. */
struct lustre_counter {
	struct str name, unit;
	struct str count_at, sum_at;
	uint64_t count;
	bool has_sum; /* and extremes */
	double min, max;
	struct decimal sum;
};

/* Whether this is a line of a counter with its unit. */
bool lustre_is_counter(struct str line);
/* Of the current line, which is one; false when an error was reported. */
MUST_CHECK bool lustre_read_counter(const struct lines *l, struct lustre_counter *ret);

#endif
