/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elapsed time in figures. */
#ifndef PLOTTING_TIME_H
#define PLOTTING_TIME_H

#include "plotting/figure.h"

struct arena;
struct profile;

/* An axis of seconds since the run began, or of interval numbers if intervals have no times. */
struct axis axis_of_time(struct arena *a, const struct profile *p, double from, double to);

#endif
