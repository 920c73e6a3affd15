/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of queries to Prometheus, gathered value by value, and what they make together.
 *
 * A column is what Prometheus calls a series: of a classic histogram one bucket, its sum or
 * its count, of a native one all of it.  Values may come in any order.  Counts are since the
 * beginning: with values of several times those from the first to the last are wanted.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_RESULTS_H
#define FORMATS_MONITOR_PROMETHEUS_RESULTS_H

#include "formats/format.h"
#include "formats/monitor/prometheus_line.h"

struct arena;
struct prometheus_column;
struct prometheus_results;

/* Everything lives in the arena. */
struct prometheus_results *prometheus_results_new(struct arena *a, struct input *in,
						  struct diag *diag);
void prometheus_results_free(struct prometheus_results *r); /* NULL is fine */

/* Which part of which series a column holds. */
struct prometheus_column_name {
	struct str series;   /* as prometheus_operation() takes it */
	size_t metric_bytes; /* of it, without _bucket and so on */
	enum prometheus_part part;
	struct str le; /* of a bucket, a part of the input */
};

/* The column, known or new; false when its le was reported. */
MUST_CHECK bool prometheus_results_column(struct prometheus_results *r,
					  const struct prometheus_column_name *name,
					  struct prometheus_column **ret);
/* What is none of a histogram: it is counted. */
void prometheus_results_other(struct prometheus_results *r);

/* Parts of the input: a number, or all of a native histogram in JSON; and its time in
 * seconds.  Reports a time that is none. */
MUST_CHECK bool prometheus_results_add(struct prometheus_results *r, struct prometheus_column *c,
				       struct str stamp, struct str value);
/* What was added since the last end answers a query for one moment.  Such answers belong
 * together until one has a value that was there already. */
void prometheus_results_end_moment(struct prometheus_results *r);
/* ... a query for several times. */
void prometheus_results_end_range(struct prometheus_results *r);

/* Pushes every series as an operation; false when an error was reported. */
MUST_CHECK bool prometheus_results_push(struct prometheus_results *r, struct builder *to);

#endif
