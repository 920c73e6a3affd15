/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of values. */
#ifndef ANALYZE_STATS_RANKS_H
#define ANALYZE_STATS_RANKS_H

#include <stddef.h>

/* Fills ret_rank[n] with the rank of each value, from 1; equal values share their mean rank. */
void ranks_of(const double *x, size_t n, double *ret_rank);

/* Returns the two-sided p of Mann and Whitney's test of v[0..n) against v[n..n + m), by the normal
 * approximation; 0 where the two do not overlap.  NAN values are left out. */
double rank_sum_p(const double *v, size_t n, size_t m);

#endif
