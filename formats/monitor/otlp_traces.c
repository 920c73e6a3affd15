/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otlp-traces: spans of OpenTelemetry as JSON, one document or one a line, as the file
 * exporter of the collector writes them.
 *
 *	{"resourceSpans":[{"resource":{"attributes":[
 *	    {"key":"service.name","value":{"stringValue":"mail"}}]},
 *	  "scopeSpans":[{"spans":[{"traceId":"5b00","spanId":"09","parentSpanId":"01",
 *	    "name":"send","startTimeUnixNano":"1000","endTimeUnixNano":"2500",
 *	    "attributes":[{"key":"http.method","value":{"stringValue":"GET"}}]}]}]}]}
 *
 * An operation is a span's name, its layer the service.  Spans may come in any order, those
 * of a trace from several files and lines.  Links and events are left out.
 *
 * Seen: the specification 1.x, files of simulated services.  Also read: names with
 * underscores, instrumentationLibrarySpans of old.
 */
#include <string.h>

#include "formats/monitor/spans.h"

/* A collector's file may begin with lines of logs, or with empty ones. */
static enum probe probe_otlp_traces(struct str head, struct clue *clue)
{
	struct str s = head;

	(void)clue;
	while (s.n > 0 && memchr(" \n\r\t{}", s.p[0], 6) != NULL)
		s = str_skip(s, 1);
	if (s.p > head.p && (str_has_prefix(s, STR("\"resourceLogs\"")) ||
			     str_has_prefix(s, STR("\"resource_logs\""))))
		return str_contains(s, STR("\"resourceSpans\"")) ||
				       str_contains(s, STR("\"resource_spans\""))
			       ? PROBE_MAGIC
			       : PROBE_NO;
	if (str_has_prefix(s, STR("\"resourceSpans\"")) ||
	    str_has_prefix(s, STR("\"resource_spans\"")))
		return s.p > head.p ? PROBE_MAGIC : PROBE_NO;
	return PROBE_NO;
}

static bool is_key(struct str key, const char *camel, const char *snake)
{
	return str_eq(key, str_from(camel)) || str_eq(key, str_from(snake));
}

/* {"stringValue":"GET"}, {"intValue":"7"} */
static bool read_value(struct spans *s, struct str *ret)
{
	struct str key;

	if (json_peek(&s->j) != '{')
		return json_skip(&s->j);
	for (json_object(&s->j); json_key(&s->j, &key);) {
		char first = json_peek(&s->j);

		if (first == '{' || first == '[') {
			if (!json_skip(&s->j))
				return false;
		} else {
			size_t from = json_begin(&s->j);

			if (first == '"' ? !json_string(&s->j, ret) : !json_skip(&s->j))
				return false;
			if (first != '"')
				*ret = json_since(&s->j, from);
		}
	}
	return !s->j.failed;
}

/* One of attributes; of a resource, only its service's name counts. */
static bool read_attribute(struct spans *s, bool resource)
{
	struct str key, name = STR(""), value = STR("");

	for (json_object(&s->j); json_key(&s->j, &key);) {
		if (str_eq(key, STR("key"))	? !span_string(s, &name)
		    : str_eq(key, STR("value")) ? !read_value(s, &value)
						: !json_skip(&s->j))
			return false;
	}
	if (s->j.failed)
		return false;
	if (resource && str_eq(name, STR("service.name")))
		s->span.service = value;
	else if (!resource && name.n > 0)
		span_value(s, name, value);
	return true;
}

static bool read_attributes(struct spans *s, bool resource)
{
	for (json_array(&s->j); json_item(&s->j);) {
		if (!read_attribute(s, resource))
			return false;
	}
	return !s->j.failed;
}

