/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the text format of Prometheus and results of its queries have in common: the
 * operation that a series is, and its values.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_SERIES_H
#define FORMATS_MONITOR_PROMETHEUS_SERIES_H

#include "base/decimal.h"
#include "formats/format.h"

struct arena;

/* The operation that a series becomes. */
struct prometheus_operation {
	struct str layer, name;
	enum unit unit;
	enum unit_source unit_source;
};

/* `series`: metric{a="b",c="d"} without the label le, the metric being its first bytes.  What
 * osprof wrote itself gets its names back, in the arena; others borrow from `series`. */
struct prometheus_operation prometheus_operation(struct str series, size_t metric_bytes,
						 struct arena *a);

/* "2706.0", "1.7e+07": a count is a float here. */
MUST_CHECK bool prometheus_count(struct input *in, struct diag *diag, struct str s, uint64_t *ret);
/* The upper edge of a bucket: the value of a label le. */
MUST_CHECK bool prometheus_le(struct input *in, struct diag *diag, struct str s, double *ret);
/* *ret_has: false of a NaN, which is none. */
MUST_CHECK bool prometheus_sum(struct input *in, struct diag *diag, struct str s, bool *ret_has,
			       struct decimal *ret);

#endif
