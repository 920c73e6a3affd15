/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More estimates from the curve of histogram_bucket_mean(). */
#ifndef PROFILE_MEANS_H
#define PROFILE_MEANS_H

#include "profile/histogram.h"

/* Returns the estimated mean of log2 of the latencies of bucket i; -HUGE_VAL for zero, NAN below.
 */
double histogram_bucket_octave(const struct histogram *h, size_t i);

#endif
