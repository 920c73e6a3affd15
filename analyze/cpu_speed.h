/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the processor was in each of repeated runs.
 *
 * Another tenant of the same core, or a lower clock rate, slows all that a run does.  Runs that
 * state the speed (cpu-speed of osprof(5)) let that part of the difference be separated from the
 * program's: the speed is a covariate of the comparison.  It may be the program itself that
 * made the processor slower, as by a thread more, so that this is done only as far as the sides
 * do not differ in speed by more than chance has it.
 */
#ifndef ANALYZE_CPU_SPEED_H
#define ANALYZE_CPU_SPEED_H

#include <stddef.h>

#include "analyze/run_order.h"

struct arena;
struct runs_side;

/* What the speeds of the runs are used for. */
enum cpu_speed_use {
	CPU_SPEED_UNKNOWN,  /* some run does not state it, or the order is not known */
	CPU_SPEED_STEADY,   /* it hardly varied: there is nothing to adjust for */
	CPU_SPEED_ADJUSTED, /* it varied, and not with the sides: it is a covariate */
	CPU_SPEED_PROGRAM, /* it differs by side though the sides took turns: the program's doing */
	CPU_SPEED_BOUNDED, /* it differs by side, and so does the time of the runs: as much as it
			    * can explain of a difference is not counted */
};

/* The processor's speed in each run, and how the sides differ in it. */
struct cpu_speed {
	enum cpu_speed_use use;
	double *slowness;  /* of each run: log2 of how much slower than all; NULL when not known */
	double range;	   /* octaves between the slowest and the fastest run; NAN: not known */
	double difference; /* octaves by which the runs after were slower; NAN: not known */
};

/* Runs of before have the lower numbers. */
struct cpu_speed cpu_speed_of_runs(struct arena *a, const struct run_order *order,
				   const struct runs_side *before, const struct runs_side *after);

/* What is left of a difference of latency, in octaves, when the processor explains as much of it
 * as it can: a call takes at most as many times longer as the processor is slower. */
double cpu_speed_bound(const struct cpu_speed *s, double difference);

#endif
