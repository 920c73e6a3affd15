/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a quantile, or the mean latency, differs between repeated runs of two sides.
 *
 * The run is the unit of replication: each run gives one quantile, and the sides are compared by
 * Welch's t test on their logarithms.  One run a side has a change, but no interval.
 */
#ifndef ANALYZE_QUANTILE_RUNS_H
#define ANALYZE_QUANTILE_RUNS_H

#include <stddef.h>

struct histogram;

/* log2 of after over before, with its 90 % interval; NAN when not known. */
struct log2_change {
	double change, low, high;
};

/* Compares n values, log2 of latencies, of each side; NAN are left out. */
struct log2_change log2_change_of(const double *before, size_t n_before, const double *after,
				  size_t n_after);

/* The same of pairs, of which each gives one difference in log2; NAN are left out. */
struct log2_change log2_change_of_pairs(const double *difference, size_t n);

/* Compares quantile q of the histograms of the runs, which have one unit. */
struct log2_change quantile_change_of(const struct histogram *before, size_t n_before,
				      const struct histogram *after, size_t n_after, double q);

#endif
