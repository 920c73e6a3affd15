/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infers the bucket scheme that printed rows of "low, high" follow.
 *
 * Collectors print edges and leave out empty buckets.  This finds the regular scheme that fits
 * the rows of one map, so that the edges that were not printed are known, too.
 */
#ifndef PROFILE_INFER_H
#define PROFILE_INFER_H

#include "base/attr.h"
#include "profile/bucket.h"

struct arena;

/* One row of a printed histogram: its edges. */
struct row {
	double low, high; /* low < high; +-HUGE_VAL where open */
};

/* What the rows seen so far have shown, and which schemes still fit. */
struct inference {
	bool seen; /* at least one row */
	bool log2_fits, log_linear_fits, linear_fits;
	unsigned log2_resolution; /* 0: no row yet */
	double octave_high;	  /* LOG2: end of the last row, if that was an octave */
	double zero_high;	  /* high edge of the row from 0; 0: none seen */
	double min;		  /* lowest positive low edge; HUGE_VAL: none */
	unsigned part;		  /* LOG_LINEAR's resolution; 0: no row yet */
	double widest_unit;	  /* largest low edge of a row of width 1 */
	double step, origin;	  /* LINEAR; step 0: no row yet */
	double linear_high;	  /* LINEAR: end of the last row */
	double under, over;	  /* finite edges of open rows; HUGE_VAL: none */
	double lowest, highest;	  /* lowest low edge and highest high edge that are finite */
};

/* Begins without rows. */
void inference_start(struct inference *f);
/* Adds the edges of a row. */
void inference_row(struct inference *f, double low, double high);

/* Finds a regular scheme that fits all rows.  False when none does: use inference_edges(). */
MUST_CHECK bool inference_scheme(const struct inference *f, struct bucket_scheme *ret);

/* Makes the EDGES scheme of n rows, which it sorts.  False when two rows overlap. */
MUST_CHECK bool inference_edges(struct arena *a, struct row *row, size_t n,
				struct bucket_scheme *ret);

#endif
