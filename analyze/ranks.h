/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks from 1 to n; values that are equal share the mean of theirs. */
#ifndef ANALYZE_RANKS_H
#define ANALYZE_RANKS_H

#include <stddef.h>

/* The rank of each value from 1 on; equal values share the mean of their ranks. */
void ranks_of(const double *x, size_t n, double *ret_rank);

#endif
