/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buckets on a drawing's axis of octaves: log2 of latency, where 1 more is twice as long.
 *
 * Every bucket gets a place there, those too that have no finite positive edge: the
 * bucket of zero lies in the octave below the lowest edge, what is negative in
 * another one below that, and an open top takes an octave.
 */
#ifndef PROFILE_OCTAVES_H
#define PROFILE_OCTAVES_H

#include "profile/histogram.h"

/* The range of log2 latency that a drawing's axis covers. */
struct octaves {
	double from, to;	/* all buckets lie between; from > to: there is none */
	double lowest, highest; /* finite positive edges */
	bool has_zero, has_negative, has_top;
};

/* Those of n histograms of one unit; any may be NULL or empty. */
struct octaves octaves_around(const struct histogram *const *h, size_t n);

/* Where a bucket begins, in powers of two from the left end. */
double octaves_left(const struct octaves *f, const struct bucket *b);
/* Where it ends. */
double octaves_right(const struct octaves *f, const struct bucket *b);

#endif
