/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same work on several processors: where a thread cannot be had, the caller does its part. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Calls task(ctx, 0) to task(ctx, n - 1) at the same time, and returns when all are done. */
void parallel_run(size_t n, void (*task)(void *ctx, size_t i), void *ctx);

/* How many threads a piece of work may use. */
struct parallel {
	size_t threads; /* at most; 0 counts as 1 */
	size_t fewest;	/* items that are worth a thread */
};
/* Cuts n items into stretches and calls body(ctx, from, to) for each. */
void parallel_for(size_t n, const struct parallel *how,
		  void (*body)(void *ctx, size_t from, size_t to), void *ctx);

#endif
