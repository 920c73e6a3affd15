/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sysdig: system calls and switches of threads as sysdig prints them, one a line.
 *
 *	211 17:35:48.514667033 0 curl (1749) > read fd=3(<f>/etc/passwd) size=832
 *	212 17:35:48.514670468 0 curl (1749) < read res=832 data=root:x:0:0:root...
 *
 * Columns: the event's number, its time, processor, process, thread (`(7)`, `(7:1)` of -pc with
 * the one of the container after it, `(5.7)` with the process before it), `>` where it begins
 * and `<` where it ends, its type and arguments.  With -pc the container is before the
 * process.
 *
 *	layer syscall	> X to < X of a thread
 *	layer sched	on-cpu and off-cpu of > switch; it does not say why a thread stopped,
 *			so that waiting for a processor looks like sleeping
 *
 * Other events have no end and are left out; when sysdig dropped events, open calls are
 * given up.
 *
 * Seen: 0.29.  Not supported: other formats of -p, -j; times of -t d and -t D, which are
 * differences; versions that no longer record where calls begin.
 */
#include "base/scan.h"
#include "formats/carried.h"
#include "formats/event_clock.h"
#include "formats/text.h"
#include "formats/tracing/kernel_stream.h"

struct sysdig_line {
	struct str time, type, arguments;
	uint64_t cpu, tid;
	bool begins;
};

/* --- lines ------------------------------------------------------------------------- */

/* "7", "7:1", "5.7" */
static bool parse_thread(struct str s, uint64_t *ret_tid)
{
	struct str first, second;
	uint64_t ignored;

	if (str_cut(s, ':', &first, &second))
		return number_u64(first, ret_tid) == NUMBER_OK;
	if (str_cut(s, '.', &first, &second))
		return number_u64(first, &ignored) == NUMBER_OK &&
		       number_u64(second, ret_tid) == NUMBER_OK;
	return number_u64(s, ret_tid) == NUMBER_OK;
}

/* Parses "curl (1749) > read fd=3": the thread is the first one followed by an arrow. */
static bool parse_event(struct str s, struct sysdig_line *l)
{
	while (s.n > 0) {
		size_t open = str_find(s, STR("("));
		struct str thread, after;

		s = str_skip(s, open + 1);
		if (!str_cut(s, ')', &thread, &after))
			return false;
		l->begins = str_has_prefix(after, STR(" > "));
		if ((!l->begins && !str_has_prefix(after, STR(" < "))) ||
		    !parse_thread(thread, &l->tid))
			continue;
		after = str_skip(after, 3);
		l->type = (struct str){ after.p, str_find(after, STR(" ")) };
		l->arguments = str_skip(after, l->type.n);
		return l->type.n > 0;
	}
	return false;
}

static bool parse_line(struct str line, struct sysdig_line *l)
{
	struct str number, rest, cpu;
	uint64_t n;

	*l = (struct sysdig_line){ .cpu = 0 };
	return str_begins_with_digit(line) && str_cut(line, ' ', &number, &rest) &&
	       number_u64(number, &n) == NUMBER_OK && str_cut(rest, ' ', &l->time, &rest) &&
	       str_cut(rest, ' ', &cpu, &rest) && number_u64(cpu, &l->cpu) == NUMBER_OK &&
	       parse_event(rest, l);
}

static enum probe probe_sysdig(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct sysdig_line l;
	struct decimal at;
	size_t n = 0;
	bool of_day;

	while (text_line(&rest, &line) && n < 2) {
		if (line.n == 0)
			continue;
		if (!parse_line(line, &l) || !event_time(l.time, &at, &of_day)) {
			if (n > 0)
				probe_near(clue, head, line,
					   "expected NUMBER TIME CPU NAME (THREAD) > "
					   "EVENT");
			break;
		}
		n++;
	}
	return n == 2 ? PROBE_MAGIC : n == 1 ? PROBE_MARKS : PROBE_NO;
}

/* --- events ------------------------------------------------------------------------ */

struct reader {
	struct kernel_stream s;
	struct event_clock clock;
};

