/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Characteristic times: prior knowledge to compare peaks with (OSprof 3.1).
 *
 * A line is "name, low, high, unit, source"; the source is the rest of the line.
 * '#' begins a comment line.  Ours is analyze/times.txt, read like any other.
 */
#ifndef ANALYZE_TIMES_H
#define ANALYZE_TIMES_H

#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct diag;
struct input;

/* One characteristic time, from a line of the table. */
struct known_time {
	struct str name, source;
	double low, high; /* seconds */
	bool periodic;	  /* a time between events: its name has the word "period" */
};

/* The lines of one or several tables; in an arena. */
struct known_times {
	struct known_time *v;
	size_t n;
};

/* Ours. */
struct known_times times_built_in(struct arena *a);
/* Names are copied into the arena.  False when a line is none; it has been said which. */
MUST_CHECK bool times_read(struct arena *a, struct input *in, struct known_times *ret,
			   struct diag *diag);
/* `first`, then those of `rest` that have other names. */
struct known_times times_joined(struct arena *a, const struct known_times *first,
				const struct known_times *rest);

enum { MAX_HINTS = 3 };

/* A characteristic time near a peak. */
struct time_hint {
	const struct known_time *time;
	double octaves; /* from the nearest end of its range; 0 within */
};

/* Those no farther than within_octaves from a duration, nearest first, of equally
 * near ones the narrowest range first; returns how many. */
size_t times_match(const struct known_times *t, double seconds, double within_octaves,
		   bool periodic_only, struct time_hint ret[MAX_HINTS]);

#endif
