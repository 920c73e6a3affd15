/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/kernel_stream.h"

void kernel_stream_begin(struct kernel_stream *s, const struct kernel_event_format *output_format,
			 double granularity)
{
	struct lines *lines = &s->stream.lines;

	if (s->events != NULL)
		return;
	kernel_samples_start(&s->samples, lines->in, s->options, granularity, lines->diag);
	s->events = kernel_events_new(&s->samples, s->options, output_format);
}

bool kernel_stream_lost(struct kernel_stream *s, uint64_t events, struct str where)
{
	if (s->events != NULL)
		kernel_events_lost(s->events);
	return build_lost(s->to, events, where);
}

bool kernel_stream_read(struct kernel_stream *s, struct input *in,
			const struct read_options *options, struct builder *to, struct diag *diag,
			bool (*read_line)(void *ctx), void *ctx)
{
	bool ok = true;

	s->to = to;
	s->options = options;
	stream_start(&s->stream, in, to, diag);
	while (ok && stream_next(&s->stream))
		ok = read_line(ctx);
	ok = stream_end(&s->stream) && ok;
	if (s->events != NULL) {
		kernel_events_push_nests(s->events, to);
		ok = ok && accumulator_push(s->samples.accumulator, to);
		if (ok)
			kernel_events_report(s->events, in, diag);
		kernel_events_free(s->events);
		samples_release(&s->samples);
	}
	build_drop_single_layer(to);
	return ok;
}
