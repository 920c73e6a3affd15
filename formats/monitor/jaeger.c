/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jaeger: traces as Jaeger's interface and its HTTP service give them, in JSON.
 *
 *	{"data":[{"traceID":"5b","spans":[{"traceID":"5b","spanID":"09",
 *	  "operationName":"send","references":[
 *	    {"refType":"CHILD_OF","traceID":"5b","spanID":"01"}],
 *	  "startTime":1000,"duration":25,"tags":[{"key":"error","value":true}],
 *	  "processID":"p1"}],"processes":{"p1":{"serviceName":"mail"}}}]}
 *
 * Times are microseconds.  An operation is a span's name, its layer the service.  A span is
 * below the one that it is CHILD_OF; FOLLOWS_FROM is no caller.
 *
 * Seen: Jaeger 1.x.  Also read: one trace without "data", parentSpanID of old.
 */
#include "base/arena.h"
#include "formats/monitor/spans.h"

static const char *const suffixes[] = { ".json", NULL };

struct process {
	struct str id, service;
};

struct reader {
	struct spans s;
	struct process *process; /* of the current trace */
	size_t n, cap;
	struct str of; /* the process of the current span */
};

/* {"p1":{"serviceName":"mail"}} */
static bool read_processes(struct reader *r)
{
	struct json *j = &r->s.j;
	struct str id, key;

	r->n = 0;
	for (json_object(j); json_key(j, &id);) {
		struct process p = { .id = id, .service = STR("") };

		for (json_object(j); json_key(j, &key);) {
			if (str_eq(key, STR("serviceName")) ? !span_string(&r->s, &p.service)
							    : !json_skip(j))
				return false;
		}
		r->process = arena_grow(r->s.arena, r->process, &r->cap, r->n + 1, sizeof(p));
		r->process[r->n++] = p;
	}
	return !j->failed;
}

static struct str service_of(const struct reader *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (str_eq(r->process[i].id, r->of))
			return r->process[i].service;
	}
	return STR("");
}

static bool read_reference(struct reader *r)
{
	struct json *j = &r->s.j;
	struct str key, type = STR(""), id = STR("");

	for (json_object(j); json_key(j, &key);) {
		if (str_eq(key, STR("refType"))	 ? !span_string(&r->s, &type)
		    : str_eq(key, STR("spanID")) ? !span_string(&r->s, &id)
						 : !json_skip(j))
			return false;
	}
	if (str_eq(type, STR("CHILD_OF")) && r->s.span.parent == 0)
		r->s.span.parent = span_id(id);
	return !j->failed;
}

static bool read_tag(struct reader *r)
{
	struct json *j = &r->s.j;
	struct str key, name = STR(""), value = STR("");

	for (json_object(j); json_key(j, &key);) {
		if (str_eq(key, STR("key"))) {
			if (!span_string(&r->s, &name))
				return false;
		} else if (str_eq(key, STR("value")) && json_peek(j) != '"') {
			size_t from = json_begin(j);

			if (!json_skip(j))
				return false;
			value = json_since(j, from);
		} else if (str_eq(key, STR("value"))) {
			if (!json_string(j, &value))
				return false;
		} else if (!json_skip(j)) {
			return false;
		}
	}
	if (name.n > 0)
		span_value(&r->s, name, value);
	return !j->failed;
}

static bool read_list(struct reader *r, bool (*read)(struct reader *r))
{
	struct json *j = &r->s.j;

	if (json_peek(j) != '[')
		return json_skip(j);
	for (json_array(j); json_item(j);) {
		if (!read(r))
			return false;
	}
	return !j->failed;
}

/* ret_text NULL: nobody asks. */
static bool read_id(struct reader *r, uint64_t *ret, struct str *ret_text)
{
	struct str text = STR("");

	if (!span_string(&r->s, &text))
		return false;
	*ret = span_id(text);
	if (ret_text != NULL)
		*ret_text = text;
	return true;
}

