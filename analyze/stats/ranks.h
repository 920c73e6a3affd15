/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of values. */
#ifndef ANALYZE_STATS_RANKS_H
#define ANALYZE_STATS_RANKS_H

#include <stddef.h>

/* Fills ret_rank[n] with the rank of each value, from 1; equal values share their mean rank. */
void ranks_of(const double *x, size_t n, double *ret_rank);

#endif
