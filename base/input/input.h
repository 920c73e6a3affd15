/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text in memory, with the name to print in messages: all of it, or its beginning and
 * how to read the rest (input_file.h).  It begins with the first line that is not blank; a
 * byte order mark is skipped.
 *
 * Parsers take an input; they never open files.
 */
#ifndef BASE_INPUT_INPUT_H
#define BASE_INPUT_INPUT_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct arena;

struct input_rest;

/* A file's text in memory, or its beginning; input_release() frees what it owns. */
struct input {
	struct str name; /* as typed; "-" for standard input */
	struct str bytes;
	size_t *line_at; /* offsets of line starts, up to the last position asked for */
	size_t n_lines, cap_lines;
	char *owned;	     /* the bytes on the heap; NULL: they are borrowed */
	size_t lines_before; /* newlines of the file before the first byte: skipped blank lines, or
				those before this part */
	bool passing;	     /* a part whose bytes become invalid when the next one is read */
	size_t block;	     /* size of its blocks in bytes (blocks.h); 0: the default */
	const char
		*folder; /* the folder it belongs to, whose other files are read, too; NULL: none */
	struct input_rest *rest; /* the unread rest; NULL: everything is in `bytes` */
};

/* A position in a file, as messages print it. */
struct position {
	size_t line;   /* from 1 */
	size_t column; /* in bytes, from 1 */
};

/* Makes an input of n bytes, which stay the caller's. */
void input_borrow(struct input *in, const char *name, const void *bytes, size_t n);
/* Frees what the input owns; borrowed bytes stay. */
void input_release(struct input *in);

/* Returns the bytes of the UTF-8 byte order mark at the start of a text; 0: none. */
size_t input_mark(struct str text);

/* Returns the line and column of a byte, both from 1. */
struct position input_position(struct input *in, size_t at);
struct str input_line(struct input *in, size_t at); /* the line that holds byte `at`, no newline */

/* Copies the line that `part` begins in, for messages after the input is released: *ret_kept is an
 * input of that line, with the same name and line number.  Returns `part` within the copy, at most
 * to the end of the line; empty at NULL for lines above 64 KiB, which are not copied. */
struct str input_keep_line(struct input *in, struct str part, struct input *ret_kept);

/* A copy of a line, smaller than an input, for when there are many. */
struct line_copy {
	struct str text; /* in an arena; NULL: not copied */
	size_t number;	 /* from 1 */
};

/* As input_keep_line(), but to a line_copy in the arena. */
struct str input_copy_line(struct input *in, struct str part, struct arena *a,
			   struct line_copy *ret);
/* Makes an input of the copy; `name`: that of the original input. */
void input_borrow_line(struct input *in, struct str name, const struct line_copy *line);

#endif
