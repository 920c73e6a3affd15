/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Characteristic times: prior knowledge to compare peaks with (OSprof 3.1).
 *
 * Each line of a table is "name, low, high, unit, source", where the source is the rest of
 * the line.  '#' begins a comment line.  "[disk network Linux 6.6-]" says which calls
 * (analyze/call_reach.h) on which kernels the lines below it may explain; "[]" is any.  The built-in
 * table is analyze/times.txt.
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
	bool periodic;	  /* a time between events: its name contains "period" */
	unsigned kinds;	  /* bits of enum call_reach, of which a call has to have one; 0: any */
	unsigned linux_from, linux_to; /* kernels, as linux_version(); to 0: any */
};

/* The times of one or several tables; in an arena. */
struct known_times {
	struct known_time *v;
	size_t n;
};

/* Returns the built-in table, in the arena. */
struct known_times times_built_in(struct arena *a);
/* Reads a table; strings are copied into the arena.  Returns false, with an error reported, when a
 * line is malformed. */
MUST_CHECK bool times_read(struct arena *a, struct input *in, struct known_times *ret,
			   struct diag *diag);
/* Returns `first`, followed by those of `rest` with names that `first` lacks. */
struct known_times times_joined(struct arena *a, const struct known_times *first,
				const struct known_times *rest);

enum { MAX_HINTS = 3 };

/* What is to be explained. */
struct time_subject {
	unsigned kinds;	   /* what the call can do */
	struct str kernel; /* "Linux 6.1"; another, or empty: not known */
};

/* Returns a number that grows with the version in "Linux 6.1.2"; 0: it is not that. */
unsigned linux_version(struct str kernel);

/* A characteristic time near a peak. */
struct time_hint {
	const struct known_time *time;
	double octaves; /* distance from its range; 0 within */
};

/* Finds times within within_octaves of a duration that may explain a subject (NULL: anything), the
 * nearest first, and among equally near ones the narrowest range first; returns how many. */
size_t times_match(const struct known_times *t, double seconds, double within_octaves,
		   bool periodic_only, const struct time_subject *of,
		   struct time_hint ret[MAX_HINTS]);

#endif
