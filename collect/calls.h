/* SPDX-License-Identifier: MIT */
/*
 * The contract between `osprof record` and the library that it preloads into programs: the
 * order of the operations, and the words of the shared profile.
 */
#ifndef COLLECT_CALLS_H
#define COLLECT_CALLS_H

/* The operations that `osprof record` counts, numbered as in the shared profile. */
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

/* Environment variables: the files of the profile, of the per-call records and of the stream of
 * nested calls, and the functions to profile. */
#define RECORDING_PROFILE   "OSPROF_RECORD"
#define RECORDING_CALLS	    "OSPROF_RECORD_CALLS"
#define RECORDING_NESTING   "OSPROF_RECORD_NESTING"
#define RECORDING_FUNCTIONS "OSPROF_FUNCTIONS"

enum {
	WORD_STARTED,	 /* programs started by exec or spawn */
	WORD_ATTACHED,	 /* programs that record */
	WORD_SPEED_N,	 /* measurements of the processor's speed */
	WORD_SPEED_TIME, /* their total time, in the profile's unit */
};

/* Iterations of the loop that measures the processor's speed. */
enum { SPEED_STEPS = 512 };

#endif
