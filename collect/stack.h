/* SPDX-License-Identifier: MIT */
/* Positions on a thread's stack, which reveal calls that longjmp() or an exception left. */
#ifndef COLLECT_STACK_H
#define COLLECT_STACK_H

#include <stdint.h>

/* Whether a call pushes its return address on the stack, and no arguments. */
#ifdef __x86_64__
#define STACK_TELLS 1
#else
#define STACK_TELLS 0
#endif

/* The stack pointer of the caller when it called this function. */
#define STACK_POSITION() ((uintptr_t)__builtin_dwarf_cfa())

/* The address range of a thread's own stack. */
struct stack_home {
	uintptr_t first;     /* an address on it */
	uintptr_t low, high; /* [low, high); 0 until stack_left() needs them */
};

/* Whether a function at position `was` has been left, where `now` is the thread's position and
 * higher up. It has not if `was` is on another stack than `now`, to which the thread may return. */
int stack_left(struct stack_home *home, uintptr_t was, uintptr_t now);

#endif
