/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distances between two histograms: one table, one row for each.
 *
 * p and q are shares, a and b counts, A and B their sums (METHOD.md's letters);
 * OSprof section 3.2 names all of them, Rubner et al. compare them.  Octaves are log2 ratios of
 * latencies: 1 is a doubling.
 */
#ifndef ANALYZE_DISTANCE_H
#define ANALYZE_DISTANCE_H

#include "analyze/align.h"
#include "base/str.h"

/* The distances and similarities between two histograms, by their rows in the table. */
enum metric {
	METRIC_EMD,		  /* sum |CDF_p - CDF_q| x width, in octaves */
	METRIC_CHI_SQUARE,	  /* sum (sqrt(B/A) a - sqrt(A/B) b)^2 / (a + b) */
	METRIC_CHI_SQUARE_DF,	  /* cells that are not empty on both sides, less one */
	METRIC_CHI_SQUARE_P,	  /* its upper tail probability */
	METRIC_CHI_SQUARE_EFFECT, /* sum (p - q)^2 / (p + q) / 2, in [0, 1] */
	METRIC_KL,	       /* sum p ln(p/q), in nats; infinite where q is empty and p is not */
	METRIC_JEFFREY,	       /* sum p ln(p/m) + q ln(q/m), m = (p + q)/2 */
	METRIC_JENSEN_SHANNON, /* half of it */
	METRIC_MINKOWSKI_L1,   /* sum |p - q| */
	METRIC_MINKOWSKI_L2,   /* sqrt(sum (p - q)^2) */
	METRIC_INTERSECTION,   /* sum min(p, q): a similarity */
	METRIC_KS,	       /* max |CDF_p - CDF_q| */
	METRIC_TOTAL_OPERATIONS, /* (B - A) / (A + B) */
	METRIC_TOTAL_LATENCY,	 /* the same of total latencies */
};
enum { N_METRICS = METRIC_TOTAL_LATENCY + 1 };

/* One row of the table: a metric's names, and the function that computes it. */
struct distance {
	const char *name;  /* "emd": in JSON, CSV and after --metric */
	const char *title; /* "earth mover's distance, octaves" */
	double (*between)(const struct aligned *a);
	bool ranks; /* larger (in absolute value) means more different: may order a ranking */
};

/* Name, title and function of a metric. */
const struct distance *distance_at(enum metric m);
/* False when no metric has this name. */
MUST_CHECK bool distance_by_name(struct str name, enum metric *ret);

/* All of them.  Shape distances are 0 (KL: NAN) where a side has no buckets. */
void distance_all(const struct aligned *a, double value[N_METRICS]);

/* Upper tail of the chi-square distribution; 1 without a degree of freedom. */
double chi_square_tail(double statistic, double df);

#endif
