/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds functions that have several peaks, and what the slower peaks cost. */
#ifndef ANALYZE_CAUSES_CAUSES_FUNCTIONS_H
#define ANALYZE_CAUSES_CAUSES_FUNCTIONS_H

#include "analyze/peaks.h"

struct arena;
struct operation;
struct profile;

/* A function with several peaks, and the peak most worth explaining. */
struct cause_function {
	const struct operation *op;
	struct peaks peaks;
	size_t slow;  /* the peak that adds most, from 0 */
	double added; /* calls of that peak x (its mean - mean of the peak before) */
};

/* Returns in *ret the n functions of p with several peaks, by falling `added`.  `peaks` holds the
 * peaks of each operation of p, if they were found before; NULL: they are found. */
size_t cause_functions(struct arena *a, const struct profile *p, const struct peaks *peaks,
		       struct cause_function **ret);

#endif
