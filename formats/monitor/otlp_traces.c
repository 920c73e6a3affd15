/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otlp-traces: spans of OpenTelemetry in JSON, one document or one per line, as written by the
 * collector's file exporter.
 *
 *	{"resourceSpans":[{"resource":{"attributes":[
 *	    {"key":"service.name","value":{"stringValue":"mail"}}]},
 *	  "scopeSpans":[{"spans":[{"traceId":"5b00","spanId":"09","parentSpanId":"01",
 *	    "name":"send","startTimeUnixNano":"1000","endTimeUnixNano":"2500",
 *	    "attributes":[{"key":"http.method","value":{"stringValue":"GET"}}]}]}]}]}
 *
 * An operation is a span's name, its layer the service.  Spans may come in any order; a trace may
 * be spread over several files and lines.  Events are left out.
 *
 * Seen: the specification 1.x, files of simulated services.  Also read: names with underscores,
 * and the old instrumentationLibrarySpans.
 */
#include <string.h>

#include "formats/monitor/spans.h"

/* A collector's file may begin with log lines or empty lines. */
static bool otlp_traces_is_one(struct str head)
{
	struct str s = head;

	while (s.n > 0 && memchr(" \n\r\t{}", s.p[0], 6) != NULL)
		s = str_skip(s, 1);
	if (s.p == head.p)
		return false;
	if (str_has_prefix(s, STR("\"resourceLogs\"")) ||
	    str_has_prefix(s, STR("\"resource_logs\"")))
		return str_contains(s, STR("\"resourceSpans\"")) ||
		       str_contains(s, STR("\"resource_spans\""));
	return str_has_prefix(s, STR("\"resourceSpans\"")) ||
	       str_has_prefix(s, STR("\"resource_spans\""));
}

struct reader {
	struct spans s;
	struct str value; /* value of the current attribute */
};

/* Reads {"stringValue":"GET"}, {"intValue":"7"}. */
static bool read_value(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->s.j;
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j);
		char first = json_peek(j);

		if (first == '"' ? !json_string(j, &r->value) : !json_skip(j))
			return false;
		if (first != '"' && first != '{' && first != '[')
			r->value = json_since(j, from);
	}
	return !j->failed;
}

static bool read_attribute(struct reader *r, struct str *ret_name)
{
	const struct json_member members[] = { JSON_STRING("key", ret_name, .only = '"'),
					       JSON_READ("value", read_value, r, .only = '{') };

	*ret_name = r->value = STR("");
	return json_members(&r->s.j, members, COUNT_OF(members));
}

static bool read_span_attribute(void *reader)
{
	struct reader *r = reader;
	struct str name;

	if (!read_attribute(r, &name))
		return false;
	if (name.n > 0)
		span_value(&r->s, name, r->value);
	return true;
}

/* Reads {"traceId":"5b00","spanId":"09"}. */
static bool read_link(void *reader)
{
	struct reader *r = reader;
	struct str trace = STR(""), id = STR("");
	const struct json_member members[] = {
		JSON_STRING("traceId", &trace, .only = '"'),
		JSON_STRING("spanId", &id, .only = '"'),
		JSON_STRING("trace_id", &trace, .only = '"'),
		JSON_STRING("span_id", &id, .only = '"'),
	};

	if (!json_members(&r->s.j, members, COUNT_OF(members)))
		return false;
	span_link(&r->s, trace, id);
	return true;
}

static bool read_resource_attribute(void *reader)
{
	struct reader *r = reader;
	struct str name;

	if (!read_attribute(r, &name))
		return false;
	if (str_eq(name, STR("service.name")))
		r->s.span.service = r->value;
	return true;
}

static bool read_span(void *reader)
{
	struct reader *r = reader;
	struct spans *s = &r->s;
	const struct json_member members[] = {
		JSON_STRING("traceId", &s->trace, .only = '"'),
		JSON_STRING("spanId", &s->id, .only = '"'),
		JSON_STRING("parentSpanId", &s->parent, .only = '"'),
		JSON_STRING("name", &s->span.name, .only = '"'),
		JSON_TEXT_IN_PLACE("startTimeUnixNano", &s->start),
		JSON_TEXT_IN_PLACE("endTimeUnixNano", &s->end),
		JSON_EACH("attributes", read_span_attribute, r, .only = '['),
		JSON_EACH("links", read_link, r, .only = '['),
		JSON_STRING("trace_id", &s->trace, .only = '"'),
		JSON_STRING("span_id", &s->id, .only = '"'),
		JSON_STRING("parent_span_id", &s->parent, .only = '"'),
		JSON_TEXT_IN_PLACE("start_time_unix_nano", &s->start),
		JSON_TEXT_IN_PLACE("end_time_unix_nano", &s->end),
	};

	span_begin(s);
	if (!json_members(&s->j, members, COUNT_OF(members)))
		return false;
	span_ids(s);
	return span_time(s, s->start, 1, &s->span.start) && span_time(s, s->end, 1, &s->span.end) &&
	       span_push(s);
}

static bool read_scope(void *reader)
{
	struct reader *r = reader;
	const struct json_member members[] = { JSON_EACH("spans", read_span, r) };

	return json_members(&r->s.j, members, COUNT_OF(members));
}

/* The service may come after its spans, so the spans are read last. */
static bool read_resource(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->s.j, scopes, after;
	bool any = false;
	const struct json_member resource[] = {
		JSON_EACH("attributes", read_resource_attribute, r),
	};
	const struct json_member members[] = {
		JSON_OBJECT("resource", resource),
		JSON_MARK("scopeSpans", &scopes, &any),
		JSON_MARK("scope_spans", &scopes, &any),
		JSON_MARK("instrumentationLibrarySpans", &scopes, &any),
		JSON_MARK("instrumentation_library_spans", &scopes, &any),
	};

	r->s.span.service = STR("");
	if (!json_members(j, members, COUNT_OF(members)) || !any)
		return !j->failed;
	after = *j;
	*j = scopes;
	if (!json_each(j, read_scope, r))
		return false;
	*j = after;
	return true;
}

static bool otlp_traces_text(void *reader)
{
	struct reader *r = reader;
	const struct json_member members[] = { JSON_EACH("resourceSpans", read_resource, r),
					       JSON_EACH("resource_spans", read_resource, r) };
	bool ok = true;

	lines_json(&r->s.lines, &r->s.j);
	while (ok && json_peek(&r->s.j) != '\0')
		ok = json_members(&r->s.j, members, COUNT_OF(members));
	return ok && !r->s.j.failed;
}

const struct format format_otlp_traces = {
	.name = "otlp-traces",
	.title = "spans of OpenTelemetry, as JSON",
	.versions = "1.x",
	.unit = "stated",
	.totals = "exact",
	.calls = CALLS_SPANS,
	.is_one = otlp_traces_is_one,
	.read = lines_read,
	.spec = SPANS(struct reader, otlp_traces_text),
};
