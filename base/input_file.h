/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inputs that are files: opened, read whole or piece by piece.  What is compressed
 * (expand.h) or in another encoding (encoding.h) becomes text: bytes and places are those
 * of the text.
 */
#ifndef BASE_INPUT_FILE_H
#define BASE_INPUT_FILE_H

#include <stdatomic.h>

#include "base/input.h"

struct diag;
struct filter;
struct seekable;

/* Opens PATH ("-": standard input).  Refuses more than max_bytes, expanded, so no
 * reader needs its own guard.  `path` has to outlive the input. */
MUST_CHECK bool input_open(struct input *ret_in, const char *path, size_t max_bytes,
			   struct diag *diag);

/* How far a file was read, for other threads to look at. */
struct input_watch {
	_Atomic(uint64_t) taken; /* bytes of the file as it lies there */
	_Atomic(uint64_t) size;	 /* 0: not known */
};

/* The beginning alone, `head` bytes of it when there are as many: for what need not be
 * held in memory.  Only a file that ends there is refused for its size.  The watch, which
 * may be NULL, is kept up to date until the input is released. */
enum { INPUT_HEAD = 1 << 20 }; /* enough to recognise a file, and for most to be whole */
MUST_CHECK bool input_begin(struct input *ret_in, const char *path, size_t head, size_t max_bytes,
			    struct input_watch *watch, struct diag *diag);
/* The same of what can be read only once; the seekable, which outlives the input, keeps what comes:
 * each input of it begins at the beginning. */
MUST_CHECK bool input_begin_seekable(struct input *ret_in, const char *path,
				     struct seekable *seekable, size_t head, size_t max_bytes,
				     struct input_watch *watch, struct diag *diag);
/* Reads the rest, too, up to the limit; nothing that pointed into the bytes stays valid. */
MUST_CHECK bool input_complete(struct input *in, struct diag *diag);
/* Begins again, with bytes on the heap that become the input's and stand after so many
 * newlines of the text, and reads the rest after them. */
MUST_CHECK bool input_complete_from(struct input *in, char *owned, size_t n, size_t lines_before,
				    struct diag *diag);
/* All of it, what was read and what is to come, goes through a filter, which is the input's
 * from here on (three at most): its bytes and places are those that come out.  Nothing that pointed
 * into the bytes stays valid. */
MUST_CHECK bool input_filter(struct input *in, struct filter *f, struct diag *diag);
/* Or piece by piece: the next bytes of the rest, none at the end.  What is wrong is
 * reported after the last byte of `already`, which holds what was read before. */
MUST_CHECK bool input_next(struct input *in, char *to, size_t room, size_t *ret_n,
			   struct input *already, struct diag *diag);
/* Reports a NUL byte among a part of the input's bytes; true without one. */
MUST_CHECK bool input_is_text(struct input *in, struct str part, struct diag *diag);
size_t input_limit(const struct input *in); /* bytes that may be held; of one with a rest */

#endif
