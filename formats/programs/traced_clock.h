/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Within the readers of strace and ltrace: the times before calls, as -t, -tt, -ttt and -r print
 * them.
 *
 * Blocks of lines may be read in any order, so each has times of its own until all are read: since
 * 1970, since midnight before its first line, or since the line before it.
 */
#ifndef FORMATS_PROGRAMS_TRACED_CLOCK_H
#define FORMATS_PROGRAMS_TRACED_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct accumulator;

/* How a time is printed. */
enum stamp { STAMP_NONE, STAMP_CLOCK, STAMP_EPOCH, STAMP_SINCE_LAST };

/* The times of a block, in ns. */
struct block_times {
	uint64_t block;
	enum stamp kind;
	uint64_t first, last;	   /* of the first and the last line */
	uint64_t earliest, latest; /* from the begin of a call to the end of one */
	bool fine;		   /* times have fractions of seconds */
};

/* The times of lines, block by block; a zeroed one is ready for the first line. */
struct traced_clock {
	uint64_t now;  /* ns: the time of the current line */
	uint64_t days; /* ns: whole days since the first line */
	bool has_now;
	struct block_times times; /* of the current block */
	struct block_times *ended;
	size_t n_ended, cap_ended;
};

/* Takes the time from what stands before a call, if there is one. */
void traced_clock_read(struct traced_clock *c, struct str leader);
/* Notes that a call which began at the time of the current line lasted this long. */
void traced_clock_see(struct traced_clock *c, uint64_t ns);
/* Begin a block that other blocks may follow or precede, and end it. */
void traced_clock_begin(struct traced_clock *c);
void traced_clock_end(struct traced_clock *c, uint64_t block);
/* Adds the blocks of another clock. */
void traced_clock_join(struct traced_clock *c, const struct traced_clock *other);
/* Puts all blocks on one clock, and states to the accumulator how long that is. */
void traced_clock_push(struct traced_clock *c, struct accumulator *to);
void traced_clock_release(struct traced_clock *c);

#endif
