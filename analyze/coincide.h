/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happens in the same intervals: the slow calls of one operation, and another operation
 * (OSprof 6.3, figure 9: writes stall where the file is flushed).
 *
 * Of the intervals in which an operation was called, some have calls above a limit, some have the
 * other operation.  Whether these are the same more often than by chance is the upper tail of the
 * hypergeometric distribution, times the limits that were tried, controlled over all pairs
 * (Benjamini and Hochberg).  Limits are where the histogram begins to rise again, and where a
 * thousandth of the calls is left; the lowest one that tells is reported.
 */
#ifndef ANALYZE_COINCIDE_H
#define ANALYZE_COINCIDE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct operation;
struct timeline;

/* Two operations that are slow, or called, in the same intervals; counts are intervals. */
struct coincidence {
	const struct operation *op, *with;
	bool any;   /* any call of `op`; `low` is the least latency then */
	double low; /* calls of this latency and slower */
	size_t intervals_with, both, of_others, others;
	double p, q;
};

/* All pairs of operations that were tested. */
struct coincidences {
	struct coincidence *v; /* most significant first */
	size_t n;
	size_t n_tested;    /* pairs */
	size_t n_left_out;  /* intervals that are not as long as the others */
	size_t n_not_tried; /* operations beyond the most that are tried */
};

enum { COINCIDENCE_TAILS = 3 };

/* Which pairs are tested, and what is significant. */
struct coincidence_rules {
	double level;	      /* of q: 0.05 */
	double sure;	      /* p of a pair up to which the lowest limit is taken: 0.001 */
	size_t min_intervals; /* that have an event, and that have none: 3 */
	/* Shares of the calls that a limit may leave, descending: 0.1, 0.01, 0.001. */
	double tail[COINCIDENCE_TAILS];
	double max_ratio;      /* of an interval's length to the usual one, either way: 1.5 */
	size_t max_operations; /* 200, those with most latency */
};
extern const struct coincidence_rules coincidence_rules_default;

/* What happens in the same intervals, significant after control of false discoveries; in the
 * arena. */
struct coincidences coincidences_of(struct arena *a, const struct timeline *t,
				    const struct coincidence_rules *rules);

/* P that of n intervals with one event and k with another, of `all`, `both` or more coincide. */
double coincidence_p(size_t all, size_t n, size_t k, size_t both);

#endif
