/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes self time of calls that a file has in no order, so that nesting is only known at its
 * end.
 *
 * Calls of a thread nest by their times, spans by their parents.  A call that outlasts the call it
 * began in is its child up to the end of that one.  The time of overlapping children, such as
 * concurrent spans, is subtracted from their parent only once.  Spans of hosts whose clocks differ
 * are moved first (calls/span_skew.h).
 *
 * A call takes 48 bytes, a span 64.
 */
#ifndef CALLS_LATE_NESTING_H
#define CALLS_LATE_NESTING_H

#include "calls/call_sink.h"
#include "calls/nesting.h"
#include "calls/span_skew.h"

struct late_nesting;

/* Returns an empty list of calls; late_nesting_free() frees it.  Operations have the numbers of
 * nesting_number(names, ...); `names` is borrowed. */
struct late_nesting *late_nesting_new(struct nesting *names);
void late_nesting_free(struct late_nesting *l); /* NULL is fine */

/* Adds a call of an operation, in any order. */
void late_nesting_call(struct late_nesting *l, struct pairing_slot thread, uint32_t op,
		       struct call_time start, struct call_time latency);
/* Adds a span of an operation, before or after its parent. */
void late_nesting_span(struct late_nesting *l, const struct call_span *s, uint32_t op);

/* Returns the number of calls and spans added. */
size_t late_nesting_n(const struct late_nesting *l);

/* What is known of a call in the end. */
struct late_call {
	uint32_t op;
	struct decimal start, latency; /* nanoseconds */
	struct nested_call nested;
};

/* What spans state that cannot be: time of children outside of their parents. */
struct late_clipped {
	size_t n;
	double ns, of; /* that time, and all time of children */
};
/* After late_nesting_settle(). */
struct late_clipped late_nesting_clipped(const struct late_nesting *l);

/* How far spans of other hosts were moved to the clock of their callers. */
struct skew late_nesting_skew(const struct late_nesting *l);

/* Calls `take` with the self time of each call, in any order, and adds what calls what to `names`.
 * Call it once, after all calls were added. */
void late_nesting_settle(struct late_nesting *l,
			 void (*take)(void *ctx, const struct late_call *call), void *ctx);

#endif
