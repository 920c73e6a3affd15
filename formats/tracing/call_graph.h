/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The function_graph tracer's drawing of calls, as tracefs prints it and as
 * trace-cmd does after funcgraph_entry and funcgraph_exit:
 *
 *	0.271 us    |  name();
 *	            |  name() {
 *	+ 12.700 us |  }
 *
 * A duration is that of the whole call, with what it calls and, unless the
 * tracer is configured otherwise, with sleeping.  A closing brace has no name of its
 * own, so open calls are remembered for each task.
 */
#ifndef FORMATS_TRACING_CALL_GRAPH_H
#define FORMATS_TRACING_CALL_GRAPH_H

#include "formats/call_latencies.h"

/* Where the calls of the tracer's lines go. */
struct call_graph {
	struct call_output to;
	struct str layer;
};

/* Begins a trace of indented calls, whose operations get this layer. */
void call_graph_start(struct call_graph *g, struct samples *to, const struct read_options *options,
		      struct str layer);
/* Frees the open calls. */
void call_graph_release(struct call_graph *g);

/* What stands left and right of the bar; `at` is when, in the units of a start; NULL: not known.
 * Whatever is no call, as comments, is passed over.  False when an error was reported. */
MUST_CHECK bool call_graph_add(struct call_graph *g, struct pairing_slot task, struct str duration,
			       struct str text, const struct call_time *at);

/* "12.700 us", a mark before it or not: in nanoseconds. */
bool call_graph_duration(struct str s, struct decimal *ret_ns);

#endif
