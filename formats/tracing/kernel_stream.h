/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a file with one event a line and counts the latencies, for readers that have nothing else.
 *
 * 	struct reader { struct kernel_stream s; ... } r = { ... };
 *
 * 	return kernel_stream_read(&r.s, task, read_line, &r);
 *
 * read_line() starts the samples at the first event, as the clock's resolution is known only then.
 */
#ifndef FORMATS_TRACING_KERNEL_STREAM_H
#define FORMATS_TRACING_KERNEL_STREAM_H

#include "formats/stream.h"
#include "formats/tracing/kernel_events.h"

/* A file of events while it is read. */
struct kernel_stream {
	struct stream stream;
	const struct read_task *task;
	struct samples samples;
	struct kernel_events *events; /* NULL until the first event */
	double threshold;	      /* in ns; for tools that show only calls above it */
};

/* Starts the samples and the events, at the first event.  `granularity`: of the clock in ns, 0 if
 * it is exact; for event_format see kernel_events_new(). */
void kernel_stream_start(struct kernel_stream *s, const struct kernel_event_format *event_format,
			 double granularity);
/* Does the same, but only the first time. */
static inline void kernel_stream_begin(struct kernel_stream *s,
				       const struct kernel_event_format *event_format,
				       double granularity)
{
	if (s->events == NULL)
		kernel_stream_start(s, event_format, granularity);
}

/* Gives up open calls, as events are missing here. */
void kernel_stream_forget(struct kernel_stream *s);
/* Reports that this many events are missing here, as `where` says.  False when an error was
 * reported. */
MUST_CHECK bool kernel_stream_lost(struct kernel_stream *s, uint64_t events, struct str where);

/* Reads the file; `read_line` handles the current line of s->stream and returns false when it has
 * reported an error. */
MUST_CHECK bool kernel_stream_read(struct kernel_stream *s, const struct read_task *task,
				   bool (*read_line)(void *ctx), void *ctx);

#endif
