/* SPDX-License-Identifier: MIT */
/* Between the two halves of the preloaded library: calls (preload.c) and functions. */
#ifndef COLLECT_PRELOAD_H
#define COLLECT_PRELOAD_H

#include <stdint.h>

struct osprof;

extern struct osprof *recording; /* NULL: nothing is recorded */

/* The functions of the program that are profiled: patterns with commas between them, those
 * with a '!' leave out. NULL: none. */
void choose_functions(const char *patterns);

extern int functions_are_chosen;
/* A recorded call has ended: it lies in the function that the thread is in. */
void call_in_function(int op, uint64_t latency);
/* A recorded call began at a position of the stack (collect/stack.h): functions that lie deeper
 * have been left. */
void calls_left_at(uintptr_t at, uint64_t start);

#endif
