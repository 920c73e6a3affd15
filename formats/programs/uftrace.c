/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uftrace: function calls from uftrace dump and uftrace replay.
 *
 *	uftrace file header: version       = 4
 *	reading 15250.dat
 *	4046.125168771  15250: [entry] main(55e31e8712ee) depth: 0
 *	4046.125224014  15250: [entry] work(55e31e871269) depth: 1
 *	4046.125509019  15250: [exit ] work(55e31e871269) depth: 1
 *
 *	# DURATION     TID     FUNCTION
 *	            [ 15250] | main() {
 *	   0.310 us [ 15250] |   work();
 *	   2.459 ms [ 15250] | } main (in comment signs)
 *
 * In a dump, a call lasts from its entry to its exit on the same thread, in ns; in a replay, its
 * duration is printed, in thousandths of its unit.  Both include the time of nested calls.  A
 * replay's linux:sched-in is linux:schedule.
 *
 * Of a dump, only the files of threads are read: those of processors (reading perf-cpu0.dat,
 * kernel-cpu0.dat) are not in a common order of time.  Calls without an entry or an exit are
 * reported in a note.
 *
 * Seen: 0.13, 0.19.  Not supported: replay without DURATION as its first column; graph and dump
 * --flame-graph, which have sums over paths.  Output of report and of dump --chrome is read by
 * other formats.
 */
#include <stdio.h>
#include <string.h>

#include "base/scan.h"
#include "base/tables/number_map.h"
#include "formats/call_latencies.h"
#include "formats/programs/uftrace_depth.h"
#include "formats/programs/uftrace_switches.h"
#include "formats/programs/uftrace_time.h"
#include "formats/stream.h"
#include "formats/text.h"

static const uint64_t billion = 1000000000;

static bool is_replay_head(struct str s)
{
	return str_has_prefix(s, STR("# DURATION ")) && str_has_suffix(s, STR(" FUNCTION"));
}

/* --- lines of a dump -------------------------------------------------------------- */

struct record {
	uint64_t ns, tid;
	struct str type; /* "entry", "exit " */
	struct str rest;
};

/* Parses "4046.125168771  15250: [entry] ...". */
static bool parse_record(struct str s, struct record *ret)
{
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);
	uint64_t seconds, ns;
	size_t point;
	struct str inner, rest;

	if (!scan_u64(&c, &seconds) || seconds > UINT64_MAX / billion - 1 || !scan_char(&c, '.'))
		return false;
	point = c.at;
	if (!scan_u64(&c, &ns) || c.at - point != 9)
		return false;
	scan_blanks(&c);
	if (!scan_u64(&c, &ret->tid) || !scan_literal(&c, STR(": [")) ||
	    !str_cut(cursor_rest(&c), ']', &inner, &rest))
		return false;
	ret->ns = seconds * billion + ns;
	ret->type = inner;
	ret->rest = str_trim(rest);
	return true;
}

/* Parses "operator()(55e31e871269) depth: 1"; the name is everything before the address. */
static bool parse_function(struct str s, struct str *ret, uint64_t *ret_depth)
{
	static const struct str mark = STR_INIT(") depth: ");
	size_t open = str_find_last(s, STR("(")), at = str_find(s, mark);

	if (open >= s.n || open == 0 || at >= s.n ||
	    number_u64(str_skip(s, at + mark.n), ret_depth) != NUMBER_OK || *ret_depth > 1023)
		return false;
	*ret = (struct str){ s.p, open };
	return true;
}

/* Recognizes "main;work 6", from dump --flame-graph, and finds the frames. */
static bool is_folded(struct str s, struct str *ret_stack)
{
	size_t at = str_find_last(s, STR(" "));
	uint64_t sum;

	*ret_stack = (struct str){ s.p, at };
	return at < s.n && number_u64(str_skip(s, at + 1), &sum) == NUMBER_OK;
}

