/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram in a few characters: one for each bucket, by the logarithm of its count. */
#ifndef REPORT_SPARKLINE_H
#define REPORT_SPARKLINE_H

#include "profile/histogram.h"
#include "report/style.h"

struct out;

/* The stretch of octaves that a sparkline shows. */
struct span_of_octaves {
	double from, to; /* from > to: nothing */
};

/* The range of latencies that n histograms cover together. */
struct span_of_octaves sparkline_span(const struct histogram *const *h, size_t n);

/* Logarithms of small counts, each taken once for all sparklines of a table; at first { 0 }. */
struct known_logs {
	double of[512];
};

/* Fills at most `width` columns; h may be NULL (blank), and so may `known`. */
void sparkline(struct out *o, const struct style *s, const struct histogram *h,
	       struct span_of_octaves span, size_t width, struct known_logs *known);

/* A row of n numbers in at most `width` columns (64 or fewer), one or the mean of several
 * in each, from low to high; numbers far from most stay at an end, a spread of less than
 * `least` hardly shows.  NAN is blank. */
void sparkline_values(struct out *o, const struct style *s, const double *v, size_t n, double least,
		      size_t width);

/* A series of values >= 0 from left to right, the largest as high as a line; at most
 * `width` columns, which show the largest value that they stand for. */
void sparkline_heights(struct out *o, const struct style *s, const double *v, size_t n,
		       size_t width);

#endif
