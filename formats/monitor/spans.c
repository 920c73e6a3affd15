/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/monitor/spans.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

void spans_release(void *spans)
{
	struct spans *s = spans;

	free(s->value);
	free(s->link);
}

uint64_t span_id(struct str id)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	bool any = false;

	for (size_t i = 0; i < id.n; i++) {
		any = any || id.p[i] != '0';
		hash = (hash ^ (unsigned char)id.p[i]) * UINT64_C(1099511628211);
	}
	return any ? hash | 1 : 0;
}

void span_begin(struct spans *s)
{
	s->span = (struct call_span){ .service = s->span.service };
	s->trace = s->id = s->parent = STR("");
	s->start = s->end = (struct str){ NULL, 0 };
	s->n_values = s->n_links = 0;
}

void span_value(struct spans *s, struct str of, struct str value)
{
	if (!call_output_wants_values(s->lines.calls))
		return;
	s->value = xgrow(s->value, &s->cap_values, s->n_values + 1, sizeof(*s->value));
	s->value[s->n_values++] = (struct call_value){ of, value };
}

void span_link(struct spans *s, struct str trace, struct str id)
{
	if (!call_output_wants_calls(s->lines.calls))
		return;
	s->link = xgrow(s->link, &s->cap_links, s->n_links + 1, sizeof(*s->link));
	s->link[s->n_links++] = (struct span_link){ trace, id };
}

void span_ids(struct spans *s)
{
	s->span.trace[0] = span_id(s->trace);
	s->span.trace_name = s->trace;
	s->span.id = span_id(s->id);
	s->span.parent = span_id(s->parent);
}

bool span_time(struct spans *s, struct str where, uint64_t ns, struct call_time *ret)
{
	struct decimal v;

	return where.p == NULL ||
	       (number_decimal(where, &v) == NUMBER_OK && v.billionths >= 0 &&
		decimal_times(v, ns, &v) && call_time_from(v, ret)) ||
	       lines_fail(&s->lines, DIAG_NUMBER_RANGE, where, "expected a time from 0 on");
}

static void push_links(struct spans *s)
{
	struct call_sink *to = s->lines.calls->to;

	for (size_t i = 0; i < s->n_links && to->class->link != NULL; i++) {
		struct str trace = s->link[i].trace;
		struct call_span_link l = { .trace = { span_id(trace.n > 0 ? trace : s->trace) },
					    .id = span_id(s->link[i].id) };

		to->class->link(to, &l);
	}
}

bool span_push(struct spans *s)
{
	struct call_sink *to = s->lines.calls->to;

	if (s->start.p == NULL || s->end.p == NULL)
		return true; /* the span has not ended */
	if (s->span.end.ns < s->span.start.ns)
		return lines_fail(&s->lines, DIAG_NUMBER_RANGE, s->end,
				  "a span cannot end before it starts");
	s->span.where = s->end;
	if (!to->class->span(to, &s->span))
		return false;
	for (size_t i = 0; i < s->n_values && to->class->value != NULL; i++)
		to->class->value(to, &s->value[i]);
	push_links(s);
	return true;
}
