/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the results of queries to Prometheus value by value, and makes operations of them.
 *
 * A column is what Prometheus calls a series: one bucket of a classic histogram, its sum or its
 * count, or a whole native histogram.  Values may come in any order.  Counts are cumulative; with
 * several times, the counts from the first to the last time are reported.  Answers of rate() and
 * increase() have fractions of calls, each since the answer before.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_RESULTS_H
#define FORMATS_MONITOR_PROMETHEUS_RESULTS_H

#include "formats/format.h"
#include "formats/monitor/prometheus_line.h"

struct arena;
struct prometheus_column;
struct prometheus_results;

/* Data are kept in the arena.  `interval`: seconds in the brackets of rate(), 0: not given.
 * prometheus_results_free() frees the rest. */
struct prometheus_results *prometheus_results_new(struct arena *a, struct input *in,
						  double interval, struct diag *diag);
void prometheus_results_free(struct prometheus_results *r); /* NULL is fine */

/* The identity of a column: a part of a series. */
struct prometheus_column_name {
	struct str series;   /* as prometheus_operation() takes it */
	size_t metric_bytes; /* length of its metric, without _bucket etc. */
	enum prometheus_part part;
	struct str le; /* for a bucket; borrowed from the input */
};

/* Finds a column or makes a new one; false, after reporting an error, when le is invalid. */
MUST_CHECK bool prometheus_results_column(struct prometheus_results *r,
					  const struct prometheus_column_name *name,
					  struct prometheus_column **ret);
/* Counts a series that does not belong to a histogram. */
void prometheus_results_other(struct prometheus_results *r);

/* Adds a value, a number or a native histogram in JSON, and its time in seconds; both borrow from
 * the input.  False, after reporting an error, when the time is invalid. */
MUST_CHECK bool prometheus_results_add(struct prometheus_results *r, struct prometheus_column *c,
				       struct str stamp, struct str value);
/* Ends the answer to an instant query.  Consecutive answers are for the same moment until one
 * repeats a column. */
void prometheus_results_end_moment(struct prometheus_results *r);
/* Ends the answer to a range query. */
void prometheus_results_end_range(struct prometheus_results *r);

/* Pushes every series as an operation; false when an error was reported. */
MUST_CHECK bool prometheus_results_push(struct prometheus_results *r, struct builder *to);

#endif
