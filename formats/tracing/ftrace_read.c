/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/ftrace_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/carried.h"
#include "formats/tracing/kernel_stream.h"
#include "formats/tracing/kernel_text.h"

enum { MAX_CPUS = 8192 };

struct reader {
	struct kernel_stream s;
	uint64_t *task; /* by processor: the thread running there; 0: unknown */
	size_t cap_tasks;
};

/* Latencies computed from printed times have the resolution of those. */
static void start_samples(struct reader *r, double granularity)
{
	kernel_stream_begin(&r->s, &kernel_text, granularity);
}

/* --- lost events --------------------------------------------------------------- */

/* "CPU:1 [LOST 123 EVENTS]", "[123 EVENTS DROPPED]" */
static bool is_loss(struct input *in, struct str s, uint64_t *ret_events)
{
	size_t at = str_has_suffix(s, STR("]")) ? str_find(s, STR("[")) : s.n;
	struct cursor c = cursor_at(in, str_skip(s, at + 1));

	if (at == s.n || !str_contains(s, STR("EVENTS")))
		return false;
	if (!scan_literal(&c, STR("LOST ")) && !str_contains(s, STR("DROPPED")))
		return false;
	if (!scan_u64(&c, ret_events))
		*ret_events = 1; /* the number is not stated */
	return true;
}

static bool read_loss(struct reader *r, struct str s, uint64_t events)
{
	if (r->s.events != NULL)
		kernel_events_lost(r->s.events, events);
	return build_lost(r->s.task->to, events, s);
}

/* "# entries-in-buffer/entries-written: 54/60   #P:2": the rest was overwritten. */
static bool read_comment(struct reader *r, struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	uint64_t held, written;

	if (!scan_past(&c, STR("entries-in-buffer/entries-written: ")) || !scan_u64(&c, &held) ||
	    !scan_char(&c, '/') || !scan_u64(&c, &written) || written <= held)
		return true;
	return build_lost(r->s.task->to, written - held, s);
}

/* --- events ---------------------------------------------------------------------- */

/* " count:6": only the largest of so many gaps in a window is reported. */
static bool read_others(struct reader *r, struct str back)
{
	struct cursor c = CURSOR_OVER(back);
	uint64_t n;

	return !scan_past(&c, STR(" count:")) || !scan_u64(&c, &n) || n < 2 ||
	       build_lost(r->s.task->to, n - 1, back);
}

/* "inner/outer(us):   11/12    ts:..." */
static bool read_hwlat(struct reader *r, struct str back, struct decimal at)
{
	struct cursor c = CURSOR_OVER(back);
	struct sample sample = {
		.layer = STR("hwlat"), .name = STR("hwlat"), .start = at, .timed = true
	};
	uint64_t inner, outer;

	if (!scan_past(&c, STR("inner/outer(us):")))
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, back,
				  "expected an event and a colon");
	scan_blanks(&c);
	if (!scan_u64(&c, &inner) || !scan_char(&c, '/') || !scan_u64(&c, &outer))
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, back,
				  "expected inner/outer(us): N/N");
	if (!decimal_times(decimal_from_u64(inner > outer ? inner : outer), 1000, &sample.latency))
		return format_fail(r->s.stream.lines.in, r->s.task->diag, DIAG_NUMBER_RANGE, back,
				   "beyond 1.7e29");
	sample.where = back;
	start_samples(r, KERNEL_MICROSECONDS);
	return samples_add(&r->s.samples, &sample, back, back) && read_others(r, back);
}

static bool is_name(struct str s)
{
	return s.n > 0 && !str_contains(s, STR(" ")) && !str_contains(s, STR("("));
}

/* Handles what follows the time: "sched_switch: ...", "sys_write(fd: 1, ...", "sys_write ->
 * 0x2". */
static bool read_event(struct reader *r, struct kernel_event *e, size_t digits, struct str back)
{
	struct str name = { back.p, str_find(back, STR("(")) };
	double granularity = digits < 9 ? KERNEL_MICROSECONDS : 0;
	bool enter = name.n < back.n, leave;

	if (str_has_prefix(back, STR("#")))
		return read_hwlat(r, back, e->at);
	start_samples(r, str_has_prefix(back, STR("funcgraph_")) ? 0 : granularity);
	if (str_has_prefix(back, STR("sys_"))) {
		size_t arrow = str_find(back, STR(" -> "));

		leave = arrow < name.n;
		if (leave)
			name.n = arrow;
		e->name = str_skip(name, sizeof("sys_") - 1);
		if ((enter || leave) && is_name(e->name) && !str_contains(e->name, STR(":")))
			return kernel_events_syscall(r->s.events, e, !leave);
	}
	if (!str_cut(back, ':', &e->name, &e->fields) || !is_name(e->name)) {
		if (str_contains(back, STR("<-")) || is_name(back))
			return true; /* the function tracer states when, not how long */
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, back,
				  "expected an event and a colon");
	}
	if (str_has_prefix(e->name, STR("funcgraph_")) && !str_contains(e->fields, STR("|")))
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, back,
				  "a call without its duration: use trace-cmd report without -N "
				  "and -R");
	return kernel_events_add(r->s.events, e);
}

/* --- the graph --------------------------------------------------------------------- */

