/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The depth of a record of uftrace is the number of open calls around the record's call.
 *
 * longjmp() leaves calls without a record of their ends, and so does exec().  The next record has a
 * smaller depth, which shows that they are over.
 */
#ifndef FORMATS_PROGRAMS_UFTRACE_DEPTH_H
#define FORMATS_PROGRAMS_UFTRACE_DEPTH_H

#include <limits.h>

#include "formats/call_latencies.h"

/* The number of open calls before a thread's first record, and after lost records. */
#define UFTRACE_DEPTH_UNKNOWN UINT_MAX

/* Whether the depth of a record fits the number of open calls. */
static inline bool uftrace_depth_fits(unsigned open, unsigned depth, bool exits)
{
	return depth + exits == open;
}

/* Returns the number of open calls after a record. */
static inline unsigned uftrace_depth_after(unsigned depth, bool exits)
{
	return depth + !exits;
}

/* Pushes the ends of the calls that were left before a record of this depth.  *ret_ended: the
 * record is the end of the outermost of them, whatever its name (_setjmp returns twice), and must
 * not be pushed again; its duration, if any, is that of this call.  False when an error was
 * reported. */
MUST_CHECK bool uftrace_depth_leave(struct call_output *to, unsigned open,
				    const struct call_event *record, unsigned depth,
				    bool *ret_ended);

#endif
