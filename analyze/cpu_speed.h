/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The speed of the processor in each of repeated runs.
 *
 * Another tenant of the same core, or a lower clock rate, slows everything in a run.  When runs
 * state the speed (cpu-speed of osprof(5)), it is a covariate of the comparison, which separates
 * this part of a difference from the program's.  But the program itself may slow the processor,
 * for example with one more thread, so the speed is adjusted for only if the sides do not differ
 * in it by more than chance allows.
 */
#ifndef ANALYZE_CPU_SPEED_H
#define ANALYZE_CPU_SPEED_H

#include <stddef.h>

#include "analyze/run_order.h"

struct arena;
struct runs_side;

/* How the speeds of the runs are used. */
enum cpu_speed_use {
	CPU_SPEED_UNKNOWN,  /* some run does not state it, or the order of runs is not known */
	CPU_SPEED_STEADY,   /* it hardly varied: nothing to adjust for */
	CPU_SPEED_ADJUSTED, /* it varied, but not between the sides: used as a covariate */
	CPU_SPEED_PROGRAM,  /* it differs between sides that took turns: the program caused it */
	CPU_SPEED_BOUNDED,  /* it differs between sides, and they did not take turns: the part of a
			     * difference that it can explain is not counted */
};

/* The processor's speed in each run, and how the sides differ in it. */
struct cpu_speed {
	enum cpu_speed_use use;
	double *slowness;  /* of each run, in octaves slower than the average; NULL: not known */
	double range;	   /* octaves between the slowest and the fastest run; NAN: not known */
	double difference; /* octaves by which the runs after were slower; NAN: not known */
};

/* Compares the speeds of the runs of both sides; runs before have the lower numbers. */
struct cpu_speed cpu_speed_of_runs(struct arena *a, const struct run_order *order,
				   const struct runs_side *before, const struct runs_side *after);

/* Returns the part of a difference of latency, in octaves, that the processor cannot explain: a
 * call gets slower at most by the factor by which the processor does. */
double cpu_speed_bound(const struct cpu_speed *s, double difference);

#endif
