/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be read only once, as a pipe, so that it can be read again: the bytes that came are
 * kept, in memory while they are few, then in a file of $TMPDIR without a name.
 */
#ifndef BASE_SEEKABLE_H
#define BASE_SEEKABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct diag;
struct input;

enum { SEEKABLE_IN_MEMORY = 1 << 22 }; /* more than that goes to the file */

/* The bytes that came of a pipe; all zero is none. seekable_release() gives them up. */
struct seekable {
	bool begun;
	int from;   /* where more comes from; -1: that was all */
	int kept;   /* the file; -1: they are in memory */
	uint64_t n; /* bytes that came */
	char *memory;
	size_t cap;
};

/* Whether it can be read only once: a pipe, a terminal, standard input unless it is a file. */
bool seekable_is_needed(const char *path);
/* Opens it ("-": standard input); once. */
MUST_CHECK bool seekable_begin(struct seekable *s, struct input *in, const char *path,
			       struct diag *diag);
/* The bytes from `at` on, those that are kept or the next ones; *ret_n is 0 at the end.  False
 * when an error was reported, of `in`. */
MUST_CHECK bool seekable_read(struct seekable *s, uint64_t at, char *to, size_t room, size_t *ret_n,
			      struct input *in, struct diag *diag);
void seekable_release(struct seekable *s);

#endif