static bool jaeger_read_member(struct reader *r, struct str key, struct call_time *duration)
{
	struct call_span *span = &r->s.span;

	if (str_eq(key, STR("traceID")))
		return read_id(r, &span->trace[0], &span->trace_name);
	if (str_eq(key, STR("spanID")))
		return read_id(r, &span->id, NULL);
	if (str_eq(key, STR("parentSpanID")))
		return read_id(r, &span->parent, NULL);
	if (str_eq(key, STR("operationName")))
		return span_string(&r->s, &span->name);
	if (str_eq(key, STR("references")))
		return read_list(r, read_reference);
	if (str_eq(key, STR("tags")))
		return read_list(r, read_tag);
	if (str_eq(key, STR("startTime")))
		return span_time(&r->s, 1000, &span->start, &r->s.start);
	if (str_eq(key, STR("duration")))
		return span_time(&r->s, 1000, duration, &r->s.end);
	if (str_eq(key, STR("processID")))
		return span_string(&r->s, &r->of);
	return json_skip(&r->s.j);
}

static bool read_span(struct reader *r)
{
	struct call_time duration = { 0, 0 };
	struct str key;

	span_begin(&r->s);
	r->of = STR("");
	for (json_object(&r->s.j); json_key(&r->s.j, &key);) {
		if (!jaeger_read_member(r, key, &duration))
			return false;
	}
	if (r->s.j.failed)
		return false;
	if (duration.ns > INT64_MAX / 2 - r->s.span.start.ns)
		return format_fail(r->s.in, r->s.diag, DIAG_NUMBER_RANGE, r->s.end,
				   "it ends beyond 292 years");
	r->s.span.end.ns = r->s.span.start.ns + duration.ns;
	r->s.span.end.part = r->s.span.start.part + duration.part;
	if (r->s.span.end.part >= 1000000000) {
		r->s.span.end.part -= 1000000000;
		r->s.span.end.ns++;
	}
	r->s.span.service = service_of(r);
	return span_push(&r->s);
}

/* Processes stand after the spans: these are looked at when the former are known. */
static bool read_trace(struct reader *r, bool *ret_data);

static bool read_one(struct reader *r)
{
	bool ignored;

	return read_trace(r, &ignored);
}

static bool read_trace(struct reader *r, bool *ret_data)
{
	struct json *j = &r->s.j, spans, after;
	bool any = false;
	struct str key;

	*ret_data = false;
	r->n = 0;
	for (json_object(j); json_key(j, &key);) {
		bool ok;

		if (str_eq(key, STR("data")) && j->depth == 1) {
			*ret_data = true;
			ok = read_list(r, read_one);
		} else if (str_eq(key, STR("processes"))) {
			ok = read_processes(r);
		} else {
			if (str_eq(key, STR("spans"))) {
				spans = *j;
				any = true;
			}
			ok = json_skip(j);
		}
		if (!ok)
			return false;
	}
	if (j->failed || !any)
		return !j->failed;
	after = *j;
	*j = spans;
	if (!read_list(r, read_span))
		return false;
	*j = after;
	return true;
}

static bool read_jaeger(const struct read_task *task)
{
	struct reader r = { .n = 0 };
	bool ok = true, data;

	spans_start(&r.s, task->in, task->options, task->to, task->diag);
	while (ok && json_peek(&r.s.j) != '\0')
		ok = read_trace(&r, &data);
	return spans_end(&r.s, ok && !r.s.j.failed);
}

const struct format format_jaeger = {
	.name = "jaeger",
	.title = "traces of Jaeger, as JSON",
	.versions = "1.x",
	.unit = "stated",
	.totals = "exact",
	.suffix = suffixes,
	.calls = CALLS_SPANS,
	.marks = MARKS("{", "\"traceID\"", "\"spans\"", "\"operationName\""),
	.read = read_jaeger,
};
