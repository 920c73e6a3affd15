/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How heavy the tails of a fleet are: how far its far hosts lie, as the degrees of freedom of
 * Student's t.
 *
 * The far hosts of all operations on one side of their spreads, in deviations from the middle, are
 * compared with what tails of several degrees of freedom give.  Each gets a probability (Bayes);
 * the result is their mean, and a standard deviation more, so that few hosts give heavy tails.  What
 * is looked for must not count: how far a host lies beyond the distance where normal hosts of so
 * many operations have one; one such host of an operation, or 1 %; and hosts that are far in most
 * operations.
 */
#ifndef ANALYZE_HOSTS_HOSTS_TAILS_H
#define ANALYZE_HOSTS_HOSTS_TAILS_H

#include <stdbool.h>
#include <stddef.h>

struct host_spread;

/* The spread of one feature of an operation. */
struct tail_series {
	const struct host_spread *spread;
	double middle, deviation; /* of the hosts between the extremes */
	double df;		  /* of the deviation */
	size_t n_far;		  /* extremes on either side */
};

/* Returns the degrees of freedom for n operations, `high` or low; HUGE_VAL for normal tails. */
double hosts_tail_df(const struct tail_series *v, size_t n, bool high);

#endif
