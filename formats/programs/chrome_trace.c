/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chrome-trace: the trace event format of Chrome's tracing page, written by uftrace dump --chrome
 * and many others.
 *
 *	{"traceEvents":[
 *	{"ts":4046125168.771,"ph":"B","pid":15250,"name":"main"},
 *	{"ts":4046125224.014,"ph":"X","dur":0.31,"pid":15250,"tid":15251,"name":"work"},
 *	{"ts":4046127628.440,"ph":"E","pid":15250,"name":"main"}
 *	], "displayTimeUnit": "ns"}
 *
 * A call is a begin (B) and an end (E) on one thread, properly nested, or a complete event (X); an
 * end may omit its name.  Asynchronous events (b and e, S and F) are calls of their category and
 * id, which are treated like a thread.  Times are in microseconds, with any number of decimals.
 * Events may come in any order.  A note counts the unmatched begins and ends.  A bare array of
 * events may lack its end.  Flows (s, t, f) show which call of another thread works on behalf of
 * a waiting call.
 *
 * Seen: uftrace 0.13 and 0.19, clang 14, the format's public description.  Counters and samples are
 * left out, and so are the sums of clang -ftime-trace, "Total Frontend", which are no calls.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/input/blocks.h"
#include "base/json.h"
#include "formats/call_latencies.h"
#include "formats/lines.h"

enum {
	SEARCHED = 4096, /* bytes at the beginning that are searched for known names */
	MAX_VALUES = 16, /* values of an event; further ones are left out */
};

/* Returns the first character after blanks and newlines; NUL if there is none. */
static char first_in(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (strchr(" \t\r\n", s.p[i]) == NULL)
			return s.p[i];
	}
	return '\0';
}

static bool chrome_trace_is_one(struct str head)
{
	struct str s = str_trim(head);

	if (s.n > SEARCHED)
		s.n = SEARCHED;
	if (str_has_prefix(s, STR("[")))
		return first_in(str_skip(s, 1)) == '{' && str_contains(s, STR("\"ph\"")) &&
		       str_contains(s, STR("\"ts\""));
	return str_has_prefix(s, STR("{")) && str_contains(s, STR("\"traceEvents\""));
}

/* --- reading ---------------------------------------------------------------------- */

struct event {
	struct str where; /* the event */
	struct str name;
	struct str ts, dur;   /* raw text; empty: missing */
	struct str arguments; /* uftrace's, "(3, 4)" */
	struct call_value value[MAX_VALUES];
	unsigned n_values;
	char phase;    /* NUL: none */
	bool is_sum;   /* of many calls, by clang */
	bool encloses; /* a flow ends in the current call, not at the next one */
	struct pairing_slot thread;
	uint64_t id, category; /* hashes, for asynchronous events */
};

/* The position of the parser; a step goes from one of these to the next. */
enum scope { AT_START, IN_DOCUMENT, IN_EVENTS, AT_END };

struct reader {
	struct lines lines;
	struct call_output *calls;
	struct blocks blocks;
	struct block block;
	struct json j; /* in the current block */
	enum scope scope;
	bool any;  /* traceEvents was found */
	bool bare; /* the document is just an array of events */
};

static uint64_t hash_of(struct str s)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < s.n; i++)
		hash = (hash ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
	return hash;
}

/* Reads a thread: a number, or a string that is used like one. */
static bool read_thread(struct reader *r, uint64_t *ret)
{
	struct str s;
	int64_t number;

	if (json_peek(&r->j) != '"') {
		if (!json_i64(&r->j, &number))
			return false;
		*ret = (uint64_t)number;
		return true;
	}
	if (!json_string(&r->j, &s))
		return false;
	*ret = hash_of(s);
	return true;
}

/* Reads {"local":"0x1"}, which is local to a process, or {"global":"0x1"}. */
static bool read_id(struct reader *r, struct event *e)
{
	struct str key;
	uint64_t id;

	if (json_peek(&r->j) != '{')
		return read_thread(r, &e->id);
	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!read_thread(r, &id))
			return false;
		e->id = id ^ hash_of(key);
	}
	return !r->j.failed;
}

