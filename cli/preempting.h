/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line says of forced preemption. */
#ifndef CLI_PREEMPTING_H
#define CLI_PREEMPTING_H

#include <stdbool.h>

#include "profile/amount.h"

/* The options of `osprof preempt`; numbers that were not given are NAN. */
struct preempting {
	struct amount quantum, tperiod, tcpu;
	double yield;  /* NAN: not given */
	bool kernel;   /* the quantum is to be that of this machine's kernel */
	bool equation; /* no run */
};

/* No option given. */
extern const struct preempting preempting_none;

/* NULL when the argument was taken, else what was expected. */
const char *take_quantum(struct preempting *p, const char *arg);
const char *take_yield(struct preempting *p, const char *arg);
const char *take_time(struct amount *to, const char *arg);

#endif
