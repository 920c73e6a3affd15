/* SPDX-License-Identifier: MIT */
/*
 * What `osprof record` and the library it preloads into the programs agree on: the
 * operations, in this order, and the words of the shared profile.
 */
#ifndef COLLECT_CALLS_H
#define COLLECT_CALLS_H

/* The operations that `osprof record` counts, by their number in the shared profile. */
enum recorded_call {
#define OP(name)				    RECORDED_##name,
#define CALL(on, type, name, parameters, arguments) RECORDED_##name,
#define ALIAS(on, op, type, name, parameters, arguments)
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS
	N_RECORDED
};

/* The environment that says where the profile is, where the per-call records, where
 * functions tell of their calls, and which functions to profile. */
#define RECORDING_PROFILE   "OSPROF_RECORD"
#define RECORDING_CALLS	    "OSPROF_RECORD_CALLS"
#define RECORDING_NESTING   "OSPROF_RECORD_NESTING"
#define RECORDING_FUNCTIONS "OSPROF_FUNCTIONS"

enum {
	WORD_STARTED,	 /* programs that were started, by exec or spawn */
	WORD_ATTACHED,	 /* those that record */
	WORD_SPEED_N,	 /* how often the processor's speed was measured */
	WORD_SPEED_TIME, /* ... and what that took together, in the profile's unit */
};

/* Steps of the loop whose time says how fast the processor is. */
enum { SPEED_STEPS = 512 };

#endif
