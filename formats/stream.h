/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a file of any size in constant memory, for readers of events whose lines may depend
 * on earlier ones.  Where each line stands for itself, formats/worker_pool.h reads them with
 * several threads; formats/lines.h reads text that is in memory as a whole.
 *
 * 	stream_start(&stream, in, to, diag);
 * 	while (fine && stream_next(&stream))
 * 		fine = read_line(r, stream.lines.text);
 * 	fine = stream_end(&stream) && fine;
 *
 * The reader's input is `stream.lines.in`, the block of the file with the current line.  The block
 * is freed when its lines are read: copy what is needed later.
 */
#ifndef FORMATS_STREAM_H
#define FORMATS_STREAM_H

#include "base/input/blocks.h"
#include "formats/lines.h"

/* A file while it is read line by line in blocks. */
struct stream {
	struct lines lines; /* of the current block; the pointer `in` never changes */

	/* Its own. */
	struct blocks blocks;
	struct block block;
	struct builder *to;
	bool failed;
};

/* Reads a file line by line as lines_read() does, for a reader that begins with a struct stream;
 * calls `end` after the builder has been set back to the whole input. */
MUST_CHECK bool stream_read(const struct read_task *task);

/* Starts reading the lines block by block. */
void stream_start(struct stream *l, struct input *in, struct builder *to, struct diag *diag);
/* False at the end, or when an error was reported. */
MUST_CHECK bool stream_next(struct stream *l);
/* Reads everything from the current line on into memory, as the input, for a reader that finds it
 * cannot read it line by line.  Pointers into the input become invalid, and the stream has ended.
 * False when an error was reported. */
MUST_CHECK bool stream_complete(struct stream *l);
/* Releases the stream and sets the builder back to the whole input.  False when stream_next()
 * reported an error. */
MUST_CHECK bool stream_end(struct stream *l);

#endif
