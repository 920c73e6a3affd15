/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distances between two histograms, in a table with one row for each.
 *
 * p and q are shares, a and b counts, A and B their sums.  OSprof section 3.2 names all of
 * the distances; Rubner et al. compare them.  Octaves are log2 ratios of latencies.
 */
#ifndef ANALYZE_DISTANCE_H
#define ANALYZE_DISTANCE_H

#include "analyze/align.h"
#include "base/str.h"

/* The distances and similarities between two histograms, by their rows in the table. */
enum metric {
	METRIC_EMD,		  /* sum |CDF_p - CDF_q| x width, in octaves */
	METRIC_CHI_SQUARE,	  /* sum (sqrt(B/A) a - sqrt(A/B) b)^2 / (a + b) */
	METRIC_CHI_SQUARE_DF,	  /* cells not empty on both sides, less one */
	METRIC_CHI_SQUARE_P,	  /* upper tail probability of the statistic */
	METRIC_CHI_SQUARE_EFFECT, /* sum (p - q)^2 / (p + q) / 2, in [0, 1] */
	METRIC_KL,	       /* sum p ln(p/q), in nats; infinite where q is empty and p is not */
	METRIC_JEFFREY,	       /* sum p ln(p/m) + q ln(q/m), m = (p + q)/2 */
	METRIC_JENSEN_SHANNON, /* half the Jeffrey divergence */
	METRIC_MINKOWSKI_L1,   /* sum |p - q| */
	METRIC_MINKOWSKI_L2,   /* sqrt(sum (p - q)^2) */
	METRIC_INTERSECTION,   /* sum min(p, q): a similarity */
	METRIC_KS,	       /* max |CDF_p - CDF_q| */
	METRIC_TOTAL_OPERATIONS, /* (B - A) / (A + B) */
	METRIC_TOTAL_LATENCY,	 /* the same for total latencies */
};
enum { N_METRICS = METRIC_TOTAL_LATENCY + 1 };

/* One row of the table: a metric's names, and the function that computes it. */
struct distance {
	const char *name;  /* "emd": in JSON, CSV and after --metric */
	const char *title; /* "earth mover's distance, octaves" */
	double (*between)(const struct aligned *a);
	bool ranks; /* larger (in absolute value) means more different: may order a ranking */
};

/* Returns the row of a metric. */
const struct distance *distance_at(enum metric m);
/* Finds a metric by its name; false when there is none. */
MUST_CHECK bool distance_by_name(struct str name, enum metric *ret);

/* Computes all metrics.  Shape distances are 0 (KL: NAN) where a side has no buckets. */
void distance_all(const struct aligned *a, double value[N_METRICS]);

/* Upper tail of the chi-square distribution; 1 for less than one degree of freedom. */
double chi_square_tail(double statistic, double df);

#endif
