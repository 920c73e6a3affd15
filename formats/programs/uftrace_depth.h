/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depths of uftrace's records: how many calls are open around the one of the record.
 *
 * longjmp() leaves calls without a record of their ends.  The next record is less deep than
 * these are, and that is how they are known to be over.  So are those of a program that
 * exec() replaces.
 */
#ifndef FORMATS_PROGRAMS_UFTRACE_DEPTH_H
#define FORMATS_PROGRAMS_UFTRACE_DEPTH_H

#include <limits.h>

#include "formats/call_latencies.h"

/* Of a thread whose first record comes, or the first one after lost ones. */
#define UFTRACE_DEPTH_UNKNOWN UINT_MAX

/* Whether the record is the one that is expected where so many calls are open. */
static inline bool uftrace_depth_fits(unsigned open, unsigned depth, bool exits)
{
	return depth + exits == open;
}

/* How many calls are open after it. */
static inline unsigned uftrace_depth_after(unsigned depth, bool exits)
{
	return depth + !exits;
}

/* Pushes the ends of the calls that were left before a record of this depth.  *ret_ended: the
 * record is the end of the outermost of them, whatever its name (_setjmp returns twice), and is not
 * pushed any more; a duration that it has is that call's.  False when an error was reported. */
MUST_CHECK bool uftrace_depth_leave(struct call_output *to, unsigned open,
				    const struct call_event *record, unsigned depth,
				    bool *ret_ended);

#endif
