/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * babeltrace: traces in the Common Trace Format, of LTTng and of perf data convert --to-ctf,
 * as babeltrace and babeltrace2 print them.
 *
 *	[10:22:33.123456789] (+?.?????????) host syscall_entry_read: { cpu_id = 1 }, { fd = 3 }
 *	[10:22:33.123457012] (+0.000000223) host syscall_exit_read: { cpu_id = 1 }, { ret = 0 }
 *
 * formats/tracing/kernel_events.h says which events make a latency; the layer of another provider's
 * pair is the provider.  LTTng has its own names for some more pairs, and for programs it has:
 *
 *	layer function	func_entry to func_exit of lttng-ust-cyg-profile, nested; named by
 *			the debug_info of babeltrace2 --debug-info, else by the address
 *	layer lock	pthread_mutex_lock_req to _acq of lttng-ust-pthread-wrapper
 *
 * The thread is in the context tid or vtid, or in perf's perf_tid; else it is the one that the last
 * sched_switch put on the processor.  Times are read, differences are ignored.
 *
 * Versions seen: babeltrace 1.5, babeltrace2 2.0; traces of LTTng 2.1 to 2.13, perf 4.1 and 6.1.
 * Not supported: --clock-cycles, fields without names (--names none), traces without a clock.
 */

#include <stdlib.h>

#include "base/arena.h"
#include "base/scan.h"
#include "base/tables/hash.h"
#include "base/xalloc.h"
#include "formats/carried.h"
#include "formats/event_clock.h"
#include "formats/text.h"
#include "formats/tracing/ctf_kernel.h"
#include "formats/tracing/ctf_line.h"
#include "formats/tracing/kernel_stream.h"

/* "[warning] Tracer discarded 12 events between ...", "WARNING: Tracer may have discarded
 * packets ..." */
static bool is_loss(struct str s, uint64_t *ret_n)
{
	static const struct str marks[] = { STR_INIT("Tracer discarded "), STR_INIT("Tracer lost "),
					    STR_INIT("Tracer may have discarded ") };

	for (size_t i = 0; i < COUNT_OF(marks); i++) {
		size_t at = str_find(s, marks[i]);
		struct str number = str_skip(s, at + marks[i].n);

		if (at == s.n)
			continue;
		number.n = str_find(number, STR(" "));
		if (number_u64(number, ret_n) != NUMBER_OK)
			*ret_n = 1; /* the number is not stated */
		return true;
	}
	return false;
}

/* --- probe ------------------------------------------------------------------------- */

static enum probe probe_babeltrace(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct decimal at;
	struct ctf_line event;
	bool of_day;
	uint64_t n;

	while (text_line(&rest, &line)) {
		if (line.n == 0 || is_loss(line, &n))
			continue;
		if (!ctf_line(line, &event) && rest.n > 0)
			return PROBE_NO;
		if (event_time(event.time, &at, &of_day))
			return PROBE_MAGIC;
		if (event.n_contexts > 0)
			*clue = (struct clue){ (size_t)(event.time.p - head.p),
					       "expected a time; leave out --clock-cycles" };
		return PROBE_NO;
	}
	return PROBE_NO;
}

/* --- threads ----------------------------------------------------------------------- */

struct processor {
	uint64_t cpu;
	uint64_t tid; /* the thread running there */
	bool known;
	UT_hash_handle hh;
};

/* State from earlier lines. */
struct before {
	struct event_clock clock;
	bool has_host;
	unsigned first_host; /* its hash */
	bool cut;	     /* a warning interrupted a line */
};

struct reader {
	struct kernel_stream s;
	struct arena *arena;
	struct processor *processors;
	struct before before;
};

static struct processor *find_processor(struct reader *r, uint64_t cpu)
{
	struct processor *p;

	HASH_FIND(hh, r->processors, &cpu, sizeof(cpu), p);
	if (p == NULL) {
		p = arena_make(r->arena, struct processor, 1);
		p->cpu = cpu;
		HASH_ADD(hh, r->processors, cpu, sizeof(cpu), p);
	}
	return p;
}

static void forget_events(struct reader *r)
{
	kernel_stream_forget(&r->s);
	for (struct processor *p = r->processors; p != NULL; p = p->hh.next)
		p->known = false;
}

/* Returns a number for a host; the first one is 0. */
static uint64_t number_of_host(struct reader *r, struct str host)
{
	unsigned hash;

	HASH_VALUE(host.p, host.n, hash);
	if (!r->before.has_host)
		r->before.first_host = hash;
	r->before.has_host = true;
	return hash ^ r->before.first_host;
}

