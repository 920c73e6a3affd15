/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace-cmd-profile: output of `trace-cmd profile`, calls and totals of each task.
 *
 *	task: sleep-1121
 *	  Event: sched_switch:S (1) Total: 1000513242 Avg: 1000513242 Max: 1000513242 Min:1000513242
 *	          |
 *	          + ftrace_raw_event_sched_switch (0xffffffff8109f310)
 *	  Event: func: sys_munmap() (1) Total: 14300 Avg: 14300 Max: 14300 Min:14300
 *	  Event: page_fault_user:0x398d86b630 (1)
 *
 * There is no distribution.  The operation is the event, the layer is the task; lines indented
 * further are stacks.  Events without a total have no times and are left out.  Times are in
 * nanoseconds, which the manual states but the output does not.
 *
 * Versions seen: 2.5, in its manual.
 */
#include "formats/report/report.h"

static const struct report_format trace_cmd_profile = {
	.line = REPORT_LINES(
		LINE("task: {layer}"),
		LINE("Event: {name} ({calls}) Total: {total} Avg: {time} Max: {max} Min:{min}",
		     .begins = true),
		LINE("Event: *) Total:*", .refuse = "expected EVENT (CALLS) Total: N Avg: N Max: N "
						    "Min:N"),
		LINE("Event: {name} ({calls})", .begins = true)),
	.unit = UNIT_NS,
	.repeated = REPEATED_ADDED,
	.omit_uncalled = true,
};

const struct format format_trace_cmd_profile = {
	.name = "trace-cmd-profile",
	.title = "trace-cmd profile: calls and totals",
	.versions = "2.5",
	.unit = "ns",
	.totals = "exact",
	.line_marks =
		LINE_MARKS({ .has = MARKS("task: ") },
			   { .place = LINE_AFTER, .has = MARKS("Event: "), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &trace_cmd_profile,
};
