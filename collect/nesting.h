/* SPDX-License-Identifier: MIT */
/* Runs in the recorded program: reports the start and end of each call below one function. */
#ifndef COLLECT_NESTING_H
#define COLLECT_NESTING_H

#include <stdint.h>

#include "collect/stream.h"

extern struct stream nesting; /* head NULL: nothing is reported */

/* Maps the stream in this file, before the program's own code runs. */
void nesting_attach(const char *path);
/* A call of a function begins; `depth` is its nesting depth in the thread, from 1. */
void nesting_enter(int op, uint64_t at, int depth);
/* The innermost call ends. `left`: it ended earlier, by longjmp() or an exception. */
void nesting_leave(int op, uint64_t at, int depth, int left);
/* A call that contains no function calls, such as a system call, has ended. */
void nesting_call(int op, uint64_t start, uint64_t end);
/* This thread ends. */
void nesting_end(void);

#endif
