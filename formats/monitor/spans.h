/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers of spans have in common: an operation is a span's name, its layer the service. */
#ifndef FORMATS_MONITOR_SPANS_H
#define FORMATS_MONITOR_SPANS_H

#include "base/json.h"
#include "formats/call_latencies.h"
#include "formats/lines.h"

/* What the current span continues, as it stands there; a trace of no bytes is its own. */
struct span_link {
	struct str trace, id;
};

/* A file of spans while it is read: what its reader begins with. */
struct spans {
	struct lines lines;
	struct json j;
	/* Of the current span. */
	struct call_span span;
	struct str trace, id, parent; /* as they stand there; of no bytes: not there */
	struct str start, end;	      /* where they stand */
	struct call_value *value;
	size_t n_values, cap_values;
	struct span_link *link;
	size_t n_links, cap_links;
};

/* The format of a file of spans that `text` reads, into a struct `type`. */
#define SPANS(type, text)                                                                          \
	(&(const struct line_format){ .size = sizeof(type),                                        \
				      .end = text,                                                 \
				      .release = spans_release,                                    \
				      .sampling = &samples_ns,                                     \
				      .calls = true,                                               \
				      .drop_single_layer = true })

/* Frees what is kept of the current span. */
void spans_release(void *spans);

/* An id as a number: 0 where it is empty or all zeros. */
uint64_t span_id(struct str id);
/* The ids of the current span are those that stand there. */
void span_ids(struct spans *s);
void span_begin(struct spans *s);
void span_value(struct spans *s, struct str of, struct str value);
/* The current span links to that one, or follows from it. */
void span_link(struct spans *s, struct str trace, struct str id);
/* A time that stands there, in units of `ns`; of none *ret stays as it is. */
MUST_CHECK bool span_time(struct spans *s, struct str where, uint64_t ns, struct call_time *ret);
MUST_CHECK bool span_push(struct spans *s);

#endif