/* Reads a number, a string or a Boolean; other values are left out. */
static bool read_value(struct reader *r, struct str key, struct event *e)
{
	struct call_value v = { .of = key };
	int next = json_peek(&r->j);
	size_t from = r->j.c.at;

	if (e->n_values == MAX_VALUES || next == '{' || next == '[' || next == 'n')
		return json_skip(&r->j);
	if (next == '"') {
		if (!json_string(&r->j, &v.value))
			return false;
	} else {
		if (!json_skip(&r->j))
			return false;
		v.value = str_trim(json_since(&r->j, from));
	}
	e->value[e->n_values++] = v;
	return true;
}

/* Reads {"arguments":"(3)"}, {"bytes":4096}. */
static bool read_arguments(struct reader *r, struct event *e)
{
	struct str key;

	if (json_peek(&r->j) != '{')
		return json_skip(&r->j);
	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (str_eq(key, STR("arguments")) && json_peek(&r->j) == '"') {
			if (!json_string(&r->j, &e->arguments))
				return false;
		} else if (!read_value(r, key, e)) {
			return false;
		}
	}
	return !r->j.failed;
}

/* Whether clang's name and arguments are those of a sum, {"count":9,"avg ms":0}, which is printed as
 * a call on a thread of its own.  The arguments are read again later. */
static bool find_sum(struct reader *r, struct event *e)
{
	struct json ahead = r->j;
	struct str key;

	if (!str_has_prefix(e->name, STR("Total ")) || json_peek(&ahead) != '{')
		return true;
	for (json_object(&ahead); json_key(&ahead, &key);) {
		e->is_sum |= str_eq(key, STR("avg ms"));
		if (!json_skip(&ahead))
			return false;
	}
	return !ahead.failed;
}

/* Reads "bp":"e". */
static bool read_binding(struct reader *r, struct event *e)
{
	struct str binding;

	if (!json_string(&r->j, &binding))
		return false;
	e->encloses = str_eq(binding, STR("e"));
	return true;
}

static bool chrome_trace_read_member(struct reader *r, struct str key, struct event *e)
{
	struct str phase;

	if (str_eq(key, STR("name")))
		return json_string(&r->j, &e->name);
	if (str_eq(key, STR("ts")))
		return json_number(&r->j, &e->ts);
	if (str_eq(key, STR("dur")))
		return json_number(&r->j, &e->dur);
	if (str_eq(key, STR("pid")))
		return read_thread(r, &e->thread.who);
	if (str_eq(key, STR("tid")))
		return read_thread(r, &e->thread.what);
	if (str_eq(key, STR("id")) || str_eq(key, STR("id2")))
		return read_id(r, e);
	if (str_eq(key, STR("cat")) && json_peek(&r->j) == '"')
		return read_thread(r, &e->category);
	if (str_eq(key, STR("bp")) && json_peek(&r->j) == '"')
		return read_binding(r, e);
	if (str_eq(key, STR("args")))
		return find_sum(r, e) && (call_output_wants_values(r->calls) ? read_arguments(r, e)
									     : json_skip(&r->j));
	if (!str_eq(key, STR("ph")))
		return json_skip(&r->j);
	if (!json_string(&r->j, &phase))
		return false;
	e->phase = phase.n == 1 ? phase.p[0] : '\0';
	return true;
}

/* Converts a time in us to ns. */
static bool chrome_trace_take_time(struct reader *r, const struct event *e, struct str s,
				   const char *what, struct call_time *ret_ns)
{
	struct decimal us;

	if (s.n == 0)
		return format_fail(&r->block.part, r->lines.diag, DIAG_LINE_UNEXPECTED, e->where,
				   "an event without `%s`", what);
	if (number_decimal(s, &us) != NUMBER_OK || !decimal_times(us, 1000, &us) ||
	    !call_time_from(us, ret_ns))
		return format_fail(&r->block.part, r->lines.diag, DIAG_NUMBER_BAD, s,
				   "expected microseconds");
	return true;
}

/* Splits the text at commas that are not in quotes. */
static void push_arguments(struct reader *r, struct str text)
{
	struct call_value v;
	unsigned number = 0;
	char name[32];

	if (r->calls->to->class->value == NULL || text.n < 3 || text.p[0] != '(')
		return;
	text = (struct str){ text.p + 1, text.n - 2 };
	while (text.n > 0) {
		size_t at = 0;
		bool quoted = false;

		for (; at < text.n && (quoted || text.p[at] != ','); at++)
			quoted ^= text.p[at] == '"';
		(void)snprintf(name, sizeof(name), "argument %u", ++number);
		v = (struct call_value){ str_from(name), str_trim((struct str){ text.p, at }) };
		r->calls->to->class->value(r->calls->to, &v);
		text = str_skip(text, at + 1);
	}
}

