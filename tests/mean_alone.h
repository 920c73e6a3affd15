/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimated mean of calls in [1, 2) with none in the buckets around it. */
#ifndef TESTS_MEAN_ALONE_H
#define TESTS_MEAN_ALONE_H

#include <math.h>

/* The integral of 6 t (1 - t) 2^t for t from 0 to 1, by parts: 1.43127. */
static const double mean_alone = 18 / (M_LN2 * M_LN2) - 12 / (M_LN2 * M_LN2 * M_LN2);

/* Whether two estimates differ by rounding only. */
static inline int is_near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(b);
}

#endif
