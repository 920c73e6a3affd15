/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latencies of the calls that a reader pushes: each operation is a function, counted when
 * it ends.  Where the calls themselves are wanted (read_options.calls), they go there.
 *
 *	call_output_start(&out, &samples, options);
 *	fine = call_output_push(&out, &event) ...
 *	call_output_tell(&out, in, diag);
 */
#ifndef FORMATS_CALL_LATENCIES_H
#define FORMATS_CALL_LATENCIES_H

#include "formats/carried.h"
#include "formats/samples.h"
#include "profile/call_sink.h"
#include "profile/late_nesting.h"
#include "profile/nesting.h"
#include "profile/pairing.h"

/* Where a reader's calls go: into histograms, or to a sink of the caller. */
struct call_output {
	struct call_sink *to; /* the caller's, or `own` */

	/* Its own. */
	struct call_sink own;
	struct samples *samples;
	struct carried *carried; /* NULL: what is read is whole */
	struct pairing *open;
	struct nesting *nesting;
	struct late_nesting *late; /* calls that come in no order; NULL: they are too many */
	bool outermost;		   /* others are left out */
	bool paired, deferred;	   /* the first call was a pair; was one that may come in any order:
				    * what is outermost is known at the end */
	bool unordered;		   /* some of them do: what lies in what is known at the end */
};

/* Samples are borrowed; only latencies go there. */
void call_output_start(struct call_output *c, struct samples *samples,
		       const struct read_options *options);
void call_output_release(struct call_output *c);

/* Hands a call on to whoever counts it; false when an error was reported. */
MUST_CHECK static inline bool call_output_push(struct call_output *c, const struct call_event *e)
{
	return c->to->class->event(c->to, e);
}
/* Whether calls, not latencies, are wanted. */
static inline bool call_output_grows(const struct call_output *c)
{
	return c->to != &c->own;
}
/* Notes that the tracer lost so many events of a thread. */
void call_output_lost(struct call_output *c, const struct pairing_slot *thread, uint64_t events);
/* Of latencies, before they are pushed: what calls what. */
void call_output_push_nests(struct call_output *c, struct builder *to);
/* Of latencies, at the end: notes begins and ends unmatched, and leaves what is open for the next
 * piece of the input. */
void call_output_report(struct call_output *c, struct input *in, struct diag *diag);
/* Of calls that a reader matches itself: those that are open at the beginning, in that order. */
struct pairing *call_pairs_begin(const struct carried *from, enum carried_part part,
				 enum pairing_order order);
/* And at the end, as call_output_report(): *open is NULL afterwards if they are left. */
void call_pairs_end(struct pairing **open, struct carried *to, enum carried_part part,
		    struct input *in, struct diag *diag);

#endif
