/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions of buckets on a log2 axis of latency.
 *
 * Every bucket has a position, even without a finite positive edge: the bucket of zero takes the
 * octave below the lowest edge, negative buckets the octave below that, and an open top an
 * octave above the highest edge.
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

/* Returns the range of n histograms in one unit; any may be NULL or empty. */
struct octaves octaves_around(const struct histogram *const *h, size_t n);

/* Return the log2 positions where a bucket begins and ends. */
double octaves_left(const struct octaves *f, const struct bucket *b);
double octaves_right(const struct octaves *f, const struct bucket *b);

#endif
