/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns the calls that a reader pushes into latencies: each operation is a function, counted when
 * it returns.  If the caller wants the calls themselves (read_options.calls), they go to its sink.
 *
 * 	call_output_start(&out, &samples, options);
 * 	fine = call_output_push(&out, &event) ...
 * 	call_output_report(&out, in, diag);
 */
#ifndef FORMATS_CALL_LATENCIES_H
#define FORMATS_CALL_LATENCIES_H

#include "calls/call_sink.h"
#include "calls/late_nesting.h"
#include "calls/nesting.h"
#include "calls/pairing.h"
#include "formats/call_values.h"
#include "formats/carried.h"
#include "formats/samples.h"

/* Where a reader's calls go: into histograms, or to a sink of the caller. */
struct call_output {
	struct call_sink *to; /* the caller's sink, or `own` */

	/* Its own. */
	struct call_sink own;
	struct samples *samples;
	struct carried *carried; /* state between pieces of a stream; NULL: the input is whole */
	struct pairing *open;
	struct nesting *nesting;
	struct late_nesting *late;  /* calls in no particular order; NULL: too many to keep */
	struct call_values *values; /* of open calls; NULL: no variables are requested */
	bool outermost;		    /* count only calls not within a call of the same function */
	bool paired, deferred; /* the first call was a begin and an end; or it was one of those in
				  any order, and which calls are outermost is known at the end */
	bool unordered;	       /* some calls come in any order: how they nest is known at the end */
};

/* Borrows `samples`, which only get latencies. */
void call_output_start(struct call_output *c, struct samples *samples,
		       const struct read_options *options);
void call_output_release(struct call_output *c);

/* Passes a call to the sink; false when an error was reported. */
MUST_CHECK static inline bool call_output_push(struct call_output *c, const struct call_event *e)
{
	return c->to->class->event(c->to, e);
}
/* Returns whether the caller wants calls, not latencies. */
static inline bool call_output_wants_calls(const struct call_output *c)
{
	return c->to != &c->own;
}
/* Returns whether the sink takes values of calls. */
static inline bool call_output_wants_values(const struct call_output *c)
{
	return c->to->class->value != NULL;
}
/* Reports to the sink that the tracer lost this many events of a thread. */
void call_output_lost(struct call_output *c, const struct pairing_slot *thread, uint64_t events);
/* For latencies, before the samples are pushed: pushes which operation calls which. */
void call_output_push_nests(struct call_output *c, struct builder *to);
/* For latencies, at the end: reports unmatched begins and ends, and leaves open calls for the next
 * piece of the input. */
void call_output_report(struct call_output *c, struct input *in, struct diag *diag);
/* For readers that match begins and ends themselves: returns the calls that the previous piece left
 * open, or a new pairing with this order. */
struct pairing *call_pairs_begin(const struct carried *from, enum carried_part part,
				 enum pairing_order order);
/* For the same readers, at the end: does what call_output_report() does.  Sets *open to NULL if the
 * calls were left to the next piece. */
void call_pairs_end(struct pairing **open, struct carried *to, enum carried_part part,
		    struct input *in, struct diag *diag);

#endif
