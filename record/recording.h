/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is recorded, and how. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

/* The options of `osprof record`. */
struct recording {
	unsigned repeat;	/* runs; 0: one, into a file */
	const char *interleave; /* where the second command's runs go; NULL: there is none */
	const char *functions;	/* patterns; NULL: none */
	const char *causes;	/* the function whose tree of calls is kept; NULL: none */
	int by;			/* enum osprof_by */
	uint64_t calls;		/* that are recorded singly, the last ones; 0: none */
	bool kernel, subtract;
	double interval;     /* seconds; 0: no intervals */
	unsigned resolution; /* buckets a power of two; 0: as usual */
	bool system_clock;   /* nanoseconds, though cycles can be counted */
};

#endif
