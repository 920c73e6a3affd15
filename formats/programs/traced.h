/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls a line, with how long they took after them: strace -T and ltrace -T.
 *
 *	31084 13:27:53.711118 read(3, "abc"..., 832) = 832 <0.000007>
 *	[pid 31085] futex(0x7f3c, FUTEX_WAIT, 2, NULL <unfinished ...>
 *	[pid 31085] <... futex resumed>)       = 0 <0.001610>
 *
 * A process and a time may stand before the call, each or both.  The duration
 * after "resumed" is that of the whole call, so that nothing has to be paired.
 */
#ifndef FORMATS_PROGRAMS_TRACED_H
#define FORMATS_PROGRAMS_TRACED_H

#include "formats/format.h"

/* What the head of a file holds. */
struct traced_sight {
	size_t lines, calls, exits, untimed;
	size_t untimed_at; /* the first call without a duration; past the end: none */
	bool of_ltrace;	   /* something that strace does not write */
};

/* What the first lines of a file show of the tool that wrote it. */
struct traced_sight traced_look(struct str head);
/* How likely the file is output of strace, ltrace or perf trace. */
enum probe traced_probe(const struct traced_sight *seen, struct str head, struct clue *clue);

/* Reads calls with their durations; false when an error was reported. */
MUST_CHECK bool traced_read(const struct read_task *task);

/* The same where a call that was interrupted may have called those that follow: they are its
 * parts, in the order of the lines. */
MUST_CHECK bool traced_read_nested(const struct read_task *task);

#endif
