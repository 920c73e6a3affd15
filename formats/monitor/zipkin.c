/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zipkin: spans of Zipkin's second format in JSON, from its HTTP service and from collectors.
 *
 *	[{"traceId":"5b","id":"09","parentId":"01","name":"send","timestamp":1000,
 *	  "duration":25,"localEndpoint":{"serviceName":"mail"},"tags":{"error":"x"}}]
 *
 * Times are in microseconds.  An operation is a span's name, its layer the service.  A server's
 * span that shares the id of its client's ("shared": true) is a child of the client's span, and
 * the server's calls are children of the server's span.  Lists of traces (lists of lists) are
 * read, too.
 *
 * Seen: the second version of the format.  Not supported: the first, with annotations.
 */
#include "base/tables/number_map.h"
#include "formats/monitor/spans.h"

static bool zipkin_is_one(struct str head)
{
	enum { SEARCHED = 1 << 14 };
	struct str s = str_trim(head);

	if (!str_has_prefix(s, STR("[")))
		return false;
	if (s.n > SEARCHED)
		s.n = SEARCHED;
	return str_contains(s, STR("\"traceId\"")) && str_contains(s, STR("\"id\"")) &&
	       (str_contains(s, STR("\"timestamp\"")) || str_contains(s, STR("\"localEndpoint\"")));
}

struct reader {
	struct spans s;
	struct number_map shared; /* servers' spans that share an id, by trace and id */
	bool looking;		  /* first pass: fill `shared` */
};

static uint64_t shared_key(const struct call_span *s, uint64_t id)
{
	return number_map_mix(s->trace[0] ^ number_map_mix(id)) >> 1;
}

static bool read_tags(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->s.j;
	struct str key, value;

	for (json_object(j); json_key(j, &key);) {
		value = STR("");
		if (json_peek(j) == '"' ? !json_string(j, &value) : !json_skip(j))
			return false;
		span_value(&r->s, key, value);
	}
	return !j->failed;
}

/* When client and server share an id, gives the server's span a new one. */
static void report_apart(struct reader *r, bool shared)
{
	struct call_span *span = &r->s.span;
	bool fresh;

	if (r->looking) {
		if (shared)
			(void)number_map_at(&r->shared, shared_key(span, span->id), &fresh);
		return;
	}
	if (shared) {
		span->parent = span->id;
		span->id = shared_key(span, span->id) | 1;
	} else if (span->parent != 0 &&
		   number_map_find(&r->shared, shared_key(span, span->parent)) != NULL) {
		span->parent = shared_key(span, span->parent) | 1;
	}
}

static bool read_span(struct reader *r)
{
	struct spans *s = &r->s;
	struct str took = { NULL, 0 };
	struct call_time duration = { 0, 0 };
	bool shared = false;
	const struct json_member endpoint[] = {
		JSON_STRING("serviceName", &s->span.service, .only = '"'),
	};
	const struct json_member members[] = {
		JSON_STRING("traceId", &s->trace, .only = '"'),
		JSON_STRING("id", &s->id, .only = '"'),
		JSON_STRING("parentId", &s->parent, .only = '"'),
		JSON_STRING("name", &s->span.name, .only = '"'),
		JSON_TEXT_IN_PLACE("timestamp", &s->start),
		JSON_TEXT_IN_PLACE("duration", &took),
		JSON_OBJECT_OR_SKIP("localEndpoint", endpoint),
		JSON_READ("tags", read_tags, r, .only = '{'),
		JSON_FLAG("shared", &shared, .only = 't'),
	};

	span_begin(s);
	s->span.service = STR("");
	if (!json_members(&s->j, members, COUNT_OF(members)) ||
	    !span_time(s, s->start, 1000, &s->span.start) || !span_time(s, took, 1000, &duration))
		return false;
	span_ids(s);
	s->end = took;
	s->span.end = (struct call_time){ s->span.start.ns + duration.ns, s->span.start.part };
	report_apart(r, shared);
	return r->looking || span_push(s);
}

static bool read_list(struct reader *r)
{
	struct json *j = &r->s.j;

	for (json_array(j); json_item(j);) {
		if (json_peek(j) == '[' ? !read_list(r) : !read_span(r))
			return false;
	}
	return !j->failed;
}

static bool read_all(struct reader *r, bool looking)
{
	bool ok = true;

	lines_json(&r->s.lines, &r->s.j);
	r->looking = looking;
	while (ok && json_peek(&r->s.j) != '\0')
		ok = read_list(r);
	return ok && !r->s.j.failed;
}

static bool zipkin_text(void *reader)
{
	struct reader *r = reader;
	bool ok = read_all(r, true) && read_all(r, false);

	number_map_release(&r->shared);
	return ok;
}

const struct format format_zipkin = {
	.name = "zipkin",
	.title = "spans of Zipkin, as JSON",
	.versions = "2",
	.unit = "stated",
	.totals = "exact",
	.suffix = SUFFIXES(".json"),
	.calls = CALLS_SPANS,
	.is_one = zipkin_is_one,
	.read = lines_read,
	.spec = SPANS(struct reader, zipkin_text),
};
