/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces with one call per line, followed by its duration: strace -T and ltrace -T.
 *
 *	31084 13:27:53.711118 read(3, "abc"..., 832) = 832 <0.000007>
 *	[pid 31085] futex(0x7f3c, FUTEX_WAIT, 2, NULL <unfinished ...>
 *	[pid 31085] <... futex resumed>)       = 0 <0.001610>
 *
 * A process, a time, or both may precede the call.  The duration after "resumed" is that of the
 * whole call, so that lines need not be paired.
 */
#ifndef FORMATS_PROGRAMS_TRACED_H
#define FORMATS_PROGRAMS_TRACED_H

#include "formats/format.h"

/* Statistics about the head of a file. */
struct traced_sight {
	size_t lines, calls, exits, untimed;
	size_t untimed_at; /* offset of the first call without a duration; past the end: none */
	bool of_ltrace;	   /* something that only ltrace writes */
};

/* Collects statistics about the first lines of a file. */
struct traced_sight traced_look(struct str head);
/* Returns how likely the file is a trace of this kind. */
enum probe traced_probe(const struct traced_sight *seen, struct str head, struct clue *clue);

/* Reads calls with their durations; false when an error was reported. */
MUST_CHECK bool traced_read(const struct read_task *task);

/* The same for traces in which the calls after an unfinished one may be nested in it, in the order
 * of the lines. */
MUST_CHECK bool traced_read_nested(const struct read_task *task);

#endif
