/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the metrics of k6 are, whichever of its outputs tells them. */
#ifndef FORMATS_BENCH_K6_METRICS_H
#define FORMATS_BENCH_K6_METRICS_H

#include <stdbool.h>

#include "base/str.h"

/* Whether k6 itself measures this one, and as a time, in ms. */
bool k6_is_time(struct str metric);

#endif
