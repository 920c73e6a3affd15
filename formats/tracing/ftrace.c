/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace: the files trace and trace_pipe of tracefs.
 *
 *	# tracer: nop
 *	#
 *	  bash-3164    [001] d..2. 12155.836559: sys_write(fd: 1, buf: 55, count: 2)
 *	  bash-3164    [001] d..2. 12155.836677: sys_write -> 0x2
 *
 *	# tracer: function_graph
 *	 0)               |  vfs_read() {
 *	 0)   0.198 us    |    rw_verify_area();
 *	 0)   2.731 us    |  }
 *
 *	# tracer: hwlat
 *	  <...>-1729  [001] d... 678.473449: #1  inner/outer(us):  11/12   ts:1581527483.34 ...
 *
 * Events make latencies as formats/tracing/kernel_events.h says.  Calls of the graph have
 * durations, which include callees.  For hwlat the longer of inner and outer counts.  The
 * output of perf-tools' funcgraph and funcslower is read as well.
 *
 * Seen: Linux 3.13 to 7.2.  Not read: the function tracer, which states
 * when functions are called but not how long they take; the latency tracers.
 */
#include "base/scan.h"
#include "formats/text.h"
#include "formats/tracing/ftrace_read.h"

static bool is_graph_call(const struct graph_line *g)
{
	return str_has_suffix(g->text, STR("{")) || str_has_suffix(g->text, STR(";")) ||
	       str_has_prefix(g->text, STR("}"));
}

static enum probe probe_ftrace(struct str head, struct clue *clue)
{
	struct str line, back, rest = head;
	size_t events = 0, calls = 0, others = 0, digits;
	struct kernel_event event;
	struct graph_line graph;

	while (text_next(&rest, &line) && events < 2 && calls < 3) {
		struct str s = text_content(line);

		if (str_has_prefix(s, STR("# tracer: ")))
			return PROBE_MAGIC;
		if (s.n == 0 || s.p[0] == '#')
			continue;
		if (str_has_prefix(s, STR("cpus=")))
			return PROBE_NO; /* output of trace-cmd */
		if (ftrace_event_line(s, &event, &digits, &back))
			events++;
		else if (ftrace_graph_line(s, &graph) && is_graph_call(&graph))
			calls++;
		else if (++others > 0 && events + calls > 0 && clue->why == NULL)
			probe_near(clue, head, s, "expected TASK-PID [CPU] FLAGS TIME: EVENT");
	}
	/* Source code also has calls with a semicolon, among much else. */
	if (events >= 2 || (calls >= 3 && others <= 2 * calls))
		return PROBE_MARKS;
	if (others > 2 * (events + calls))
		clue->why = NULL;
	return PROBE_NO;
}

const struct format format_ftrace = {
	.name = "ftrace",
	.title = "trace of tracefs: events, function_graph, hwlat; funcgraph",
	.versions = "Linux 3.13 to 7.2",
	.unit = "stated",
	.totals = "exact",
	.calls = CALLS_NESTED,
	.probe = probe_ftrace,
	.streams = true,
	.read = ftrace_read,
};
