/* SPDX-License-Identifier: MIT */
/* Positions on a thread's stack, which tell of calls that longjmp() or an exception left. */
#ifndef COLLECT_STACK_H
#define COLLECT_STACK_H

#include <stdint.h>

/* Calls leave the address that they return to on the stack, and no arguments. */
#ifdef __x86_64__
#define STACK_TELLS 1
#else
#define STACK_TELLS 0
#endif

/* The stack pointer of the caller when it called this function. */
#define STACK_POSITION() ((uintptr_t)__builtin_dwarf_cfa())

/* The addresses that the stack of a thread may have. */
struct stack_home {
	uintptr_t first;     /* one of them */
	uintptr_t low, high; /* high: past the last one; 0 until stack_left() needs them */
};

/* Whether a function that was at this position has been left, as it would be if there were but
 * one stack: the thread is at `now`, and may come back to another one. */
int stack_left(struct stack_home *home, uintptr_t was, uintptr_t now);

#endif