/* Returns the thread in "dd-2847"; 0: none. */
static uint64_t thread_of(struct str task)
{
	uint64_t tid;

	task = str_skip(task, str_find_last(task, STR("-")) + 1);
	return number_u64(task, &tid) == NUMBER_OK ? tid : 0;
}

/* " 0)  cat-2843  =>  dd-2847" */
static bool read_switch(struct reader *r, struct str s)
{
	struct str number, rest;
	uint64_t cpu;

	if (!str_cut(s, ')', &number, &rest) || number_u64(str_trim(number), &cpu) != NUMBER_OK ||
	    cpu >= MAX_CPUS)
		return true;
	while (r->cap_tasks <= cpu) {
		size_t had = r->cap_tasks;

		r->task = xgrow(r->task, &r->cap_tasks, cpu + 1, sizeof(*r->task));
		for (size_t i = had; i < r->cap_tasks; i++)
			r->task[i] = 0;
	}
	r->task[cpu] = thread_of(str_trim(str_skip(rest, str_find(rest, STR("=>")) + 2)));
	return true;
}

static struct pairing_slot slot_of(const struct reader *r, const struct graph_line *g)
{
	uint64_t tid = thread_of(g->task);

	if (g->task.n == 0 && g->cpu < r->cap_tasks)
		tid = r->task[g->cpu];
	if (tid > 0)
		return (struct pairing_slot){ tid, 1 };
	return (struct pairing_slot){ g->cpu, 0 };
}

static bool read_graph(struct reader *r, const struct graph_line *g)
{
	bool timed = g->time.n > 0;
	struct call_time at;
	struct decimal seconds;

	if (timed) {
		if (number_decimal(g->time, &seconds) != NUMBER_OK ||
		    !decimal_times(seconds, 1000000000, &seconds) || !call_time_from(seconds, &at))
			return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, g->time,
					  "expected a time");
	} else if (r->s.task->options->build.interval > 0) {
		return format_fail(r->s.stream.lines.in, r->s.task->diag, DIAG_INTERVAL_BAD,
				   g->text,
				   "--interval needs the tracer's option funcgraph-abstime");
	}
	start_samples(r, 0);
	return kernel_events_graph(r->s.events, slot_of(r, g), g->duration, g->text,
				   timed ? &at : NULL);
}

/* --- lines -------------------------------------------------------------------------- */

/* perf-tools' funcslower: Tracing "vfs_read" slower than 10000 us... */
static void read_banner(struct reader *r, struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	uint64_t us;

	if (scan_past(&c, STR(" slower than ")) && scan_u64(&c, &us) &&
	    scan_literal(&c, STR(" us")))
		r->s.threshold = (double)us * 1e3;
}

static bool is_ornament(struct str s)
{
	return str_has_prefix(s, STR("-----")) || str_eq(s, STR("[...]")) ||
	       str_has_prefix(s, STR("Ending tracing")) || str_has_prefix(s, STR("cpus=")) ||
	       str_has_prefix(s, STR("version = ")) || str_has_suffix(s, STR(" is empty")) ||
	       str_contains(s, STR("==========")) || str_has_prefix(s, STR("=>")) ||
	       str_contains(s, STR("<stack trace>")) || str_contains(s, STR("<user stack"));
}

static bool ftrace_read_read_line(void *ctx)
{
	struct reader *r = ctx;
	struct lines *l = &r->s.stream.lines;
	struct str s = l->text;
	struct kernel_event event;
	struct graph_line graph;
	struct str back;
	uint64_t events;
	size_t digits;

	if (s.n == 0)
		return true;
	if (s.p[0] == '#')
		return read_comment(r, s);
	if (ftrace_plain_graph_line(s, &graph))
		return read_graph(r, &graph);
	if (ftrace_event_line(s, &event, &digits, &back))
		return read_event(r, &event, digits, back);
	if (is_loss(l->in, s, &events))
		return read_loss(r, s, events);
	if (str_contains(s, STR("==========")))
		return true; /* an interrupt begins or ends */
	if (str_contains(s, STR(" => ")))
		return read_switch(r, s);
	if (ftrace_graph_line(s, &graph))
		return read_graph(r, &graph);
	if (str_has_prefix(s, STR("Tracing "))) {
		read_banner(r, s);
		return true;
	}
	return is_ornament(s) || lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, s,
					    "expected an event, or a call of the function graph");
}

bool ftrace_read(const struct read_task *task)
{
	struct carried *carried = task->options->carried;
	struct reader r = { .task = NULL };
	size_t n;
	const uint64_t *running = carried_bytes(carried, CARRIED_PROCESSORS, &n);
	bool ok;

	if (running != NULL) {
		r.task = xgrow(NULL, &r.cap_tasks, n / sizeof(*running), sizeof(*running));
		memset(r.task, 0, r.cap_tasks * sizeof(*running));
		memcpy(r.task, running, n);
	}
	ok = kernel_stream_read(&r.s, task, ftrace_read_read_line, &r);
	if (carried != NULL && r.task != NULL)
		carried_leave_bytes(carried, CARRIED_PROCESSORS, r.task,
				    r.cap_tasks * sizeof(*r.task));
	free(r.task);
	return ok;
}
