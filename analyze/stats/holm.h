/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control of the probability that any of several tests is wrong. */
#ifndef ANALYZE_STATS_HOLM_H
#define ANALYZE_STATS_HOLM_H

#include <stddef.h>

/* Adjusts p-values by Holm's method (1979): the probability that any true null hypothesis has an
 * adjusted value up to a level is at most that level, whatever the others are.  NAN stays NAN and
 * is not counted. */
void holm_adjust(const double *p, size_t n, double *adjusted);

#endif
