/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The step of a coarse clock, where nothing states it.
 *
 * Latencies that are multiples of 1 us, counted in finer buckets, leave a comb: filled buckets with
 * empty ones between, at regular distances.  The gaps of a comb are no valleys between modes.
 */
#ifndef ANALYZE_COMB_H
#define ANALYZE_COMB_H

#include "profile/histogram.h"

/* Returns a step of which every bucket with calls holds a multiple, but which leaves two or more of
 * the gaps between them without one, if latencies without a step would do so with a probability of
 * at most `chance`; the known granularity if there is one; 0: no comb. */
double comb_step(const struct histogram *h, double chance);

#endif