static bool context_number(const struct ctf_line *l, struct str key, uint64_t *ret)
{
	for (size_t i = 0; i < l->n_contexts; i++) {
		if (ctf_number(&l->group[i], key, ret))
			return true;
	}
	return false;
}

/* For contexts that LTTng only adds on request, and that may then be the last group. */
static bool any_number(const struct ctf_line *l, struct str key, uint64_t *ret)
{
	return context_number(l, key, ret) || ctf_number(ctf_payload(l), key, ret);
}

/* Sets the event's time, host, processor and thread. */
static void place_event(struct reader *r, const struct ctf_line *l, struct kernel_event *e)
{
	const struct processor *p;
	uint64_t cpu = 0, tid = 0;

	if (!any_number(l, STR("cpu_id"), &cpu) && !any_number(l, STR("perf_cpu"), &cpu))
		cpu = 0;
	e->host = number_of_host(r, l->host);
	e->cpu = ctf_of_host(e->host, cpu);
	if (context_number(l, STR("tid"), &tid) || any_number(l, STR("vtid"), &tid) ||
	    any_number(l, STR("perf_tid"), &tid)) {
		e->tid = tid == 0 ? 0 : ctf_of_host(e->host, tid);
		return;
	}
	p = find_processor(r, e->cpu);
	e->tid = p->tid;
	e->threadless = !p->known;
}

/* --- events ------------------------------------------------------------------------ */

static bool take_prefix(struct str *s, struct str prefix)
{
	if (!str_has_prefix(*s, prefix))
		return false;
	*s = str_skip(*s, prefix.n);
	return true;
}

/* LTTng's kernel tracer has the names syscall_entry_read and syscall_exit_read, and until 2.5
 * sys_read and exit_syscall.  *ret_done: it was one of them. */
static bool add_syscall(struct reader *r, struct kernel_event *e, bool *ret_done)
{
	struct kernel_event bare = *e;

	*ret_done = true;
	(void)take_prefix(&bare.name, STR("compat_"));
	if (take_prefix(&bare.name, STR("syscall_entry_")) || take_prefix(&bare.name, STR("sys_")))
		return kernel_events_syscall(r->s.events, &bare, true);
	if (take_prefix(&bare.name, STR("syscall_exit_")))
		return kernel_events_syscall(r->s.events, &bare, false);
	if (str_eq(bare.name, STR("exit_syscall"))) {
		bare.name.n = 0;
		return kernel_events_syscall(r->s.events, &bare, false);
	}
	*ret_done = false;
	return true;
}

static bool add_switch(struct reader *r, const struct kernel_event *e)
{
	struct kernel_switch change;
	struct processor *p;

	if (!kernel_ctf.change(e, r->s.stream.lines.in, &change))
		return true;
	p = find_processor(r, e->cpu);
	p->tid = change.in;
	p->known = true;
	return kernel_events_change(r->s.events, e, &change);
}

/* Returns "main" of debug_info = { bin = "prog+0x1279", func = "main+0", src = "prog.c:11" }. */
static struct str function_name(const struct ctf_line *l)
{
	struct str info = STR(""), name;
	struct ctf_group fields;

	for (size_t i = 0; i < l->n_contexts && info.n == 0; i++) {
		if (ctf_value(&l->group[i], STR("debug_info"), &info) &&
		    str_has_prefix(info, STR("{ ")))
			info = (struct str){ info.p + 2, str_find_last(info, STR("}")) - 2 };
	}
	(void)ctf_fields(info, &fields);
	if (ctf_text(&fields, STR("func"), &name) && name.n > 0) {
		name.n = str_find_last(name, STR("+"));
		return name;
	}
	if (ctf_text(&fields, STR("bin"), &name) && name.n > 0)
		return name;
	return ctf_text(ctf_payload(l), STR("addr"), &name) ? name : STR("");
}

static bool add_function(struct reader *r, const struct ctf_line *l, struct kernel_event *e,
			 bool entry)
{
	struct str name = function_name(l);

	e->layer = STR("function");
	if (entry && name.n == 0)
		return true;
	return kernel_events_call(r->s.events, e, name, entry);
}

static bool add_mutex(struct reader *r, const struct kernel_event *e, bool request)
{
	struct kernel_lock lock = { .kind = STR("pthread_mutex") };

	return !ctf_value(e->group, STR("mutex"), &lock.lock) ||
	       kernel_events_lock(r->s.events, e, &lock, request);
}

