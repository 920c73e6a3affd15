/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in metrics of k6, for all of its output formats. */
#ifndef FORMATS_BENCH_K6_METRICS_H
#define FORMATS_BENCH_K6_METRICS_H

#include <stdbool.h>

#include "base/str.h"

/* Whether this is a built-in metric that is a time, in ms. */
bool k6_is_time(struct str metric);

#endif
