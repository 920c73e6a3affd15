/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of one side of a fact, for the files that make facts. */
#ifndef ANALYZE_RANK_FACTS_PARTS_H
#define ANALYZE_RANK_FACTS_PARTS_H

#include "analyze/peaks.h"
#include "analyze/rank/facts.h"

enum { MAX_FACTS = 32 };

/* Returns a fact of which nothing is known but its kind. */
struct fact fact_unknown(enum fact_kind kind);
/* Returns a quantile, interpolated within the edges of its bucket, times `scale`; NAN without
 * buckets. */
struct fact_side fact_quantile_side(const struct operation *op, double q, double low, double high,
				    double scale);
/* Returns what no call exceeds: the largest latency, or the upper edge of the last bucket; 0
 * without buckets. */
double fact_highest(const struct operation *op);
/* Returns the calls between two latencies: a run's, and as a share.  Calls of a bucket that lies
 * only partly there count in part. */
struct fact_side fact_range_side(const struct operation *op, size_t n_runs, double low,
				 double high);
/* Finds the buckets of a peak without those that hold its outermost calls.  False if that is no
 * range of positive latencies. */
bool fact_trim_peak(const struct operation *op, const struct peak *p, double *ret_low,
		    double *ret_high);

#endif
