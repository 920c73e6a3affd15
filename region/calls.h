/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks a recorded program for per-call records while it runs: besides the counters, `osprof
 * record` provides a ring buffer for them (collect/ring.h), which stays empty until then.
 */
#ifndef REGION_CALLS_H
#define REGION_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "collect/ring.h"

struct diag;
struct region_source;

/* The clock of a region's latencies in cycles per second (0: they are in nanoseconds), and the
 * overhead that was subtracted from each. */
struct region_clock {
	uint64_t hz, subtracted;
};

/* Maps the ring of the recording that `r` reads; ring_detach() unmaps it.  False when an error was
 * reported: programs that profile themselves have no ring, and a ring of another user, or one that
 * can be truncated, is not trusted. */
MUST_CHECK bool region_calls_open(struct ring *ret, struct region_clock *ret_clock,
				  const struct region_source *r, struct diag *diag);
/* Asks for records of an operation's calls for so many seconds; op < 0: of all operations. */
void region_calls_want(struct ring *r, int op, double seconds);
#endif
