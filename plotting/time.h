/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time in figures: clock times, elapsed time, or numbers of intervals. */
#ifndef PLOTTING_TIME_H
#define PLOTTING_TIME_H

#include "plotting/figure.h"
#include "profile/time_words.h"

struct arena;
struct profile;

/* The period that an axis of time shows.  Figures hold times relative to `origin`: coordinates
 * with few digits are too coarse for times that are counted since 1970. */
struct time_frame {
	struct time_words words;
	double origin;
	double from, to; /* relative to the origin */
};

/* Returns a frame for a profile's times from `from` to `to`. */
struct time_frame time_frame_of(const struct profile *p, double from, double to);
/* An axis of a frame, with about `n_ticks` ticks at most. */
struct axis axis_of_time(struct arena *a, const struct time_frame *f, size_t n_ticks);

#endif
