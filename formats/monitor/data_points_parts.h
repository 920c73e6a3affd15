/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by data_points.c, which collects points, and data_points_counts.c, which makes buckets of
 * them; for no other file. */
#ifndef FORMATS_MONITOR_DATA_POINTS_PARTS_H
#define FORMATS_MONITOR_DATA_POINTS_PARTS_H

#include "base/tables/str_table.h"
#include "formats/bucket_sums.h"
#include "formats/monitor/data_points.h"

/* A data point, stored until all points are read. */
struct entry {
	struct data_point point;
	size_t document, order;
	struct series *series;
	struct entry *next;  /* next in the series */
	struct entry *later; /* next in the file */
};

/* All points with the same name and attributes: one operation. */
struct series {
	size_t number;
	struct str layer, name;
	enum unit unit;
	enum unit_source unit_source;
	struct entry *first, *last;
	size_t n;
	const struct entry **sorted; /* while pushing: by group */
	size_t at;		     /* next point to push */
	int scale;		     /* exponential: common scale of all points */
	int first_bucket;
};

/* All points of a file by series, in an arena. */
struct data_points {
	struct arena *arena;
	struct input *in;
	struct diag *diag;
	struct str_table names; /* keys: layer, NUL, name */
	struct series **series; /* by number, in the order of the file */
	size_t cap_series;
	char *name; /* scratch */
	size_t cap_name;
	struct entry *first, *last;
	size_t document;
	uint64_t origin; /* earliest start */
};

/* Reports an error at a point; returns false. */
bool points_fail(const struct data_points *p, const struct data_point *point, enum diag_code code,
		 const char *what);
/* Finds the lowest positive bucket of all points; values that count as zero go below it. */
void points_find_first_bucket(struct series *s);
/* Adds up the counts of n points, which must have the same bounds, by bucket of the series' scale,
 * or by bound. */
MUST_CHECK bool points_gather(const struct data_points *p, const struct series *s,
			      const struct entry *const *e, size_t n, struct bucket_sums *ret);
bool points_same_bounds(const struct data_point *a, const struct data_point *b);
/* Pushes counts as a histogram; does nothing when the point has no buckets. */
MUST_CHECK bool points_push_counts(const struct data_points *p, const struct series *s,
				   const struct data_point *point, struct bucket_sums *counts,
				   struct builder *to);

#endif
