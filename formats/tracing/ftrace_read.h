/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of ftrace, as tracefs and trace-cmd print them.  For formats/tracing/ftrace.c and
 * formats/tracing/trace_cmd.c. */
#ifndef FORMATS_TRACING_FTRACE_READ_H
#define FORMATS_TRACING_FTRACE_READ_H

#include "formats/format.h"
#include "formats/tracing/kernel_events.h"

/* Parses "bash-3164  [001] d..2. 12155.836559: sched_switch: ...".  *ret_back: what follows the
 * time; *ret_digits: digits of the time after the point. */
bool ftrace_event_line(struct str s, struct kernel_event *ret, size_t *ret_digits,
		       struct str *ret_back);

/* A line of the function_graph tracer: the columns up to the duration, and the text after its
 * bar. */
struct graph_line {
	struct str time; /* seconds; empty */
	struct str task; /* "sh-4802"; empty */
	uint64_t cpu;
	struct str duration, text;
};

/* Parses a line with the columns that nearly all have: " 1) + 12.700 us |  }". */
bool ftrace_plain_graph_line(struct str s, struct graph_line *ret);
bool ftrace_graph_line(struct str s, struct graph_line *ret);

/* Reads events and function graphs; false when an error was reported. */
bool ftrace_read(const struct read_task *task);

#endif
