/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of Lustre with extremes and sums, one per line, in stats and job_stats.
 *
 *	open                     15 samples [usecs] 12 3341 8134 5123412
 *	read:            { samples: 9, unit: usecs, min: 44, max: 579, sum: 3892, sumsq: 67 }
 */
#ifndef FORMATS_STORAGE_LUSTRE_STATS_H
#define FORMATS_STORAGE_LUSTRE_STATS_H

#include "formats/lines.h"
#include "formats/statistics.h"

/* A parsed line; strings are borrowed from it, times are in its unit. */
struct lustre_counter {
	struct statistics of;
	struct str unit;
	bool has_sum; /* sum and extremes are present */
};

/* Whether the line is a counter with its unit. */
bool lustre_is_counter(struct str line);
/* Reads the current line, which must be a counter; false when an error was reported. */
MUST_CHECK bool lustre_read_counter(const struct lines *l, struct lustre_counter *ret);

#endif
