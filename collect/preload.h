/* SPDX-License-Identifier: MIT */
/* Between the two halves of the preloaded library: calls (preload.c) and functions. */
#ifndef COLLECT_PRELOAD_H
#define COLLECT_PRELOAD_H

#include <stdint.h>

struct osprof;

/* What each call has to know, together in one line of the cache: the program and the kernel use
 * the cache for other things between two calls. */
struct recording {
	struct osprof *profile; /* NULL: nothing is recorded */
	/* Of each operation until when its calls leave records, in nanoseconds of CLOCK_MONOTONIC;
	 * 0: they do not.  NULL: none do now. */
	const uint64_t *single_until;
	int functions_are_chosen;
	int has_counter, slot; /* of the profile */
} __attribute__((aligned(64)));
extern struct recording recording;

/* The functions of the program that are profiled: patterns with commas between them, those
 * with a '!' leave out. NULL: none. */
void choose_functions(const char *patterns);

/* A recorded call has ended: it lies in the function that the thread is in. */
void call_in_function(int op, uint64_t latency);
/* A recorded call began at a position of the stack (collect/stack.h): functions that lie deeper
 * have been left. */
void calls_left_at(uintptr_t at, uint64_t start);

#endif
