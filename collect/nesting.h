/* SPDX-License-Identifier: MIT */
/* Within a recorded program: begin and end of the calls below one function, as events. */
#ifndef COLLECT_NESTING_H
#define COLLECT_NESTING_H

#include <stdint.h>

#include "collect/stream.h"

extern struct stream nesting; /* head NULL: nothing is reported */

/* Attaches to the memory in this file, for a program that is about to begin. */
void nesting_attach(const char *path);
/* A call of a function begins; `depth`, of it within the thread, from 1 on. */
void nesting_enter(int op, uint64_t at, int depth);
/* The innermost one ends; `left`: without a return, some time before. */
void nesting_leave(int op, uint64_t at, int depth, int left);
/* Another call, one without functions in it, has ended. */
void nesting_call(int op, uint64_t start, uint64_t end);
/* This thread ends. */
void nesting_end(void);

#endif
