/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses one run of a set to stand for all of them (FSprof 5). */
#ifndef ANALYZE_REPRESENTATIVE_H
#define ANALYZE_REPRESENTATIVE_H

#include "profile/profile.h"

/* Returns the number of the run with the median total latency: the lower of the two middle ones for
 * an even number of runs, the earlier one for equal totals.  n >= 1. */
size_t representative(const struct profile *const *run, size_t n);

#endif
