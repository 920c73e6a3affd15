/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens files as inputs, and reads them whole or piece by piece.  Compressed files
 * (expand.h) and other encodings (encoding.h) are converted to text; bytes and positions
 * are those of the text.
 */
#ifndef BASE_INPUT_INPUT_FILE_H
#define BASE_INPUT_INPUT_FILE_H

#include <stdatomic.h>

#include "base/input/input.h"

struct diag;
struct filter;
struct seekable;

/* Opens and reads all of PATH ("-": standard input).  Refuses more than max_bytes of text,
 * so that no reader needs a check of its own.  `path` must outlive the input. */
MUST_CHECK bool input_open(struct input *ret_in, const char *path, size_t max_bytes,
			   struct diag *diag);

/* The progress of reading a file, for other threads. */
struct input_watch {
	_Atomic(uint64_t) taken; /* bytes of the file, as stored on disk */
	_Atomic(uint64_t) size;	 /* 0: not known */
	/* Set by another thread to end the reading with an error; NULL: nobody does. */
	const atomic_bool *cancelled;
};

/* Reads only the beginning, at least `head` bytes unless the file is shorter; for files that need
 * not be held in memory.  max_bytes is enforced only if the file ends there.  `watch`, which may
 * be NULL, is updated until the input is released. */
enum { INPUT_HEAD = 1 << 20 }; /* enough to recognise a format; most files are smaller */
MUST_CHECK bool input_begin(struct input *ret_in, const char *path, size_t head, size_t max_bytes,
			    struct input_watch *watch, struct diag *diag);
/* The same for a pipe, which can be read only once.  The seekable keeps its bytes, so that each
 * input made from it starts at the beginning; it must outlive the input. */
MUST_CHECK bool input_begin_seekable(struct input *ret_in, const char *path,
				     struct seekable *seekable, size_t head, size_t max_bytes,
				     struct input_watch *watch, struct diag *diag);
/* The same for bytes of the caller, compressed or not, which must outlive the input. */
MUST_CHECK bool input_begin_memory(struct input *ret_in, const char *name, struct str bytes,
				   size_t head, size_t max_bytes, struct input_watch *watch,
				   struct diag *diag);
/* Reads the rest, up to the limit; pointers into the bytes become invalid. */
MUST_CHECK bool input_complete(struct input *in, struct diag *diag);
/* Replaces the bytes by n bytes on the heap, which the input owns from then on, and reads the rest
 * after them.  `lines_before`: newlines of the file before them. */
MUST_CHECK bool input_complete_from(struct input *in, char *owned, size_t n, size_t lines_before,
				    struct diag *diag);
/* Passes everything, what was read and what follows, through a filter, which the input owns from
 * then on (three at most): bytes and positions are those of its output.  Pointers into the bytes
 * become invalid. */
MUST_CHECK bool input_filter(struct input *in, struct filter *f, struct diag *diag);
/* Reads the next piece of the rest; *ret_n is 0 at the end.  Errors are reported after the last
 * byte of `place`, which holds what was read before. */
MUST_CHECK bool input_next(struct input *in, char *to, size_t room, size_t *ret_n,
			   struct input *place, struct diag *diag);
/* Reports a NUL byte in a part of the input's bytes; true if there is none. */
MUST_CHECK bool input_is_text(struct input *in, struct str part, struct diag *diag);
size_t input_limit(const struct input *in); /* max_bytes of an input that has a rest */

#endif
