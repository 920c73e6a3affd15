/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points in time of a run: clock times (UTC), seconds since the run began, or numbers of
 * intervals. */
#ifndef PROFILE_TIME_WORDS_H
#define PROFILE_TIME_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct out;
struct profile;

/* What the times of intervals are. */
enum time_kind { TIME_ELAPSED, TIME_CLOCK, TIME_NUMBER };

/* How to print the points in time of one run. */
struct time_words {
	enum time_kind kind;
	bool dated; /* clock times need a date, because the run spans several days */
};
/* Returns how to print times of a profile from `from` to `to`. */
struct time_words time_words_of(const struct profile *p, double from, double to);

/* "14:15:27", "2026-09-21 14:15:27" if dated; "12.5 s"; "17". */
void time_print(struct out *o, struct time_words m, double at);
/* The day of a clock time: "2026-09-21". */
void time_print_date(struct out *o, double at);
/* "from 2026-09-21 14:13:20 to 14:15:50 UTC", "from 0 s to 46 s". */
void time_print_span(struct out *o, struct time_words m, double from, double to);

/* Returns the distance between round times, of which at most `most` fit into a span. */
double time_step(enum time_kind kind, double span, size_t max);
/* Labels a multiple of step: "14:15", "14:15:27", "09-21"; "10 s", "5 min"; "17". */
void time_print_tick(struct out *o, enum time_kind kind, double at, double step);

#endif
