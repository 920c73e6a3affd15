/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options for forced preemption. */
#ifndef PROGRAM_PREEMPTING_H
#define PROGRAM_PREEMPTING_H

#include <stdbool.h>

#include "profile/amount.h"

/* The options of `osprof preempt`; numbers that were not given are NAN. */
struct preempting {
	struct amount quantum, tperiod, tcpu;
	double yield;  /* NAN: not given */
	bool kernel;   /* use the quantum of this machine's kernel */
	bool equation; /* evaluate only the equation, without a run */
};

/* The value without options. */
extern const struct preempting preempting_none;

/* These return NULL when the argument is valid, else what was expected. */
const char *take_quantum(struct preempting *p, const char *arg);
const char *take_yield(struct preempting *p, const char *arg);
const char *take_time(struct amount *to, const char *arg);

#endif
