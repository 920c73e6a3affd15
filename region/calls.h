/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Per-call records that a recorded program can be asked for while it runs: beside its counters
 * `osprof record` has memory for them (collect/ring.h), which stays empty until then.
 */
#ifndef REGION_CALLS_H
#define REGION_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "collect/ring.h"

struct diag;
struct region_source;

/* The clock and the correction of a region's latencies: cycles a second (0: nanoseconds), and
 * what was subtracted from each. */
struct region_clock {
	uint64_t hz, subtracted;
};

/* Maps the records of the recording that `r` reads; ring_detach() frees it.  False when an error
 * was reported: a program that profiles itself leaves none, and a recorder of other users, or one
 * that could take the memory away, is not believed. */
MUST_CHECK bool region_calls_open(struct ring *ret, struct region_clock *ret_clock,
				  const struct region_source *r, struct diag *diag);
/* Asks for records of an operation's calls for so many seconds; below 0: of all operations. */
void region_calls_want(struct ring *r, int op, double seconds);
#endif
