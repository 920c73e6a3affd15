/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text in memory, under the name to print in messages: the whole of it, or its
 * beginning and how to come by the rest (input_file.h).  It begins with the first line
 * that is not blank; a byte order mark is passed over.
 *
 * Everything that parses takes an input; nothing that parses opens a file.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct arena;

struct input_rest;

/* A file's text in memory, or its beginning; input_release() frees what it owns. */
struct input {
	struct str name; /* as typed; "-" for standard input */
	struct str bytes;
	size_t *line_at; /* offsets of line starts, as far as a position was asked for */
	size_t n_lines, cap_lines;
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

/* An input of n bytes that stay the caller's. */
void input_borrow(struct input *in, const char *name, const void *bytes, size_t n);
/* Frees what the input holds; borrowed bytes stay. */
void input_release(struct input *in);

/* Bytes of a mark of UTF-8 that a text begins with; 0: none. */
size_t input_mark(struct str text);

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
