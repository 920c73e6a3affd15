/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole file in memory, under the name to print in messages.  What is compressed
 * (gzip, zstd, known by its content) is expanded: bytes and places are those of
 * the text.
 *
 * Everything that parses takes an input; nothing that parses opens a file.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/attr.h"
#include "base/str.h"

struct diag;

struct input {
	struct str name; /* as typed; "-" for standard input */
	struct str bytes;
	size_t *line_at; /* offsets of line starts, built when a position is first asked for */
	size_t n_lines;
	char *owned; /* heap bytes; NULL when the bytes are borrowed */
};

struct position {
	size_t line;   /* from 1 */
	size_t column; /* in bytes, from 1 */
};

/* Opens PATH ("-": standard input).  Refuses more than max_bytes, expanded, so no
 * reader needs its own guard.  `path` has to outlive the input. */
MUST_CHECK bool input_open(struct input *ret_in, const char *path, size_t max_bytes,
			   struct diag *diag);
void input_borrow(struct input *in, const char *name, const void *bytes, size_t n);
void input_release(struct input *in);

struct position input_position(struct input *in, size_t at);
struct str input_line(struct input *in, size_t at); /* the line that holds byte `at`, no newline */

#endif
