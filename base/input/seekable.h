/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a pipe readable more than once: keeps the bytes that were read, in memory while they
 * are few, then in an unnamed file in $TMPDIR.
 */
#ifndef BASE_INPUT_SEEKABLE_H
#define BASE_INPUT_SEEKABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct diag;
struct input;

enum { SEEKABLE_IN_MEMORY = 1 << 22 }; /* more than that goes to the file */

/* The bytes read from a pipe; all zero at first. seekable_release() frees them. */
struct seekable {
	bool begun;
	int from;   /* the pipe; -1: read to the end */
	int kept;   /* the file that keeps the bytes; -1: they are in memory */
	uint64_t n; /* bytes read so far */
	char *memory;
	size_t cap;
};

/* Whether the path may be readable only once: a pipe, a terminal, standard input ("-"). */
bool seekable_is_needed(const char *path);
/* Opens the path ("-": standard input), for cancel_wait() unless `cancelled` is NULL; does nothing
 * when it is already open. */
MUST_CHECK bool seekable_begin(struct seekable *s, struct input *in, const char *path,
			       const atomic_bool *cancelled, struct diag *diag);
/* Reads the bytes from `at` on, kept ones or the next of the pipe; *ret_n is 0 at the end.  False
 * when an error was reported, about `in`. */
MUST_CHECK bool seekable_read(struct seekable *s, uint64_t at, char *to, size_t room, size_t *ret_n,
			      struct input *in, struct diag *diag);
void seekable_release(struct seekable *s);

#endif
