/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How heavy the tails of a fleet are: by how much its farthest hosts lie farther than those of
 * normally distributed numbers, as the degrees of freedom of Student's t.
 *
 * On one side of a spread, the distance of a far host from the middle is divided by that of a host
 * less far, and the result compared with what normal numbers give.  The median over all operations
 * is taken, since outliers of one operation say nothing of the fleet.  The farthest 1 % of the
 * hosts, and hosts that are far in most operations, do not count: they are what is looked for.
 */
#ifndef ANALYZE_HOSTS_HOSTS_TAILS_H
#define ANALYZE_HOSTS_HOSTS_TAILS_H

#include <stdbool.h>
#include <stddef.h>

struct host_spread;

/* The spread of one feature of an operation. */
struct tail_series {
	const struct host_spread *spread;
	double middle; /* of the hosts between the extremes */
	size_t n_far;  /* extremes on either side */
};

/* Returns the degrees of freedom for n operations, `high` or low; HUGE_VAL for normal tails. */
double hosts_tail_df(const struct tail_series *v, size_t n, bool high);

#endif
