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
 * There is no distribution.  The operation is the event, the layer is the task; lines
 * indented further are stacks.  Events without a total have no times and are left out.
 * Times are in nanoseconds, which the manual states but the output does not.
 *
 * Versions seen: 2.5, in its manual.
 */
#include "base/scan.h"
#include "formats/lines.h"
#include "formats/text.h"

static const struct str task_mark = STR_INIT("task: "), event_mark = STR_INIT("Event: ");

struct reader {
	struct lines lines;
	struct str task;
	size_t n_untimed;
	struct str untimed;
};

static bool scan_field(struct cursor *c, struct str key, uint64_t *ret)
{
	scan_blanks(c);
	if (!scan_literal(c, key))
		return false;
	scan_blanks(c);
	return scan_u64(c, ret);
}

/* Reads "sched_switch:S (1) Total: 12 Avg: 12 Max: 12 Min:12".  The calls are in the last brackets
 * before the total, as a function's name may end with brackets. */
static bool read_event(struct reader *r, struct str s)
{
	size_t at = str_find(s, STR(") Total:"));
	struct str front = { s.p, at }, name, calls;
	size_t open = str_find_last(front, STR(" ("));
	struct cursor c = cursor_at(r->lines.in, str_skip(s, at + 1));
	uint64_t n, total, mean, most, least;

	if (at == s.n) {
		if (r->lines.cut && !str_has_suffix(s, STR(")")))
			return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
					  "expected an event's calls");
		if (r->n_untimed++ == 0)
			r->untimed = s;
		return true;
	}
	name = str_trim((struct str){ s.p, open });
	calls = str_skip(front, open + 2);
	if (open == front.n || name.n == 0 || number_u64(calls, &n) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected EVENT (CALLS) Total: N ...");
	if (r->lines.cut || !scan_field(&c, STR("Total:"), &total) ||
	    !scan_field(&c, STR("Avg:"), &mean) || !scan_field(&c, STR("Max:"), &most) ||
	    !scan_field(&c, STR("Min:"), &least))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, s,
				  "expected Total: N Avg: N Max: N Min:N");
	if (!build_operation(r->lines.to, r->task, name, s) || !build_count(r->lines.to, n, s) ||
	    !build_total(r->lines.to, decimal_from_u64(total), s))
		return false;
	build_unit(r->lines.to, UNIT_NS, UNIT_STATED);
	build_min(r->lines.to, (double)least);
	build_max(r->lines.to, (double)most);
	return true;
}

static bool trace_cmd_profile_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text;

	if (str_has_prefix(s, task_mark))
		r->task = str_skip(s, task_mark.n);
	return !str_has_prefix(s, event_mark) || read_event(r, str_skip(s, event_mark.n));
}

static bool trace_cmd_profile_end(void *reader)
{
	struct reader *r = reader;

	if (r->n_untimed > 0)
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, r->untimed,
			  "%zu event%s that %s not timed", r->n_untimed,
			  r->n_untimed == 1 ? "" : "s", r->n_untimed == 1 ? "is" : "are");
	return true;
}

const struct format format_trace_cmd_profile = {
	.name = "trace-cmd-profile",
	.title = "trace-cmd profile: calls and totals",
	.versions = "2.5",
	.unit = "ns",
	.totals = "exact",
	.line_marks =
		LINE_MARKS({ .has = MARKS("task: ") },
			   { .place = LINE_AFTER, .has = MARKS("Event: "), .score = PROBE_MAGIC }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = trace_cmd_profile_line,
					     .end = trace_cmd_profile_end,
					     .drop_single_layer = true },
};
