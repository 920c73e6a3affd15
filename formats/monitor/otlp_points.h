/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data points of OpenTelemetry, gathered by series, and what they make together.
 *
 * Points of one series may have scales of their own: all go on the coarsest of them,
 * which merges buckets and splits none.
 */
#ifndef FORMATS_MONITOR_OTLP_POINTS_H
#define FORMATS_MONITOR_OTLP_POINTS_H

#include <stdint.h>

#include "formats/format.h"

struct arena;
struct otlp_points;

/* Counts of buckets offset, offset + 1 ... */
struct otlp_run {
	int64_t offset;
	uint64_t *count;
	size_t n;
};

struct otlp_point {
	bool exponential;
	bool delta;	     /* counts of its own time only */
	uint64_t start, end; /* ns since the epoch */
	bool has_sum, has_min, has_max;
	uint64_t count;
	struct decimal sum;
	double min, max;
	/* explicit: (bound[i-1], bound[i]]; no bounds: moments only */
	const double *bound;
	size_t n_bounds;
	struct otlp_run explicit_counts;
	/* exponential: (base^i, base^(i+1)], base = 2^(2^-scale) */
	int64_t scale;
	uint64_t zeros;
	struct otlp_run positive, negative;
	struct str where;
};

/* The operation is metric{attributes}. */
struct otlp_series_name {
	struct str layer, metric, attributes;
	enum unit unit;
};

/* Everything lives in the arena. */
struct otlp_points *otlp_points_new(struct arena *a, struct input *in, struct diag *diag);
void otlp_points_free(struct otlp_points *p); /* NULL is fine */

/* What follows is of the next document: cumulative points count on. */
void otlp_points_next_document(struct otlp_points *p);
MUST_CHECK bool otlp_points_add(struct otlp_points *p, const struct otlp_series_name *name,
				const struct otlp_point *point);
MUST_CHECK bool otlp_points_push(struct otlp_points *p, struct builder *to);

#endif
