/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jaeger: traces in JSON, as Jaeger's user interface and HTTP service export them.
 *
 *	{"data":[{"traceID":"5b","spans":[{"traceID":"5b","spanID":"09",
 *	  "operationName":"send","references":[
 *	    {"refType":"CHILD_OF","traceID":"5b","spanID":"01"}],
 *	  "startTime":1000,"duration":25,"tags":[{"key":"error","value":true}],
 *	  "processID":"p1"}],"processes":{"p1":{"serviceName":"mail"}}}]}
 *
 * Times are in microseconds.  An operation is a span's name, its layer the service.  CHILD_OF
 * names the parent of a span; FOLLOWS_FROM is a link, not a parent.
 *
 * Seen: Jaeger 1.x.  Also read: one trace without "data", and the old parentSpanID.
 */
#include "base/arena.h"
#include "formats/monitor/spans.h"

struct process {
	struct str id, service;
};

struct reader {
	struct spans s;
	struct process *process; /* processes of the current trace */
	size_t n, cap;
	struct str of;	  /* process of the current span */
	struct str value; /* value of the current tag */
};

/* Reads {"p1":{"serviceName":"mail"}}. */
static bool read_processes(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->s.j;
	struct str id;

	r->n = 0;
	for (json_object(j); json_key(j, &id);) {
		struct process p = { .id = id, .service = STR("") };
		const struct json_member members[] = { JSON_STRING("serviceName", &p.service,
								   .only = '"') };

		if (!json_members(j, members, COUNT_OF(members)))
			return false;
		r->process = arena_grow(r->s.lines.arena, r->process, &r->cap, r->n + 1, sizeof(p));
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

static bool read_reference(void *reader)
{
	struct reader *r = reader;
	struct str type = STR(""), trace = STR(""), id = STR("");
	const struct json_member members[] = { JSON_STRING("refType", &type, .only = '"'),
					       JSON_STRING("traceID", &trace, .only = '"'),
					       JSON_STRING("spanID", &id, .only = '"') };

	if (!json_members(&r->s.j, members, COUNT_OF(members)))
		return false;
	if (str_eq(type, STR("CHILD_OF")) && span_id(r->s.parent) == 0)
		r->s.parent = id;
	else if (str_eq(type, STR("FOLLOWS_FROM")))
		span_link(&r->s, trace, id);
	return true;
}

static bool read_value(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->s.j;
	size_t from = json_begin(j);

	if (json_peek(j) == '"')
		return json_string(j, &r->value);
	if (!json_skip(j))
		return false;
	r->value = json_since(j, from);
	return true;
}

static bool read_tag(void *reader)
{
	struct reader *r = reader;
	struct str name = STR("");
	const struct json_member members[] = { JSON_STRING("key", &name, .only = '"'),
					       JSON_READ("value", read_value, r) };

	r->value = STR("");
	if (!json_members(&r->s.j, members, COUNT_OF(members)))
		return false;
	if (name.n > 0)
		span_value(&r->s, name, r->value);
	return true;
}

static bool read_span(void *reader)
{
	struct reader *r = reader;
	struct spans *s = &r->s;
	struct str took = { NULL, 0 };
	struct call_time duration = { 0, 0 };
	const struct json_member members[] = {
		JSON_STRING("traceID", &s->trace, .only = '"'),
		JSON_STRING("spanID", &s->id, .only = '"'),
		JSON_STRING("parentSpanID", &s->parent, .only = '"'),
		JSON_STRING("operationName", &s->span.name, .only = '"'),
		JSON_EACH("references", read_reference, r, .only = '['),
		JSON_EACH("tags", read_tag, r, .only = '['),
		JSON_TEXT_IN_PLACE("startTime", &s->start),
		JSON_TEXT_IN_PLACE("duration", &took),
		JSON_STRING("processID", &r->of, .only = '"'),
	};

	span_begin(s);
	r->of = STR("");
	if (!json_members(&s->j, members, COUNT_OF(members)) ||
	    !span_time(s, s->start, 1000, &s->span.start) || !span_time(s, took, 1000, &duration))
		return false;
	span_ids(s);
	s->end = took;
	if (duration.ns > INT64_MAX / 2 - s->span.start.ns)
		return lines_fail(&s->lines, DIAG_NUMBER_RANGE, s->end, "it ends beyond 292 years");
	s->span.end.ns = s->span.start.ns + duration.ns;
	s->span.end.part = s->span.start.part + duration.part;
	if (s->span.end.part >= 1000000000) {
		s->span.end.part -= 1000000000;
		s->span.end.ns++;
	}
	s->span.service = service_of(r);
	return span_push(s);
}

/* Processes come after the spans that refer to them, so the spans are read last. */
static bool read_trace(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->s.j, spans, after;
	bool any = false;
	const struct json_member members[] = {
		JSON_READ("processes", read_processes, r),
		JSON_MARK("spans", &spans, &any),
		JSON_EACH("data", read_trace, r, .only = '['),
	};

	r->n = 0;
	if (!json_members(j, members, COUNT_OF(members) - (j->depth > 0)))
		return false;
	if (!any || json_peek(&spans) != '[')
		return true;
	after = *j;
	*j = spans;
	if (!json_each(j, read_span, r))
		return false;
	*j = after;
	return true;
}

static bool jaeger_text(void *reader)
{
	struct reader *r = reader;
	bool ok = true;

	lines_json(&r->s.lines, &r->s.j);
	while (ok && json_peek(&r->s.j) != '\0')
		ok = read_trace(r);
	return ok && !r->s.j.failed;
}

const struct format format_jaeger = {
	.name = "jaeger",
	.title = "traces of Jaeger, as JSON",
	.versions = "1.x",
	.unit = "stated",
	.totals = "exact",
	.suffix = SUFFIXES(".json"),
	.calls = CALLS_SPANS,
	.marks = MARKS("{", "\"traceID\"", "\"spans\"", "\"operationName\""),
	.read = lines_read,
	.spec = SPANS(struct reader, jaeger_text),
};
