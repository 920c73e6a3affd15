/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the readers of spans: an operation is a span's name, its layer the service. */
#ifndef FORMATS_MONITOR_SPANS_H
#define FORMATS_MONITOR_SPANS_H

#include "base/json.h"
#include "formats/call_latencies.h"
#include "formats/lines.h"

/* A span that the current span links to, as raw text; an empty trace is the current one. */
struct span_link {
	struct str trace, id;
};

/* The state of reading a file of spans; the first member of each reader. */
struct spans {
	struct lines lines;
	struct json j;
	/* The current span. */
	struct call_span span;
	struct str trace, id, parent; /* raw text; empty: absent */
	struct str start, end;	      /* raw text of the times */
	struct call_value *value;
	size_t n_values, cap_values;
	struct span_link *link;
	size_t n_links, cap_links;
};

/* The line format of a reader of spans: `text` reads the file into a struct `type`. */
#define SPANS(type, text)                                                                          \
	(&(const struct line_format){ .size = sizeof(type),                                        \
				      .end = text,                                                 \
				      .release = spans_release,                                    \
				      .sampling = &samples_ns,                                     \
				      .calls = true,                                               \
				      .drop_single_layer = true })

/* Frees the memory for the current span. */
void spans_release(void *spans);

/* Converts an id to a number; 0 if it is empty or all zeros. */
uint64_t span_id(struct str id);
/* Sets the ids of the current span from their raw text. */
void span_ids(struct spans *s);
void span_begin(struct spans *s);
void span_value(struct spans *s, struct str of, struct str value);
/* Adds a link from the current span to another one. */
void span_link(struct spans *s, struct str trace, struct str id);
/* Parses a time in units of `ns` nanoseconds; leaves *ret unchanged when where.p is NULL. */
MUST_CHECK bool span_time(struct spans *s, struct str where, uint64_t ns, struct call_time *ret);
MUST_CHECK bool span_push(struct spans *s);

#endif
