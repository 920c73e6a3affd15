/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elapsed time in figures. */
#ifndef PLOTTING_TIME_H
#define PLOTTING_TIME_H

#include "plotting/figure.h"

struct arena;
struct profile;

/* Seconds since the run began, or numbers of intervals where they have no times. */
struct axis axis_of_time(struct arena *a, const struct profile *p, double from, double to);

#endif
