/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs work in several threads; where a thread cannot be started, the caller does its part. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Calls task(ctx, 0) to task(ctx, n - 1) in parallel, and returns when all are done. */
void parallel_run(size_t n, void (*task)(void *ctx, size_t i), void *ctx);

/* How many threads to use. */
struct parallel {
	size_t threads; /* maximum; 0 counts as 1 */
	size_t fewest;	/* minimum items per thread */
};
/* Divides n items into ranges and calls body(ctx, from, to) for each, in parallel. */
void parallel_for(size_t n, const struct parallel *how,
		  void (*body)(void *ctx, size_t from, size_t to), void *ctx);

#endif
