/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions have several peaks, and what the slower ones cost. */
#ifndef ANALYZE_CAUSES_FUNCTIONS_H
#define ANALYZE_CAUSES_FUNCTIONS_H

#include "analyze/peaks.h"

struct arena;
struct operation;
struct profile;

/* A function with several peaks, and which of these is worth asking about. */
struct cause_function {
	const struct operation *op;
	struct peaks peaks;
	size_t slow;  /* the peak that adds most, from 0 */
	double added; /* its calls times what they take longer than the peak before */
};

/* What adds most first. */
size_t cause_functions(struct arena *a, const struct profile *p, struct cause_function **ret);

#endif