/* Recognizes a flame graph: a stack, followed by a deeper one that begins with it. */
static bool is_flame_graph(struct str text)
{
	struct str line, outer, inner;

	return text_line(&text, &line) && is_folded(line, &outer) && text_line(&text, &line) &&
	       is_folded(line, &inner) && str_has_prefix(inner, outer) &&
	       str_has_prefix(str_skip(inner, outer.n), STR(";"));
}

static enum probe probe_uftrace(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct record record;

	while (text_next(&rest, &line)) {
		line = text_content(line);
		if (line.n == 0)
			continue;
		if (str_has_prefix(line, STR("uftrace file header: ")) || is_replay_head(line))
			return PROBE_MAGIC;
		if (str_has_prefix(line, STR("reading ")) && str_has_suffix(line, STR(".dat")))
			continue;
		if (parse_record(line, &record))
			return PROBE_MARKS;
		if (str_has_prefix(line, STR("# Function Call Graph for ")))
			probe_near(clue, head, line,
				   "a graph holds sums of paths; dump or replay has calls");
		else if (str_has_prefix(line, STR("# ")) && str_contains(line, STR("FUNCTION")))
			probe_near(clue, head, line, "a replay whose first column is not DURATION");
		else if (is_flame_graph(head))
			probe_near(clue, head, line,
				   "a flame graph holds sums of stacks; dump or "
				   "replay has calls");
		return PROBE_NO;
	}
	return PROBE_NO;
}

/* --- reading --------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct samples samples;
	struct call_output calls;
	struct uftrace_switches switches;
	bool entered; /* the last record is an entry, whose arguments may follow */
	unsigned argument;
	uint64_t tid;		    /* thread of the last entry or exit */
	unsigned open;		    /* open calls of that thread, by the depths of its records */
	struct number_map replayed; /* the same for each thread of a replay, plus 1 */
	bool replay;
	bool of_processor; /* the current file is that of a processor */
	bool timed;	   /* intervals are requested */
	bool stopped;	   /* a replay has reached the list of calls open at its end */
	bool last;	   /* the current line is the last one, without a newline */
	uint64_t left_out;
};

static bool fail_line(struct reader *r, struct str where, const char *what)
{
	return format_fail(r->in, r->diag, r->last ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED,
			   where, "%s", what);
}

/* Reads "[entry] work(55e31e871269) depth: 1". */
static bool read_call(struct reader *r, const struct record *record, enum call_what what)
{
	struct call_event e = { .what = what,
				.thread = { record->tid, 0 },
				.at = call_time_ns(record->ns) };
	unsigned open = record->tid == r->tid ? r->open : UFTRACE_DEPTH_UNKNOWN;
	uint64_t depth;
	bool ended;

	if (!parse_function(record->rest, &e.name, &depth))
		return fail_line(r, record->rest, "expected NAME(ADDRESS) depth: N");
	e.where = e.name;
	if (!uftrace_depth_leave(&r->calls, open, &e, (unsigned)depth, &ended))
		return false;
	r->tid = record->tid;
	r->open = uftrace_depth_after((unsigned)depth, what == CALL_LEAVE);
	r->argument = 0;
	r->entered = what == CALL_ENTER;
	return ended || call_output_push(&r->calls, &e);
}

/* Reads "[lost ]: 12 events". */
static bool read_lost(struct reader *r, const struct record *record)
{
	struct cursor c = cursor_at(r->in, record->rest);
	uint64_t events = 1;

	if (scan_char(&c, ':')) {
		scan_blanks(&c);
		if (!scan_u64(&c, &events))
			events = 1;
	}
	r->open = UFTRACE_DEPTH_UNKNOWN;
	call_output_lost(&r->calls, &(struct pairing_slot){ record->tid, 0 }, events);
	return build_lost(r->to, events, record->rest);
}

