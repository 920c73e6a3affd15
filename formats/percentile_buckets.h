/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points of a cumulative distribution, as reports state them ("99 % of the requests took 12.5 ms or
 * less"), as buckets: two consecutive points bound a bucket, whose calls follow from the number of
 * all calls.
 */
#ifndef FORMATS_PERCENTILE_BUCKETS_H
#define FORMATS_PERCENTILE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct builder;

/* A share of the calls took `value` or less. */
struct percentile_point {
	double percent;
	double value;
	double step; /* of the last digit that was printed: the value lies within half of it */
	struct str where;
};

/* All that is stated about a distribution, in the unit of the operation. */
struct percentile_list {
	struct percentile_point *point; /* sorted by percentile_buckets_push() */
	size_t n;
	uint64_t calls;
	const struct percentile_point *min, *max; /* NULL: not stated */
};

/* Pushes a histogram to the current operation.  False when an error was reported: a higher
 * percentile is below a lower one. */
MUST_CHECK bool percentile_buckets_push(struct percentile_list *q, struct builder *to,
					struct str where);

#endif
