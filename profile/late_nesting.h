/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self time of calls that a file has in no order: what lies in what is known at its end only.
 *
 * Calls of a thread lie within one another by their times, spans within their parents.  A call
 * that outlasts the one it began in is its child up to there.  Children that overlap, as spans
 * that run at the same time, take the time that they cover from their parent once.
 *
 * A call is kept in 48 bytes, a span in 64.
 */
#ifndef PROFILE_LATE_NESTING_H
#define PROFILE_LATE_NESTING_H

#include "profile/call_sink.h"
#include "profile/nesting.h"

struct late_nesting;

/* No calls yet; late_nesting_free() frees it.  The numbers of operations are those of `names`,
 * which is borrowed. */
struct late_nesting *late_nesting_new(struct nesting *names);
void late_nesting_free(struct late_nesting *l); /* NULL is fine */

/* A call of an operation, in any order. */
void late_nesting_call(struct late_nesting *l, struct pairing_slot thread, uint32_t op,
		       struct call_time start, struct call_time latency);
/* A span of an operation, before or after its parent. */
void late_nesting_span(struct late_nesting *l, const struct call_span *s, uint32_t op);

/* How many calls and spans are kept. */
size_t late_nesting_n(const struct late_nesting *l);

/* What is known of a call in the end. */
struct late_call {
	uint32_t op;
	struct decimal start, latency; /* nanoseconds */
	struct nested_call nested;
};

/* Says of each call what is its own, in any order, and tells `names` what calls what; once, after
 * all were kept. */
void late_nesting_settle(struct late_nesting *l,
			 void (*take)(void *ctx, const struct late_call *call), void *ctx);

#endif
