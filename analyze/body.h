/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The body of a distribution: all calls but the fastest and the slowest 5 %.
 *
 * One slow call among hundreds can multiply the mean, but does not move the body.
 * Within a bucket, quantiles are interpolated on the scale of the normal distribution
 * (log latency against probit), so that a narrow peak on the edge between two buckets
 * does not jump by a whole bucket when it moves slightly.
 */
#ifndef ANALYZE_BODY_H
#define ANALYZE_BODY_H

#include "profile/profile.h"

/* Returns the interpolated quantile q, in (0, 1), as log2 of the latency; NAN when the histogram
 * is empty. */
double body_quantile(const struct histogram *h, double q);

/* Returns log2 of the geometric mean latency of the body; NAN when the histogram is empty. */
double body_location(const struct histogram *h);

/* Returns how many octaves the bucket of the median spans: there it lies anywhere.  HUGE_VAL if the
 * bucket begins at 0 or is open; 0 at an edge that halves the calls, as where percentiles are
 * stated. */
double body_median_width(const struct histogram *h);

/* Returns the variance that counting alone gives body_quantile(h, q): that of a share of n calls,
 * divided by the squared density there (the usual large-sample formula).  0 when it is empty. */
double body_quantile_noise(const struct histogram *h, double q);

/* Returns the mean of log2 of the latency over the slowest share of the calls, with calls spread
 * evenly in log latency within a bucket; NAN when the histogram is empty.  It follows every change
 * in the tail, where a quantile sees only what happens at its own place. */
double tail_location(const struct histogram *h, double share);

/* The calls beyond a latency, and their total latency, estimated from the middles of buckets. */
struct beyond {
	double calls, latency;
};

/* `limit` is log2 of the latency; the bucket that holds it counts in part. */
struct beyond calls_beyond(const struct histogram *h, double limit);

/* Returns what a call typically takes: the mean without slow calls, which are those beyond 8
 * times the median.  Uses the exact total, and sets *ret_exact, unless slow calls, known by their
 * buckets only, are too large a part of it; then it is the geometric mean of the body. */
double typical_latency(const struct operation *op, bool *ret_exact);

#endif