/* Recognizes uftrace's name for scheduler events. */
static void name_switch(const struct reader *r, struct call_event *c)
{
	if (!call_output_wants_calls(r->calls) || !str_eq(c->name, STR("linux:schedule")))
		return;
	c->name = STR("[blocked]");
	c->kind = CALL_IS_BLOCKED;
}

/* Whether an event concerns a call; finds what it means. */
static bool is_of_call(const struct event *e, enum call_what *ret, bool *ret_async)
{
	static const struct {
		char phase;
		enum call_what what;
		bool async;
	} phases[] = {
		{ 'B', CALL_ENTER, false }, { 'E', CALL_LEAVE, false }, { 'X', CALL_WHOLE, false },
		{ 'b', CALL_ENTER, true },  { 'e', CALL_LEAVE, true },	{ 'S', CALL_ENTER, true },
		{ 'F', CALL_LEAVE, true },
	};

	for (size_t i = 0; i < COUNT_OF(phases); i++) {
		if (phases[i].phase != e->phase)
			continue;
		*ret = phases[i].what;
		*ret_async = phases[i].async;
		return true;
	}
	return false;
}

/* For asynchronous events, returns a slot that is larger than any thread number. */
static struct pairing_slot slot_of(const struct event *e, bool async)
{
	if (!async)
		return e->thread;
	return (struct pairing_slot){ e->id, e->category | (uint64_t)1 << 63 };
}

/* Passes a flow to the sink, unless the sink has no use for flows, as when reading latencies. */
static bool take_flow(struct reader *r, const struct event *e)
{
	struct call_flow f = { .what = e->phase == 's'	 ? CALL_FLOW_START
				       : e->phase == 't' ? CALL_FLOW_STEP
							 : CALL_FLOW_END,
			       .next = e->phase == 'f' && !e->encloses,
			       .thread = e->thread,
			       .id = e->id ^ e->category * UINT64_C(1099511628211) };
	struct call_time at;

	if (r->calls->to->class->flow == NULL)
		return true;
	if (!chrome_trace_take_time(r, e, e->ts, "ts", &at))
		return false;
	f.at = at.ns;
	r->calls->to->class->flow(r->calls->to, &f);
	return true;
}

static bool take_event(struct reader *r, const struct event *e)
{
	struct call_event c = { .unordered = true, .name = e->name, .where = e->where };
	bool async;

	if (e->phase == 's' || e->phase == 't' || e->phase == 'f')
		return take_flow(r, e);
	if (!is_of_call(e, &c.what, &async))
		return true;
	if (e->is_sum) {
		r->lines.left_out++;
		return true;
	}
	c.thread = slot_of(e, async);
	if (!chrome_trace_take_time(r, e, e->ts, "ts", &c.at))
		return false;
	if (e->phase == 'X') {
		if (!chrome_trace_take_time(r, e, e->dur, "dur", &c.latency))
			return false;
		if (c.latency.ns < 0 && call_output_wants_calls(r->calls))
			return format_fail(&r->block.part, r->lines.diag, DIAG_NUMBER_RANGE, e->dur,
					   "a call cannot end before it starts");
		c.timed = true;
	}
	name_switch(r, &c);
	if (!call_output_push(r->calls, &c))
		return false;
	if (c.what == CALL_LEAVE)
		return true;
	if (e->arguments.n > 0)
		push_arguments(r, e->arguments);
	for (unsigned i = 0; r->calls->to->class->value != NULL && i < e->n_values; i++)
		r->calls->to->class->value(r->calls->to, &e->value[i]);
	return true;
}

static bool read_event(struct reader *r, struct event *e)
{
	size_t from = r->j.c.at;
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!chrome_trace_read_member(r, key, e))
			return false;
	}
	e->where = json_since(&r->j, from);
	return !r->j.failed;
}

/* --- steps: the units that must be in memory at once ------------------------------ */

static bool step_over_member(struct reader *r)
{
	struct str key;

	if (!json_key(&r->j, &key)) {
		r->scope = AT_END;
		return !r->j.failed;
	}
	if (!str_eq(key, STR("traceEvents")))
		return json_skip(&r->j);
	r->any = true;
	r->scope = IN_EVENTS;
	return json_open(&r->j, '[');
}

