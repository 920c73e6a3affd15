/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters the operations of one run by similar shapes (OSprof 3.1), with average linkage. */
#ifndef ANALYZE_CLUSTER_H
#define ANALYZE_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/distance.h"

#define CLUSTER_NONE SIZE_MAX

/* The default maximum cluster distance; NAN for metrics that grow with the number of calls. */
double cluster_default(enum metric m);

/*
 * Joins the two nearest clusters until the nearest two are more than `most` apart.  The
 * distance of two clusters is the mean over all pairs of members.  `distance` is n x n; of
 * its two directions the larger absolute value counts, and NAN never joins.  Fills
 * ret_cluster[n] with cluster numbers from 0, in the order of their first members, or
 * CLUSTER_NONE for an operation on its own.  Returns the number of clusters.
 */
size_t cluster(const double *distance, size_t n, double max, size_t *ret_cluster);

#endif
