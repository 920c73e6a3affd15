/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/kernel_stream.h"

void kernel_stream_begin(struct kernel_stream *s, const struct kernel_dress *dress,
			 double granularity)
{
	struct lines *lines = &s->stream.lines;

	if (s->events != NULL)
		return;
	kernel_samples_start(&s->samples, lines->in, s->options, granularity, lines->diag);
	s->events = kernel_events_new(&s->samples, s->options, dress);
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
	bool fine = true;

	s->to = to;
	s->options = options;
	stream_start(&s->stream, in, to, diag);
	while (fine && stream_next(&s->stream))
		fine = read_line(ctx);
	fine = stream_end(&s->stream) && fine;
	if (s->events != NULL) {
		kernel_events_push_nests(s->events, to);
		fine = fine && sampler_push(s->samples.sampler, to);
		if (fine)
			kernel_events_tell(s->events, in, diag);
		kernel_events_free(s->events);
		samples_release(&s->samples);
	}
	build_drop_single_layer(to);
	return fine;
}
