/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to record, and how. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

/* The options of `osprof record`. */
struct recording {
	unsigned repeat;	/* number of runs; 0: one, into a file */
	const char *interleave; /* folder for the second command's runs; NULL: no second command */
	bool duet;		/* two commands at the same time */
	const char *functions;	/* patterns; NULL: none */
	const char *causes;	/* the function whose call tree is kept; NULL: none */
	int by;			/* enum osprof_by */
	uint64_t calls;		/* per-call records to keep, of the last calls; 0: none */
	bool kernel, subtract;
	double interval;     /* seconds; 0: no intervals */
	unsigned resolution; /* buckets per power of two; 0: the default */
	bool system_clock;   /* use nanoseconds even where there is a cycle counter */
};

#endif
