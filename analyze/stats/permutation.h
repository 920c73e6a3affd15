/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation tests over the assignment of runs to the two sides.
 *
 * The mask of a permutation says which runs count as `before`: bit k stands for run k,
 * where the runs before have the lower numbers.
 */
#ifndef ANALYZE_STATS_PERMUTATION_H
#define ANALYZE_STATS_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum { MAX_RUNS_PERMUTED = 64 };

/* The permutations that a test goes through; in an arena. */
struct permutations {
	size_t n_before, n_runs;
	uint64_t *mask; /* ascending; drawn independently unless `all` is set */
	size_t n;
	bool all; /* every possible permutation, including the true one */
};

/* Lists all permutations if there are at most `most`; otherwise draws `most` with this seed.  There
 * may be at most MAX_RUNS_PERMUTED runs. */
struct permutations permutations_make(struct arena *a, size_t n_before, size_t n_after, size_t max,
				      uint64_t seed);

/* The runs of one operation on a common grid; cdf[run * n + cell] is cumulative. */
struct grid {
	size_t n;
	double *position; /* of each cell, in octaves, ascending */
	double *cdf;
};

/* Scratch memory, reused from operation to operation; initialise with { 0 }. */
struct permutation_room {
	double *away;
	float *sum;
	size_t n_away, n_sum;
};
/* Frees the room, which can be used again afterwards. */
void permutation_room_release(struct permutation_room *room);

/* Sets *ret_distance to the earth mover's distance, in octaves, between the average shapes of both
 * sides.  Returns the share of permutations with a distance at least as large: b / m when all are
 * listed, otherwise (b + 1) / (m + 1). */
double permutation_p(const struct permutations *r, const struct grid *g,
		     struct permutation_room *room, double *ret_distance);

#endif
