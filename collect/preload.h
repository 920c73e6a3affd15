/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the preloaded library: libc calls (preload.c), functions, CPU speed. */
#ifndef COLLECT_PRELOAD_H
#define COLLECT_PRELOAD_H

#include <stdint.h>

struct osprof;

enum { RECORDED_SLOT = 0 }; /* the profile is the first that this library opens */

struct recording {
	struct osprof *profile; /* NULL: nothing is recorded */
	/* For each operation, until when its calls are recorded individually, in nanoseconds of
	 * CLOCK_MONOTONIC; 0: they are not. NULL: no operation's are. */
	const uint64_t *single_until;
	int functions_are_chosen;
	int has_counter; /* as in the profile */
};
extern struct recording recording;

/* speed.c: measures the processor's speed. Returns when to do so again, in the profile's unit. */
uint64_t measure_speed(struct osprof *p);

/* Sets which functions of the program are profiled: comma-separated patterns; one that begins
 * with '!' excludes. NULL: none. */
void choose_functions(const char *patterns);

/* A recorded call has ended; it counts as nested in the thread's current function. */
void call_in_function(int op, uint64_t latency);
/* A recorded call began at a stack position (collect/stack.h): functions whose frames lie deeper
 * have been left. */
void calls_left_at(uintptr_t at, uint64_t start);

#endif