/* Reads "[event] linux:sched-out (pre-empted)(200007)". */
static bool read_switch(struct reader *r, const struct record *record)
{
	static const struct str in = STR_INIT("linux:sched-in"), out = STR_INIT("linux:sched-out");
	bool back = str_has_prefix(record->rest, in);

	r->left_out++;
	if (call_output_wants_calls(&r->calls) && (back || str_has_prefix(record->rest, out)))
		uftrace_switch_add(
			&r->switches,
			(struct uftrace_switch){
				.ns = record->ns,
				.tid = record->tid,
				.back = back,
				.preempted = str_contains(record->rest, STR("pre-empted")) });
	return true;
}

static bool read_record(struct reader *r, struct str s)
{
	struct record record;

	if (!parse_record(s, &record))
		return fail_line(r, s, "expected SECONDS.NANOSECONDS THREAD: [TYPE]");
	if (r->of_processor)
		return read_switch(r, &record);
	if (r->calls.to->pass == CALL_PASS_WAITS)
		return true;
	if (str_eq(record.type, STR("entry")))
		return read_call(r, &record, CALL_ENTER);
	if (str_eq(record.type, STR("exit ")))
		return read_call(r, &record, CALL_LEAVE);
	if (str_has_prefix(record.type, STR("lost")))
		return read_lost(r, &record);
	return true;
}

/* Parses "0x0000000000000003". */
static bool parse_hex(struct str s, uint64_t *ret)
{
	static const char digits[] = "0123456789abcdef";

	if (!str_has_prefix(s, STR("0x")) || s.n == 2 || s.n > 18)
		return false;
	*ret = 0;
	for (size_t i = 2; i < s.n; i++) {
		const char *digit = memchr(digits, s.p[i], 16);

		if (digit == NULL)
			return false;
		*ret = *ret << 4 | (uint64_t)(digit - digits);
	}
	return true;
}

/* Reads "  args[0] d64: 0x0000000000000003". */
static bool read_argument(struct reader *r, struct str s)
{
	struct str front, text, what;
	struct call_value v = { .of = STR("") };
	char name[32], number[24];
	uint64_t value;

	if (!str_has_prefix(str_trim(s), STR("args[")) || !str_cut(s, ':', &front, &text) ||
	    r->calls.to->class->value == NULL)
		return true;
	text = str_trim(text);
	what = str_skip(front, str_find_last(front, STR(" ")) + 1);
	(void)snprintf(name, sizeof(name), "argument %u", ++r->argument);
	v.of = str_from(name);
	v.value = text;
	if (!str_eq(what, STR("str")) && parse_hex(text, &value)) {
		(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)value);
		v.value = str_from(number);
	}
	r->calls.to->class->value(r->calls.to, &v);
	return true;
}

static bool read_dump_line(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->in, s);

	if (r->calls.to->pass == CALL_PASS_WAITS && !r->of_processor && s.n > 0 && s.p[0] != 'r')
		return true;
	if (r->entered && call_output_wants_values(&r->calls) && str_has_prefix(s, STR("args[")))
		return read_argument(r, s);
	if (scan_literal(&c, STR("reading "))) {
		r->of_processor = !is_digit(cursor_done(&c) ? ' ' : cursor_rest(&c).p[0]);
		return true;
	}
	if (s.n > 0 && is_digit(s.p[0]))
		return read_record(r, s);
	if (str_contains(s, STR("inverted time")))
		diag_at(r->diag, DIAG_COLLECTOR_ERROR, r->in, c.at, s.n,
			"records are not in order of time");
	return true;
}

/* --- replay ------------------------------------------------------------------------ */

/* Finds the call that ends on a line: "name(12) = 3;", or a closing brace followed by a comment
 * with the name; false if no call ends here. */
