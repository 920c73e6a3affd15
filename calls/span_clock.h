/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The granularity of the times at which spans start.
 *
 * Some libraries take the start from a clock of whole milliseconds and the end from a finer one, so
 * that spans that follow each other overlap, and children begin before their parents or end after
 * them, by less than a step.  That is no error.
 */
#ifndef CALLS_SPAN_CLOCK_H
#define CALLS_SPAN_CLOCK_H

#include <stdint.h>

/* All zero: no span yet. */
struct span_clock {
	int64_t step; /* ns: the largest of 1 ms, 1 us and 1 ns that all starts are multiples of */
};

static inline void span_clock_see(struct span_clock *c, int64_t start)
{
	if (c->step == 0)
		c->step = 1000000;
	while (start % c->step != 0)
		c->step /= 1000;
}

/* Moves a child to where a clock of finer steps would have shown it, by less than a step.  One that
 * ends after `at`, where its sibling begins or its parent ends, ends there; one that begins before
 * `low`, where its parent begins, comes later as far as it has room. */
static inline void span_clock_fit(const struct span_clock *c, int64_t low, int64_t at,
				  int64_t *start, int64_t *end)
{
	int64_t by = 0;

	if (*end > at && *end - at < c->step)
		by = at - *end;
	else if (*end < at && *start < low && low - *start < c->step)
		by = low - *start < at - *end ? low - *start : at - *end;
	*start += by;
	*end += by;
}

/* Returns the time of a child that lies outside its parent by a step or more, ns. */
static inline int64_t span_clock_beyond(const struct span_clock *c, int64_t start, int64_t end,
					int64_t parent_start, int64_t parent_end)
{
	int64_t before = parent_start - start, after = end - parent_end;

	return (before >= c->step ? before : 0) + (after >= c->step ? after : 0);
}

#endif
