/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/stream.h"

#include <stdlib.h>

#include "base/xalloc.h"

void stream_start(struct stream *s, struct input *in, struct builder *to, struct diag *diag)
{
	*s = (struct stream){ .to = to };
	s->block.part.name = in->name;
	s->block.part.bytes = STR(""); /* until the first block */
	lines_start(&s->lines, &s->block.part, diag);
	blocks_start(&s->blocks, in, 0, '\0');
}

static bool next_block(struct stream *s)
{
	struct lines *l = &s->lines;
	enum block_next what = blocks_next(&s->blocks, &s->block, l->diag);

	s->failed = what == BLOCK_FAILED;
	if (what != BLOCK_TAKEN)
		return false;
	builder_part(s->to, l->in);
	l->rest = cursor_on(l->in);
	return true;
}

bool stream_next(struct stream *s)
{
	while (!lines_next(&s->lines)) {
		if (!next_block(s))
			return false;
	}
	return true;
}

bool stream_complete(struct stream *s)
{
	struct input *in = s->blocks.in;

	s->failed = !blocks_complete(&s->blocks, &s->block, s->lines.at, s->lines.diag) ||
		    !format_is_text(in, s->lines.diag);
	return !s->failed;
}

bool stream_end(struct stream *s)
{
	builder_part(s->to, NULL);
	block_release(&s->block);
	blocks_release(&s->blocks);
	return !s->failed;
}

bool stream_read(const struct read_task *task)
{
	const struct line_format *f = task->spec;
	struct stream *s = xcalloc(1, f->size);
	bool ok;

	stream_start(s, task->in, task->to, task->diag);
	ok = lines_begin(&s->lines, task);
	while (ok && stream_next(s))
		ok = f->line(s);
	ok = stream_end(s) && ok && (f->end == NULL || f->end(s));
	ok = lines_finish(&s->lines, ok);
	free(s);
	return ok;
}