static bool add_event(struct reader *r, const struct ctf_line *l, struct kernel_event *e)
{
	struct str ignored;
	bool done = false;

	if (l->provider.n == 0 && !add_syscall(r, e, &done))
		return false;
	if (done)
		return true;
	if (str_eq(e->name, STR("sched_switch")))
		return add_switch(r, e);
	if (str_has_prefix(l->provider, STR("lttng_ust_cyg_profile")))
		return add_function(r, l, e, str_eq(e->name, STR("func_entry")));
	if (str_eq(e->name, STR("pthread_mutex_lock_req")))
		return add_mutex(r, e, true);
	if (str_eq(e->name, STR("pthread_mutex_lock_acq")))
		return add_mutex(r, e, false);
	if (l->provider.n > 0 && !ctf_value(ctf_payload(l), STR("common_type"), &ignored))
		e->layer = l->provider; /* not for perf, where it is the subsystem */
	if (str_has_prefix(e->name, STR("irq_softirq_")))
		e->name = str_skip(e->name, 4);
	return kernel_events_add(r->s.events, e);
}

/* --- lines ------------------------------------------------------------------------- */

/* A time that goes back means another trace, or that the clock was set. */
static bool report_time(struct reader *r, const struct ctf_line *l, struct decimal *ret)
{
	switch (event_clock_next(&r->before.clock, l->time, ret)) {
	case EVENT_NO_TIME:
		return lines_fail(&r->s.stream.lines, DIAG_NUMBER_BAD, l->time,
				  "expected a time; print the trace without --clock-cycles");
	case EVENT_BACK:
	case EVENT_BACK_OF_DAY:
		forget_events(r);
		break;
	case EVENT_FORTH:
		break;
	}
	return true;
}

static bool read_event(struct reader *r, const struct ctf_line *l)
{
	struct kernel_event e = { .name = l->name, .group = ctf_payload(l) };

	if (l->n_contexts > 0 && l->group[0].text.n > 0 &&
	    !str_contains(l->group[0].text, STR(" = ")))
		return lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, l->group[0].text,
				  "fields have no names; print the trace without --names");
	if (!report_time(r, l, &e.at))
		return false;
	place_event(r, l, &e);
	kernel_stream_begin(&r->s, &kernel_ctf, 0);
	return add_event(r, l, &e);
}

/* Warnings go to standard error: if both streams go to one file, they may come anywhere, even in
 * the middle of a line, whose rest follows them. */
static bool babeltrace_read_line(void *ctx)
{
	struct reader *r = ctx;
	struct str s = r->s.stream.lines.text;
	struct ctf_line line;
	bool rest = r->before.cut;
	uint64_t n;

	if (s.n == 0)
		return true;
	r->before.cut = false;
	if (ctf_line(s, &line))
		return read_event(r, &line);
	if (is_loss(s, &n)) {
		r->before.cut = rest || !(str_has_prefix(s, STR("[warning] ")) ||
					  str_has_prefix(s, STR("WARNING: ")));
		forget_events(r);
		return build_lost(r->s.task->to, n, s);
	}
	return rest || lines_fail(&r->s.stream.lines, DIAG_LINE_UNEXPECTED, s,
				  "expected [TIME] HOST NAME: { FIELDS }");
}

/* --- pieces of a stream ---------------------------------------------------------------- */

static void begin_after(struct reader *r, const struct carried *c)
{
	size_t n;
	const uint64_t *running = carried_bytes(c, CARRIED_PROCESSORS, &n);

	carried_copy(c, CARRIED_READER, &r->before);
	for (size_t i = 0; i < n / sizeof(*running); i += 2) {
		struct processor *p = find_processor(r, running[i]);

		p->tid = running[i + 1];
		p->known = true;
	}
}

static void leave_for_next(const struct reader *r, struct carried *c)
{
	uint64_t *running = NULL;
	size_t n = 0, cap = 0;

	for (const struct processor *p = r->processors; p != NULL; p = p->hh.next) {
		if (!p->known)
			continue;
		running = xgrow(running, &cap, n + 2, sizeof(*running));
		running[n++] = p->cpu;
		running[n++] = p->tid;
	}
	carried_leave_bytes(c, CARRIED_READER, &r->before, sizeof(r->before));
	carried_leave_bytes(c, CARRIED_PROCESSORS, running, n * sizeof(*running));
	free(running);
}

static bool read_babeltrace(const struct read_task *task)
{
	struct reader r = { .arena = arena_new() };
	bool ok;

	begin_after(&r, task->options->carried);
	ok = kernel_stream_read(&r.s, task, babeltrace_read_line, &r);
	if (task->options->carried != NULL)
		leave_for_next(&r, task->options->carried);
	HASH_CLEAR(hh, r.processors);
	arena_free(r.arena);
	return ok;
}

const struct format format_babeltrace = {
	.name = "babeltrace",
	.title = "babeltrace of CTF traces: LTTng, perf data convert --to-ctf",
	.versions = "1.5, 2.0",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_babeltrace,
	.streams = true,
	.read = read_babeltrace,
};
