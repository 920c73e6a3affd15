/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace-cmd: output of `trace-cmd report`; with -t, times have nanoseconds.
 *
 *	cpus=2
 *	  sleep-89142 [001] ...1. 162573.215752: sched_switch:   sleep:89142 [120] S ==> ...
 *	  sleep-89142 [001] 162573.215760: funcgraph_entry:      0.271 us   |  vfs_read();
 *
 * The lines are those of formats/tracing/ftrace.c except for calls of the function graph,
 * which are events here; libtraceevent's plugins print some fields their own way; -l has
 * no brackets around the processor, --ts-diff adds a difference after the time.  Versions
 * seen: 3.1 and 3.4 by running them, 2.x in its manual.  Not read: `trace-cmd hist`, which has
 * shares of call chains, and -R and -N, raw fields.
 */
#include "base/scan.h"
#include "formats/text.h"
#include "formats/tracing/ftrace_read.h"

static enum probe probe_trace_cmd(struct str head, struct clue *clue)
{
	struct str line, back, rest = head;
	bool processors = false;
	struct kernel_event event;
	size_t digits;
	uint64_t n;

	while (text_next(&rest, &line)) {
		struct str s = text_content(line);

		if (s.n == 0 || str_has_suffix(s, STR(" is empty")) ||
		    str_has_prefix(s, STR("version = ")))
			continue;
		if (str_has_prefix(s, STR("cpus=")) &&
		    number_u64(str_skip(s, 5), &n) == NUMBER_OK) {
			processors = true;
			continue;
		}
		if (!processors)
			return PROBE_NO;
		if (ftrace_event_line(s, &event, &digits, &back))
			return PROBE_MAGIC;
		return probe_near(clue, head, s, "expected TASK-PID [CPU] FLAGS TIME: EVENT:");
	}
	return processors ? PROBE_SHAPE : PROBE_NO;
}

const struct format format_trace_cmd = {
	.name = "trace-cmd",
	.title = "trace-cmd report: events and the function graph",
	.versions = "2.x to 3.4",
	.unit = "stated",
	.totals = "exact",
	.calls = CALLS_NESTED,
	.probe = probe_trace_cmd,
	.streams = true,
	.read = ftrace_read,
};
