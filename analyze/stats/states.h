/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs in another state: a cold cache, an unlucky memory layout, a remote NUMA node.
 *
 * The runs of one side fall into a majority and a few that lie far from it, with a gap between
 * them.  That is a fact about the side, with counts and a factor; no run is left out of anything.
 */
#ifndef ANALYZE_STATS_STATES_H
#define ANALYZE_STATS_STATES_H

#include <stddef.h>
#include <stdint.h>

struct arena;

/* The runs of one side that are in another state. */
struct run_states {
	size_t n, of;	  /* runs in the other state, and all runs with a value */
	const size_t *at; /* their numbers, ascending; in an arena */
	double factor;	  /* between the medians of the two groups; above 1: slower */
};

/* Finds the runs in another state among value[from..to), octaves with NAN where unknown.  The
 * noise within the majority is at least `floor`, a standard deviation. */
struct run_states states_find(struct arena *a, const double *value, size_t from, size_t to,
			      double floor);

/* Fisher's exact test, two-sided, of n of `of` against m of `of_m`. */
double states_p(size_t n, size_t of, size_t m, size_t of_m);

#endif