/* Events that are not calls, and have no end. */
static bool is_single(struct str type)
{
	static const struct str singles[] = {
		STR_INIT("procexit"),	 STR_INIT("signaldeliver"), STR_INIT("page_fault"),
		STR_INIT("cpu_hotplug"), STR_INIT("scapevent"),	    STR_INIT("sysdigevent"),
		STR_INIT("container"),	 STR_INIT("procinfo"),	    STR_INIT("notification"),
		STR_INIT("infra"),	 STR_INIT("k8s"),	    STR_INIT("mesos"),
		STR_INIT("pluginevent"), STR_INIT("useradded"),	    STR_INIT("userdeleted"),
		STR_INIT("groupadded"),	 STR_INIT("groupdeleted"),  STR_INIT("asyncevent"),
	};

	for (size_t i = 0; i < COUNT_OF(singles); i++) {
		if (str_eq(type, singles[i]))
			return true;
	}
	return false;
}

/* "switch next=17498(curl) pgft_maj=0 ..." */
static bool add_switch(struct reader *r, const struct kernel_event *e)
{
	struct cursor c = CURSOR_OVER(e->fields);
	struct kernel_switch change = { .out = e->tid };

	if (!scan_past(&c, STR(" next=")) || !scan_u64(&c, &change.in))
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, e->fields,
				  "expected next=THREAD");
	return kernel_events_change(r->s.events, e, &change);
}

static bool add_event(struct reader *r, const struct kernel_event *e, bool begins)
{
	if (str_eq(e->name, STR("switch")))
		return add_switch(r, e);
	if (str_eq(e->name, STR("drop"))) /* states neither how many nor which */
		return kernel_stream_lost(&r->s, 1, e->name);
	if (is_single(e->name)) {
		kernel_events_other(r->s.events, e->name);
		return true;
	}
	return kernel_events_syscall(r->s.events, e, begins);
}

/* Events of two processors may be out of order by microseconds; a time that goes back further means
 * another trace, or that the clock was set. */
static bool report_time(struct reader *r, struct str time, struct decimal *ret)
{
	const decimal_int second = (decimal_int)1000000000 * 1000000000;
	const decimal_int year = 365 * 86400 * second;
	decimal_int last = r->clock.last;

	switch (event_clock_next(&r->clock, time, ret)) {
	case EVENT_NO_TIME:
		return lines_fail(&r->s.stream.lines, DIAG_NUMBER_BAD, time, "expected a time");
	case EVENT_BACK:
		if (ret->billionths < year)
			return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, time,
					  "times go back: print them with -t a, -t h or -t r");
		break;
	case EVENT_BACK_OF_DAY:
	case EVENT_FORTH:
		break;
	}
	if (r->s.events != NULL && ret->billionths + second < last)
		kernel_events_lost(r->s.events, 0);
	return true;
}

static bool sysdig_read_line(void *ctx)
{
	struct reader *r = ctx;
	struct sysdig_line l;
	struct kernel_event e;

	if (r->s.stream.lines.text.n == 0)
		return true;
	if (!parse_line(r->s.stream.lines.text, &l))
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, r->s.stream.lines.text,
				  "expected NUMBER TIME CPU NAME (THREAD) > EVENT");
	e = (struct kernel_event){
		.name = l.type, .fields = l.arguments, .tid = l.tid, .cpu = l.cpu
	};
	if (!report_time(r, l.time, &e.at))
		return false;
	kernel_stream_begin(&r->s, NULL, 0);
	return add_event(r, &e, l.begins);
}

static bool read_sysdig(const struct read_task *task)
{
	struct carried *carried = task->options->carried;
	struct reader r = { .clock = { .has_last = false } };
	bool ok;

	carried_copy(carried, CARRIED_READER, &r.clock);
	ok = kernel_stream_read(&r.s, task, sysdig_read_line, &r);
	carried_leave_bytes(carried, CARRIED_READER, &r.clock, sizeof(r.clock));
	return ok;
}

const struct format format_sysdig = {
	.name = "sysdig",
	.title = "sysdig: system calls and switches of threads",
	.versions = "0.29",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_sysdig,
	.streams = true,
	.read = read_sysdig,
};