static bool parse_ended(struct str s, struct str *ret)
{
	size_t open = str_find(s, STR("/* "));
	struct str name, after;

	if (s.n < sizeof("f();") - 1)
		return false;
	if (open == 0 && s.n > 6 && str_has_suffix(s, STR(" */"))) {
		name = (struct str){ s.p + 3, s.n - 6 };
		*ret = str_eq(name, STR("linux:sched-in")) ? STR("linux:schedule") : name;
		return name.n > 0;
	}
	if (str_has_prefix(s, STR("}")) && open + 6 < s.n && str_has_suffix(s, STR(" */"))) {
		*ret = (struct str){ s.p + open + 3, s.n - open - 6 };
		return ret->n > 0;
	}
	if (!str_has_suffix(s, STR(";")) || !str_cut(s, '(', &name, &after) || name.n == 0)
		return false;
	*ret = name;
	return true;
}

/* Returns the thread of "[ 15250] |", which follows the duration if there is one. */
static uint64_t replay_thread(struct str columns)
{
	size_t open = str_find(columns, STR("["));
	struct str inner, rest;
	uint64_t tid;

	if (!str_cut(str_skip(columns, open + 1), ']', &inner, &rest) ||
	    number_u64(str_trim(inner), &tid) != NUMBER_OK)
		return 0;
	return tid;
}

/* Finds the depth of "|   work() {" from its indent, two blanks per level, and first ends the calls
 * that this depth shows to be over; *ret_ended as in uftrace_depth_leave(). */
static bool leave_replayed(struct reader *r, const struct call_event *e, struct str call,
			   bool *ret_ended)
{
	uint64_t *open;
	unsigned depth = 0, was;
	bool fresh;

	*ret_ended = false;
	if (!call_output_wants_calls(&r->calls))
		return true;
	while (depth < call.n && call.p[depth] == ' ')
		depth++;
	depth /= 2;
	open = number_map_at(&r->replayed, e->thread.who, &fresh);
	was = fresh || *open == 0 ? UFTRACE_DEPTH_UNKNOWN : (unsigned)*open - 1;
	*open = (uint64_t)depth + (e->what == CALL_ENTER) + 1;
	return uftrace_depth_leave(&r->calls, was, e, depth, ret_ended);
}

/* Reads "LOST 12 records!!", in comment signs: records were lost. */
static bool read_replay_lost(struct reader *r, struct str columns, struct str call)
{
	struct pairing_slot thread = { replay_thread(columns), 0 };
	struct cursor c = cursor_at(r->in, call);
	uint64_t events = 1, *open;
	bool fresh;

	if (!scan_literal(&c, STR("/* LOST ")))
		return true;
	if (!scan_u64(&c, &events))
		events = 1;
	open = number_map_at(&r->replayed, thread.who, &fresh);
	*open = 0;
	call_output_lost(&r->calls, &thread, events);
	return build_lost(r->to, events, call);
}

/* Reads the begin of a call: "            [ 15250] | main() {". */
static bool read_replay_begin(struct reader *r, struct str s)
{
	struct call_event e = { .what = CALL_ENTER, .timeless = true, .where = s };
	struct str columns, drawn, call, after;
	bool ended;

	if (!str_cut(s, '|', &columns, &drawn))
		return true;
	call = str_trim(drawn);
	if (!str_has_suffix(call, STR("{")) || !str_cut(call, '(', &e.name, &after) ||
	    e.name.n == 0)
		return read_replay_lost(r, columns, call);
	e.thread.who = replay_thread(columns);
	return leave_replayed(r, &e, drawn, &ended) && call_output_push(&r->calls, &e);
}

/* Names scheduler events as in dumps. */
static void name_switch(const struct reader *r, struct call_event *e)
{
	if (!call_output_wants_calls(&r->calls) || !str_has_prefix(e->name, STR("linux:schedule")))
		return;
	e->kind = str_contains(e->name, STR("pre-empted")) ? CALL_IS_PREEMPTED : CALL_IS_BLOCKED;
	e->name = e->kind == CALL_IS_BLOCKED ? STR("[blocked]") : STR("[preempted]");
}