static bool step_scope(struct reader *r, struct event *e)
{
	*e = (struct event){ .phase = '\0' };
	switch (r->scope) {
	case AT_START:
		r->bare = json_peek(&r->j) == '[';
		r->any = r->bare;
		r->scope = r->bare ? IN_EVENTS : IN_DOCUMENT;
		return json_open(&r->j, r->bare ? '[' : '{');
	case IN_DOCUMENT:
		return step_over_member(r);
	case IN_EVENTS:
		if (json_item(&r->j))
			return read_event(r, e);
		r->scope = r->bare ? AT_END : IN_DOCUMENT;
		return !r->j.failed;
	case AT_END:
		break;
	}
	return true;
}

/* Extends the block; the cursor keeps its position. */
static bool take_more(struct reader *r)
{
	struct str bytes = r->block.part.bytes;
	size_t at = r->j.c.at, line = at;

	while (line > 0 && bytes.p[line - 1] != '\n')
		line--;
	blocks_again(&r->blocks, &r->block, line);
	if (blocks_next(&r->blocks, &r->block, r->lines.diag) != BLOCK_TAKEN)
		return false;
	r->j.c = cursor_on(&r->block.part);
	r->j.c.at = at - line;
	return true;
}

static void note_end(void *ran_out, const struct diag_msg *msg)
{
	*(bool *)ran_out = msg->code == DIAG_INPUT_TRUNCATED;
}

/* Takes a step.  If the block ends within it, the step is repeated with more input. */
static bool step_somehow(struct reader *r, struct event *e)
{
	struct json before = r->j;
	enum scope scope = r->scope;

	while (!r->blocks.ended) {
		bool ran_out = false;
		struct diag unknown = { .emit = note_end, .ctx = &ran_out };

		r->j.diag = &unknown;
		if (step_scope(r, e))
			return true;
		r->j = before;
		r->scope = scope;
		if (!ran_out)
			break;
		if (!take_more(r))
			return false;
		before.c = r->j.c;
	}
	r->j.diag = r->lines.diag;
	return step_scope(r, e);
}

static bool chrome_trace_read_document(struct reader *r)
{
	struct event e;

	while (r->scope != AT_END) {
		if (!step_somehow(r, &e) || !take_event(r, &e))
			return false;
		arena_clear(r->lines.arena);
	}
	r->j.diag = r->lines.diag;
	return true;
}

/* Checks that nothing follows the document. */
static bool read_end(struct reader *r)
{
	enum block_next what = BLOCK_TAKEN;

	while (what == BLOCK_TAKEN) {
		if (!json_end(&r->j))
			return false;
		what = blocks_next(&r->blocks, &r->block, r->lines.diag);
		if (what == BLOCK_TAKEN)
			r->j.c = cursor_on(&r->block.part);
	}
	return what == BLOCK_END;
}

static void chrome_trace_start(void *reader)
{
	struct reader *r = reader;

	r->calls = r->lines.calls;
	r->lines.samples.in = &r->block.part;
	blocks_start(&r->blocks, r->lines.in, 0, '\0');
}

static bool chrome_trace_text(void *reader)
{
	struct reader *r = reader;
	struct input *in = r->lines.in;

	if (blocks_next(&r->blocks, &r->block, r->lines.diag) != BLOCK_TAKEN)
		return false;
	json_start(&r->j, cursor_on(&r->block.part), r->lines.arena, r->lines.diag);
	if (!chrome_trace_read_document(r) || !read_end(r))
		return false;
	if (!r->any)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, (struct str){ in->bytes.p, 1 },
				  "no `traceEvents` in it");
	call_output_report(r->calls, in, r->lines.diag);
	return true;
}

static void chrome_trace_release(void *reader)
{
	struct reader *r = reader;

	block_release(&r->block);
	blocks_release(&r->blocks);
}

const struct format format_chrome_trace = {
	.name = "chrome-trace",
	.title = "Chrome trace events, as of uftrace dump --chrome",
	.versions = "uftrace 0.13, 0.19, clang 14",
	.unit = "stated",
	.totals = "exact",
	.suffix = SUFFIXES(".json"),
	.calls = CALLS_UNORDERED,
	.is_one = chrome_trace_is_one,
	.streams = true,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = chrome_trace_start,
					     .end = chrome_trace_text,
					     .release = chrome_trace_release,
					     .sampling = &samples_ns,
					     .calls = true,
					     .left_out = "sums of clang, which are no calls:" },
};
