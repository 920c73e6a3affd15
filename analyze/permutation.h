/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact tests by permuting runs between the sides.
 *
 * A permutation says which runs count as `before`: bit k of its mask stands for run
 * k, those of before come first.
 */
#ifndef ANALYZE_PERMUTATION_H
#define ANALYZE_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum { MAX_RUNS_PERMUTED = 64 };

/* The ways of dealing out runs to two sides that a test goes through; in an arena. */
struct permutations {
	size_t n_before, n_runs;
	uint64_t *mask; /* without the true one, unless all there are are listed */
	size_t n;
	bool all; /* every one there is, the true one included */
};

/* All of them when they are at most `most`, else `most` drawn with this seed. */
struct permutations permutations_make(struct arena *a, size_t n_before, size_t n_after, size_t most,
				      uint64_t seed);

/* One operation's runs on a common grid: cdf[run * n + cell]. */
struct grid {
	size_t n;
	double *position; /* of each cell, in octaves, ascending */
	double *cdf;
};

/* Memory that one operation after another is computed in; begins as { 0 }. */
struct permutation_room {
	double *away;
	float *sum;
	size_t n_away, n_sum;
};
/* Frees the room; the next permutation_p() may fill it again. */
void permutation_room_release(struct permutation_room *room);

/* The earth mover's distance between the average shapes of both sides, and the share
 * of permutations for which it is at least as large: (b + 1) / (m + 1). */
double permutation_p(const struct permutations *r, const struct grid *g,
		     struct permutation_room *room, double *ret_distance);

#endif
