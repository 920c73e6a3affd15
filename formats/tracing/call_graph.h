/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The function_graph tracer's call graph, as tracefs prints it, and trace-cmd after
 * funcgraph_entry and funcgraph_exit:
 *
 *	0.271 us    |  name();
 *	            |  name() {
 *	+ 12.700 us |  }
 *
 * A duration is that of the whole call: it includes callees and, unless the tracer is configured
 * otherwise, sleeping.  A closing brace has no name, so each task's open calls are remembered.
 */
#ifndef FORMATS_TRACING_CALL_GRAPH_H
#define FORMATS_TRACING_CALL_GRAPH_H

#include "formats/call_latencies.h"

/* Receives the calls in the tracer's lines. */
struct call_graph {
	struct call_output to;
	struct str layer;
};

/* Begins a trace whose operations get this layer. */
void call_graph_start(struct call_graph *g, struct samples *to, const struct read_options *options,
		      struct str layer);
/* Frees the open calls. */
void call_graph_release(struct call_graph *g);

/* Adds the text on the left and the right of the bar; `at` is the time, in the units of a sample's
 * start; NULL: unknown.  Ignores what is not a call, such as comments.  False when an error was
 * reported. */
MUST_CHECK bool call_graph_add(struct call_graph *g, struct pairing_slot task, struct str duration,
			       struct str text, const struct call_time *at);

/* Parses "12.700 us", perhaps after a mark, as nanoseconds. */
bool call_graph_duration(struct str s, struct decimal *ret_ns);

#endif
