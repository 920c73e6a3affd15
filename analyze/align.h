/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts two histograms on one grid, the input of every distance.
 *
 * Cell i has the same edges on both sides.  A struct aligned can be reused for any
 * number of pairs; each align() overwrites the result of the one before.
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
	double *before, *after; /* counts */
	double *p, *q;		/* before and after as shares; 0 where that side is empty */
	double *diff;		/* p - q, computed without cancellation; 0 where a side is empty */
	double *position;	/* of the cell, in octaves (bucket_position()) */
	double n_before, n_after;	  /* sums of the counts */
	double total_before, total_after; /* latency, estimated from the buckets */
	bool approximated;		  /* counts were interpolated across buckets */

	int *index; /* bucket numbers of the cells in the common scheme */
	size_t cap;
	double *room;
	struct arena *scratch; /* memory of histograms that were rebinned */
};

/* Makes *a empty; allocates nothing. */
void aligned_init(struct aligned *a);
/* Frees what align() allocated. */
void aligned_release(struct aligned *a);

/* Puts both sides on their common scheme.  Either may be NULL, which is empty, but not both.
 * scale_after converts the unit of `after` to that of `before`. */
void align(struct aligned *a, const struct histogram *before, const struct histogram *after,
	   double scale_after);

#endif
