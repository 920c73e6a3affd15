/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data points of metrics as OpenTelemetry has them, gathered by series, and what they make
 * together.
 *
 * Points of one series may have scales of their own: all go on the coarsest of them,
 * which merges buckets and splits none.
 */
#ifndef FORMATS_MONITOR_DATA_POINTS_H
#define FORMATS_MONITOR_DATA_POINTS_H

#include <stdint.h>

#include "formats/format.h"

struct arena;
struct data_points;
struct out;

/* Counts of buckets offset, offset + 1 ..., or of those that `index` numbers. */
struct data_run {
	int64_t offset;
	const int *index; /* ascending; NULL: there is none */
	uint64_t *count;
	size_t n;
};

/* What the counts of a data point cover (OpenTelemetry's temporality). */
enum counting {
	COUNTING_ON,	/* since the beginning: each document is a print */
	COUNTING_DELTA, /* from start to end only */
	/* Since the beginning, or the last restart, of which what came from start to end is
	 * wanted: start is the end of the point before in the series.  One of no time is where
	 * counting begins. */
	COUNTING_SINCE_FIRST,
};

/* One histogram of one series at one time; borrows its bounds, counts and text. */
struct data_point {
	bool exponential;
	enum counting counting; /* the same in all points of a series */
	uint64_t start, end;	/* ns since the epoch */
	bool has_sum, has_min, has_max;
	uint64_t count;
	struct decimal sum;
	double min, max;
	/* explicit: (bound[i-1], bound[i]]; no bounds: summary statistics only */
	const double *bound;
	size_t n_bounds;
	struct data_run explicit_counts;
	/* exponential: (base^i, base^(i+1)], base = 2^(2^-scale) */
	int64_t scale;
	uint64_t zeros;
	struct data_run positive, negative;
	struct str where;
};

/* The operation is metric{attributes}. */
struct data_series {
	struct str layer, metric, attributes;
	enum unit unit;
	enum unit_source unit_source;
};

/* Adds key="value" to attributes, after a comma unless it is the first; quotes and backslashes
 * of the value are escaped. */
void data_attribute_put(struct out *to, bool first, struct str key, struct str value);

/* Everything lives in the arena. */
struct data_points *data_points_new(struct arena *a, struct input *in, struct diag *diag);
void data_points_free(struct data_points *p); /* NULL is fine */

/* What follows is of the next document: cumulative points count on. */
void data_points_next_document(struct data_points *p);
MUST_CHECK bool data_points_add(struct data_points *p, const struct data_series *name,
				const struct data_point *point);
MUST_CHECK bool data_points_push(struct data_points *p, struct builder *to);

#endif
