/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/kernel_stream.h"

#include "formats/carried.h"

void kernel_stream_start(struct kernel_stream *s, const struct kernel_event_format *event_format,
			 double granularity)
{
	struct accumulator_options kind = kernel_sampling_us;

	kind.granularity = granularity;
	kind.threshold = s->threshold;
	samples_start(&s->samples, s->stream.lines.in, s->task->options, &kind, s->task->diag);
	s->events = kernel_events_new(&s->samples, s->task->options, event_format);
}

void kernel_stream_forget(struct kernel_stream *s)
{
	if (s->events != NULL)
		kernel_events_lost(s->events, 0);
	else
		carried_drop(s->task->options->carried);
}

bool kernel_stream_lost(struct kernel_stream *s, uint64_t events, struct str where)
{
	kernel_stream_forget(s);
	return build_lost(s->task->to, events, where);
}

bool kernel_stream_read(struct kernel_stream *s, const struct read_task *task,
			bool (*read_line)(void *ctx), void *ctx)
{
	bool ok = true;

	s->task = task;
	stream_start(&s->stream, task->in, task->to, task->diag);
	while (ok && stream_next(&s->stream))
		ok = read_line(ctx);
	ok = stream_end(&s->stream) && ok;
	if (s->events != NULL) {
		kernel_events_push_nests(s->events, task->to);
		ok = ok && accumulator_push(s->samples.accumulator, task->to);
		if (ok)
			kernel_events_report(s->events, task->in, task->diag);
		kernel_events_free(s->events);
		samples_release(&s->samples);
	}
	build_drop_single_layer(task->to);
	return ok;
}
