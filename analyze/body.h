/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The body of a distribution: its calls but for the fastest and the slowest 5 %.
 *
 * One slow call among hundreds multiplies a mean and leaves the body where it is.
 * Within a bucket a quantile is interpolated on the scale of the normal
 * distribution, log-latency against probit, so that a narrow peak on an edge of two
 * buckets does not jump by a whole bucket when it moves by a hair.
 */
#ifndef ANALYZE_BODY_H
#define ANALYZE_BODY_H

#include "profile/profile.h"

/* The latency, in log2 of its unit, below which the share q in (0, 1) of the calls lies,
 * interpolated; NAN when the histogram is empty. */
double body_quantile(const struct histogram *h, double q);

/* log2 of the geometric mean latency of the body; NAN when the histogram is empty. */
double body_location(const struct histogram *h);

/* The calls beyond a latency, and theirs, from the middles of the buckets. */
struct beyond {
	double calls, latency;
};

/* `limit` is in log2 of the unit; a bucket that holds it is shared out. */
struct beyond calls_beyond(const struct histogram *h, double limit);

/* What a call of an operation typically takes: its mean without slow calls, those beyond 8
 * times the median.  From the exact total where slow calls are a small part of it, for these
 * are known by their buckets only; *ret_exact says whether it was. */
double typical_latency(const struct operation *op, bool *ret_exact);

#endif
