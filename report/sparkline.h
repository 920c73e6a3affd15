/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparklines: a histogram in a few characters, whose heights are logarithms of counts. */
#ifndef REPORT_SPARKLINE_H
#define REPORT_SPARKLINE_H

#include "profile/histogram.h"
#include "report/style.h"

struct out;

/* The range that a sparkline shows, in octaves. */
struct span_of_octaves {
	double from, to; /* from > to: empty */
};

/* Returns the range of latencies that n histograms cover together. */
struct span_of_octaves sparkline_span(const struct histogram *const *h, size_t n);

/* A cache of logarithms of small counts, shared by the sparklines of a table; initialize with
 * { 0 }. */
struct known_logs {
	double of[512];
};

/* Prints at most `width` columns.  h may be NULL (blank); `known` may be NULL (no cache). */
void sparkline(struct out *o, const struct style *s, const struct histogram *h,
	       struct span_of_octaves span, size_t width, struct known_logs *known);

/* Prints n numbers in at most `width` columns (64 or fewer); each column shows one number or
 * the mean of several, scaled from low to high.  Outliers are clipped, and the scale spans at
 * least `least`.  NAN is blank. */
void sparkline_values(struct out *o, const struct style *s, const double *v, size_t n, double min,
		      size_t width);

/* Prints a series of values >= 0 in at most `width` columns.  Each column shows the largest of
 * its values; the largest of all has full height. */
void sparkline_heights(struct out *o, const struct style *s, const double *v, size_t n,
		       size_t width);

#endif
