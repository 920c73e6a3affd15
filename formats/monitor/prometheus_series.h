/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the readers of Prometheus' text format and of query results: mapping series to
 * operations, and parsing values.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_SERIES_H
#define FORMATS_MONITOR_PROMETHEUS_SERIES_H

#include "base/decimal.h"
#include "formats/format.h"

struct arena;

/* The operation of a series. */
struct prometheus_operation {
	struct str layer, name;
	enum unit unit;
	enum unit_source unit_source;
};

/* Returns the operation of `series`: metric{a="b",c="d"} without the label le, where the metric has
 * metric_bytes bytes.  If osprof wrote the series, the original names are restored in the arena;
 * others borrow from `series`. */
struct prometheus_operation prometheus_operation(struct str series, size_t metric_bytes,
						 struct arena *a);

/* Parses a count, which may be written as a float: "2706.0", "1.7e+07". */
MUST_CHECK bool prometheus_count(struct input *in, struct diag *diag, struct str s, uint64_t *ret);
/* Parses the upper edge of a bucket, the value of a label le. */
MUST_CHECK bool prometheus_le(struct input *in, struct diag *diag, struct str s, double *ret);
/* Parses a sum; *ret_has is false for NaN. */
MUST_CHECK bool prometheus_sum(struct input *in, struct diag *diag, struct str s, bool *ret_has,
			       struct decimal *ret);

#endif
