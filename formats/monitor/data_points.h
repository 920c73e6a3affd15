/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects data points of OpenTelemetry's data model by series, and makes operations of them.
 *
 * Points of one series may differ in scale: all are converted to the coarsest scale, which merges
 * buckets but splits none.
 */
#ifndef FORMATS_MONITOR_DATA_POINTS_H
#define FORMATS_MONITOR_DATA_POINTS_H

#include <stdint.h>

#include "formats/format.h"

struct arena;
struct data_points;
struct out;

/* Counts of buckets: offset, offset + 1, ..., or those that `index` lists. */
struct data_run {
	int64_t offset;
	const int *index; /* ascending; NULL: use `offset` */
	uint64_t *count;
	size_t n;
};

/* What the counts of a data point cover (OpenTelemetry's temporality). */
enum counting {
	COUNTING_ON,	/* cumulative: each document is a snapshot */
	COUNTING_DELTA, /* from start to end only */
	/* Cumulative since the beginning or the last restart, but to be reported from start to
	 * end: start is the end of the previous point in the series.  A point with start equal to
	 * end is the baseline. */
	COUNTING_SINCE_FIRST,
};

/* One histogram of one series at one time; borrows bounds, counts and text. */
struct data_point {
	bool exponential;
	enum counting counting; /* the same in all points of a series */
	uint64_t start, end;	/* ns since the epoch */
	bool has_sum, has_min, has_max;
	uint64_t count;
	struct decimal sum;
	double min, max;
	/* Explicit buckets: (bound[i-1], bound[i]]; no bounds: summary statistics only. */
	const double *bound;
	size_t n_bounds;
	struct data_run explicit_counts;
	/* Exponential buckets: (base^i, base^(i+1)], base = 2^(2^-scale). */
	int64_t scale;
	uint64_t zeros;
	struct data_run positive, negative;
	struct str where;
};

/* The name of a series; its operation is metric{attributes}. */
struct data_series {
	struct str layer, metric, attributes;
	enum unit unit;
	enum unit_source unit_source;
};

/* Appends key="value" to attributes, after a comma unless it is the first; escapes quotes and
 * backslashes in the value. */
void data_attribute_put(struct out *to, bool first, struct str key, struct str value);

/* Points are kept in the arena; data_points_free() frees the rest. */
struct data_points *data_points_new(struct arena *a, struct input *in, struct diag *diag);
void data_points_free(struct data_points *p); /* NULL is fine */

/* Marks the start of the next document, which is a further snapshot of cumulative points. */
void data_points_next_document(struct data_points *p);
MUST_CHECK bool data_points_add(struct data_points *p, const struct data_series *name,
				const struct data_point *point);
MUST_CHECK bool data_points_push(struct data_points *p, struct builder *to);

#endif