static bool read_span_member(struct spans *s, struct str key)
{
	struct call_span *span = &s->span;
	struct str text = STR("");

	if (is_key(key, "traceId", "trace_id")) {
		if (!span_string(s, &text))
			return false;
		span->trace[0] = span_id(text);
		span->trace_name = text;
		return true;
	}
	if (is_key(key, "spanId", "span_id")) {
		if (!span_string(s, &text))
			return false;
		span->id = span_id(text);
		return true;
	}
	if (is_key(key, "parentSpanId", "parent_span_id")) {
		if (!span_string(s, &text))
			return false;
		span->parent = span_id(text);
		return true;
	}
	if (str_eq(key, STR("name")))
		return span_string(s, &span->name);
	if (is_key(key, "startTimeUnixNano", "start_time_unix_nano"))
		return span_time(s, 1, &span->start, &s->start);
	if (is_key(key, "endTimeUnixNano", "end_time_unix_nano"))
		return span_time(s, 1, &span->end, &s->end);
	if (str_eq(key, STR("attributes")) && json_peek(&s->j) == '[')
		return read_attributes(s, false);
	return json_skip(&s->j);
}

static bool read_span(struct spans *s)
{
	struct str key;

	span_begin(s);
	for (json_object(&s->j); json_key(&s->j, &key);) {
		if (!read_span_member(s, key))
			return false;
	}
	return !s->j.failed && span_push(s);
}

static bool read_scope(void *ctx)
{
	struct spans *s = ctx;
	struct str key;

	for (json_object(&s->j); json_key(&s->j, &key);) {
		if (!str_eq(key, STR("spans"))) {
			if (!json_skip(&s->j))
				return false;
			continue;
		}
		for (json_array(&s->j); json_item(&s->j);) {
			if (!read_span(s))
				return false;
		}
	}
	return !s->j.failed;
}

static bool read_resource_part(struct spans *s)
{
	struct str key;

	for (json_object(&s->j); json_key(&s->j, &key);) {
		if (str_eq(key, STR("attributes")) ? !read_attributes(s, true) : !json_skip(&s->j))
			return false;
	}
	return !s->j.failed;
}

static bool is_scopes(struct str key)
{
	return is_key(key, "scopeSpans", "scope_spans") ||
	       is_key(key, "instrumentationLibrarySpans", "instrumentation_library_spans");
}

/* The service may stand after its spans: they are looked at when it is known. */
static bool read_resource(struct spans *s)
{
	struct json spans;
	struct str key;
	bool any = false;

	s->span.service = STR("");
	for (json_object(&s->j); json_key(&s->j, &key);) {
		bool ok;

		if (str_eq(key, STR("resource"))) {
			ok = read_resource_part(s);
		} else if (is_scopes(key)) {
			spans = s->j;
			any = true;
			ok = json_skip(&s->j);
		} else {
			ok = json_skip(&s->j);
		}
		if (!ok)
			return false;
	}
	if (s->j.failed)
		return false;
	if (any) {
		struct json after = s->j;

		s->j = spans;
		if (!json_each(&s->j, read_scope, s))
			return false;
		s->j = after;
	}
	return true;
}

static bool otlp_traces_read_document(struct spans *s)
{
	struct str key;

	for (json_object(&s->j); json_key(&s->j, &key);) {
		if (!is_key(key, "resourceSpans", "resource_spans")) {
			if (!json_skip(&s->j))
				return false;
			continue;
		}
		for (json_array(&s->j); json_item(&s->j);) {
			if (!read_resource(s))
				return false;
		}
	}
	return !s->j.failed;
}

static bool read_otlp_traces(const struct read_task *task)
{
	struct spans s;
	bool ok = true;

	spans_start(&s, task->in, task->options, task->to, task->diag);
	while (ok && json_peek(&s.j) != '\0')
		ok = otlp_traces_read_document(&s);
	return spans_end(&s, ok && !s.j.failed);
}

const struct format format_otlp_traces = {
	.name = "otlp-traces",
	.title = "spans of OpenTelemetry, as JSON",
	.versions = "1.x",
	.unit = "stated",
	.totals = "exact",
	.calls = CALLS_SPANS,
	.probe = probe_otlp_traces,
	.read = read_otlp_traces,
};
