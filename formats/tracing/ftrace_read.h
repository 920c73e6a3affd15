/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of ftrace, as tracefs prints them and as trace-cmd does: for
 * formats/tracing/ftrace.c and formats/tracing/trace_cmd.c. */
#ifndef FORMATS_TRACING_FTRACE_READ_H
#define FORMATS_TRACING_FTRACE_READ_H

#include "formats/format.h"
#include "formats/tracing/kernel_events.h"

/* "bash-3164  [001] d..2. 12155.836559: sched_switch: ...": *ret_back is what follows
 * the time.  *ret_digits: of the time. */
bool ftrace_event_line(struct str s, struct kernel_event *ret, size_t *ret_digits,
		       struct str *ret_back);

/* A line of the function_graph tracer: what stands on either side of the bar after
 * the duration. */
struct graph_line {
	struct str time; /* seconds; empty */
	struct str task; /* "sh-4802"; empty */
	uint64_t cpu;
	struct str duration, text;
};

/* With the columns that nearly all have: " 1) + 12.700 us |  }". */
bool ftrace_plain_graph_line(struct str s, struct graph_line *ret);
bool ftrace_graph_line(struct str s, struct graph_line *ret);

/* Reads events and function graphs of tracefs; false when an error was reported. */
bool ftrace_read(const struct read_task *task);

#endif
