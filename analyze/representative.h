/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run of a set that stands for all where one has to (FSprof 5). */
#ifndef ANALYZE_REPRESENTATIVE_H
#define ANALYZE_REPRESENTATIVE_H

#include "profile/profile.h"

/* The number of the run whose total latency is the median; of an even number of runs
 * the lower one of the two in the middle, of equal totals the earlier run.  n >= 1. */
size_t representative(const struct profile *const *run, size_t n);

#endif
