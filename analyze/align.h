/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two histograms on one grid: what every distance looks at.
 *
 * Cell i lies between the same edges on both sides.  One aligned is used again
 * for pair after pair; what it holds is gone with the next align().
 */
#ifndef ANALYZE_ALIGN_H
#define ANALYZE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/histogram.h"

/*
 * A pair of histograms on their common scheme; the arrays have n cells each, and
 * aligned_release() frees them.
 */
struct aligned {
	size_t n;
	double *before, *after;	  /* counts */
	double *p, *q;		  /* shares of before and after; 0 where that side is empty */
	double *diff;		  /* p - q, free of cancellation; 0 where a side is empty */
	double *position;	  /* where the cell lies, in octaves (bucket_position()) */
	double n_before, n_after; /* all counts */
	double total_before, total_after; /* latency, from the buckets */
	bool approximated;		  /* counts were interpolated across buckets */

	int *index; /* numbers of the cells in their scheme */
	size_t cap;
	double *room;
	struct arena *scratch; /* for pairs that have to be put on another scheme */
};

/* An empty table, without memory of its own. */
void aligned_init(struct aligned *a);
/* Frees what aligned_sides() allocated. */
void aligned_release(struct aligned *a);

/* Puts both sides on their common scheme; either may be NULL (empty).
 * scale_after turns the unit of `after` into that of `before`. */
void align(struct aligned *a, const struct histogram *before, const struct histogram *after,
	   double scale_after);

#endif
