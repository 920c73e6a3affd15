/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file of events a line, with what becomes of them: for readers that have nothing else.
 *
 *	struct reader { struct kernel_stream s; ... } r = { ... };
 *
 *	return kernel_stream_read(&r.s, task, read_line, &r);
 *
 * where read_line() begins with the first event, as only then is known how fine its clock is.
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
	struct kernel_events *events; /* NULL until the first one */
	double threshold;	      /* ns; of what shows slow calls only */
};

/* Begins the samples and the events, with the first one.  `granularity`: of the clock in ns, 0
 * where it tells all apart; the rest as of kernel_events_new(). */
void kernel_stream_start(struct kernel_stream *s, const struct kernel_event_format *output_format,
			 double granularity);
/* The same; nothing after the first time. */
static inline void kernel_stream_begin(struct kernel_stream *s,
				       const struct kernel_event_format *output_format,
				       double granularity)
{
	if (s->events == NULL)
		kernel_stream_start(s, output_format, granularity);
}

/* Events are missing here: no call goes on. */
void kernel_stream_forget(struct kernel_stream *s);
/* So many events are missing here, as `where` says.  False when an error was reported. */
MUST_CHECK bool kernel_stream_lost(struct kernel_stream *s, uint64_t events, struct str where);

/* `read_line` takes the current line of s->stream; false when it has reported an error. */
MUST_CHECK bool kernel_stream_read(struct kernel_stream *s, const struct read_task *task,
				   bool (*read_line)(void *ctx), void *ctx);

#endif
