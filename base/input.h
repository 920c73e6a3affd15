/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file in memory, under the name to print in messages: the whole of it, or its
 * beginning and how to come by the rest.  What is compressed (expand.h) or in another
 * encoding (encoding.h) becomes text: bytes and places are those of the text.  It
 * begins with the first line that is not blank; a byte order mark is passed over.
 *
 * Everything that parses takes an input; nothing that parses opens a file.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct diag;
struct filter;

struct input_rest;

/* A file's text in memory, or its beginning; input_release() frees what it owns. */
struct input {
	struct str name; /* as typed; "-" for standard input */
	struct str bytes;
	size_t *line_at; /* offsets of line starts, built when a position is first asked for */
	size_t n_lines;
	char *owned;	     /* heap bytes; NULL when the bytes are borrowed */
	size_t lines_before; /* of a part of a file: newlines before its first byte; of all of it:
				blank lines */
	bool passing;	     /* of a part: it goes when the next one comes */
	size_t block;	     /* bytes of one of its blocks, of blocks.h; 0: as usual */
	const char *folder;  /* of which it is a part, and what lies beside it is read, too; NULL */
	struct input_rest *rest; /* what was not read yet; NULL: the bytes are all there is */
};

/* A place in a file, as messages print it. */
struct position {
	size_t line;   /* from 1 */
	size_t column; /* in bytes, from 1 */
};

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
size_t input_limit(const struct input *in); /* bytes that may be held; of one with a rest */

/* An input of n bytes that stay the caller's. */
void input_borrow(struct input *in, const char *name, const void *bytes, size_t n);
/* Frees what the input holds; borrowed bytes stay. */
void input_release(struct input *in);

/* Line and column of a byte, both from 1. */
struct position input_position(struct input *in, size_t at);
struct str input_line(struct input *in, size_t at); /* the line that holds byte `at`, no newline */

/* For messages about an input that will have gone: a copy of the line that a part of its
 * bytes begins in, as an input under the same name and with its number.  The same part of
 * the copy, no longer than the line; of lines beyond 64 KiB nothing is kept, and it is of
 * no bytes at NULL. */
struct str input_keep_line(struct input *in, struct str part, struct input *ret_kept);

/* The same where there are many of them. */
struct line_copy {
	struct str text; /* in an arena; NULL: nothing was kept */
	size_t number;	 /* from 1 */
};

/* A copy of `part` and of the line around it, for a message after the input is gone. */
struct str input_copy_line(struct input *in, struct str part, struct arena *a,
			   struct line_copy *ret);
/* It as an input, under the name that the input had. */
void input_borrow_line(struct input *in, struct str name, const struct line_copy *line);

#endif
