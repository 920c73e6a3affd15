/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a file of any size, one after the other and in constant memory: for
 * readers of events, where a line may depend on those before it.  Where each stands for
 * itself, formats/worker_pool.h has several threads read them; text that is in memory as a whole
 * is read by formats/lines.h.
 *
 *	stream_start(&stream, in, to, diag);
 *	while (fine && stream_next(&stream))
 *		fine = read_line(r, stream.lines.text);
 *	fine = stream_end(&stream) && fine;
 *
 * What a reader takes for its input is `stream.lines.in`, the part of the file that has
 * the current line.  It is freed with its lines: what is needed later is copied.
 */
#ifndef FORMATS_STREAM_H
#define FORMATS_STREAM_H

#include "base/blocks.h"
#include "formats/lines.h"

/* A file while it is read line by line in blocks. */
struct stream {
	struct lines lines; /* of the current part; `in` is the same throughout */

	/* Its own. */
	struct blocks blocks;
	struct block block;
	struct builder *to;
	bool failed;
};

/* Reads a file line by line as lines_read() does, for a reader that begins with a struct stream;
 * `end` comes when the whole input is that of the builder again. */
MUST_CHECK bool stream_read(const struct read_task *task);

/* Begins to read lines block by block. */
void stream_start(struct stream *l, struct input *in, struct builder *to, struct diag *diag);
/* False at the end, or when an error was reported. */
MUST_CHECK bool stream_next(struct stream *l);
/* What begins with the current line becomes the input, and all of it is read: for a reader that
 * finds there what has to be held.  Nothing that pointed into the input stays valid, and the stream
 * has ended.  False when an error was reported. */
MUST_CHECK bool stream_complete(struct stream *l);
/* Releases it.  False when stream_next() reported an error.  The builder goes back to the
 * whole input. */
MUST_CHECK bool stream_end(struct stream *l);

#endif
