/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of one run whose shapes are alike (OSprof 3.1): average linkage. */
#ifndef ANALYZE_CLUSTER_H
#define ANALYZE_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/distance.h"

#define CLUSTER_NONE SIZE_MAX

/* How far apart two shapes may be and still be alike; NAN for distances that grow
 * with the number of calls. */
double cluster_default(enum metric m);

/*
 * Joins the two nearest groups until the nearest ones are more than `most` apart; the
 * distance of two groups is the mean over their pairs.  Of the n x n distances the
 * larger absolute value of both directions counts; NAN never joins.  Fills
 * ret_cluster[n] with numbers from 0, in the order of their first members, CLUSTER_NONE
 * for what is alone, and returns how many there are.
 */
size_t cluster(const double *distance, size_t n, double most, size_t *ret_cluster);

#endif
