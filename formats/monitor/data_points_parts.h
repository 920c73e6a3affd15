/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What data_points.c gathers and data_points_counts.c makes buckets of: of no use elsewhere. */
#ifndef FORMATS_MONITOR_DATA_POINTS_PARTS_H
#define FORMATS_MONITOR_DATA_POINTS_PARTS_H

#include "base/str_table.h"
#include "formats/bucket_sums.h"
#include "formats/monitor/data_points.h"

/* A data point as it is kept until all are known. */
struct entry {
	struct data_point point;
	size_t document, order;
	struct series *series;
	struct entry *next;  /* of the series */
	struct entry *later; /* of all */
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
	size_t at;		     /* the next to push */
	int scale;		     /* exponential: of all its points */
	int first_bucket;
};

/* All points of a file, by series; in its arena. */
struct data_points {
	struct arena *arena;
	struct input *in;
	struct diag *diag;
	struct str_table names; /* layer, NUL, name */
	struct series **series; /* by number: in file order */
	size_t cap_series;
	char *name; /* scratch */
	size_t cap_name;
	struct entry *first, *last;
	size_t document;
	uint64_t origin; /* earliest start */
};

/* Reports at a point and returns false. */
bool points_fail(const struct data_points *p, const struct data_point *point, enum diag_code code,
		 const char *what);
/* The lowest positive bucket of all points, below which lies what counts as zero. */
void points_find_first_bucket(struct series *s);
/* The counts of n points, which have the same bounds, in *ret: by bucket of the series' scale,
 * or by bound. */
MUST_CHECK bool points_gather(const struct data_points *p, const struct series *s,
			      const struct entry *const *e, size_t n, struct bucket_sums *ret);
bool points_same_bounds(const struct data_point *a, const struct data_point *b);
/* As a histogram; nothing where a point has no buckets. */
MUST_CHECK bool points_push_counts(const struct data_points *p, const struct series *s,
				   const struct data_point *point, struct bucket_sums *counts,
				   struct builder *to);

#endif