static bool read_replay_line(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->in, s);
	struct call_event e = { .what = CALL_WHOLE, .timeless = true, .where = s };
	struct str columns, call;
	bool ended = false;
	uint64_t ns;

	if (r->calls.to->pass == CALL_PASS_WAITS)
		return true; /* in a replay, waits are among the calls */
	if (s.n > 0 && s.p[0] == '[')
		return read_replay_begin(r, s);
	if (s.n == 0 || s.p[0] == '#')
		return true;
	if (memchr("+!*@$&", s.p[0], 6) != NULL)
		c.at++;
	if (!scan_uftrace_time(&c, &ns))
		return fail_line(r, s, "expected a duration or a thread");
	if (!str_cut(cursor_rest(&c), '|', &columns, &call))
		return fail_line(r, s, "expected a bar before the function");
	if (!parse_ended(str_trim(call), &e.name))
		return fail_line(r, call.n > 0 ? call : s, "a duration, but no call that ends");
	if (r->timed)
		return format_fail(r->in, r->diag, DIAG_INTERVAL_BAD, s,
				   "intervals need the time of each call: uftrace dump has it");
	if (str_has_prefix(str_trim(call), STR("}")))
		e.what = CALL_LEAVE;
	e.timed = true;
	e.thread.who = replay_thread(columns);
	e.latency = call_time_ns(ns);
	name_switch(r, &e);
	/* The indent of events is that of the thread, not of a call. */
	if (e.kind == CALL_IS_RUNNING && !leave_replayed(r, &e, call, &ended))
		return false;
	return ended || call_output_push(&r->calls, &e);
}

/* --- all lines ---------------------------------------------------------------------- */

static bool uftrace_read_lines(struct reader *r, struct stream *stream)
{
	bool ok = true;

	while (ok && stream_next(stream)) {
		struct str s = stream->lines.text;

		r->last = stream->lines.cut;
		r->replay = r->replay || is_replay_head(s);
		r->stopped = (r->stopped && !is_replay_head(s)) ||
			     (r->replay && str_has_prefix(s, STR("uftrace stopped tracing")));
		if (r->stopped)
			continue;
		ok = r->replay ? read_replay_line(r, s) : read_dump_line(r, s);
	}
	return stream_end(stream) && ok;
}

static bool finish_calls(struct reader *r, struct input *in)
{
	call_output_report(&r->calls, in, r->diag);
	if (call_output_wants_calls(&r->calls)) {
		if (r->calls.to->pass != CALL_PASS_CALLS)
			uftrace_switches_push(&r->switches, r->calls.to);
		return true;
	}
	if (r->left_out > 0)
		diag_file(r->diag, DIAG_NOT_A_HISTOGRAM, in,
			  "%llu records of processors, which are in no order of time",
			  (unsigned long long)r->left_out);
	call_output_push_nests(&r->calls, r->to);
	return accumulator_push(r->samples.accumulator, r->to);
}

static bool read_uftrace(const struct read_task *task)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .start_rate = 1e9 };
	struct reader r = { .to = task->to, .diag = task->diag, .open = UFTRACE_DEPTH_UNKNOWN };
	struct stream stream;
	bool ok;

	stream_start(&stream, task->in, task->to, task->diag);
	r.in = stream.lines.in;
	r.timed = task->options->build.interval > 0;
	samples_start(&r.samples, r.in, task->options, &kind, task->diag);
	call_output_start(&r.calls, &r.samples, task->options);
	ok = uftrace_read_lines(&r, &stream) && finish_calls(&r, task->in);
	call_output_release(&r.calls);
	samples_release(&r.samples);
	number_map_release(&r.replayed);
	uftrace_switches_release(&r.switches);
	return ok;
}

const struct format format_uftrace = {
	.name = "uftrace",
	.title = "uftrace dump, uftrace replay: function calls",
	.versions = "0.13, 0.19",
	.unit = "stated",
	.totals = "exact for dump",
	.probe = probe_uftrace,
	.calls = CALLS_WAITS_AFTER,
	.streams = true,
	.read = read_uftrace,
};
