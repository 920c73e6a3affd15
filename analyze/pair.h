/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of two runs, each with its namesake. */
#ifndef ANALYZE_PAIR_H
#define ANALYZE_PAIR_H

#include <stddef.h>

struct arena;
struct operation;
struct profile;

struct operation_pair {
	const struct operation *before, *after; /* NULL where absent */
};

/* By layer and name: those of `before` in its order, then what only `after` has. */
struct operation_pair *pair_operations(struct arena *a, const struct profile *before,
				       const struct profile *after, size_t *ret_n);

#endif
