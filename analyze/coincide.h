/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds operations whose slow calls fall in the same intervals as calls of another operation
 * (OSprof 6.3, figure 9: writes stall while the file is flushed).
 *
 * Among the intervals in which an operation was called, some have calls above a limit, and some
 * have calls of the other operation.  The p that both coincide this often is the upper tail of
 * the hypergeometric distribution, times the number of limits tried; the false-discovery rate is
 * controlled over all pairs (Benjamini-Hochberg).  Limits are where the histogram begins to rise
 * again, and where a tenth, a hundredth and a thousandth of the calls are left.  The limit with
 * the smallest p, which separates best, is reported.
 */
#ifndef ANALYZE_COINCIDE_H
#define ANALYZE_COINCIDE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct operation;
struct timeline;

/* Calls of `op`, or slow ones, and calls of `with` in the same intervals; counts are intervals. */
struct coincidence {
	const struct operation *op, *with;
	bool any;   /* all calls of `op` count; `low` is then its lowest latency */
	double low; /* only calls of this latency or slower count */
	/* Intervals with `with`, and with such a call of `op`, too; those without `with`, and
	 * with such a call of `op`. */
	size_t intervals_with, both, of_others, others;
	double p, q;
};

/* The significant pairs of operations. */
struct coincidences {
	struct coincidence *v; /* most significant first */
	size_t n;
	size_t n_tested;    /* pairs */
	size_t n_left_out;  /* intervals whose length differs too much from the usual one */
	size_t n_not_tried; /* operations beyond the maximum, which were not tested */
};

enum { COINCIDENCE_TAILS = 3 };

/* Which pairs are tested, and what is significant; comments give the defaults. */
struct coincidence_rules {
	double level;	      /* largest q: 0.05 */
	size_t min_intervals; /* fewest with an event, and fewest without: 3 */
	/* Shares of the calls that the limits leave, descending: 0.1, 0.01, 0.001. */
	double tail[COINCIDENCE_TAILS];
	double max_ratio;      /* between an interval's length and the usual one, either way: 1.5 */
	size_t max_operations; /* tested, those with most latency: 200 */
};
extern const struct coincidence_rules coincidence_rules_default;

/* Returns the pairs that coincide significantly, the most significant first, in the arena. */
struct coincidences coincidences_of(struct arena *a, const struct timeline *t,
				    const struct coincidence_rules *rules);

/* The probability that, of `all` intervals, n with one event and k with another share `both` or
 * more by chance. */
double coincidence_p(size_t all, size_t n, size_t k, size_t both);

#endif
