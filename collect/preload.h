/* SPDX-License-Identifier: MIT */
/* Between the parts of the preloaded library: calls (preload.c), functions, the processor's speed.
 */
#ifndef COLLECT_PRELOAD_H
#define COLLECT_PRELOAD_H

#include <stdint.h>

struct osprof;

enum { RECORDED_SLOT = 0 }; /* of the profile: the first that this library opens */

struct recording {
	struct osprof *profile; /* NULL: nothing is recorded */
	/* Of each operation until when its calls leave records, in nanoseconds of CLOCK_MONOTONIC;
	 * 0: they do not.  NULL: none do now. */
	const uint64_t *single_until;
	int functions_are_chosen;
	int has_counter; /* of the profile */
};
extern struct recording recording;

/* speed.c: measures it, and gives when that is to be done again, in the unit of the profile. */
uint64_t measure_speed(struct osprof *p);

/* The functions of the program that are profiled: patterns with commas between them, those
 * with a '!' leave out. NULL: none. */
void choose_functions(const char *patterns);

/* A recorded call has ended: it lies in the function that the thread is in. */
void call_in_function(int op, uint64_t latency);
/* A recorded call began at a position of the stack (collect/stack.h): functions that lie deeper
 * have been left. */
void calls_left_at(uintptr_t at, uint64_t start);

#endif
